"""The English and the Chinese notebook of a lesson run the same code: their cells are compared as text."""

from __future__ import annotations

import difflib
from itertools import zip_longest
from pathlib import Path

from .lessons import CHINESE
from .notebook import BrokenNotebook, CodeCell, code_cells, read
from .outputs import diff
from .rules import Problem, problem
from .work import Report


def is_chinese(path: Path) -> bool:
    """Whether a notebook lies in a Chinese folder."""
    return path.parent.name == CHINESE


def compare(folder: Path) -> list[Report]:
    """A report for each lesson in folder and folder/zh."""
    english = {path.name for path in folder.glob("*.ipynb")}
    chinese = {path.name for path in (folder / CHINESE).glob("*.ipynb")}
    return [_pair(folder, name, name in english, name in chinese) for name in sorted(english | chinese)]


def _pair(folder: Path, name: str, english: bool, chinese: bool) -> Report:
    report = Report(name.removesuffix(".ipynb"))
    if not chinese:
        report.broken = f"its Chinese twin {CHINESE}/{name} is missing"
    elif not english:
        report.broken = f"{CHINESE}/{name} has no English twin"
    else:
        report.problems, report.broken = _differences(folder / name, folder / CHINESE / name)
    return report


def _differences(english: Path, chinese: Path) -> tuple[list[Problem], str]:
    cells = []
    for path in (english, chinese):
        try:
            cells.append(code_cells(read(path)))
        except BrokenNotebook as error:
            where = f"{CHINESE}/{path.name}: " if path == chinese else ""
            return [], f"{where}{error}"
    return _cell_differences(*cells), ""


def _cell_differences(english: list[CodeCell], chinese: list[CodeCell]) -> list[Problem]:
    """Aligns the cells first, so that one more cell is one problem and not one in every cell after it."""
    texts = [[_as_text(cell) for cell in cells] for cells in (english, chinese)]
    matcher = difflib.SequenceMatcher(None, *texts, autojunk=False)
    found = []
    for kind, from_en, to_en, from_zh, to_zh in matcher.get_opcodes():
        if kind != "equal":
            found += [_problem(*pair) for pair in zip_longest(english[from_en:to_en], chinese[from_zh:to_zh])]
    return found


def _problem(english: CodeCell | None, chinese: CodeCell | None) -> Problem:
    if english is None:
        assert chinese is not None, "zip_longest fills one side only"
        return problem(chinese, "only the Chinese notebook has this cell")
    if chinese is None:
        return problem(english, "the Chinese notebook lacks this cell")
    return problem(
        english,
        f"differs from cell [{chinese.number}] of the Chinese notebook:\n"
        + diff(_as_text(english), _as_text(chinese), names=("English", "Chinese")),
    )


def _as_text(cell: CodeCell) -> str:
    return cell.node.source + (f"\n(tags: {', '.join(cell.tags)})" if cell.tags else "")
