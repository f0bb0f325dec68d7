"""Checks or updates one notebook, and says what came out."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from . import kernel, outputs, rules, timing
from .notebook import BrokenNotebook, CodeCell, code_cells, normalise, read, store, text_of


@dataclass
class Report:
    """What came out for one notebook: skipped or broken (and why, in a line), or what is wrong with its cells or page."""

    name: str
    seconds: float | None = None
    broken: str = ""
    problems: list[rules.Problem] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  # of the page, not of a cell that ran
    timed: list[timing.TimedCell] = field(default_factory=list)
    note: str = ""
    skipped: str = ""

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong; what was skipped has not failed."""
        return not self.broken and not self.problems and not self.faults

    def __str__(self) -> str:
        if self.skipped:
            return f"skip {self.name}: {self.skipped}"
        if self.broken:
            return f"FAIL {self.name}: {self.broken}"
        took = f"  {self.seconds:.1f} s" if self.seconds is not None else ""
        note = f", {self.note}" if self.note else ""
        lines = [f"{'ok  ' if self.passed else 'FAIL'} {self.name}{took}{note}"]
        for problem in sorted(self.problems, key=lambda problem: problem.number):
            first, *others = problem.what.split("\n")
            lines.append(f"  {self.name} cell [{problem.number}] `{problem.first_line[:80]}`: {first}")
            lines += [f"      {line}".rstrip() for line in others]
        return "\n".join([*lines, *(f"  {self.name}: {fault}" for fault in self.faults)])


async def check(path: Path, name: str, limit: float) -> Report:
    """Executes the notebook and compares with what is stored in it."""

    def judge(nb: NotebookNode, run: kernel.Run, report: Report) -> None:
        report.problems += rules.of_stored(nb)
        failing = {problem.number for problem in report.problems}
        for cell in code_cells(nb):
            if cell.number in run.cells and cell.number not in failing:
                found = outputs.differences(outputs.tidy(cell.node.outputs), run.cells[cell.number].outputs)
                report.problems += [rules.problem(cell, what) for what in found]

    return await _execute(path, name, limit, judge)


async def update(path: Path, name: str, limit: float) -> Report:
    """Executes the notebook and stores its outputs, unless a cell fails.

    Outputs equal to the stored ones stay as they are, in their order too, so that a rerun makes no diff.
    """

    def judge(nb: NotebookNode, run: kernel.Run, report: Report) -> None:
        if report.problems:
            report.note = "not stored"
            return
        for cell in code_cells(nb):
            stored, fresh = outputs.tidy(cell.node.outputs), run.cells[cell.number].outputs
            errors = any(output.output_type == "error" for output in stored)
            changed = errors or outputs.differences(stored, fresh, pictures=True)
            cell.node.outputs = fresh if changed else stored
        normalise(nb)
        report.note = "stored" if store(path.resolve(), text_of(nb)) else "unchanged"

    return await _execute(path, name, limit, judge)


async def measure(path: Path, name: str, limit: float) -> Report:
    """Executes the notebook and takes the time of its cells apart; what they print is not judged."""

    def judge(nb: NotebookNode, run: kernel.Run, report: Report) -> None:
        for cell in code_cells(nb):
            if cell.number in run.cells and (times := run.cells[cell.number].times):
                report.timed.append(timing.TimedCell(name, cell.number, cell.first_line, times))

    return await _execute(path, name, limit, judge, timed=True)


async def _execute(
    path: Path, name: str, limit: float, judge: Callable[[NotebookNode, kernel.Run, Report], None], timed: bool = False
) -> Report:
    report = Report(name)
    started = time.monotonic()
    try:
        nb = read(path)
        report.problems += rules.of_source(nb)
        run = await kernel.run(copy.deepcopy(nb), path.resolve().parent, lambda cell: _limit(cell, limit), timed)
        report.problems += _of_run(nb, run)
        judge(nb, run, report)
    except (BrokenNotebook, kernel.NoKernel) as error:
        report.broken = str(error)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one notebook, the others have their turn
        report.broken = f"{type(error).__name__}: {error}".split("\n")[0][:300]
    report.seconds = time.monotonic() - started
    return report


def _limit(cell: CodeCell, default: float) -> float:
    own = cell.node.metadata.get(rules.LIMIT_KEY)
    return own if rules.is_limit(own) else default


def _of_run(nb: NotebookNode, run: kernel.Run) -> list[rules.Problem]:
    found = []
    cells = code_cells(nb)
    for cell in cells:
        if cell.number in run.cells:
            found += rules.of_run(cell, run.cells[cell.number])
        elif cell.number == run.stopped_at:
            left = len(cells) - cell.number
            found.append(
                rules.problem(cell, run.stopped + (f"; cells after it that did not run: {left}" if left else ""))
            )
    return found
