"""What fails a notebook, whatever its outputs are compared with."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from nbformat import NotebookNode

from . import figure, outputs
from .kernel import CellRun
from .notebook import CodeCell, code_cells

LIMIT_KEY = "limit"
SOLUTION_TAG = "solution"
RIGHT, WRONG = "✓", "✗"

# GoNB goes on after both of these and only says so, in one message to stderr. A whole message has to match: a program
# may print the same words among others.
_SHELL_FAILED = re.compile(r"(?:\^C\n)?((?:exit status \d+|signal: .+))\n")
_UNKNOWN_MAGIC = re.compile(r'"(%+[^"]*)" unknown or not implemented yet\.')


@dataclass(frozen=True)
class Problem:
    """Why a cell fails."""

    number: int
    first_line: str
    what: str


def problem(cell: CodeCell, what: str) -> Problem:
    """A problem of cell."""
    return Problem(cell.number, cell.first_line, what)


def of_source(nb: NotebookNode) -> list[Problem]:
    """Rules that need no run: limits are numbers, solutions are folded."""
    found = []
    for cell in code_cells(nb):
        limit = cell.node.metadata.get(LIMIT_KEY, 1)
        if isinstance(limit, bool) or not isinstance(limit, (int, float)) or not 0 < limit < math.inf:
            found.append(problem(cell, f"metadata {LIMIT_KEY} {limit!r}: want a positive number of seconds"))
        if SOLUTION_TAG in cell.tags and cell.node.metadata.get("jupyter", {}).get("source_hidden") is not True:
            found.append(problem(cell, "a solution that is not folded (metadata jupyter.source_hidden: true)"))
    return found


def of_stored(nb: NotebookNode) -> list[Problem]:
    """Rules for committed outputs: no errors, whole pictures."""
    found = []
    for cell in code_cells(nb):
        found += [
            problem(cell, f"an error is stored: {_error_line(output)}")
            for output in cell.node.outputs
            if output.output_type == "error"
        ]
        found += [problem(cell, f"stored {what}") for what in _picture_problems(cell.node.outputs)]
    return found


def of_run(cell: CodeCell, run: CellRun) -> list[Problem]:
    """Rules for what a cell did."""
    found = [f"failed: {_error_line(output)}" for output in run.outputs if output.output_type == "error"]
    for message in run.stderr_messages:
        if unknown := _UNKNOWN_MAGIC.fullmatch(message):
            found.append(f"unknown magic {unknown[1]}")
        elif (failed := _SHELL_FAILED.fullmatch(message)) and not any("failed:" in what for what in found):
            found.append(f"a shell line failed: {failed[1]}")
    found += _picture_problems(run.outputs)
    if SOLUTION_TAG in cell.tags:
        found += _solution_problems(outputs.text_shown(run.outputs))
    return [problem(cell, what) for what in found]


def _error_line(output: NotebookNode) -> str:
    """The first line of an error. An exit status alone says little: what the program wrote stands beside it."""
    lines = output.evalue.strip().splitlines()
    return lines[0] if lines else output.ename


def _picture_problems(found: list[NotebookNode]) -> list[str]:
    displays = (output for output in found if output.output_type in outputs.DISPLAYS)
    return [f"figure: {what}" for display in displays for what in figure.problems(display.data)]


def _solution_problems(text: str) -> list[str]:
    if WRONG in text:
        return [f"a solution that checks wrong: its output contains {WRONG}"]
    if RIGHT not in text:
        return [f"a solution that does not check right: its output lacks {RIGHT}"]
    return []
