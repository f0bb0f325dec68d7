"""What every reader needs of a page: headings in order, pictures and tables in words, links that lead somewhere.

A reader may not see the page (a screen reader), may not see its colours, or may have come for the other language.
"""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import lessons
from .lessons import Lesson
from .work import Report

# A text alternative that says less than this cannot replace a figure.
SHORTEST_ALTERNATIVE = 60
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*<?([^)\s>]+)>?[^)]*\)")
_VAGUE = {"", "here", "link", "this", "click here", "这里", "此处", "链接", "点击这里"}
_COLOUR_ONLY = re.compile(
    r"\b(?:red|green|blue|orange|purple|yellow|grey|gray)\s+(?:line|curve|bar|dot|point|area|band|mark)s?\b"
    r"|[红绿蓝橙紫黄灰]色?的?(?:线|曲线|柱|点|区域|阴影)",
    re.IGNORECASE,
)
_MINUTES = {False: re.compile(r"\b(\d+) minutes\b"), True: re.compile(r"(\d+) 分钟")}


def read(folder: Path) -> list[Report]:
    """A report for each lesson of folder, in both languages."""
    english, chinese = lessons.of(folder)
    reports = []
    for series in (english, chinese):
        for i, lesson in enumerate(series):
            name = f"{lessons.CHINESE}/{lesson.path.stem}" if lesson.chinese else lesson.path.stem
            neighbours = (series[i - 1] if i else None, series[i + 1] if i + 1 < len(series) else None)
            found = [*_headings(lesson), *_outputs(lesson), *_texts(lesson), *_ways(lesson, neighbours, series)]
            reports.append(Report(name, faults=found))
    return reports


def _markdown(lesson: Lesson) -> Iterator[tuple[str, str]]:
    for cell in lesson.nb.cells:
        if cell.cell_type == "markdown":
            yield cell.id, cell.source


def _headings(lesson: Lesson) -> Iterator[str]:
    """One title, in the first cell, and no level that is jumped over."""
    last = 0
    for i, cell in enumerate(lesson.nb.cells):
        if cell.cell_type != "markdown":
            continue
        for level, text in lessons.headings(cell.source):
            if not text:
                yield f"cell {cell.id}: a heading without words"
            if level == 1 and (i > 0 or last > 0):
                yield f"cell {cell.id}: a second title ({text}): want one #, in the first cell"
            if level > last + 1:
                yield f"cell {cell.id}: heading {'#' * level} {text} after {'#' * last or 'nothing'}: a level is missing"
            last = level
    if last == 0:
        yield "no title: want # and its words in the first cell"


def _outputs(lesson: Lesson) -> Iterator[str]:
    """Pictures with an alternative in words, tables with the names of their columns."""
    for cell in lesson.nb.cells:
        for number, output in enumerate(cell.get("outputs", []), 1):
            data: dict[str, Any] = output.get("data", {})
            where = f"cell {cell.id}, output {number}"
            if any(kind.startswith("image/") for kind in data) and len(data.get("text/plain", "")) < SHORTEST_ALTERNATIVE:
                yield f"{where}: a picture whose text/plain does not tell what it shows"
            svg = data.get("image/svg+xml", "")
            if svg and not ("<title" in svg and "<desc" in svg and 'role="img"' in svg):
                yield f"{where}: an SVG without role, title or description"
            html = data.get("text/html", "")
            if html.count("<table") > len(re.findall(r"<table[^>]*>.*?<th", html, re.DOTALL)):
                yield f"{where}: a table without the names of its columns"


def _texts(lesson: Lesson) -> Iterator[str]:
    """Links that say where they lead and lead there; no meaning in a colour alone."""
    for cell, source in _markdown(lesson):
        text = lessons.without_code(source)
        for mark, words, target in _LINK.findall(text):
            words = words.strip()
            if mark and not words:
                yield f"cell {cell}: the picture {target} has no alternative in words"
            elif words.lower() in _VAGUE:
                yield f"cell {cell}: the link to {target} says only {words!r}: name where it leads"
            if not _leads_somewhere(lesson.path.parent, target):
                yield f"cell {cell}: the link to {target} leads nowhere"
        for colour in _COLOUR_ONLY.findall(text):
            yield f"cell {cell}: {colour!r} tells nothing to those who do not see colours: name it otherwise"


def _leads_somewhere(folder: Path, target: str) -> bool:
    url = urllib.parse.urlsplit(target)
    return bool(url.scheme or url.netloc or not url.path) or (folder / urllib.parse.unquote(url.path)).exists()


def _ways(lesson: Lesson, neighbours: tuple[Lesson | None, Lesson | None], series: list[Lesson]) -> Iterator[str]:
    """The time it takes and the other language at the head, the lessons before and after at the foot."""
    texts = [source for _, source in _markdown(lesson)]
    if not texts:
        return
    if minutes(lesson) is None:
        yield f"the first cell does not say how many minutes the lesson takes: want {'“40 分钟”' if lesson.chinese else '40 minutes'}"
    if lesson.twin.exists() and _target(lesson, lesson.twin) not in _targets(texts[0]):
        yield f"the first cell does not link to the other language: {_target(lesson, lesson.twin)}"
    last = lesson.nb.cells[-1]
    foot = dict(_links(last.source)) if last.cell_type == "markdown" else {}
    for neighbour in filter(None, neighbours):
        words = foot.get(neighbour.path.name)
        if words is None:
            yield f"the last cell does not link to {neighbour.path.name}"
        elif neighbour.title not in words:
            yield f"the last cell calls {neighbour.path.name} {words!r}: its title is {neighbour.title!r}"
    if lesson == series[0]:
        everywhere = {target for text in texts for target in _targets(text)}
        for other in series[1:]:
            if other.path.name not in everywhere:
                yield f"the first page does not link to {other.path.name}"


def minutes(lesson: Lesson) -> int | None:
    """How long the lesson takes, as its first cell says; None where it says nothing."""
    found = _MINUTES[lesson.chinese].search(lesson.nb.cells[0].source)
    return int(found[1]) if found else None


def _target(lesson: Lesson, other: Path) -> str:
    return f"../{other.name}" if lesson.chinese else f"{lessons.CHINESE}/{other.name}"


def _links(text: str) -> list[tuple[str, str]]:
    return [(target, words) for mark, words, target in _LINK.findall(lessons.without_code(text)) if not mark]


def _targets(text: str) -> set[str]:
    return {target for target, _ in _links(text)}
