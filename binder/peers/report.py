"""Prints and stores what a run has measured."""

from __future__ import annotations

import os.path
import statistics
from pathlib import Path

from .plan import BenchError
from .rounds import ratio

BEGIN, END = "<!-- binder/bench --readme writes from here -->", "<!-- to here -->"


def duration(seconds: float) -> str:
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def memory(number: int | None) -> str:
    if number is None:
        return ""
    return f"{number / 2**20:.0f} MiB" if number >= 2**20 else f"{number / 2**10:.0f} KiB"


def head(run: dict) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in run["versions"].items())
    return f"{run['date']}, {run['processor']}; {versions}"


def method(run: dict) -> str:
    return f"CPU time on one core, one thread each; ratios: median of {run['rounds']} interleaved rounds, and range"


def text(run: dict) -> str:
    """A table for each bench, to be read in a terminal."""
    lines = [head(run), method(run)]
    if run["busy"] > 1.2:
        lines.append(f"the machine was busy: the clock took {run['busy']:.1f} times the CPU time; run it again when it is quiet")
    for group in run["groups"]:
        for bench in group["benches"]:
            computed = f"   (all computed {bench['check']})" if bench["check"] is not None else ""
            lines += ["", bench["bench"] + computed]
            peer = bench["who"].get(group["peer"])
            over = (f"x {group['peer']}", "from to") if peer else ("", "")
            rows = [["", f"CPU/{bench['unit']}", *over, "memory", ""]]
            for who, m in bench["who"].items():
                row = [who, duration(statistics.median(m["cost_s"])), "", "", memory(m["bytes"])]
                if peer and m is not peer:
                    r = ratio(m["cost_s"], peer["cost_s"])
                    row[2:4] = f"{r['median']:.2f}", f"{r['low']:.2f} {r['high']:.2f}"
                verdicts = [
                    f"{'pass' if g['met'] else 'FAIL'}: {g['ratio']:.2f} x {g['over']}, goal {g['at_most']:g}"
                    for g in bench["goals"] if g["who"] == who
                ]  # fmt: skip
                rows.append([*row, "; ".join(verdicts)])
            widths = [max(map(len, column)) for column in zip(*rows)]
            for row in rows:
                cells = [c.ljust(w) if i in (0, 5) else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))]
                lines.append("  " + "  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown(run: dict) -> str:
    """A table for each group: the peer's cost, and the others' as multiples of it."""
    lines = [f"Measured by `binder/bench` on {head(run)}. {method(run)}."]
    for group in run["groups"]:
        names = [b["bench"] for b in group["benches"]]
        common = os.path.commonprefix(names).rpartition("/")[0]
        whos = list(dict.fromkeys(who for b in group["benches"] for who in b["who"]))
        peer = group["peer"] if group["peer"] in whos else ""
        if peer:
            whos = [peer, *(w for w in whos if w != peer)]
        title = f"**{group['title']}**" + (f" (`{common}`)" if common else "")
        what = f"CPU time for one {group['benches'][0]['unit']}"
        lines += ["", f"{title}: {what}" + (f" of {peer}, and how many times that the others take" if peer else ""), ""]
        lines += ["| | " + " | ".join(whos) + " |", "|---" + "|---:" * len(whos) + "|"]
        for bench in group["benches"]:
            cells = [f"`{bench['bench'][len(common) + 1 if common else 0 :]}`"]
            over = bench["who"].get(peer)
            for who in whos:
                m = bench["who"].get(who)
                if m is None:
                    cells.append("")
                elif over is None or who == peer:
                    cells.append(duration(statistics.median(m["cost_s"])))
                else:
                    r = ratio(m["cost_s"], over["cost_s"])
                    cells.append(f"{r['median']:.2f} ({r['low']:.2f} to {r['high']:.2f})")
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def write_readme(run: dict, path: Path) -> None:
    """Replaces what is between the markers, and nothing else."""
    if run["quick"] or run["only"]:
        raise BenchError("--readme wants a full run: leave out --quick and --only")
    old = path.read_text(encoding="utf-8")
    if old.count(BEGIN) != 1 or old.count(END) != 1 or old.index(BEGIN) > old.index(END):
        raise BenchError(f"{path}: want the lines {BEGIN!r} and {END!r} once each, in this order")
    before, rest = old.split(BEGIN)
    after = rest.split(END)[1]
    path.write_text(f"{before}{BEGIN}\n{markdown(run)}\n{END}{after}", encoding="utf-8")
