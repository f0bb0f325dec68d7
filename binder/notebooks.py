#!/usr/bin/env python3
"""Checks, updates and compares memlab's notebooks.

    notebooks.py check [--all] [NOTEBOOK...]   execute, compare with the committed outputs
    notebooks.py update [NOTEBOOK...]          execute, store the outputs
    notebooks.py twins                         compare the code of the English and the Chinese notebooks
    notebooks.py read                          headings, text alternatives and links, as every reader needs them
    notebooks.py time [NOTEBOOK...]            execute, and say what the time of the cells consists of
    notebooks.py html [--solutions WHICH] DIR  write the lessons as web pages that need nothing else
    notebooks.py class DIR                     copy the lab without the solutions

A NOTEBOOK is a file, or the beginning of a name in notebooks/ such as 01 or zh/01. Without names, check and
time take the English ones and the first Chinese one, check --all and update take every one.
Exit status: 0 all passed, 1 some failed, 2 wrong usage, 130 stopped.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

try:
    from nbrun import classcopy, page, reading, timing, twins, work
    from nbrun.notebook import BrokenNotebook
    from nbrun.work import Report
except ModuleNotFoundError as missing:
    if missing.name is None or missing.name.startswith("nbrun"):
        raise
    print(
        f"notebooks.py: no module {missing.name}: run it with .venv/bin/python, made by binder/setup", file=sys.stderr
    )
    sys.exit(2)

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
DEFAULT_LIMIT = 120.0
HANDOUTS = {"html": "write the lessons as web pages", "class": "copy the lab without the solutions"}
Work = Callable[[Path, str, float], Awaitable[Report]]


class UsageError(Exception):
    """What was asked for makes no sense: one line."""


def find(name: str) -> Path:
    """The notebook called name: a file, or the one in notebooks/ that begins so."""
    path = Path(name)
    if path.is_file():
        return path
    found = sorted(NOTEBOOKS.glob(f"{name.removesuffix('.ipynb')}*.ipynb")) if not path.is_absolute() else []
    if len(found) != 1:
        which = f"fits {', '.join(label(path) for path in found)}" if found else "is no notebook"
        raise UsageError(f"{name} {which}: want a file or the beginning of one name in {NOTEBOOKS}")
    return found[0]


def label(path: Path) -> str:
    """The name of a notebook in reports: short for those of the lecture."""
    resolved = path.resolve()
    if resolved.is_relative_to(NOTEBOOKS):
        return resolved.relative_to(NOTEBOOKS).with_suffix("").as_posix()
    return str(path)


def select(names: list[str], every: bool) -> list[Path]:
    """The notebooks to work on: those named, or the English ones and every or the first Chinese one."""
    if names:
        return [find(name) for name in names]
    english = sorted(NOTEBOOKS.glob("*.ipynb"))
    chinese = sorted((NOTEBOOKS / twins.CHINESE).glob("*.ipynb"))
    if not english:
        raise UsageError(f"no notebooks in {NOTEBOOKS}")
    return english + (chinese if every else chinese[:1])


async def report_each(do: Work, paths: list[Path], limit: float, jobs: int) -> list[Report]:
    """Works on up to jobs notebooks at a time; prints each report whole, in the order of paths."""
    free = asyncio.Semaphore(jobs)

    async def one(path: Path) -> Report:
        async with free:
            return await do(path, label(path), limit)

    tasks = [asyncio.create_task(one(path)) for path in paths]
    try:
        for task in tasks:
            print(await task, flush=True)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)  # kernels end before we do
    return [task.result() for task in tasks]


async def until_stopped(do: Work, paths: list[Path], limit: float, jobs: int) -> list[Report]:
    """report_each, ended in good order by Ctrl-C or kill."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None, "runs as the main task"
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    return await report_each(do, paths, limit, jobs)


def summary(reports: list[Report]) -> str:
    """The closing line."""
    skipped = sum(bool(report.skipped) for report in reports)
    failed = sum(not report.passed for report in reports)
    return f"{len(reports) - failed - skipped} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")


