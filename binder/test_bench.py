#!/usr/bin/env python3
"""Tests of binder/bench: its runners are fakes whose answers are written down here, so that every number is known."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from pathlib import Path
from unittest import mock

from peers import __main__ as bench
from peers import plan, report, rounds
from peers.plan import BenchError, Goal

ROOT = Path(__file__).resolve().parent.parent

# Answers the n-th request to run by its n-th argument, and from then on by the last one; notes every request.
FAKE = """
import json, os, sys
answers = [json.loads(a) for a in sys.argv[3:]]
for line in sys.stdin:
    if line == "list\\n":
        print(json.dumps({"unit": "step", "benches": ["toy/a", "toy/b"], "versions": {sys.argv[1]: "1.0"}}), flush=True)
        continue
    with open(sys.argv[2], "a") as log:
        log.write(sys.argv[1] + " " + line)
    a = answers.pop(0) if len(answers) > 1 else answers[0]
    if a == "die":
        sys.exit("no more paper")
    if a == "environment":
        a = {"check": [os.environ["OMP_NUM_THREADS"], os.environ["GOMAXPROCS"], len(os.sched_getaffinity(0))]}
    if isinstance(a, dict) and "error" not in a:
        a = {"bench": line.split()[1], "ops": 10, "cpu_s": 0.2, "wall_s": 0.2, "check": 6} | a
    print(a if isinstance(a, str) else json.dumps(a), flush=True)
