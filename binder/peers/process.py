"""A runner that is at work, and what it answers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

from .plan import BenchError


class Process:
    """A runner, started on one core, which answers a line of JSON to a line of text."""

    def __init__(self, who: str, command: list[str], env: dict[str, str], core: int | None = None) -> None:
        self.who = who
        self.stderr = tempfile.TemporaryFile("w+")
        pin = None if core is None else (lambda: os.sched_setaffinity(0, {core}))
        try:
            self.popen = subprocess.Popen(
                command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.stderr, text=True, preexec_fn=pin,
            )  # fmt: skip
        except OSError as err:
            raise BenchError(f"{who}: cannot be started: {err}") from err

    def __enter__(self) -> Process:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.popen.kill()  # nobody waits for its answer any more
        try:
            self.popen.stdin.close()
            self.popen.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.popen.kill()
            self.popen.wait()
        self.popen.stdout.close()
        self.stderr.close()

    def ask(self, request: str) -> dict:
        try:
            self.popen.stdin.write(request + "\n")
            self.popen.stdin.flush()
            line = self.popen.stdout.readline()
        except OSError:
            line = ""
        if not line:
            raise BenchError(f"{self.who}: died at {request!r} with exit status {self.popen.wait()}: {self.last_words()}")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise BenchError(f"{self.who}: answered {request!r} by {line.strip()[:200]!r}: want one line of JSON, an object")
        if "error" in answer:
            raise BenchError(f"{self.who}: {answer['error']}")
        return answer

    def benches(self) -> dict:
        """What it can do: its unit, benches and versions."""
        answer = self.ask("list")
        self.want(answer, "list", unit=str, benches=list, versions=(dict, type(None)))
        return answer

    def run(self, bench: str, repeats: int) -> dict:
        answer = self.ask(f"run {bench} {repeats}")
        self.want(answer, bench, bench=str, ops=int, cpu_s=(int, float), wall_s=(int, float), check=object)
        if answer["bench"] != bench or answer["ops"] < 1 or answer["cpu_s"] <= 0:
            raise BenchError(f"{self.who}: {bench}: answered {answer}: want this bench, one op or more, and a time above 0")
        return answer

    def want(self, answer: dict, what: str, **fields: type | tuple[type, ...]) -> None:
        for name, kind in fields.items():
            if name not in answer or not isinstance(answer[name], kind):
                raise BenchError(f"{self.who}: {what}: field {name!r} is {answer.get(name)!r}")

    def peak_bytes(self) -> int | None:
        """The largest resident memory it has had; known on Linux only."""
        try:
            status = Path(f"/proc/{self.popen.pid}/status").read_text()
        except OSError:
            return None
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        return int(found[1]) * 1024 if found else None

    def last_words(self) -> str:
        self.stderr.seek(0)
        return " | ".join(self.stderr.read().strip().splitlines()[-5:]) or "it wrote nothing to stderr"
