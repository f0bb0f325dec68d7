#!/usr/bin/env python3
"""Tests of what the time of a cell is taken apart into."""

from __future__ import annotations

import json
import sys
import tempfile
import unittest
from datetime import datetime, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from nbrun.timing import CellTimes, TimedCell, cell_times, table  # noqa: E402

BEGIN = datetime(2026, 1, 1, 12, 0, 0, tzinfo=timezone.utc).timestamp()


def action(mode: str, start: str, done: str) -> dict[str, str]:
    """One action as the go command writes it, in a zone of its own."""
    return {"Mode": mode, "TimeStart": f"2026-01-01T14:00:{start}+02:00", "TimeDone": f"2026-01-01T14:00:{done}+02:00"}


class Times(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.actions = Path(folder.name) / "actions.json"

    def times(self, *actions: dict[str, str], seconds: float = 10) -> CellTimes:
        self.actions.write_text(json.dumps(actions), encoding="utf-8")
        return cell_times(self.actions, BEGIN, BEGIN + seconds)

    def test_each_second_belongs_to_one_part(self) -> None:
        times = self.times(
            {"Mode": "nop", "TimeStart": "0001-01-01T00:00:00Z", "TimeDone": "0001-01-01T00:00:00Z"},
            action("build", "01.500000001", "02.5"), action("build", "02", "03.25"), action("link", "03.25", "06.000000000"),
        )
        self.assertEqual([round(part, 3) for part in (times.prepare, times.compile, times.link, times.run)], [1.5, 1.75, 2.75, 4])
        self.assertAlmostEqual(times.total, 10)

    def test_a_cell_that_builds_nothing_only_runs(self) -> None:
        self.assertEqual(self.times(seconds=2), CellTimes(run=2))
        self.actions.unlink(missing_ok=True)
        self.assertEqual(cell_times(self.actions, BEGIN, BEGIN + 3), CellTimes(run=3))

    def test_a_build_counts_once(self) -> None:
        self.times(action("link", "01", "02"))
        self.assertFalse(self.actions.exists())

    def test_the_slowest_cells_come_first_and_all_is_the_sum(self) -> None:
        cells = [TimedCell("01", number, f"cell{number}", CellTimes(1, 0, 0, number)) for number in range(1, 13)]
        head, slowest = table(cells).split("\n\n")
        self.assertIn("12     90.0     12.0      0.0      0.0     78.0", head.splitlines()[-1])
        names = [line.split()[-1] for line in slowest.splitlines()[1:]]
        self.assertEqual(names, [f"cell{number}" for number in range(12, 2, -1)])


if __name__ == "__main__":
    unittest.main()
