#!/usr/bin/env python3
"""Tests of binder/setup and binder/lab as a newcomer meets them: in a fresh copy, with something missing or broken.

One copy, in a folder whose name has a space, is set up for real (about half a minute with warm caches), with a home
folder of its own, so that whatever is written there shows.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def copy_of_the_checkout(to: Path) -> Path:
    """Copies what git tracks, and what it would track, to a new folder."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        source, target = ROOT / name, to / name
        if not source.is_symlink() and not source.is_file():
            continue  # deleted, not committed yet
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target, follow_symlinks=False)
    return to


def environment(**more: str) -> dict[str, str]:
    """The caller's environment without what binder/test has set in it."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER_", "MEMLAB_", "VENV", "ROOT"))}
    env["PATH"] = os.pathsep.join(p for p in env["PATH"].split(os.pathsep) if ".venv" not in p)
    return env | {"MEMLAB_COMPLETION": "0"} | more


def run(script: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(script), *args], env=environment(**env), capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL,
    )


class OneClearLine(unittest.TestCase):
    """What is wrong is said in one line, and the exit status is not zero."""

    def check(self, result: subprocess.CompletedProcess[str], *words: str) -> None:
        self.assertNotEqual(result.returncode, 0, result.stdout)
        lines = [line for line in result.stderr.splitlines() if "first run" not in line and not line.endswith(": done")]
        self.assertEqual(len(lines), 1, result.stderr)
        for word in words:
            self.assertIn(word, lines[0])


class WhatIsMissing(OneClearLine):
    def path_without(self, *names: str) -> str:
        """A PATH with every program of the machine but these."""
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        for part in ("/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"):
            for program in sorted(Path(part).glob("*")) if Path(part).is_dir() else []:
                if not program.name.startswith(names) and not (folder / program.name).exists():
                    (folder / program.name).symlink_to(program)
        return str(folder)

    def test_no_go(self) -> None:
        self.check(run(ROOT / "binder/setup", PATH=self.path_without("go")), "Go is missing", "install Go 1.26")

    def test_no_python(self) -> None:
        go = Path(shutil.which("go") or self.fail("no Go")).parent
        path = self.path_without("python") + os.pathsep + str(go)
        self.check(run(ROOT / "binder/setup", PATH=path), "Python 3.10 or newer is missing", "install")


class ThroughALink(unittest.TestCase):
    """.venv belongs to one path: a link to the checkout or to a script must not lead to another."""

    def test_the_folder_is_the_real_one(self) -> None:
        with tempfile.TemporaryDirectory() as temporary:
            real = Path(temporary).resolve() / "real one"
            (real / "binder").mkdir(parents=True)
            (real.parent / "linked").symlink_to(real)
            for name in ("bench", "class", "html", "kernel", "lab", "setup", "test"):
                script = real / "binder" / name
                lines = (ROOT / "binder" / name).read_text(encoding="utf-8").splitlines(keepends=True)
                end = next(i for i, line in enumerate(lines) if line.startswith("ROOT=")) + 1
                script.write_text("".join(lines[:end]) + 'echo "$ROOT"\n', encoding="utf-8")
                (real.parent / name).symlink_to(script)
                for way in (script, real.parent / "linked" / "binder" / name, real.parent / name):
                    self.assertEqual(run(way).stdout.strip(), str(real), f"{name} as {way}")


class WhatTheLabRefuses(OneClearLine):
    def lab(self, *args: str) -> subprocess.CompletedProcess[str]:
        return run(ROOT / "binder/lab", "--no-browser", *args)

    def test_a_taken_port(self) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            self.check(self.lab("--port", port), f"port {port} is taken")

    def test_a_port_that_is_none(self) -> None:
        for port in ("http", "0", "70000", ""):
            self.check(self.lab("--port", port), "want a number from 1024 to 65535")

    def test_an_unknown_notebook(self) -> None:
        self.check(self.lab("77"), "no notebook 77", "00_start_here.ipynb")

    def test_an_unknown_option(self) -> None:
        self.check(self.lab("--prot"), "unknown option --prot", "usage")

    def test_a_notebook_outside(self) -> None:
        with tempfile.NamedTemporaryFile(suffix=".ipynb") as outside:
            self.check(self.lab(outside.name), "is outside")

    def test_a_broken_notebook(self) -> None:
        with tempfile.NamedTemporaryFile(dir=ROOT / "notebooks", prefix="run-", suffix=".ipynb") as broken:
            broken.write(b'{"cells": [')
            broken.flush()
            self.check(self.lab(broken.name), broken.name, "is no notebook")


class AFreshCopy(OneClearLine):
    """One copy goes through everything that can happen to a newcomer, in this order."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.root = copy_of_the_checkout(self.folder / "a lab of my own")
        self.home = self.folder / "home"
        self.home.mkdir()
        # The caches of Go and Python may be shared; all else that wants a home finds an empty one.
        go = subprocess.run(["go", "env", "GOMODCACHE", "GOCACHE"], check=True, capture_output=True, text=True).stdout.split()
        pip = subprocess.run(["python3", "-m", "pip", "cache", "dir"], capture_output=True, text=True).stdout.strip()
        self.env = {"HOME": str(self.home), "GOMODCACHE": go[0], "GOCACHE": go[1], "PIP_CACHE_DIR": pip}

    def setup(self, **more: str) -> subprocess.CompletedProcess[str]:
        return run(self.root / "binder/setup", **(self.env | more))

    def test_from_nothing_to_a_notebook(self) -> None:
        with self.subTest("no package index"):
            nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0", "PIP_CACHE_DIR": str(self.folder / "empty")}
            self.check(self.setup(**nowhere), "Python packages could not be installed", "run this again")
        with self.subTest("a package that is not the one we pinned"):
            lock = self.root / "binder/requirements.txt"
            good = lock.read_text()
            first, rest = good.split("    # via", 1)
            lock.write_text(re.sub("[0-9a-f]{64}", "0" * 64, first) + "    # via" + rest)
            self.check(self.setup(), "Python packages could not be installed", "HASH")
            lock.write_text(good)
        with self.subTest("interrupted, then run again"):
            process = subprocess.Popen(
                ["sh", str(self.root / "binder/setup")], env=environment(**self.env),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            )
            time.sleep(4)
            os.killpg(process.pid, signal.SIGTERM)
            self.assertNotEqual(process.wait(30), 0)
            self.assertFalse((self.root / ".venv/state/python").exists(), "too late to interrupt anything")
            result = self.setup()
            self.assertEqual(result.returncode, 0, result.stderr)
        with self.subTest("a second run says nothing and changes nothing"):
            before = (self.root / ".venv/state/python").stat().st_mtime_ns
            result = self.setup()
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
            self.assertEqual((self.root / ".venv/state/python").stat().st_mtime_ns, before)
        with self.subTest("a notebook runs, in a folder with a space"):
            result = subprocess.run(
                [self.root / ".venv/bin/python", self.root / "binder/notebooks.py", "check", "00"],
                env=environment(**self.env), capture_output=True, text=True, timeout=600,
            )
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        with self.subTest("the lab answers"):
            self.lab_answers()
        with self.subTest("a lab that was moved sets itself up again"):
            moved = self.folder / "moved"
            self.root.rename(moved)
            self.root = moved
            result = self.setup()
            self.assertEqual(result.returncode, 0, result.stderr)
            version = subprocess.run([moved / ".venv/bin/jupyter", "--version"], capture_output=True, text=True)
            self.assertEqual(version.returncode, 0, version.stderr)
        with self.subTest("the home folder holds nothing of ours"):
            ours = [
                str(p.relative_to(self.home)) for p in self.home.rglob("*") if p.is_file()
                # pip asks a Rust compiler for its version, and where there is one, it leaves its settings.
                and not any(part in ("go", "go-build", "pip", ".rustup") for part in p.relative_to(self.home).parts)
            ]
            self.assertEqual(ours, [])

    def answer(self, address: str) -> int:
        """The status of an address; the server prints it a moment before it listens."""
        for _ in range(20):
            try:
                with urllib.request.urlopen(address, timeout=30) as answer:
                    return answer.status
            except urllib.error.HTTPError as error:
                return error.code
            except urllib.error.URLError:
                time.sleep(0.5)
        self.fail(f"{address} does not answer")

    def lab_answers(self) -> None:
        """Starts binder/lab as a user without a display does, and opens the address that it prints."""
        process = subprocess.Popen(
            ["sh", str(self.root / "binder/lab"), "--no-browser"], env=environment(**self.env),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )
        try:
            address = ""
            for line in process.stderr or []:
                if "http://127.0.0.1" in line:
                    address = line.strip()
                    break
            self.assertIn("/lab/tree/notebooks/00_start_here.ipynb?token=", address)
            self.assertEqual(self.answer(address), 200)
            without_token = address.split("?")[0].replace("/lab/tree", "/api/contents")
            self.assertEqual(self.answer(without_token), 403, "the token is not asked for")
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)
            if process.stderr:
                process.stderr.close()


if __name__ == "__main__":
    unittest.main()
