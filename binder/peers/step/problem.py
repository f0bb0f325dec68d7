"""The training that every runner of this folder does: its data, as the Go program wrote them, and its constants."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

STEPS, DIMS = 200, 64
BETA, GAMMA = 20.0, 10.0
RATE, BETA1, BETA2, EPSILON = 0.003, 0.9, 0.999, 1e-8
FOLDER = Path(os.environ["MEMLAB_BENCH_DATA"])


@dataclass
class Problem:
    """facts x DIMS keys and values; STEPS x batch facts asked for, and the questions, STEPS x batch x DIMS; all float32
    but the facts."""

    slots: int
    k: np.ndarray
    v: np.ndarray
    facts: np.ndarray
    q: np.ndarray

    def constant_targets(self) -> tuple[np.ndarray, np.ndarray]:
        """For each fact, the answer of a teacher whose attention is all on it: the mean value under its distribution over
        the candidates, and that distribution's sum of t log t."""
        v = self.v.astype(np.float64)
        logits = GAMMA * v @ v.T
        log_t = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        t = np.exp(log_t)
        return (t @ v).astype(np.float32), (t * log_t).sum(axis=1).astype(np.float32)


def read(size: str) -> Problem:
    facts, slots, batch = map(int, re.fullmatch(r"N(\d+)-p(\d+)-b(\d+)", size).groups())
    raw = (FOLDER / size).read_bytes()
    shapes = [((facts, DIMS), "<f4"), ((facts, DIMS), "<f4"), ((STEPS, batch), "<i4"), ((STEPS, batch, DIMS), "<f4")]
    parts, at = [], 0
    for shape, dtype in shapes:
        parts.append(np.frombuffer(raw, dtype, int(np.prod(shape)), at).reshape(shape))
        at += parts[-1].nbytes
    if at != len(raw):
        raise ValueError(f"{FOLDER / size}: {len(raw)} bytes, want {at}")
    return Problem(slots, *parts)


def benches(make) -> dict:
    """What serve() wants: make(problem, constant) for every size and both kinds of targets."""
    return {
        f"cartridge/step/{path.name}/{targets}": lambda size=path.name, targets=targets: make(read(size), targets == "constant")
        for path in sorted(FOLDER.iterdir(), key=lambda path: [int(n) for n in re.findall(r"\d+", path.name)])
        for targets in ("exact", "constant")
    }
