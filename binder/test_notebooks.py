#!/usr/bin/env python3
"""Tests of notebooks.py: every kind of failure is a notebook in fixtures/, named after it, and has to fail for it."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from unittest import mock

import nbformat

import notebooks
from nbrun import figure, notebook, outputs, twins

BINDER = Path(__file__).resolve().parent
FIXTURES = BINDER / "fixtures"
CACHE = BINDER.parent / ".cache"  # inside the module, so that the set-up line of a copied notebook finds go.mod

# What the report of a fixture has to say. Each has this one problem and no other.
REASONS = {
    "fails_bash_cell": "`%%bash`: a shell line failed: exit status 4",
    "fails_compile_error": "failed: ./main.go:11:13: undefined: nosuchname",
    "fails_exit_status": "failed: exit status 1",
    "fails_figure_alternative_differs": "display 1: text/plain differs:",
    "fails_figure_broken_svg": "`import (`: figure: image/svg+xml is not well-formed",
    "fails_figure_damaged_png": "`import (`: figure: image/png is damaged",
    "fails_figure_data": "display 1: application/vnd.memlab.figure+json differs:",
    "fails_figure_of_one_colour": "`import (`: figure: image/png is of one single colour",
    "fails_figure_stored_broken": "stored figure: image/svg+xml is not well-formed",
    "fails_figure_stored_without_png": "stored figure: image/png is missing",
    "fails_figure_without_alternative": "figure: no text alternative",
    "fails_kernel_dies": "cell [2] `!sleep 86397 & kill -9 $PPID`: the kernel died; cells after it that did not run: 1",
    "fails_kernel_missing": ': the kernel "nosuchkernel" is missing',
    "fails_kernel_not_named": ": no kernel is named in the metadata",
    "fails_kernel_of_python": ': the kernel "python3" runs python, want one that runs go',
    "fails_limit": "ran past its limit of 1 s; cells after it that did not run: 1",
    "fails_limit_of_no_number": "metadata limit 'soon': want a positive number of seconds",
    "fails_not_a_notebook": ": cell 1, output 1: not a valid notebook: 'text' is a required property",
    "fails_not_json": ": line 4, column 2: not valid JSON: Expecting ',' delimiter",
    "fails_output_differs": "stdout differs:\n      --- stored\n      +++ now\n      @@ -1,3 +1,3 @@\n       one\n",
    "fails_output_gone": "no output, but one is stored:\n      hi",
    "fails_output_lost": "a display was lost on its way to the kernel",
    "fails_output_new": "output, but none is stored:\n      hi",
    "fails_panic": "failed: exit status 2\n      panic: no memory left",
    "fails_prints_too_much": "printed 3,000,001 characters: want at most 1,000,000",
    "fails_shell_line": "`!false`: a shell line failed: exit status 1",
    "fails_shell_line_after_text": "a shell line failed: exit status 3",
    "fails_skipped_cell": "failed: exit status 2",
    "fails_solution_not_folded": "a solution that is not folded",
    "fails_solution_without_mark": "a solution that does not check right",
    "fails_solution_wrong": "a solution that checks wrong",
    "fails_starred_shell_line": "`!*test -d nosuchfolder`: a shell line failed: exit status 1",
    "fails_stderr_differs": "stderr differs:",
    "fails_stored_error": "an error is stored: exit status 2",
    "fails_test": "--- FAIL: TestSum",
    "fails_unknown_cell_magic": '"%%nosuch" unknown or not implemented yet.',
    "fails_unknown_magic": "unknown magic %nosuch",
}


class Done(NamedTuple):
    """What a run of notebooks.py left: the exit status, and what it printed."""

    status: int | str | None
    said: str
    complained: str


def command(*args: object, **environment: str) -> Done:
    """Runs notebooks.py in this process: a new one would spend seconds on importing Jupyter."""
    said, complained = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, environment),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(complained),
    ):
        try:
            status: int | str | None = notebooks.main([str(arg) for arg in args])
        except SystemExit as stopped:
            status = stopped.code
    return Done(status, said.getvalue(), complained.getvalue())


def start(*args: object, temp: str) -> subprocess.Popen[str]:
    """Starts notebooks.py as a user does, with a folder of its own for temporary files."""
    return subprocess.Popen(
        [sys.executable, BINDER / "notebooks.py", *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "TMPDIR": temp, "PYTHONIOENCODING": "utf-8"},
    )


def processes() -> str:
    """The command lines of all processes."""
    return subprocess.run(["ps", "-axo", "args"], capture_output=True, text=True, check=True).stdout


def still_running(pattern: str) -> list[str]:
    """Processes that go on for seconds; those of another run of these tests end with their fixtures."""
    deadline = time.monotonic() + 5
    while (found := re.findall(pattern, processes())) and time.monotonic() < deadline:
        time.sleep(0.2)
    return found


@contextlib.contextmanager
def copies(*names: str) -> Iterator[list[Path]]:
    """Copies of fixtures, in a folder whose name has spaces."""
    CACHE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="with two spaces ", dir=CACHE) as folder:
        yield [Path(shutil.copy(FIXTURES / f"{name}.ipynb", folder)) for name in names]


def stream(text: str, name: str = "stdout") -> Any:
    return nbformat.v4.new_output("stream", name=name, text=text)


def display(data: dict[str, Any]) -> Any:
    return nbformat.v4.new_output("display_data", data=data)


class Fixtures(unittest.TestCase):
    """Every notebook in fixtures/, checked in one run."""

    run_: Done
    blocks: dict[str, str]
    left_files: list[str]

    @classmethod
    def setUpClass(cls) -> None:
        with tempfile.TemporaryDirectory() as temp:
            process = start("check", "--jobs", 2, *sorted(FIXTURES.glob("*.ipynb")), temp=temp)
            said, complained = process.communicate()
            cls.run_ = Done(process.returncode, said, complained)
            cls.left_files = os.listdir(temp)
        blocks = re.split(r"^(?=(?:ok  |FAIL) )", said, flags=re.MULTILINE)[1:]
        cls.blocks = {re.findall(r"(\w+)\.ipynb", block)[0]: block for block in blocks}

    def test_every_fixture_is_reported(self) -> None:
        names = {path.stem for path in FIXTURES.glob("*.ipynb")}
        self.assertEqual(names, set(self.blocks), self.run_.complained)
        self.assertEqual({name for name in names if name.startswith("fails_")}, set(REASONS))

    def test_closing_line_and_exit_status(self) -> None:
        good = len(self.blocks) - len(REASONS)
        self.assertEqual(self.run_.said.splitlines()[-1], f"{good} passed, {len(REASONS)} failed")
        self.assertEqual(self.run_.status, 1)
        self.assertEqual(self.run_.complained, "")

    def test_good_ones_pass(self) -> None:
        for name, block in self.blocks.items():
            if name.startswith("passes_"):
                with self.subTest(name):
                    self.assertRegex(block, r"^ok   \S+\.ipynb  \d+\.\d s\n")

    def test_bad_ones_fail_for_their_reason_alone(self) -> None:
        for name, reason in REASONS.items():
            with self.subTest(name):
                block = self.blocks[name]
                self.assertTrue(block.startswith("FAIL "), block)
                self.assertIn(reason, block)
                self.assertEqual(
                    len(re.findall(r"^FAIL .*ipynb: |^  \S.* cell \[\d+\] `", block, re.MULTILINE)), 1, block
                )

    def test_a_limit_holds(self) -> None:
        took = re.findall(r"  (\d+\.\d) s$", self.blocks["fails_limit"], re.MULTILINE)
        self.assertLess(float(took[0]), 20, "its cell sleeps for a day and may run for 1 s")

    def test_nothing_is_left_behind(self) -> None:
        self.assertEqual(self.left_files, [])
        self.assertEqual(still_running(r"sleep 8639[789]"), [])


class Update(unittest.TestCase):
    def test_of_what_is_up_to_date_changes_nothing(self) -> None:
        with copies("passes_text", "passes_figure", "passes_temporary_path", "passes_updated_display") as paths:
            before = [path.read_bytes() for path in paths]
            run = command("update", "--jobs", 2, *paths)
            self.assertEqual(run.said.count(", unchanged\n"), len(paths), run.said + run.complained)
            self.assertEqual([path.read_bytes() for path in paths], before)

    def test_twice_makes_no_diff(self) -> None:
        with copies("passes_racing_order", "passes_figure_drawn_otherwise") as paths:
            self.assertEqual(command("update", "--jobs", 2, *paths).status, 0)
            once = [path.read_bytes() for path in paths]
            again = command("update", "--jobs", 2, *paths)
            self.assertEqual(again.said.count(", unchanged\n"), len(paths), again.said)
            self.assertEqual([path.read_bytes() for path in paths], once)
            # Outputs in another order are the stored ones still; a picture drawn otherwise is a new one.
            order = [output.output_type for output in notebook.read(paths[0]).cells[1].outputs]
            self.assertEqual(order, ["display_data", "stream", "display_data"])
            self.assertEqual(once[1], (FIXTURES / "passes_figure.ipynb").read_bytes())

    def test_stores_changed_outputs(self) -> None:
        with copies("fails_output_differs", "fails_output_gone", "fails_output_new", "fails_stored_error") as paths:
            run = command("update", "--jobs", 2, *paths)
            self.assertEqual((run.status, run.said.count(", stored\n")), (0, len(paths)), run.said)
            self.assertEqual(run.said.splitlines()[-1], "4 passed, 0 failed")
            self.assertEqual(command("check", "--jobs", 2, *paths).status, 0)

    def test_refuses_a_run_that_fails(self) -> None:
        refused = ("fails_shell_line", "fails_unknown_magic", "fails_exit_status", "fails_solution_not_folded")
        refused += ("fails_solution_wrong", "fails_limit", "fails_kernel_missing", "fails_not_json")
        with copies(*refused) as paths:
            before = [path.read_bytes() for path in paths]
            run = command("update", "--jobs", 2, *paths)
            self.assertEqual(run.status, 1)
            self.assertEqual(run.said.splitlines()[-1], f"0 passed, {len(paths)} failed")
            self.assertEqual([path.read_bytes() for path in paths], before)
            self.assertEqual(run.said.count(", not stored\n"), len(paths) - 2, run.said)


class Kernel(unittest.TestCase):
    def report_of_kernel(self, *argv: str) -> str:
        """The report of a notebook whose kernel is started by argv."""
        with tempfile.TemporaryDirectory() as folder:
            spec = Path(folder, "kernels", "nosuchkernel", "kernel.json")
            spec.parent.mkdir(parents=True)
            spec.write_text(json.dumps({"argv": argv, "display_name": "Go", "language": "go"}))
            return command("check", FIXTURES / "fails_kernel_missing.ipynb", JUPYTER_PATH=folder).said

    def test_that_does_not_start_is_one_line(self) -> None:
        said = self.report_of_kernel("/bin/sh", "-c", "sleep 86396 & echo one >&2; echo the cable is cut >&2; exit 3")
        line = 'FAIL .*: the kernel "nosuchkernel" does not start: the cable is cut\n0 passed, 1 failed\n'
        self.assertRegex(said, f"^{line}$")
        self.assertEqual(still_running("sleep 86396"), [])

    def test_whose_program_is_missing_is_one_line(self) -> None:
        said = self.report_of_kernel("/nosuchfolder/gonb", "{connection_file}")
        line = 'FAIL .*: the kernel "nosuchkernel" does not start: .*/nosuchfolder/gonb.*\n0 passed, 1 failed\n'
        self.assertRegex(said, f"^{line}$")

    def test_ends_with_a_run_that_is_stopped(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name), copies("passes_solution") as (path,), tempfile.TemporaryDirectory() as temp:
                sleep = f"sleep 86{number + 300}"
                nb = notebook.read(path)
                nb.cells[0].source = f"!{sleep} & {sleep}"
                path.write_text(notebook.text_of(nb), encoding="utf-8")
                process = start("check", path, path, temp=temp)
                self.addCleanup(process.kill)
                deadline = time.monotonic() + 30
                while sleep not in processes() and time.monotonic() < deadline:
                    time.sleep(0.1)
                process.send_signal(number)
                said, complained = process.communicate(timeout=30)
                self.assertEqual((process.returncode, said), (130, ""), complained)
                self.assertEqual(complained, "notebooks.py: stopped\n")
                self.assertEqual(still_running(sleep), [])
                self.assertEqual(os.listdir(temp), [])


class Twins(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "zh").mkdir()

    def write(self, name: str, *cells: Any) -> None:
        nb = nbformat.v4.new_notebook(cells=list(cells))
        (self.folder / name).write_text(nbformat.writes(nb), encoding="utf-8")

    def reports(self) -> list[str]:
        return [str(report) for report in twins.compare(self.folder)]

    def test_prose_and_outputs_may_differ(self) -> None:
        code = nbformat.v4.new_code_cell
        self.write("01_a.ipynb", nbformat.v4.new_markdown_cell("Text"), code("x", outputs=[stream("en")]), code(" "))
        self.write("zh/01_a.ipynb", code("x", outputs=[stream("中文")]), nbformat.v4.new_markdown_cell("正文"))
        self.assertEqual(self.reports(), ["ok   01_a"])

    def test_a_changed_cell_is_found(self) -> None:
        code = nbformat.v4.new_code_cell
        self.write("01_a.ipynb", code("same"), code("a\nb\nc"))
        self.write("zh/01_a.ipynb", code("same"), code("a\nB\nc"))
        (report,) = self.reports()
        self.assertIn("FAIL 01_a\n  01_a cell [2] `a`: differs from cell [2] of the Chinese notebook:", report)
        self.assertIn("      -b\n      +B\n", report)

    def test_a_changed_tag_is_found(self) -> None:
        for name, tags in (("01_a.ipynb", ["solution"]), ("zh/01_a.ipynb", [])):
            self.write(name, nbformat.v4.new_code_cell("x", metadata={"tags": tags}))
        self.assertIn("-(tags: solution)", self.reports()[0])

    def test_one_cell_more_is_one_problem(self) -> None:
        code = nbformat.v4.new_code_cell
        self.write("01_a.ipynb", code("new"), code("x"), code("y"))
        self.write("zh/01_a.ipynb", code("x"), code("y"), code("z"))
        self.assertEqual(
            self.reports()[0].splitlines()[1:],
            [
                "  01_a cell [1] `new`: the Chinese notebook lacks this cell",
                "  01_a cell [3] `z`: only the Chinese notebook has this cell",
            ],
        )

    def test_missing_and_broken_twins_are_found(self) -> None:
        self.write("01_a.ipynb")
        self.write("zh/02_b.ipynb")
        self.write("03_c.ipynb")
        (self.folder / "zh" / "03_c.ipynb").write_text("{")
        self.assertEqual(
            self.reports(),
            [
                "FAIL 01_a: its Chinese twin zh/01_a.ipynb is missing",
                "FAIL 02_b: zh/02_b.ipynb has no English twin",
                "FAIL 03_c: zh/03_c.ipynb: line 1, column 2: not valid JSON: "
                "Expecting property name enclosed in double quotes",
            ],
        )


class CommandLine(unittest.TestCase):
    def test_wrong_usage_is_status_2(self) -> None:
        wrong = [
            "",
            "chek",
            "check nosuch",
            "check --limit 0",
            "check --limit inf",
            "update --jobs x",
            "check --all 01",
        ]
        for args in wrong:
            with self.subTest(args):
                done = command(*args.split())
                self.assertEqual((done.status, done.said), (2, ""))
                self.assertRegex(done.complained, r"notebooks\.py.*: .*\n$")

    def test_names_and_defaults(self) -> None:
        with tempfile.TemporaryDirectory() as temp, mock.patch.object(notebooks, "NOTEBOOKS", Path(temp).resolve()):
            folder = Path(temp).resolve()
            with self.assertRaisesRegex(notebooks.UsageError, "no notebooks in"):
                notebooks.select([], every=False)
            (folder / "zh").mkdir()
            paths = [folder / name for name in ("00_a.ipynb", "01_b.ipynb", "zh/00_a.ipynb", "zh/01_b.ipynb")]
            for path in paths:
                path.touch()
            self.assertEqual(notebooks.select([], every=True), paths)
            self.assertEqual(notebooks.select([], every=False), paths[:3])
            self.assertEqual(notebooks.select(["01", "zh/00_a", str(paths[3])], every=False), [paths[1], *paths[2:]])
            self.assertEqual(notebooks.label(paths[2]), "zh/00_a")
            with self.assertRaisesRegex(notebooks.UsageError, "^0 fits 00_a, 01_b: want"):
                notebooks.select(["0"], every=False)

    def test_skipped_ones_are_counted(self) -> None:
        reports = [notebooks.Report("a"), notebooks.Report("b", broken="x"), notebooks.Report("zh", skipped="none")]
        self.assertEqual(notebooks.summary(reports), "1 passed, 1 failed, 1 skipped")
        self.assertEqual(notebooks.summary(reports[:1]), "1 passed, 0 failed")


class Outputs(unittest.TestCase):
    def differences(self, stored: list[Any], fresh: list[Any], pictures: bool = False) -> list[str]:
        return outputs.differences(outputs.tidy(stored), outputs.tidy(fresh), pictures)

    def test_order_of_streams_and_displays_is_an_accident(self) -> None:
        html = display({"text/html": "<b>x</b>"})
        self.assertEqual(self.differences([stream("a"), html, stream("b")], [html, stream("ab")]), [])
        self.assertEqual(
            self.differences([stream("a"), stream("e", "stderr")], [stream("e", "stderr"), stream("a")]), []
        )

    def test_order_of_displays_counts(self) -> None:
        one, two = display({"text/html": "1"}), display({"text/html": "2"})
        self.assertEqual(len(self.differences([one, two], [two, one])), 2)
        self.assertEqual(self.differences([one, two], [one]), ["1 displays, but 2 are stored"])

    def test_text_differs_by_a_last_newline(self) -> None:
        (what,) = self.differences([stream("a\n")], [stream("a")])
        self.assertEqual(what, "stdout differs:\n--- stored\n+++ now\n@@ -1,2 +1 @@\n a\n-")

    def test_long_diffs_are_cut(self) -> None:
        (what,) = self.differences([stream("x" * 999 + "\n" * 99)], [stream("y\n" * 99)])
        self.assertLess(len(what.splitlines()), 30)
        self.assertLess(max(map(len, what.splitlines())), 200)
        self.assertIn("lines more", what)

    def test_streams_are_told_apart(self) -> None:
        self.assertEqual(len(self.differences([stream("a")], [stream("a", "stderr")])), 2)

    def test_empty_streams_are_no_output(self) -> None:
        self.assertEqual(outputs.tidy([stream("")]), [])

    def test_metadata_and_kinds_count(self) -> None:
        wide = display({"text/html": "1"})
        wide.metadata["width"] = 3
        self.assertIn("metadata differ", self.differences([display({"text/html": "1"})], [wide])[0])
        (what,) = self.differences([display({"text/html": "1"})], [display({"text/plain": "1"})])
        self.assertEqual(what, "display 1: it is text/plain, but text/html is stored")

    def test_figures_by_data_and_update_by_bytes(self) -> None:
        def bundle(svg: str, data: Any) -> Any:
            return display({figure.SVG: svg, figure.PNG: svg, figure.ALTERNATIVE: "a", figure.DATA: data})

        old, new = bundle("<svg/>", {"x": 1}), bundle("<svg />", '{"x": 1}')
        self.assertEqual(self.differences([old], [new]), [])
        (what,) = self.differences([old], [new], pictures=True)
        self.assertTrue(what.startswith("display 1: image/png, image/svg+xml differ:\n"), what)
        for other in ({"x": 2}, {"x": True}, {"x": 1.0}, {}):
            self.assertEqual(len(self.differences([old], [bundle("<svg/>", other)])), 1, other)

    def test_one_diff_of_what_is_easiest_to_read(self) -> None:
        def table(number: int) -> Any:
            return display({"text/html": f"<table><tr><td>{number}</td></tr></table>", "text/plain": f"| {number}\n"})

        (what,) = self.differences([table(1)], [table(2)])
        self.assertEqual(what, "display 1: text/html, text/plain differ:\n--- stored\n+++ now\n@@ -1 +1 @@\n-| 1\n+| 2")
        html = [display({"text/html": table(number).data["text/html"]}) for number in (1, 2)]
        self.assertIn("\n <tr>\n-<td>1</td>\n+<td>2</td>\n </tr>", self.differences(html[:1], html[1:])[0])

    def test_a_picture_without_data_is_compared_itself(self) -> None:
        self.assertEqual(
            self.differences([display({figure.PNG: "a"})], [display({figure.PNG: "b"})]),
            ["display 1: image/png differs"],
        )

    def test_what_differs_between_equal_runs_is_masked(self) -> None:
        text = "--- PASS: TestX (1.23s)\n/my tmp/gonb_0123abcd/main.go:3 (1.23s)\n"
        (tidied,) = outputs.tidy([stream(text)], temp="/my tmp")
        self.assertEqual(tidied.text, "--- PASS: TestX (0.00s)\n/tmp/gonb/main.go:3 (1.23s)\n")
        (stored,) = outputs.tidy([stream("/var/folders/x/gonb_0123abcd/main.go:3")])
        self.assertEqual(stored.text, "/tmp/gonb/main.go:3")


class Pictures(unittest.TestCase):
    @staticmethod
    def png(rows: bytes, width: int, colour: int = 2, depth: int = 8) -> str:
        def chunk(kind: bytes, body: bytes) -> bytes:
            return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

        header = struct.pack(">IIBBBBB", width, 2, depth, colour, 0, 0, 0)
        parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
        return base64.b64encode(figure.PNG_SIGNATURE + parts).decode()

    def assert_broken(self, check: Any, picture: Any, why: str) -> None:
        with self.assertRaisesRegex(figure.BrokenPicture, why):
            check(picture)

    def test_one_colour_in_every_filter(self) -> None:
        first = {
            0: b"\7\10\11" * 2,
            1: b"\7\10\11" + bytes(3),
            2: b"\7\10\11" * 2,
            3: b"\7\10\11\4\4\5",
            4: b"\7\10\11" + bytes(3),
        }
        later = {0: b"\7\10\11" * 2, 1: b"\7\10\11" + bytes(3), 2: bytes(6), 3: b"\4\4\5" + bytes(3), 4: bytes(6)}
        for one in range(5):
            for two in range(5):
                rows = bytes([one]) + first[one] + bytes([two]) + later[two]
                self.assert_broken(figure.check_png, self.png(rows, 2), "one single colour")
                for at in (1 + 5, 8 + 4):
                    changed = rows[:at] + bytes([rows[at] ^ 1]) + rows[at + 1 :]
                    figure.check_png(self.png(changed, 2))

    def test_sixteen_bits_and_palettes(self) -> None:
        self.assert_broken(
            figure.check_png, self.png((b"\0" + b"\1\2" * 2) * 2, 2, colour=0, depth=16), "one single colour"
        )
        figure.check_png(self.png((b"\0" + b"\1\2\1\3") * 2, 2, colour=0, depth=16))
        figure.check_png(self.png(b"\0\1\1" * 2, 16, colour=3, depth=1))  # too small a depth to tell cheaply

    def test_broken_pngs(self) -> None:
        good = base64.b64decode(self.png(b"\0\1\2\3\4\5\6" * 2, 2))
        cases = {
            b"": "missing or empty",
            b"GIF89a": "no PNG signature",
            good[:40]: "ends too early",
            good[:20] + b"\1" + good[21:]: "wrong checksum of IHDR",
            figure.PNG_SIGNATURE: "damaged",
        }
        for data, why in cases.items():
            self.assert_broken(figure.check_png, base64.b64encode(data).decode(), why)
        self.assert_broken(figure.check_png, "no base64!", "not base64")
        self.assert_broken(figure.check_png, None, "missing or empty")
        self.assert_broken(figure.check_png, self.png(b"", 0), "0 x 2 pixels")

    def test_broken_svgs(self) -> None:
        cases = {
            "": "missing",
            " \n": "empty",
            "<svg>": "not well-formed",
            "<p><b/></p>": "holds <p>",
            "<svg/>": "nothing",
        }
        for svg, why in cases.items():
            self.assert_broken(figure.check_svg, svg, why)
        figure.check_svg('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>')

    def test_data_is_an_object(self) -> None:
        good = {figure.SVG: "<svg><g/></svg>", figure.PNG: self.png(b"\0\1\2\3\4\5\6" * 2, 2), figure.ALTERNATIVE: "a"}
        self.assertEqual(figure.problems({**good, figure.DATA: {}}), [])
        self.assertEqual(figure.problems({**good, figure.DATA: "[1]"}), [f"{figure.DATA} is not an object"])
        self.assertIn("is not valid JSON", figure.problems({**good, figure.DATA: "{"})[0])
        self.assertEqual(figure.problems({figure.SVG: "an svg without data is no figure of ours"}), [])


class Files(unittest.TestCase):
    MESSY: ClassVar[dict[str, Any]] = {
        "cells": [
            {"cell_type": "markdown", "metadata": {}, "source": "缓存"},
            {
                "cell_type": "code",
                "execution_count": 7,
                "metadata": {"execution": {"iopub.status.busy": "2026"}, "collapsed": True, "tags": ["a"]},
                "outputs": [],
                "source": ["x\n", "y"],
            },
            {"cell_type": "code", "execution_count": 8, "metadata": {}, "outputs": [], "source": " "},
            {
                "cell_type": "code",
                "execution_count": 9,
                "metadata": {},
                "outputs": [
                    {
                        "output_type": "execute_result",
                        "execution_count": 9,
                        "metadata": {},
                        "data": {"text/plain": "1"},
                    }
                ],
                "source": "x\ny",
            },
        ],
        "metadata": {
            "kernelspec": {"name": "gonb", "language": "go", "display_name": "Go (gonb)", "env": {}},
            "language_info": {"name": "go", "version": "go1.26.0"},
            "widgets": {},
        },
        "nbformat": 4,
        "nbformat_minor": 4,
    }

    def read(self, content: str | bytes) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "x.ipynb")
            path.write_bytes(content.encode() if isinstance(content, str) else content)
            return notebook.read(path)

    def normal(self, content: str) -> str:
        nb = self.read(content)
        notebook.normalise(nb)
        return notebook.text_of(nb)

    def test_normal_form(self) -> None:
        text = self.normal(json.dumps(self.MESSY))
        self.assertEqual(self.normal(text), text)
        self.assertEqual(self.normal(json.dumps(self.MESSY)), text, "ids of cells are not drawn at random")
        self.assertIn("缓存", text)
        self.assertTrue(text.endswith("}\n"))
        stored = json.loads(text)
        self.assertEqual(text, json.dumps(stored, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
        self.assertEqual(set(stored["metadata"]), {"kernelspec", "language_info"})
        self.assertEqual(set(stored["metadata"]["kernelspec"]), {"name", "language", "display_name"})
        self.assertNotIn("version", stored["metadata"]["language_info"])
        _, first, empty, last = stored["cells"]
        self.assertEqual(first["metadata"], {"tags": ["a"]})
        counts = [cell["execution_count"] for cell in (first, empty, last)] + [last["outputs"][0]["execution_count"]]
        self.assertEqual(counts, [1, None, 2, 2])
        self.assertEqual(len({cell["id"] for cell in stored["cells"]}), 4)

    def test_ids_are_kept(self) -> None:
        cell = {"cell_type": "markdown", "metadata": {}, "source": "", "id": "mine"}
        nb = self.read(json.dumps({**self.MESSY, "cells": [cell, cell]}))
        self.assertEqual(nb.cells[0].id, "mine")
        self.assertNotEqual(nb.cells[1].id, "mine")

    def test_broken_files_name_the_position(self) -> None:
        cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": "x", "id": "a"}
        cases = {
            "": "^line 1, column 1: not valid JSON",
            '{"a":\n 1 2}': "^line 2, column 4: not valid JSON",
            b'{"a": "\xff"}': "^byte 7: not UTF-8",
            "[]": "^top level: .*list of cells",
            json.dumps({**self.MESSY, "nbformat": 3}): "^top level: .*nbformat 3, want 4",
            json.dumps({**self.MESSY, "cells": [1]}): "^cell 1: ",
            json.dumps({**self.MESSY, "cells": [cell, {**cell, "id": 3}]}): "^cell 2, id: ",
            json.dumps({**self.MESSY, "cells": [{**cell, "source": 3}]}): "^cell 1, source: ",
            json.dumps({**self.MESSY, "metadata": 3}): "^metadata: ",
        }
        for content, why in cases.items():
            with self.subTest(why), self.assertRaisesRegex(notebook.BrokenNotebook, why):
                self.read(content)


if __name__ == "__main__":
    unittest.main()
