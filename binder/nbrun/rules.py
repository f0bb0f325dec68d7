"""What fails a notebook, whatever its outputs are compared with."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from nbformat import NotebookNode

from . import figure, outputs
from .kernel import MOST_CHARACTERS, CellRun
from .notebook import CodeCell, code_cells

LIMIT_KEY = "limit"
SOLUTION_TAG = "solution"
RIGHT, WRONG = "✓", "✗"

# GoNB goes on after both of these and only says so, in one message to stderr. A whole message has to match: a program
# may print the same words among others.
_SHELL_FAILED = re.compile(r"(?:\^C\n)?(exit status \d+|signal: .+)\n")
_UNKNOWN_MAGIC = re.compile(r'"(%+[^"]*)" unknown or not implemented yet\.')
# gonbui logs that a display could not be sent, and the program goes on without it.
_OUTPUT_LOST = re.compile(r"^E\d{4} [\d:.]+ +\d+ gonbui\.go:\d+\] (.*)", re.MULTILINE)


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
        limit = cell.node.metadata.get(LIMIT_KEY)
        if limit is not None and not is_limit(limit):
            found.append(problem(cell, f"metadata {LIMIT_KEY} {limit!r}: want a positive number of seconds"))
        if SOLUTION_TAG in cell.tags and cell.node.metadata.get("jupyter", {}).get("source_hidden") is not True:
            found.append(problem(cell, "a solution that is not folded (metadata jupyter.source_hidden: true)"))
    return found


def is_limit(limit: object) -> bool:
    """Whether limit is a number of seconds that a cell may run."""
    return isinstance(limit, (int, float)) and not isinstance(limit, bool) and 0 < limit < math.inf


def of_stored(nb: NotebookNode) -> list[Problem]:
    """Rules for committed outputs: no errors, whole pictures."""
    found = []
    for cell in code_cells(nb):
        found += [
            problem(cell, f"an error is stored: {_error_text(output)}")
            for output in cell.node.outputs
            if output.output_type == "error"
        ]
        found += [problem(cell, f"stored {what}") for what in _picture_problems(cell.node.outputs)]
    return found


def of_run(cell: CodeCell, run: CellRun) -> list[Problem]:
    """Rules for what a cell did. A failed cell is not asked for more: the rest would follow from its error."""
    errors = [output for output in run.outputs if output.output_type == "error"]
    if errors:
        said = outputs.excerpt(run.outputs)
        found = [f"failed: {_error_text(error)}" + (f"\n{said}" if said else "") for error in errors]
    elif run.printed > MOST_CHARACTERS:
        found = [f"printed {run.printed:,} characters: want at most {MOST_CHARACTERS:,}"]
    else:
        found = [what for message in run.stderr_messages if (what := _said_by_gonb(message))]
        found += _picture_problems(run.outputs)
        if SOLUTION_TAG in cell.tags:
            found += _solution_problems(outputs.text_shown(run.outputs))
    return [problem(cell, what) for what in found]


def _said_by_gonb(message: str) -> str:
    """What a message to stderr says about the cell, when it is GoNB's own; else nothing."""
    if unknown := _UNKNOWN_MAGIC.fullmatch(message):
        return f"unknown magic {unknown[1]}"
    if failed := _SHELL_FAILED.fullmatch(message):
        return f"a shell line failed: {failed[1]}"
    if lost := _OUTPUT_LOST.match(message):
        return f"a display was lost on its way to the kernel: {lost[1]}"
    return ""


def _error_text(error: NotebookNode) -> str:
    """What an error says, without the compiler's line that names the package."""
    lines = [line for line in error.evalue.strip().splitlines() if not line.startswith("# ")]
    return outputs.fit(lines or [error.ename])


def _picture_problems(found: list[NotebookNode]) -> list[str]:
    displays = (output for output in found if output.output_type in outputs.DISPLAYS)
    return [f"figure: {what}" for display in displays for what in figure.problems(display.data)]


def _solution_problems(text: str) -> list[str]:
    if WRONG in text:
        return [f"a solution that checks wrong: its output contains {WRONG}"]
    if RIGHT not in text:
        return [f"a solution that does not check right: its output lacks {RIGHT}"]
    return []
