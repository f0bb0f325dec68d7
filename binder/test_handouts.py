#!/usr/bin/env python3
"""Tests of what a class is given: pages that every reader can use, their rendered copy, and a lab without solutions."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

sys.path.insert(0, str(Path(__file__).resolve().parent))
from nbrun import classcopy, lessons, page, reading  # noqa: E402
from nbrun.notebook import BrokenNotebook  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
FIRST, SECOND = "00_first.ipynb", "01_second.ipynb"
TITLES = {FIRST: ("00 · First", "00 · 第一讲"), SECOND: ("01 · Second", "01 · 第二讲")}
SVG = '<svg role="img" aria-labelledby="t d"><title id="t">A line</title><desc id="d">It rises.</desc></svg>'
ALTERNATIVE = "Figure: a line. X axis: steps, from 0 to 10. Y axis: accuracy, from 0 to 1. It rises."


def lesson(name: str, chinese: bool) -> nbformat.NotebookNode:
    """A lesson with which nothing is wrong."""
    other = SECOND if name == FIRST else FIRST
    twin = f"[English](../{name})" if chinese else f"[中文](zh/{name})"
    minutes = "10 分钟" if chinese else "10 minutes"
    picture = new_output("display_data", {"image/svg+xml": SVG, "image/png": "iVBORw0KGgo=", "text/plain": ALTERNATIVE})
    table = new_output("display_data", {"text/html": "<table><thead><tr><th>a</th></tr></thead></table>", "text/plain": "a"})
    solution = new_code_cell("%%\nanswer()", id="solution", metadata={"tags": ["solution"], "jupyter": {"source_hidden": True}})
    return new_notebook(
        cells=[
            new_markdown_cell(f"# {TITLES[name][chinese]}\n\n{twin}. {minutes}, $a^2 + b_1$ for `$x$`.\n\n$$\\tfrac{{1}}{{2}}$$", id="head"),
            new_markdown_cell("## A part\n\n```\n# no heading\n```\n### A part of it", id="part"),
            new_code_cell("draw()", id="draw", outputs=[picture, table]),
            solution,
            new_markdown_cell("In words: an answer.", id="words", metadata={"tags": ["solution"]}),
            new_markdown_cell(f"[{TITLES[other][chinese]}]({other})", id="foot"),
        ],
        metadata={"kernelspec": {"name": "gonb", "display_name": "Go (gonb)", "language": "go"}},
    )


class Folder(unittest.TestCase):
    """Two lessons in two languages, in a folder of their own."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = Path(temporary.name)
        self.folder = self.root / "notebooks"
        (self.folder / "zh").mkdir(parents=True)
        for chinese in (False, True):
            for name in (FIRST, SECOND):
                self.write(lesson(name, chinese), name, chinese)

    def write(self, nb: nbformat.NotebookNode, name: str = FIRST, chinese: bool = False) -> None:
        nbformat.write(nb, self.folder / ("zh" if chinese else "") / name)


