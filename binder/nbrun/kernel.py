"""Runs the code cells of a notebook in a kernel of their own, and leaves nothing behind.

Each kernel gets its own temporary folder (TMPDIR): whatever GoNB, Go and the cells put there goes when the run ends,
and nothing of any other kernel. A kernel leads a process group, so that cells which still run end with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from .notebook import CodeCell, code_cells
from .outputs import tidy
from .timing import ACTIONS, CellTimes, cell_times

START_SECONDS = 60
OUTPUT_SECONDS = 30  # how long outputs may come in after a cell has ended
MOST_CHARACTERS = 1_000_000  # that a cell may print: more is no lesson


class NoKernel(Exception):
    """The kernel of a notebook is missing, of another language, or does not start: one line."""


@dataclass(frozen=True)
class CellRun:
    """What one cell did: its outputs, tidied, and each message to stderr as GoNB sent it."""

    outputs: list[NotebookNode]
    stderr_messages: list[str]
    printed: int = 0  # characters, of which outputs holds the first MOST_CHARACTERS
    times: CellTimes | None = None  # where they were asked for


@dataclass
class Run:
    """What a notebook did: by number of the code cell; stopped says why the cells after the last one did not run."""

    cells: dict[int, CellRun] = field(default_factory=dict)
    stopped_at: int | None = None
    stopped: str = ""


class _Client(NotebookClient):
    """Keeps messages to stderr apart: GoNB reports a failed shell line in a message of its own, and merged with what
    the command wrote before it could no longer be told from it. And keeps a cell that prints without end from filling
    the memory: what comes after MOST_CHARACTERS is dropped, and counted."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.begin_cell()

    def begin_cell(self) -> None:
        """Forgets what the cell before has printed."""
        self.stderr_messages: list[str] = []
        self.printed = 0

    def output(self, outs: list[NotebookNode], msg: dict[str, Any], display_id: str | None, cell_index: int) -> Any:
        if msg["msg_type"] == "stream":
            text = msg["content"]["text"]
            self.printed += len(text)
            if self.printed > MOST_CHARACTERS:
                return None
            if msg["content"]["name"] == "stderr":
                self.stderr_messages.append(text)
        return super().output(outs, msg, display_id, cell_index)


async def run(nb: NotebookNode, folder: Path, limit_of: Callable[[CodeCell], float], timed: bool = False) -> Run:
    """Executes nb (whose outputs change) in folder; raises NoKernel when there is none to do it.

    timed takes the time of each cell apart, which costs a file per build.
    """
    name = kernel_name(nb)
    result = Run()
    async with _kernel(nb, name, folder, limit_of, timed) as (client, temp):
        for cell in code_cells(nb):
            client.begin_cell()
            begin = time.time()
            # Stored outputs would otherwise pass for those of a cell that nbclient did not run.
            cell.node.outputs = []
            try:
                await client.async_execute_cell(cell.node, cell.index)
            except (CellTimeoutError, DeadKernelError) as error:
                if isinstance(error, DeadKernelError) and await client.km.is_alive():
                    raise asyncio.CancelledError from error  # nbclient says so of a run that is cancelled, too
                result.stopped_at = cell.number
                result.stopped = _why_stopped(error, limit_of(cell))
                break
            times = cell_times(Path(temp) / ACTIONS, begin, time.time()) if timed else None
            result.cells[cell.number] = CellRun(
                tidy(cell.node.outputs, temp), client.stderr_messages, client.printed, times
            )
    return result


def kernel_name(nb: NotebookNode) -> str:
    """The kernel a notebook asks for; raises NoKernel unless it is here and runs Go."""
    name = nb.metadata.get("kernelspec", {}).get("name")
    if not name:
        raise NoKernel('no kernel is named in the metadata: want kernelspec "gonb"')
    specs = KernelSpecManager()
    try:
        spec = specs.get_kernel_spec(name)
    except NoSuchKernel as error:
        here = ", ".join(sorted(specs.find_kernel_specs())) or "none"
        raise NoKernel(f'the kernel "{name}" is missing (here: {here}); binder/setup installs gonb') from error
    if spec.language != "go":
        raise NoKernel(f'the kernel "{name}" runs {spec.language}, want one that runs go')
    return name


def _why_stopped(error: Exception, limit: float) -> str:
    if isinstance(error, DeadKernelError):
        return "the kernel died"
    if "IOPub" in str(error):
        return f"its outputs did not end within {OUTPUT_SECONDS} s after the cell"
    return f"ran past its limit of {limit:g} s"


@contextlib.asynccontextmanager
async def _kernel(
    nb: NotebookNode, name: str, folder: Path, limit_of: Callable[[CodeCell], float], timed: bool
) -> AsyncIterator[tuple[_Client, str]]:
    temp = os.path.realpath(tempfile.mkdtemp(prefix="memlab-notebook-"))
    env = {**os.environ, "MEMLAB_COMPLETION": "0", "TMPDIR": temp}
    if timed:
        env["GOFLAGS"] = f"{env.get('GOFLAGS', '')} -debug-actiongraph={temp}/{ACTIONS}".strip()
    manager = AsyncKernelManager(kernel_name=name, connection_file=os.path.join(temp, "connection.json"))
    client = _Client(
        nb,
        km=manager,
        coalesce_streams=False,  # its search is quadratic in a line; outputs.tidy does it
        skip_cells_with_tag="",  # every cell runs
        record_timing=False,
        allow_errors=True,  # the cells after a failing one run as well: one report instead of many rounds
        timeout_func=_limits(nb, limit_of),
        startup_timeout=START_SECONDS,
        iopub_timeout=OUTPUT_SECONDS,
        raise_on_iopub_timeout=True,
        log=_silent(),
    )
    try:
        with open(os.path.join(temp, "kernel.log"), "wb+") as log:
            try:
                await client.async_start_new_kernel(
                    cwd=str(folder),
                    env=env,
                    stdout=log,
                    stderr=log,
                )
                await client.async_start_new_kernel_client()
            except (OSError, RuntimeError) as error:
                log.seek(0)
                raise NoKernel(f'the kernel "{name}" does not start: {_last_line(log.read()) or error}') from error
            yield client, temp
    finally:
        await _end(client, manager)
        shutil.rmtree(temp, ignore_errors=True)


def _limits(nb: NotebookNode, limit_of: Callable[[CodeCell], float]) -> Callable[[NotebookNode], float]:
    limits = {cell.node.id: limit_of(cell) for cell in code_cells(nb)}
    return lambda node: limits[node.id]


def _silent() -> logging.Logger:
    """What nbclient logs, the report says in its own words."""
    logger = logging.getLogger("memlab.nbclient")
    logger.setLevel(logging.CRITICAL + 1)
    return logger


def _last_line(log: bytes) -> str:
    lines = log.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


async def _end(client: _Client, manager: AsyncKernelManager) -> None:
    """Ends the kernel and with it every process of its group: cells that run, and what a dead kernel left."""
    if client.kc is not None:
        client.kc.stop_channels()
    if manager.has_kernel:
        await manager.shutdown_kernel(now=True)