"""


class Fakes(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.log = self.folder / "log"
        self.toy = self.folder / "toy"
        self.toy.mkdir()
        (self.toy / "fake.py").write_text(FAKE)

    def fake(self, who: str, *answers: object, **more: object) -> dict:
        args = [who, str(self.log), *(json.dumps(a) for a in answers or [{}])]
        return {"who": who, "python": "fake.py", "args": args, **more}

    def write(self, *runners: dict, **more: object) -> None:
        (self.toy / "bench.json").write_text(json.dumps({"title": "Toys", "runners": runners, **more}))

    def measure(self, *runners: dict, args: tuple[str, ...] = ("--rounds", "3", "--only", "toy/a"), **more: object) -> dict:
        """The run of a group that has these runners."""
        self.write(*runners, **more)
        kept = {}
        with (
            mock.patch.object(plan, "groups", lambda: [plan.load(self.toy / "bench.json")]),
            mock.patch.object(report, "text", lambda run: kept.update(run) or ""),
        ):
            self.status, self.out, self.err = self.main(*args)
        return kept

    def main(self, *args: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = bench.main(list(args))
        return status, out.getvalue(), err.getvalue()

    def fails(self, *runners: dict, words: tuple[str, ...]) -> None:
        self.assertEqual(self.measure(*runners), {})
        self.assertEqual((self.status, self.out), (1, ""))
        for word in words:
            self.assertIn(word, self.err)


class WhatWasComputed(Fakes):
    def test_a_check_that_differs_shows_no_time(self) -> None:
        ours, theirs = self.fake("ours", {"check": 1.5}), self.fake("theirs", {"check": 1.5001})
        self.fails(ours, theirs, words=("toy/a", "ours computes 1.5", "theirs 1.5001"))
        self.assertEqual(len(self.log.read_text().splitlines()), 2, "each was to do it once, and nobody more")

    def test_a_check_that_differs_in_the_last_round_alone_fails_too(self) -> None:
        self.fails(self.fake("ours"), self.fake("theirs", {}, {}, {}, {"check": 7}), words=("ours computes 6", "theirs 7"))

    def test_fractions_agree_to_five_digits_and_all_else_only_if_equal(self) -> None:
        for a, b, want in [
            (2.45513, 2.45516, True), (2.4551, 2.4552, False), (100000, 100001, False), (0.0, 0.0, True), (-1.5, 1.5, False),
            ("ab", "ab", True), ("ab", "ac", False), (None, None, True), (None, 1, False), (float("nan"), float("nan"), False),
            ({"hits": 3, "loss": 1.0}, {"loss": 1.00001, "hits": 3}, True), ({"hits": 3}, {"hits": 4}, False),
            ({"hits": 3}, {"hits": 3, "loss": 1.0}, False),
        ]:  # fmt: skip
            with self.subTest(a=a, b=b):
                self.assertEqual(rounds.agree(a, b), want)


class ARunnerThatFails(Fakes):
    def test_it_is_named_with_what_it_said(self) -> None:
        for answer, words in [
            ("die", ("theirs", "died", "run toy/a 1", "exit status 1", "no more paper")),
            ({"error": "no such bench"}, ("theirs: no such bench",)),
            ("hello", ("theirs", "hello", "want one line of JSON")),
            ({"cpu_s": 0}, ("theirs: toy/a", "a time above 0")),
            ({"ops": None}, ("theirs: toy/a: field 'ops' is None",)),
            ({"bench": "toy/b"}, ("theirs: toy/a", "want this bench")),
        ]:
            with self.subTest(answer=answer):
                self.fails(self.fake("ours"), self.fake("theirs", answer), words=words)

    def test_one_that_dies_in_a_later_round(self) -> None:
        self.fails(self.fake("ours", {}, {}, "die"), self.fake("theirs"), words=("ours: died", "no more paper"))

    def test_a_go_program_that_does_not_compile(self) -> None:
        (self.toy / "go.mod").write_text("module toy\n")
        (self.toy / "main.go").write_text("package main\n\nfunc main() { missing() }\n")
        self.fails({"who": "ours", "go": "."}, words=("toy, ours: cannot be built", "undefined: missing"))

    def test_a_preparation_that_fails(self) -> None:
        (self.toy / "prepare.py").write_text("raise SystemExit('the disk is full')\n")
        self.assertEqual(self.measure(self.fake("ours"), prepare={"python": "prepare.py"}), {})
        self.assertIn("toy, prepare: the disk is full", self.err)


class Rounds(Fakes):
    def test_a_ratio_is_taken_within_each_round(self) -> None:
        # The ratio of the medians would be 3.
        self.assertEqual(rounds.ratio([2.0, 3.0, 4.0], [1.0, 2.0, 1.0]), {"median": 2.0, "low": 1.5, "high": 4.0})

    def test_cost_is_time_over_units_and_the_first_answer_is_not_counted(self) -> None:
        run = self.measure(
            self.fake("ours", {"cpu_s": 9}, {"cpu_s": 0.4, "ops": 20}, {"cpu_s": 0.6}, {"cpu_s": 0.5}),
            self.fake("theirs", {}, {"cpu_s": 0.1}, {"cpu_s": 0.2, "ops": 5}, {"cpu_s": 0.1}),
            peer="theirs",
            goals=[{"who": "ours", "over": "theirs", "at_most": 2}, {"who": "theirs", "over": "ours", "at_most": 0.4}],
        )  # fmt: skip
        (measured,) = run["groups"][0]["benches"]
        self.assertEqual(measured["who"]["ours"]["cost_s"], [0.02, 0.06, 0.05])
        self.assertEqual(measured["who"]["theirs"]["cost_s"], [0.01, 0.04, 0.01])
        self.assertEqual([(g["ratio"], g["met"]) for g in measured["goals"]], [(2.0, True), (0.5, False)])
        shown = report.text(run)
        self.assertRegex(shown, r"ours +50 ms +2\.00 +1\.50 5\.00 .*pass: 2\.00 x theirs, goal 2")
        self.assertRegex(shown, r"theirs +10 ms .*FAIL: 0\.50 x ours, goal 0\.4")

    def test_each_takes_its_turn_in_each_round_with_repeats_that_last_half_a_second(self) -> None:
        whos = ["a", "b", "c"]
        self.measure(*(self.fake(w, {"cpu_s": s}, {}) for w, s in zip(whos, (0.1, 0.2, 4))), args=("--only", "toy/a"))
        lines = self.log.read_text().splitlines()
        self.assertEqual(lines[:3], [f"{w} run toy/a 1" for w in whos])
        orders = [lines[i : i + 3] for i in range(3, len(lines), 3)]
        self.assertEqual(len(orders), 7)
        for order in orders:
            self.assertEqual(sorted(order), ["a run toy/a 5", "b run toy/a 2", "c run toy/a 1"])
        self.assertGreater(len({tuple(o) for o in orders}), 1, "the order is the same in all rounds")

    def test_a_goal_is_for_its_benches_and_for_runners_that_ran(self) -> None:
        measured = {"a": {"cost_s": [1.0]}, "b": {"cost_s": [2.0]}}
        goals = [Goal("a", "b", 0.5), Goal("a", "b", 0.4, "toy/a"), Goal("a", "b", 0.4, "toy/b"), Goal("a", "torch", 1)]
        self.assertEqual([g["met"] for g in rounds.judge("toy/a/1", measured, goals)], [True, False])

    @unittest.skipUnless(hasattr(bench.os, "sched_getaffinity"), "only Linux pins a process to a core")
    def test_runners_have_one_thread_on_one_core(self) -> None:
        run = self.measure(self.fake("ours", "environment"))
        self.assertEqual(run["groups"][0]["benches"][0]["check"], ["1", "1", 1])

    @unittest.skipUnless(Path("/proc/self/status").exists(), "only Linux tells the peak memory of a process at work")
    def test_memory_is_what_the_runner_says_or_else_its_peak(self) -> None:
        who = self.measure(self.fake("says", {"bytes": 123}), self.fake("silent"))["groups"][0]["benches"][0]["who"]
        self.assertEqual(who["says"]["bytes"], 123)
        self.assertGreater(who["silent"]["bytes"], 1 << 20)

    def test_a_busy_machine_is_mentioned(self) -> None:
        for wall, said in ((0.2, False), (0.5, True)):
            run = self.measure(self.fake("ours", {"wall_s": wall}))
            self.assertEqual("the clock took 2.5 times" in report.text(run), said)


class WhatIsRun(Fakes):
    def test_only_names_groups_or_beginnings_of_benches(self) -> None:
        for only, want in ((["toy"], ["toy/a", "toy/b"]), (["toy/b"], ["toy/b"]), ([], ["toy/a", "toy/b"])):
            args = ("--quick", "--only", *only) if only else ("--quick",)
            run = self.measure(self.fake("ours"), args=args)
            self.assertEqual([b["bench"] for b in run["groups"][0]["benches"]], want)
        self.measure(self.fake("ours"), args=("--only", "tox"))
        self.assertIn("no such bench; groups are toy", self.err)

    def test_what_is_missing_is_left_out_and_said(self) -> None:
        runners = self.fake("ours"), self.fake("theirs", needs="torch")
        self.assertEqual(list(self.measure(*runners)["groups"][0]["benches"][0]["who"]), ["ours"])
        self.assertIn("theirs: left out, only with --torch", self.err)
        run = self.measure(*runners, args=("--torch", "--rounds", "1"))
        self.assertEqual(list(run["groups"][0]["benches"][0]["who"]), ["ours", "theirs"])

    def test_xla_needs_its_plugin_and_a_c_compiler(self) -> None:
        xla = plan.Program(who="ours", go=".", cgo=True, needs="xla")
        compiler = shutil.which("true")
        for prefix_has_it, more, want in [
            (False, {"CC": compiler}, "set PJRT_PLUGIN_LIBRARY_PATH"), (False, {"CC": compiler, "PJRT_PLUGIN_LIBRARY_PATH": "/x"}, ""),
            (True, {"CC": compiler}, ""), (True, {"CC": "no-such-compiler"}, "no C compiler"),
        ]:  # fmt: skip
            with self.subTest(prefix_has_it=prefix_has_it, more=more), mock.patch.dict(plan.os.environ, more):
                if "PJRT_PLUGIN_LIBRARY_PATH" not in more:
                    plan.os.environ.pop("PJRT_PLUGIN_LIBRARY_PATH", None)
                (self.folder / "xla").mkdir(exist_ok=True)
                if prefix_has_it:
                    (self.folder / "xla" / "pjrt_c_api_cpu_plugin.so").touch()
                with mock.patch.object(sys, "prefix", str(self.folder)):
                    why = plan.missing(xla, torch=False)
                    told = plan.environment(self.folder).get("PJRT_PLUGIN_LIBRARY_PATH")
                self.assertIn(want, why)
                self.assertEqual(why == "", want == "")
                self.assertEqual(told, more.get("PJRT_PLUGIN_LIBRARY_PATH", str(self.folder / "xla") if prefix_has_it else None))

    def test_a_wrong_bench_json_is_named_with_what_is_wrong(self) -> None:
        good = self.fake("ours")
        for runners, more, words in [
            ([good], {"titel": "x"}, "unknown field 'titel'"),
            ([good | {"colour": 1}], {}, "colour"),
            ([good, good], {}, "'ours' has no name of its own"),
            ([good | {"go": "."}], {}, "ours: want either go or python"),
            ([good], {"peer": "theirs"}, "no runner is called 'theirs'"),
            ([good], {"goals": [{"who": "ours", "over": "theirs", "at_most": 1}]}, "no runner is called 'theirs'"),
            ([good], {"title": None, "runners": 3}, "TypeError"),
        ]:
            with self.subTest(words=words):
                self.write(*runners, **more)
                with self.assertRaises(BenchError) as raised:
                    plan.load(self.toy / "bench.json")
                self.assertIn(words, str(raised.exception))
                self.assertIn("bench.json", str(raised.exception))

    def test_our_own_groups_load(self) -> None:
        self.assertIn("step", [g.folder.name for g in plan.groups()])


class WhatIsStored(Fakes):
    def a_run(self) -> dict:
        return self.measure(self.fake("ours", {}, {"cpu_s": 0.3}), self.fake("theirs"), peer="theirs", args=("--rounds", "2"))

    def test_the_json_has_its_fields_and_prints_as_the_run_did(self) -> None:
        stored = self.folder / "run.json"
        goals = [{"who": "ours", "over": "theirs", "at_most": 1}]
        self.write(self.fake("ours"), self.fake("theirs"), peer="theirs", goals=goals)
        with mock.patch.object(plan, "groups", lambda: [plan.load(self.toy / "bench.json")]):
            status, out, _ = self.main("--rounds", "2", "--json", str(stored))
        self.assertEqual(status, 0)
        run = json.loads(stored.read_text())
        kinds = {
            "date": str, "processor": str, "system": str, "rounds": int, "quick": bool, "only": list, "versions": dict,
            "busy": float, "groups": list,
        }  # fmt: skip
        self.assertEqual({k: type(v) for k, v in run.items()}, kinds)
        self.assertEqual(run["versions"], {"ours": "1.0", "theirs": "1.0"})
        self.assertEqual({k: type(v) for k, v in run["groups"][0].items()}, {"title": str, "peer": str, "benches": list})
        one = run["groups"][0]["benches"][0]
        kinds = {"bench": str, "check": int, "who": dict, "goals": list, "unit": str}
        self.assertEqual({k: type(v) for k, v in one.items()}, kinds)
        self.assertEqual(set(one["who"]["ours"]), {"cost_s", "check", "bytes", "busy"})
        self.assertEqual(len(one["who"]["ours"]["cost_s"]), 2)
        self.assertEqual(set(one["goals"][0]), {"who", "over", "at_most", "ratio", "met"})
        self.assertEqual(self.main("--from", str(stored)), (0, out, ""))

    def test_readme_is_rewritten_between_its_markers_alone(self) -> None:
        run, path = self.a_run(), self.folder / "README.md"
        before, after = "# 题目\n\n| a | b |\n", "\nthe rest\n\n"
        path.write_text(f"{before}{report.BEGIN}\nold\n{report.END}{after}")
        for _ in range(2):
            report.write_readme(run, path)
            new = path.read_text()
            self.assertTrue(new.startswith(before + report.BEGIN) and new.endswith(report.END + after), new)
            self.assertNotIn("old", new)
            self.assertIn("\n| | theirs | ours |\n|---|---:|---:|\n| `a` | 20 ms | 1.50 (1.50 to 1.50) |\n| `b` |", new)

    def test_readme_without_its_markers_stays_as_it_is(self) -> None:
        run, path = self.a_run(), self.folder / "README.md"
        for text in ("none", report.BEGIN, report.END + report.BEGIN, report.BEGIN * 2 + report.END):
            path.write_text(text)
            with self.assertRaisesRegex(BenchError, "once each, in this order"):
                report.write_readme(run, path)
            self.assertEqual(path.read_text(), text)

    def test_our_readme_has_the_markers_and_takes_full_runs_only(self) -> None:
        run, path = self.a_run(), self.folder / "README.md"
        shutil.copy(ROOT / "README.md", path)
        report.write_readme(run, path)
        for change in ({"quick": True}, {"only": ["toy"]}):
            with self.assertRaisesRegex(BenchError, "full run"):
                report.write_readme(run | change, path)
        status, out, err = self.main("--quick", "--readme")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("full run", err)

    def test_files_that_cannot_be_used_are_named_before_anything_runs(self) -> None:
        other, nowhere = self.folder / "other.json", self.folder / "no" / "run.json"
        for text in ("[]", "{}", '{"groups": [1]}', '{"groups": [', '{"groups": [{"title": "T"}], "versions": {}}'):
            other.write_text(text)
            status, out, err = self.main("--from", str(other))
            self.assertEqual((status, out), (1, ""), text)
            self.assertRegex(err, f"^binder/bench: {other}: .*want a file that --json wrote\\n$")
        with mock.patch.object(plan, "groups", lambda: self.fail("it ran")):
            status, out, err = self.main("--json", str(nowhere))
        self.assertEqual((status, out), (1, ""))
        self.assertIn(str(nowhere), err)
        self.assertIn("No such file", err)

    def test_durations_and_sizes_carry_their_units(self) -> None:
        self.assertEqual([report.duration(s) for s in (2, 0.0123, 4.56e-5, 7.8e-8)], ["2 s", "12.3 ms", "45.6 µs", "78 ns"])
        self.assertEqual([report.memory(b) for b in (3 << 20, 2048, None)], ["3 MiB", "2 KiB", ""])


    def test_a_run_that_fails_leaves_no_empty_file(self) -> None:
        to = self.folder / "run.json"
        self.measure(self.fake("ours", {"error": "no paper"}), args=("--json", str(to)))
        self.assertEqual((self.status, to.exists()), (1, False))

    def test_kill_ends_the_runners_and_takes_their_folder_away(self) -> None:
        (self.toy / "sleeps.py").write_text(textwrap.dedent("""
            import os, sys, time
            for line in sys.stdin:
                if line == "list\\n":
                    print('{"unit": "s", "benches": ["toy/a"], "versions": {}}', flush=True)
                    continue
                with open(os.environ["TOLD"], "w") as told:
                    told.write(f"{os.getpid()} {os.environ['MEMLAB_BENCH_DATA']}")
                time.sleep(60)
        """))
        self.write({"who": "ours", "python": "sleeps.py"})
        told = self.folder / "told"
        program = (
            "import sys; from pathlib import Path; from peers import __main__ as b, plan\n"
            f"plan.groups = lambda: [plan.load(Path({str(self.toy / 'bench.json')!r}))]\nsys.exit(b.main([]))"
        )
        env = os.environ | {"PYTHONPATH": str(ROOT / "binder"), "TOLD": str(told)}
        bench_process = subprocess.Popen([sys.executable, "-c", program], env=env, stderr=subprocess.DEVNULL)
        for _ in range(200):
            if told.exists() and told.read_text():
                break
            time.sleep(0.05)
        bench_process.terminate()
        self.assertEqual(bench_process.wait(8), 130)
        pid, data = told.read_text().split()
        self.assertFalse(Path(data).exists())
        with self.assertRaises(ProcessLookupError):
            os.kill(int(pid), 0)


class ThePythonRunner(unittest.TestCase):
    def test_it_warms_up_counts_and_answers_bad_requests(self) -> None:
        program = textwrap.dedent("""
            from runner import serve
            calls = [0]
            def new():
                def work():
                    calls[0] += 1
                    sum(range(100000))
                    return 10, calls[0]
                return work
            serve("sum", {"toy/a": new}, {"lib": "1.0"})
        """)
        requests = "list\nrun toy/a 2\nrun toy/a 1\nrun toy/c 1\nrun toy/a 0\nwalk\n"
        done = subprocess.run(
            [sys.executable, "-c", program], input=requests, env={"PYTHONPATH": str(plan.PEERS)},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(answers[0], {"unit": "sum", "benches": ["toy/a"], "versions": {"lib": "1.0"}})
        self.assertEqual([(a["bench"], a["ops"], a["check"]) for a in answers[1:3]], [("toy/a", 20, 3), ("toy/a", 10, 4)])
        self.assertTrue(all(a["cpu_s"] > 0 and a["wall_s"] > 0 for a in answers[1:3]))
        self.assertTrue(all('want "list" or "run NAME REPEATS"' in a["error"] for a in answers[3:]) and len(answers) == 6)


class TheCommand(unittest.TestCase):
    def test_help_sets_nothing_up(self) -> None:
        done = subprocess.run(
            ["sh", str(ROOT / "binder/bench"), "--quick", "--help"], env={"PATH": "/usr/bin:/bin"},
            capture_output=True, text=True, timeout=10,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        parser_options = ("--quick", "--torch", "--rounds", "--json", "--from", "--readme", "--only")
        for option in parser_options:
            self.assertIn(option, done.stdout)

    def test_a_wrong_option_is_named(self) -> None:
        for args in (["--fast"], ["--rounds", "0"]):
            err = io.StringIO()
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(err):
                bench.main(args)
            self.assertIn(args[0], err.getvalue())


if __name__ == "__main__":
    unittest.main()
