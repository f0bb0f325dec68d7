"""Which groups of benches there are, and how their runners are started."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

PEERS = Path(__file__).resolve().parent


class BenchError(Exception):
    """What stops a run; its text is for the user."""


@dataclass
class Goal:
    """The cost of who is to be at most at_most times that of over, in the benches whose names begin with bench."""

    who: str
    over: str
    at_most: float
    bench: str = ""


@dataclass
class Program:
    """A Go package or a Python script of the group's folder. needs names what it cannot do without: torch or xla."""

    who: str = ""
    go: str = ""
    python: str = ""
    args: list[str] = field(default_factory=list)
    goexperiment: str | None = None
    tags: str = ""
    cgo: bool = False
    needs: str = ""


@dataclass
class Group:
    """One table. peer is whose cost the others' are divided by; none: costs alone."""

    folder: Path
    title: str
    runners: list[Program]
    peer: str = ""
    prepare: Program | None = None
    goals: list[Goal] = field(default_factory=list)


def groups(folder: Path = PEERS) -> list[Group]:
    return [load(path) for path in sorted(folder.glob("*/bench.json"))]


def load(path: Path) -> Group:
    try:
        raw = json.loads(path.read_text())
        group = Group(
            path.parent, raw.pop("title"), [Program(**r) for r in raw.pop("runners")], raw.pop("peer", ""),
            Program(**raw.pop("prepare")) if "prepare" in raw else None, [Goal(**g) for g in raw.pop("goals", [])],
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError) as err:
        raise BenchError(f"{path}: {type(err).__name__}: {err}") from err
    names = [r.who for r in group.runners]
    known = set(names)
    wrong = [f"unknown field {name!r}" for name in raw]
    wrong += [f"the runner {n!r} has no name of its own" for n in names if not n or names.count(n) > 1]
    programs = [*group.runners, group.prepare] if group.prepare else group.runners
    wrong += [f"{p.who or 'prepare'}: want either go or python" for p in programs if bool(p.go) == bool(p.python)]
    wanted = [group.peer, *(w for g in group.goals for w in (g.who, g.over))]
    wrong += [f"no runner is called {who!r}" for who in wanted if who and who not in known]
    if wrong:
        raise BenchError(f"{path}: {'; '.join(wrong)}")
    return group


def environment(data: Path) -> dict[str, str]:
    """One thread for everybody, and the folder of the group's data."""
    env = os.environ | {
        "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "GOMAXPROCS": "1",
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1", "JAX_PLATFORMS": "cpu",
        "MEMLAB_BENCH_DATA": str(data), "PYTHONPATH": str(PEERS), "GOMLX_NO_AUTO_INSTALL": "1",
    }  # fmt: skip
    plugin = xla_plugin()
    return env | ({"PJRT_PLUGIN_LIBRARY_PATH": str(plugin)} if plugin else {})


def xla_plugin() -> Path | None:
    """The folder of XLA's plugin for the CPU: the caller's, or that of the bench's own environment."""
    if told := os.environ.get("PJRT_PLUGIN_LIBRARY_PATH"):
        return Path(told)
    ours = Path(sys.prefix) / "xla"
    return ours if (ours / "pjrt_c_api_cpu_plugin.so").exists() else None


def missing(program: Program, torch: bool) -> str:
    """Why a runner has to be left out; empty if it has not."""
    if program.needs == "torch" and not torch:
        return "only with --torch"
    if program.needs == "xla" and not xla_plugin():
        return "no XLA plugin: set PJRT_PLUGIN_LIBRARY_PATH to the folder of pjrt_c_api_cpu_plugin.so"
    if program.cgo and not shutil.which(os.environ.get("CC", "cc")):
        return "no C compiler"
    return ""


def command(group: Group, program: Program, out: Path) -> list[str]:
    """What starts a program; a Go program is built into the folder out first."""
    if program.python:
        return [sys.executable, str(group.folder / program.python), *program.args]
    env = dict(os.environ)
    if program.goexperiment is not None:
        env["GOEXPERIMENT"] = program.goexperiment
    if program.cgo:
        env["CGO_ENABLED"] = "1"
    variant = [group.folder.name, program.go.strip("./"), env.get("GOEXPERIMENT"), program.tags, env.get("CGO_ENABLED")]
    binary = out / "-".join(filter(None, variant))
    built = subprocess.run(
        ["go", "build", "-o", str(binary), *(["-tags", program.tags] if program.tags else []), "."],
        cwd=group.folder / program.go, env=env, capture_output=True, text=True,
    )  # fmt: skip
    if built.returncode:
        raise BenchError(f"{group.folder.name}, {program.who or 'prepare'}: cannot be built: {built.stderr.strip()}")
    return [str(binary), *program.args]
