"""Measures what a student's machine needs while the heaviest cell compiles with completion running.

    .venv/bin/python binder/image/memory.py [--limit BYTES] [--rounds N]

It starts JupyterLab and a kernel, asks for completions and runs heavycell/main.go, which imports GoMLX and
gonum/plot, N times with a new constant each time, so that it is compiled and linked again: first with empty caches
of the compiler and of gopls (cold), then with those just filled (warm). Every 50 ms it adds up the proportional set
size (PSS: shared pages count once) of JupyterLab and all that descends from it. A table goes to stderr, JSON to
stdout; the exit status is 1 when a peak exceeds the limit. The page cache and the kernel's own memory are not in PSS.
"""
import argparse
import contextlib
import ctypes
import json
import os
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import psutil

from lab import ROOT, SETUP, CellError, Lab, fail

BINDER = 2_000_000_000  # bytes
TYPED = "Stoch", "StochasticGradientDescent"
EXPECTED = "y = 3.000x -2.000"


class Sampler(threading.Thread):
    """Watches all descendants of this process until it is stopped."""

    def __init__(self):
        super().__init__(daemon=True)
        self.done, self.peak, self.at_peak, self.samples = threading.Event(), 0, {}, 0

    def run(self):
        while not self.done.wait(0.05):
            by_name = Counter()
            for process in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.Error, OSError, StopIteration, ProcessLookupError):
                    by_name[name(process)] += pss(process.pid)
            self.samples += 1
            if (total := sum(by_name.values())) > self.peak:
                self.peak, self.at_peak = total, dict(by_name.most_common())

    def stop(self):
        self.done.set()
        self.join()


def name(process):
    if any("jupyter-" in part for part in process.cmdline()[:2]):
        return "jupyter"
    # The kernel calls the program of a cell gonb_ and a random number; gopls carries its version.
    return re.sub(r"^gonb_[0-9a-f]+$", "cell", process.name()).partition("-v")[0]


def pss(pid):
    with open(f"/proc/{pid}/smaps_rollup") as rollup:
        return 1024 * int(next(line for line in rollup if line.startswith("Pss:")).split()[1])


def adopt_orphans():
    """Makes this process the parent of whatever outlives its own parent, so that the sampler sees it (Linux)."""
    set_child_subreaper = 36  # linux/prctl.h
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def measure(phase, caches, rounds, offset):
    code = (ROOT / "binder/image/heavycell/main.go").read_text()
    (constant,) = re.findall(r"const steps = (\d+)", code)
    sampler = Sampler()
    sampler.start()
    result = {"phase": phase, "cells_s": [], "completions_s": []}
    try:
        with Lab(MEMLAB_COMPLETION="1", GOCACHE=f"{caches}/build", GOPLSCACHE=f"{caches}/gopls") as lab, \
                lab.kernel() as kernel:
            time.sleep(1)
            result["idle_bytes"] = sampler.peak
            kernel.run(SETUP)
            for round in range(offset, offset + rounds):
                cell = code.replace(f"steps = {constant}", f"steps = {int(constant) + round}")
                result["completions_s"].append(rounded(kernel.complete_word(cell, *TYPED)))
                text, took = kernel.run(cell)
                if EXPECTED not in text:
                    fail(f"the cell printed {text!r}, want {EXPECTED!r}")
                result["cells_s"].append(rounded(took))
    except (CellError, RuntimeError, OSError) as error:
        fail(f"{phase}: {error}")
    finally:
        sampler.stop()
    result |= {"peak_bytes": sampler.peak, "at_peak_bytes": sampler.at_peak, "samples": sampler.samples}
    return result


def rounded(seconds):
    return round(seconds, 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, default=BINDER, metavar="BYTES", help="fail above it (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="cells per phase (default: %(default)s)")
    options = parser.parse_args()
    if not Path("/proc/self/smaps_rollup").exists():
        fail("PSS can be read on Linux only")
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="memlab-caches-") as caches:
        results = [measure(phase, caches, options.rounds, i * options.rounds) for i, phase in enumerate(("cold", "warm"))]
    for r in results:
        parts = ", ".join(f"{name} {size / 1e6:.0f}" for name, size in r["at_peak_bytes"].items() if size >= 1e6)
        print(f"{r['phase']}: idle {r['idle_bytes'] / 1e6:.0f} MB, peak {r['peak_bytes'] / 1e6:.0f} MB ({parts}); "
              f"cells {r['cells_s']} s, completions {r['completions_s']} s", file=sys.stderr)
    over = [r["phase"] for r in results if r["peak_bytes"] > options.limit]
    json.dump({"limit_bytes": options.limit, "cpus": len(os.sched_getaffinity(0)), "over_limit": over, "phases": results},
              sys.stdout, indent=1)
    print()
    if over:
        fail(f"{' and '.join(over)}: the peak exceeds {options.limit / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
