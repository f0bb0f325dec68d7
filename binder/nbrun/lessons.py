"""The lessons of a folder: their order, titles and neighbours, in both languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from .notebook import BrokenNotebook, read

CHINESE = "zh"
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
_CODE = re.compile(r"(```.*?```|~~~.*?~~~|`[^`\n]*`)", re.DOTALL)


@dataclass(frozen=True)
class Lesson:
    """A notebook in its language, with its title as the first heading says it."""

    path: Path
    nb: NotebookNode

    @property
    def chinese(self) -> bool:
        """Whether it lies in the Chinese folder."""
        return self.path.parent.name == CHINESE

    @property
    def title(self) -> str:
        """The first heading, or the file's name where there is none."""
        first = next((cell.source for cell in self.nb.cells if cell.cell_type == "markdown"), "")
        return next((text for level, text in headings(first) if level == 1), self.path.stem)

    @property
    def twin(self) -> Path:
        """The same lesson in the other language."""
        folder = self.path.parent
        return folder.parent / self.path.name if self.chinese else folder / CHINESE / self.path.name


def of(folder: Path) -> tuple[list[Lesson], list[Lesson]]:
    """The lessons of folder and of folder/zh, each in order."""
    english, chinese = (
        [_lesson(path) for path in sorted(where.glob("[0-9][0-9]_*.ipynb"))] for where in (folder, folder / CHINESE)
    )
    return english, chinese


def _lesson(path: Path) -> Lesson:
    try:
        return Lesson(path, read(path))
    except BrokenNotebook as error:
        raise BrokenNotebook(f"{path}: {error}") from error


def headings(markdown: str) -> list[tuple[int, str]]:
    """The headings of a text with their levels; a # inside of code is none."""
    return [(len(marks), text) for marks, text in _HEADING.findall(without_code(markdown))]


def without_code(markdown: str) -> str:
    """The text without its code, so that what looks like markup there does not count."""
    return "".join(_CODE.split(markdown)[::2])


def change_outside_code(markdown: str, change: Callable[[str], str]) -> str:
    """The text with change applied to every piece that is not code."""
    parts = _CODE.split(markdown)
    parts[::2] = map(change, parts[::2])
    return "".join(parts)