def seconds(text: str) -> float:
    """A positive number of seconds, for argparse."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError(text)
    return value


def count(text: str) -> int:
    """A positive whole number, for argparse."""
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def folder(text: str) -> Path:
    """A folder's name, for argparse. An empty one, as of a variable that is not set, is not the folder we are in."""
    if not text:
        raise argparse.ArgumentTypeError("is empty: want the name of a folder")
    return Path(text)


def arguments(args: list[str]) -> argparse.Namespace:
    """The command line, parsed; argparse exits with status 2 when it makes no sense."""
    parser = argparse.ArgumentParser(
        prog="notebooks.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("twins", help="compare the code of the English and the Chinese notebooks")
    commands.add_parser("read", help="headings, text alternatives and links")
    # Asked for by binder/html and binder/class: they name themselves by what was typed.
    pages, copy = (
        commands.add_parser(name, prog=f"binder/{name}", help=what, description=f"{what[0].upper()}{what[1:]}.")
        for name, what in HANDOUTS.items()
    )
    pages.add_argument(
        "--solutions", choices=page.SOLUTIONS, default=page.SOLUTIONS[0], help="to the exercises (%(default)s)"
    )
    for command in (pages, copy):
        command.add_argument("dir", type=folder, metavar="DIR", help="a folder to write; it is made")
    check = commands.add_parser("check", help="execute and compare with the committed outputs")
    check.add_argument("--all", action="store_true", help="every notebook, the Chinese ones too")
    update = commands.add_parser("update", help="execute and store the outputs")
    timed = commands.add_parser("time", help="execute, and say what the time of the cells consists of")
    for command in (check, update, timed):
        command.add_argument(
            "--limit", type=seconds, default=DEFAULT_LIMIT, help="seconds a cell may run (%(default)g)"
        )
        command.add_argument("--jobs", type=count, default=1, help="notebooks at a time (%(default)s)")
        command.add_argument("notebooks", nargs="*", metavar="NOTEBOOK")
    parsed = parser.parse_args(args)
    if parsed.command == "check" and parsed.all and parsed.notebooks:
        parser.error("--all and names exclude each other")
    return parsed


def run(args: argparse.Namespace) -> list[Report]:
    """What the command line asks for; prints a report per notebook."""
    if args.command in ("twins", "read"):
        reports = (twins.compare if args.command == "twins" else reading.read)(NOTEBOOKS)
        if not reports:
            raise UsageError(f"no notebooks in {NOTEBOOKS}")
        print(*reports, sep="\n", flush=True)
        return reports
    every = args.command == "update" or (args.command == "check" and args.all)
    paths = select(args.notebooks, every)
    do: Work = {"check": work.check, "update": work.update, "time": work.measure}[args.command]
    reports = asyncio.run(until_stopped(do, paths, args.limit, args.jobs))
    if not args.notebooks and not any(twins.is_chinese(path) for path in paths):
        reports.append(Report(twins.CHINESE, skipped="there is no Chinese notebook"))
        print(reports[-1])
    if args.command == "time":
        print(timing.table([cell for report in reports for cell in report.timed]))
    return reports


def hand_out(args: argparse.Namespace) -> str:
    """Writes what a class is given; returns a line that says what that was."""
    if args.command == "html":
        pages = page.write(NOTEBOOKS, args.dir, args.solutions)
        return f"{pages} pages in {args.dir}: open {args.dir / 'index.html'}"
    files, solutions = classcopy.write(NOTEBOOKS.parent, args.dir)
    return f"{files} files in {args.dir}, {solutions} solutions left out"


def main(args: list[str]) -> int:
    """Runs the command line; returns the exit status."""
    me = "notebooks.py"
    try:
        parsed = arguments(args)
        if parsed.command in HANDOUTS:
            me = f"binder/{parsed.command}"
            print(hand_out(parsed))
            return 0
        reports = run(parsed)
    except UsageError as error:
        print(f"{me}: {error}", file=sys.stderr)
        return 2
    except (BrokenNotebook, page.Unrendered, classcopy.NoCopy) as error:
        print(f"{me}: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{me}: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except (asyncio.CancelledError, KeyboardInterrupt):
        print(f"{me}: stopped", file=sys.stderr)
        return 130
    print(summary(reports))
    return 0 if all(report.passed for report in reports) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
