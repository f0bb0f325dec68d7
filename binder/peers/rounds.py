"""Measures the runners of a bench in turn, so that what disturbs one disturbs all."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable

from .plan import BenchError, Goal
from .process import Process

TOLERANCE = 2e-5  # of the larger number: the fifth digit


def agree(a: object, b: object) -> bool:
    """Numbers with a fraction agree to five digits, everything else only if it is equal."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(agree(a[k], b[k]) for k in a)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and (isinstance(a, float) or isinstance(b, float)):
        return abs(a - b) <= TOLERANCE * max(abs(a), abs(b))
    return a == b


def compare(bench: str, checks: dict[str, object]) -> None:
    """Raises unless everybody computed the same."""
    (first, want), *others = checks.items()
    for who, got in others:
        if not agree(want, got):
            raise BenchError(f"{bench}: {first} computes {want!r}, {who} {got!r}: they do not do the same, so no time is shown")


def measure(bench: str, processes: dict[str, Process], rounds: int, seconds: float, order: random.Random) -> dict[str, dict]:
    """For each who: cost_s, the seconds of CPU time for one unit in each round; check; bytes; and busy, the wall clock
    time of all rounds over their CPU time.

    Before the rounds, everybody does it once: that finds the repeats that take the given seconds, or shows a difference.
    """
    first = {who: p.run(bench, 1) for who, p in processes.items()}
    compare(bench, {who: a["check"] for who, a in first.items()})
    repeats = {who: max(1, round(seconds / a["cpu_s"])) for who, a in first.items()}
    answers: dict[str, list[dict]] = {who: [] for who in processes}
    for _ in range(rounds):
        turns = list(processes)
        order.shuffle(turns)
        for who in turns:
            answers[who].append(processes[who].run(bench, repeats[who]))
        compare(bench, {who: answers[who][-1]["check"] for who in processes})
    return {
        who: {
            "cost_s": [a["cpu_s"] / a["ops"] for a in answers[who]],
            "check": answers[who][-1]["check"],
            "bytes": answers[who][-1].get("bytes") or p.peak_bytes(),
            "busy": sum(a["wall_s"] for a in answers[who]) / sum(a["cpu_s"] for a in answers[who]),
        }
        for who, p in processes.items()
    }


def ratio(costs: list[float], over: list[float]) -> dict[str, float]:
    """Median, lowest and highest ratio of two costs of the same round."""
    ratios = [a / b for a, b in zip(costs, over, strict=True)]
    return {"median": statistics.median(ratios), "low": min(ratios), "high": max(ratios)}


def judge(bench: str, measured: dict[str, dict], goals: Iterable[Goal]) -> list[dict]:
    """Which goals of this bench are met; those of runners that were left out are left out."""
    return [
        {"who": g.who, "over": g.over, "at_most": g.at_most, "ratio": r, "met": r <= g.at_most}
        for g in goals
        if bench.startswith(g.bench) and g.who in measured and g.over in measured
        for r in [ratio(measured[g.who]["cost_s"], measured[g.over]["cost_s"])["median"]]
    ]
