"""Lets a Python program be measured by binder/bench: serve() answers the harness, one line of JSON for each line of
standard input, by the same protocol as the Go package in binder/peers/runner."""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from collections.abc import Callable

# One repeat, always from the same state: returns how many units it did and what came of them.
Work = Callable[[], tuple[int, object]]


def serve(unit: str, benches: dict[str, Callable[[], Work]], versions: dict[str, str]) -> None:
    """Answers "list" and "run NAME REPEATS" until standard input ends.

    benches makes the work of each name; neither making it nor its first repeat is timed.
    """
    ready: dict[str, Work] = {}
    for line in sys.stdin:
        match line.split():
            case ["list"]:
                answer: dict[str, object] = {"unit": unit, "benches": list(benches), "versions": versions}
            case ["run", name, repeats] if name in benches and repeats.isdigit() and int(repeats) > 0:
                if name not in ready:
                    ready[name] = benches[name]()
                    ready[name]()
                answer = measure(name, ready[name], int(repeats))
            case _:
                answer = {"error": f'request {line.strip()!r}: want "list" or "run NAME REPEATS" with a name of the list'}
        print(json.dumps(answer), flush=True)


def measure(name: str, work: Work, repeats: int) -> dict[str, object]:
    gc.collect()  # what others left behind is not this work's
    ops, check = 0, None
    start, wall = cpu_seconds(), time.monotonic()
    for _ in range(repeats):
        done, check = work()
        ops += done
    return {"bench": name, "ops": ops, "cpu_s": cpu_seconds() - start, "wall_s": time.monotonic() - wall, "check": check}


def cpu_seconds() -> float:
    """What this process has used of all processors, user and system."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
