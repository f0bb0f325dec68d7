"""The lessons as web pages: linked, in both languages, each file complete in itself, nothing loaded from elsewhere."""

from __future__ import annotations

import copy
import html
import re
import urllib.parse
from pathlib import Path

import nbformat
from latex2mathml.converter import convert as to_mathml
from nbconvert import HTMLExporter
from pygments.formatters import HtmlFormatter

from . import lessons
from .classcopy import without_solutions
from .lessons import Lesson

TEMPLATES = Path(__file__).resolve().parent.parent
SOLUTIONS = ("folded", "shown", "none")
_WORDS = {
    False: {
        "lessons": "Lessons", "contents": "All lessons", "solution": "Solution", "other": "中文", "other_lang": "zh",
    },
    True: {"lessons": "各讲", "contents": "全部内容", "solution": "参考答案", "other": "English", "other_lang": "en"},
}
_FORMULA = re.compile(r"\$\$(?P<block>.+?)\$\$|(?<![\\\w$])\$(?P<inline>[^\s$](?:[^$\n]*[^\s$])?)\$(?![\w$])", re.DOTALL)
_NOTEBOOK_LINK = re.compile(r"\]\((?P<path>[^):#]+)\.ipynb(?P<anchor>#[^)]*)?\)")

_OURS = re.compile(rf"index\.html|(?:{lessons.CHINESE}/)?[0-9][0-9]_[^/]*\.html")


class Unrendered(Exception):
    """What keeps a lesson from becoming a page: one line."""


def write(folder: Path, to: Path, solutions: str) -> int:
    """Writes the lessons of folder to to and to/zh, and an index; returns the number of pages.

    Raises Unrendered when a lesson cannot become a page, or when to holds something else.
    """
    english, chinese = lessons.of(folder)
    earlier = _earlier(to)
    exporter = HTMLExporter(extra_template_basedirs=[str(TEMPLATES)], template_name="page")
    known = {lesson.path.name for lesson in english + chinese}
    # All of them before the first is written: a lesson that cannot be rendered leaves an earlier copy whole.
    pages = {
        to / (lessons.CHINESE if lesson.chinese else ".") / f"{lesson.path.stem}.html": _page(exporter, lesson, known, solutions)
        for lesson in english + chinese
    }
    pages[to / "index.html"] = _index(english, chinese)
    for path in earlier:
        path.unlink()
    for target, text in pages.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return len(pages)


def _earlier(to: Path) -> list[Path]:
    """The files of an earlier copy, which go, so that no lesson stays that has a new name; anything else there is an error."""
    if to.exists() and not to.is_dir():
        raise Unrendered(f"{to} is a file: want a folder")
    if to.is_symlink() and not to.exists():
        raise Unrendered(f"{to} is a link that leads nowhere: want a folder")
    earlier = [path for path in to.glob("**/*") if not path.is_dir()]
    foreign = [path for path in earlier if not _OURS.fullmatch(path.relative_to(to).as_posix())]
    if foreign:
        raise Unrendered(f"{to} holds {foreign[0].relative_to(to)}: want a new or empty folder, or an earlier copy")
    return earlier


def _page(exporter: HTMLExporter, lesson: Lesson, known: set[str], solutions: str) -> str:
    nb = copy.deepcopy(lesson.nb)
    if solutions == "none":
        without_solutions(nb)
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            try:
                cell.source = _markdown(cell.source, known)
            except Unrendered as error:
                raise Unrendered(f"{lesson.path}: cell {cell.id}: {error}") from error
    twin = f"../{lesson.path.stem}.html" if lesson.chinese else f"{lessons.CHINESE}/{lesson.path.stem}.html"
    resources = {
        "page": {
            "title": f"{lesson.title} · memlab",
            "lang": "zh" if lesson.chinese else "en",
            "start": "../index.html" if lesson.chinese else "index.html",
            "twin": twin,
            "words": _WORDS[lesson.chinese],
            "solutions": solutions,
            "style": _style(),
        }
    }
    body, _ = exporter.from_notebook_node(nbformat.from_dict(nb), resources=resources)
    return str(body)


def _markdown(source: str, known: set[str]) -> str:
    """The text of a cell with its formulas as MathML and its links to notebooks leading to their pages."""

    def formula(found: re.Match[str]) -> str:
        block = found["block"]
        text = (block or found["inline"]).strip()
        try:
            # The one name that the converter leaves as a word where MathML wants a width.
            mathml = to_mathml(text, display="block" if block else "inline").replace("negativethinmathspace", "-0.167em")
        except Exception as error:  # noqa: BLE001 - the converter has a kind of its own for each mistake
            raise Unrendered(f"the formula {text!r} cannot be read: {type(error).__name__}") from error
        return mathml

    def link(found: re.Match[str]) -> str:
        name = urllib.parse.unquote(Path(found["path"]).name) + ".ipynb"
        if name not in known:
            raise Unrendered(f"a link to {name}, which is no lesson")
        return f"]({found['path']}.html{found['anchor'] or ''})"

    return lessons.change_outside_code(source, lambda text: _NOTEBOOK_LINK.sub(link, _FORMULA.sub(formula, text)))


def _style() -> str:
    """The look of a page: ours, and the colours of code in both themes."""
    light = HtmlFormatter(style="xcode").get_style_defs(".highlight")
    dark = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
    own = (TEMPLATES / "page" / "page.css").read_text(encoding="utf-8")
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n{own}"


def _index(english: list[Lesson], chinese: list[Lesson]) -> str:
    """All lessons side by side in both languages."""
    twins = {lesson.path.name: lesson for lesson in chinese}
    rows = []
    for lesson in english:
        twin = twins.get(lesson.path.name)
        other = f'<a lang="zh" href="{lessons.CHINESE}/{twin.path.stem}.html">{html.escape(twin.title)}</a>' if twin else ""
        rows.append(f'<tr><td><a href="{lesson.path.stem}.html">{html.escape(lesson.title)}</a></td><td>{other}</td></tr>')
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>memlab: how a language model remembers, and who pays</title>
<style>
{(TEMPLATES / "page" / "page.css").read_text(encoding="utf-8")}</style>
</head>
<body>
<main>
<h1>How a language model remembers, and who pays</h1>
<p lang="zh"><strong>语言模型怎么记东西，又由谁付账</strong></p>
<table>
<thead><tr><th style="text-align:left">English</th><th style="text-align:left" lang="zh">中文</th></tr></thead>
<tbody>
{chr(10).join(rows)}
</tbody>
</table>
</main>
</body>
</html>
"""
