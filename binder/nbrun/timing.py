"""What the time of a cell consists of: getting the program ready, compiling, linking, running.

The go command writes when each of its actions began and ended (-debug-actiongraph); what comes before the first is the
kernel's (parsing, goimports), and what comes after the last is the program itself and its outputs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

ACTIONS = "actions.json"
SLOWEST = 10


@dataclass(frozen=True)
class CellTimes:
    """Seconds of one cell, wall clock; a cell that builds nothing only runs."""

    prepare: float = 0.0
    compile: float = 0.0
    link: float = 0.0
    run: float = 0.0

    @property
    def total(self) -> float:
        """From the request to the last output."""
        return self.prepare + self.compile + self.link + self.run

    def __add__(self, other: CellTimes) -> CellTimes:
        return CellTimes(
            self.prepare + other.prepare, self.compile + other.compile, self.link + other.link, self.run + other.run
        )


@dataclass(frozen=True)
class TimedCell:
    """A cell of a notebook with its times, for the list of the slowest."""

    notebook: str
    number: int
    first_line: str
    times: CellTimes


def cell_times(actions: Path, begin: float, end: float) -> CellTimes:
    """The parts of a cell that took from begin to end (seconds since 1970), by the actions of its build."""
    try:
        listed = json.loads(actions.read_text(encoding="utf-8"))
        actions.unlink()
    except FileNotFoundError:
        return CellTimes(run=end - begin)
    spans = [
        (action["Mode"], _seconds(action["TimeStart"]), _seconds(action["TimeDone"]))
        for action in listed
        if not action["TimeStart"].startswith("0001") and not action["TimeDone"].startswith("0001")
    ]
    if not spans:
        return CellTimes(run=end - begin)
    first, last = min(start for _, start, _ in spans), max(done for _, _, done in spans)
    linking = sum(done - start for mode, start, done in spans if mode == "link")
    return CellTimes(
        prepare=max(first - begin, 0), compile=max(last - first - linking, 0), link=linking, run=max(end - last, 0)
    )


def _seconds(stamp: str) -> float:
    """A time as Go writes it, with nine digits of a second, where Python reads six."""
    head, _, rest = stamp.partition(".")
    digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
    zone = rest[len(digits) :]
    return datetime.fromisoformat(f"{head}.{digits[:6]:0<6}{zone.replace('Z', '+00:00')}").timestamp()


def table(cells: list[TimedCell]) -> str:
    """A line per notebook and one for all of them, and the slowest cells."""
    notebooks: dict[str, list[TimedCell]] = {}
    for cell in cells:
        notebooks.setdefault(cell.notebook, []).append(cell)
    width = max([len("all")] + [len(name) for name in notebooks])
    lines = [f"{'':{width}}  cells  total s  prepare  compile     link      run"]
    for name, some in [*notebooks.items(), ("all", cells)]:
        t = sum((cell.times for cell in some), CellTimes())
        lines.append(f"{name:{width}}  {len(some):5}  {t.total:7.1f}  {_shares(t)}")
    lines += ["", f"the slowest cells{'':{max(width - 14, 0)}}  total s  prepare  compile     link      run"]
    for cell in sorted(cells, key=lambda cell: -cell.times.total)[:SLOWEST]:
        where = f"{cell.notebook} [{cell.number}]"
        lines.append(f"{where:{width + 5}}  {cell.times.total:7.1f}  {_shares(cell.times)}  {cell.first_line[:60]}")
    return "\n".join(lines)


def _shares(t: CellTimes) -> str:
    return "  ".join(f"{part:7.1f}" for part in (t.prepare, t.compile, t.link, t.run))