class Reading(Folder):
    def faults(self) -> list[str]:
        return [fault for report in reading.read(self.folder) for fault in report.faults]

    def test_good_pages_pass(self) -> None:
        self.assertEqual(self.faults(), [])

    def test_each_fault_is_found_alone(self) -> None:
        def head(nb: nbformat.NotebookNode, old: str, new: str) -> None:
            self.assertIn(old, nb.cells[0].source)
            nb.cells[0].source = nb.cells[0].source.replace(old, new)

        def output(nb: nbformat.NotebookNode, number: int, **data: str) -> None:
            nb.cells[2].outputs[number].data.update({kind.replace("_", "/", 1): text for kind, text in data.items()})

        def add(nb: nbformat.NotebookNode, text: str) -> None:
            nb.cells[1].source += f"\n\n{text}"

        cases = {
            "a second title": lambda nb: add(nb, "# Again"),
            "a level is missing": lambda nb: add(nb, "##### Deep"),
            "a heading without words": lambda nb: add(nb, "### "),
            "does not tell what it shows": lambda nb: output(nb, 0, text_plain="a figure"),
            "an SVG without role, title": lambda nb: output(nb, 0, **{"image_svg+xml": "<svg></svg>"}),
            "a table without the names": lambda nb: output(nb, 1, text_html="<table><tr><td>a</td></tr></table>"),
            "leads nowhere": lambda nb: add(nb, "[the next part](02_none.ipynb)"),
            "says only 'here'": lambda nb: add(nb, f"[here]({SECOND})"),
            "has no alternative in words": lambda nb: add(nb, f"![]({SECOND})"),
            "who do not see colours": lambda nb: add(nb, "The red curve rises."),
            "does not say how many minutes": lambda nb: head(nb, "10 minutes", "ten minutes"),
            "does not link to the other language": lambda nb: head(nb, f"[中文](zh/{FIRST})", "中文"),
            "the last cell calls": lambda nb: nb.cells[-1].update(source=f"[next]({SECOND})"),
        }
        for fault, spoil in cases.items():
            with self.subTest(fault):
                nb = lesson(FIRST, chinese=False)
                spoil(nb)
                self.write(nb)
                found = self.faults()
                self.assertEqual(len(found), 1, found)
                self.assertIn(fault, found[0])

    def test_a_lesson_without_its_neighbours(self) -> None:
        nb = lesson(SECOND, chinese=True)
        nb.cells.pop()
        self.write(nb, SECOND, chinese=True)
        self.assertEqual(self.faults(), [f"the last cell does not link to {FIRST}"])

    def test_the_first_page_links_all(self) -> None:
        nb = lesson(FIRST, chinese=False)
        nb.cells[-1].source = "That is all."
        self.write(nb)
        self.assertEqual(
            self.faults(), [f"the last cell does not link to {SECOND}", f"the first page does not link to {SECOND}"]
        )

    def test_colours_in_chinese(self) -> None:
        nb = lesson(FIRST, chinese=True)
        nb.cells[1].source += "\n\n看红色的线。"
        self.write(nb, chinese=True)
        self.assertEqual(len(self.faults()), 1)


