"""python -m peers: what binder/bench runs once its environment stands."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import platform
import random
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from . import plan, report, rounds
from .plan import BenchError, Group
from .process import Process


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="binder/bench", add_help=False)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--torch", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--from", dest="source", type=Path, metavar="FILE")
    parser.add_argument("--readme", action="store_true")
    parser.add_argument("--rounds", type=int, default=None)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    args = parser.parse_args(argv)
    # Ended by kill or a closed terminal like by Ctrl-C: runners end, and their folder is taken away.
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:  # nohup has it ignored
            signal.signal(number, signal.default_int_handler)
    if args.rounds is not None and args.rounds < 1:
        parser.error(f"--rounds {args.rounds}: want 1 or more")
    try:
        if args.readme and (args.quick or args.only):
            raise BenchError("--readme wants a full run: leave out --quick and --only")
        if args.json:
            there = args.json.exists()
            args.json.open("a").close()  # or it would be known only after minutes that it cannot be written
            if not there:
                args.json.unlink()  # a run that fails leaves no empty file
        if args.source:
            run, text = stored(args.source)
        else:
            run = measure(plan.groups(), args)
            text = report.text(run)
        print(text)
        if args.json:
            args.json.write_text(json.dumps(run, indent=1) + "\n")
        if args.readme:
            report.write_readme(run, plan.PEERS.parent.parent / "README.md")
    except (BenchError, OSError, ValueError) as err:
        print(f"binder/bench: {err}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def stored(source: Path) -> tuple[dict, str]:
    """A run that --json wrote, and its tables."""
    try:
        run = json.loads(source.read_text(encoding="utf-8"))
        if run["groups"]:
            return run, report.text(run)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as err:
        raise BenchError(f"{source}: {type(err).__name__}: {err}: want a file that --json wrote") from err
    raise BenchError(f"{source}: no groups: want a file that --json wrote")


def measure(groups: list[Group], args: argparse.Namespace) -> dict:
    """All groups, or those that args.only names: what report prints and --json stores."""
    versions: dict[str, str] = {}
    done = []
    with tempfile.TemporaryDirectory() as scratch:
        for group in groups:
            done += measure_group(group, args, Path(scratch), versions)
    if not done:
        raise BenchError(f"--only {' '.join(args.only)}: no such bench; groups are {', '.join(g.folder.name for g in groups)}")
    busy = [m["busy"] for g in done for b in g["benches"] for m in b["who"].values()]
    return {
        "date": datetime.date.today().isoformat(), "processor": processor(), "system": platform.platform(),
        "rounds": number_of_rounds(args), "quick": args.quick, "only": args.only, "versions": versions,
        "busy": sum(busy) / len(busy), "groups": done,
    }  # fmt: skip


def number_of_rounds(args: argparse.Namespace) -> int:
    return args.rounds or (3 if args.quick else 7)


def measure_group(group: Group, args: argparse.Namespace, scratch: Path, versions: dict[str, str]) -> list[dict]:
    """A list of one, or of none if args.only leaves the group out."""
    whole = not args.only or group.folder.name in args.only
    if not whole and not any("/" in name for name in args.only):
        return []
    data = scratch / group.folder.name / "data"
    data.mkdir(parents=True)
    env = plan.environment(data)
    if group.prepare:
        made = subprocess.run(plan.command(group, group.prepare, scratch), env=env, capture_output=True, text=True)
        if made.returncode:
            raise BenchError(f"{group.folder.name}, prepare: {made.stderr.strip()}")
    commands, lists = {}, {}
    for program in group.runners:
        if why := plan.missing(program, args.torch):
            say(f"{program.who}: left out, {why}")
            continue
        commands[program.who] = plan.command(group, program, scratch)
        with Process(program.who, commands[program.who], env) as p:
            lists[program.who] = p.benches()
    benches = []
    for name in dict.fromkeys(name for answer in lists.values() for name in answer["benches"]):
        if not whole and not name.startswith(tuple(n for n in args.only if "/" in n)):
            continue
        say(name)
        able = {who: c for who, c in commands.items() if name in lists[who]["benches"]}
        benches.append(measure_bench(name, group, able, env, args) | {"unit": lists[next(iter(able))]["unit"]})
    if benches:
        for answer in lists.values():
            versions |= answer["versions"] or {}
    return [{"title": group.title, "peer": group.peer, "benches": benches}] if benches else []


def measure_bench(
    name: str, group: Group, commands: dict[str, list[str]], env: dict[str, str], args: argparse.Namespace
) -> dict:
    core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
    with contextlib.ExitStack() as stack:
        processes = {who: stack.enter_context(Process(who, c, env, core)) for who, c in commands.items()}
        seconds = 0.2 if args.quick else 0.5
        measured = rounds.measure(name, processes, number_of_rounds(args), seconds, random.Random(name))
    return {
        "bench": name, "check": next(iter(measured.values()))["check"], "who": measured,
        "goals": rounds.judge(name, measured, group.goals),
    }  # fmt: skip


def processor() -> str:
    """Its name; servers often hide the model, so whether it has AVX-512 is said too."""
    try:
        about = Path("/proc/cpuinfo").read_text()
    except OSError:
        told = subprocess.run(["sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True)
        return told.stdout.strip() or platform.machine()
    found = re.search(r"model name\s*: (.+)", about)
    return (found[1] if found else platform.machine()) + (" with AVX-512" if " avx512f" in about else "")


def say(what: str) -> None:
    print(f"binder/bench: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