class Links(HTMLParser):
    """What a page refers to, and what it is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.targets += [value or "" for name, value in attrs if name in ("href", "src", "data", "srcset")]


class Pages(Folder):
    def pages(self, solutions: str = "folded") -> dict[str, str]:
        to = self.root / "pages"
        page.write(self.folder, to, solutions)
        return {path.relative_to(to).as_posix(): path.read_text(encoding="utf-8") for path in sorted(to.glob("**/*.html"))}

    def test_every_link_leads_to_a_page_of_the_copy(self) -> None:
        pages = self.pages()
        self.assertEqual(sorted(pages), ["00_first.html", "01_second.html", "index.html", "zh/00_first.html", "zh/01_second.html"])
        for name, text in pages.items():
            links = Links()
            links.feed(text)
            self.assertTrue(links.targets, name)
            for target in links.targets:
                if not target.startswith(("#", "data:")):
                    there = (self.root / "pages" / name).parent / target
                    self.assertTrue(there.resolve().is_file(), f"{name} links to {target}")
            self.assertNotIn("script", links.tags, name)

    def test_nothing_is_loaded(self) -> None:
        for name, text in self.pages().items():
            self.assertEqual(re.findall(r"@import|url\(|https?://(?!www\.w3\.org/)", text), [], name)

    def test_formulas_are_mathml(self) -> None:
        text = self.pages()["00_first.html"]
        self.assertEqual(len(re.findall("<math ", text)), 2)
        self.assertTrue("for <code>$x$</code>" in text)

    def test_figures_keep_their_words(self) -> None:
        self.assertTrue('<desc id="d">It rises.</desc>' in self.pages()["00_first.html"])

    def test_solutions(self) -> None:
        for solutions, mark in {"folded": '<details class="solution">', "shown": '<details class="solution" open'}.items():
            text = self.pages(solutions)["00_first.html"]
            self.assertTrue(mark in text, mark)
            self.assertTrue("<summary>Solution</summary>" in text)
        self.assertFalse("answer" in self.pages("none")["00_first.html"])

    def test_a_second_copy_replaces_the_first(self) -> None:
        self.pages()
        (self.folder / SECOND).rename(self.folder / "02_renamed.ipynb")
        for chinese in (False, True):
            nb = lesson(FIRST, chinese)
            nb.cells.pop()
            self.write(nb, chinese=chinese)
        self.assertNotIn("01_second.html", self.pages())

    def test_what_somebody_else_put_there_stays(self) -> None:
        there = self.root / "pages"
        there.mkdir()
        (there / "mine.html").write_text("mine", encoding="utf-8")
        with self.assertRaisesRegex(page.Unrendered, "holds mine.html: want a new or empty folder"):
            self.pages()
        self.assertEqual((there / "mine.html").read_text(encoding="utf-8"), "mine")

    def test_a_broken_link_or_formula_names_its_cell(self) -> None:
        for text, why in {"[there](02_none.ipynb)": "02_none.ipynb, which is no lesson", "$x^$": "cannot be read"}.items():
            with self.subTest(text):
                nb = lesson(FIRST, chinese=False)
                nb.cells[1].source = text
                self.write(nb)
                with self.assertRaisesRegex(page.Unrendered, f"00_first.ipynb: cell part: .*{why}"):
                    self.pages()

    def test_a_broken_lesson_leaves_the_earlier_pages(self) -> None:
        before = self.pages()
        nb = lesson(SECOND, chinese=True)
        nb.cells[1].source = "$x^$"
        self.write(nb, SECOND, chinese=True)
        with self.assertRaises(page.Unrendered):
            self.pages()
        to = self.root / "pages"
        self.assertEqual({path.relative_to(to).as_posix(): path.read_text(encoding="utf-8") for path in to.glob("**/*.html")}, before)


class ClassCopy(Folder):
    def test_solutions_are_left_out_and_nothing_else(self) -> None:
        (self.root / "README.md").write_text("read me", encoding="utf-8")
        (self.root / ".venv").mkdir()
        (self.root / ".venv" / "python").write_text("", encoding="utf-8")
        with tempfile.TemporaryDirectory() as to:
            self.assertEqual(classcopy.write(self.root, Path(to)), (5, 8))
            self.assertEqual((Path(to) / "README.md").read_text(encoding="utf-8"), "read me")
            self.assertFalse((Path(to) / ".venv").exists())
            for chinese in ("", "zh"):
                nb = nbformat.read(Path(to) / "notebooks" / chinese / FIRST, as_version=4)
                self.assertEqual([cell.id for cell in nb.cells], ["head", "part", "draw", "foot"])

    def test_only_what_git_would_keep(self) -> None:
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        (self.root / ".gitignore").write_text("secret\n", encoding="utf-8")
        (self.root / "secret").write_text("", encoding="utf-8")
        with tempfile.TemporaryDirectory() as to:
            classcopy.write(self.root, Path(to))
            self.assertEqual(sorted(path.name for path in Path(to).iterdir()), [".gitignore", "notebooks"])

    def test_refuses_a_folder_in_use_or_inside(self) -> None:
        for to, why in {self.folder: "is there already", self.root / "copy": "lies inside of"}.items():
            with self.assertRaisesRegex(classcopy.NoCopy, why):
                classcopy.write(self.root, to)

    def test_a_broken_notebook_is_named_and_nothing_is_written(self) -> None:
        (self.folder / SECOND).write_text("{", encoding="utf-8")
        with tempfile.TemporaryDirectory() as outside:
            to = Path(outside) / "copy"
            with self.assertRaisesRegex(BrokenNotebook, f"{SECOND}: line 1, column 2: not valid JSON"):
                classcopy.write(self.root, to)
            self.assertFalse(to.exists())

    def test_half_a_copy_does_not_stay(self) -> None:
        """Ctrl-C in between: neither a new folder stays, nor anything in one that was there."""
        with tempfile.TemporaryDirectory() as outside:
            there = Path(outside) / "there"
            there.mkdir()
            for to in (there, Path(outside) / "new"):
                copied = mock.Mock(side_effect=[None, KeyboardInterrupt])
                (self.root / "a").write_text("", encoding="utf-8")
                (self.root / "b").write_text("", encoding="utf-8")
                with mock.patch("shutil.copy2", copied), self.assertRaises(KeyboardInterrupt):
                    classcopy.write(self.root, to)
                self.assertEqual(copied.call_count, 2)
            self.assertEqual((list(Path(outside).iterdir()), list(there.iterdir())), ([there], []))

    def test_a_link_that_leads_nowhere(self) -> None:
        with tempfile.TemporaryDirectory() as outside:
            for target in ("nowhere", "link"):
                link = Path(outside) / "link"
                link.unlink(missing_ok=True)
                link.symlink_to(target)
                with self.assertRaisesRegex(classcopy.NoCopy, "leads nowhere"):
                    classcopy.write(self.root, link)
                with self.assertRaisesRegex(page.Unrendered, "leads nowhere"):
                    page.write(self.folder, link, "none")


class ReadMe(unittest.TestCase):
    """What README.md says of the lessons is what they say themselves."""

    def setUp(self) -> None:
        self.text = (ROOT / "README.md").read_text(encoding="utf-8")
        self.english, self.chinese = lessons.of(ROOT / "notebooks")

    def test_the_map_has_every_lesson_with_its_title_and_minutes(self) -> None:
        for lesson, twin in zip(self.english, self.chinese, strict=True):
            row = next((line for line in self.text.splitlines() if f"(notebooks/{lesson.path.name})" in line), "")
            self.assertIn(f"[{lesson.title.replace(' · ', ' ')}]", row, lesson.path.name)
            self.assertIn(f"[{twin.title.split(' · ')[1]}](notebooks/zh/{twin.path.name})", row)
            self.assertTrue(row.endswith(f"| {reading.minutes(lesson)} |"), row)
            self.assertEqual(reading.minutes(lesson), reading.minutes(twin), twin.path.name)

    def test_its_figures_are_those_of_the_lessons(self) -> None:
        stored = {
            base64.b64decode(output.data["image/png"])
            for lesson in self.english for cell in lesson.nb.cells for output in cell.get("outputs", [])
            if "image/png" in output.get("data", {})
        }
        for name in ("throughput", "question", "scoreboard"):
            self.assertIn(f"](.github/{name}.png)", self.text)
            picture = (ROOT / ".github" / f"{name}.png").read_bytes()
            self.assertTrue(picture in stored, f".github/{name}.png is no figure of a lesson as it is stored now: copy it anew")


class CommandLine(unittest.TestCase):
    def run_it(self, *args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(ROOT / "binder" / "notebooks.py"), *args], capture_output=True, text=True, check=False
        )

    def test_one_clear_line(self) -> None:
        for args, status, words in self.cases():
            result = self.run_it(*args)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertIn(words, result.stderr)
            self.assertNotIn("Traceback", result.stderr)

    def cases(self) -> Iterator[tuple[tuple[str, ...], int, str]]:
        yield ("html",), 2, "usage: binder/html "
        yield ("html", "--solutions", "some", "x"), 2, "--solutions"
        yield ("html", ""), 2, "is empty"
        yield ("class", ""), 2, "is empty"
        yield ("html", ""), 2, "is empty"
        yield ("class", ""), 2, "is empty"
        yield ("html", str(ROOT / "README.md")), 1, "is a file: want a folder"
        yield ("html", str(ROOT / "pkg")), 1, "want a new or empty folder"
        yield ("class", str(ROOT / "pkg")), 1, f"binder/class: {ROOT / 'pkg'} is there already"
        yield ("class", str(ROOT / "notebooks" / "copy")), 1, "lies inside of"

    def test_the_lab_itself_renders(self) -> None:
        with tempfile.TemporaryDirectory() as to:
            result = self.run_it("html", to)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("index.html", result.stdout)


if __name__ == "__main__":
    unittest.main()
