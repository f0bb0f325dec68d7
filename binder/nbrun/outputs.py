"""Outputs of a cell: a form without what differs between two equal runs, and what differs between two of them.

GoNB sends streams and displays through different pipes, so that their order is an accident: streams are compared as
merged text, displays apart from them and in order. Figures are compared by their data, since the pictures change with
the version of a font or a plotting library.
"""

from __future__ import annotations

import contextlib
import copy
import difflib
import json
import re
from collections.abc import Iterable
from typing import Any

import nbformat
from nbformat import NotebookNode

from . import figure

DISPLAYS = ("display_data", "execute_result")
PICTURES = (figure.SVG, figure.PNG)
READABLE = ("text/plain", "text/markdown", figure.DATA, "text/html", figure.SVG)
DIFF_LINES = 24
LINE_WIDTH = 160

_CELL_FOLDER = re.compile(r"gonb_[0-9a-f]{8}\b")
_BEFORE_A_PATH = re.compile(r"[\s\"'(=]")
_TEST_TIME = re.compile(r"^(\s*--- (?:PASS|FAIL|SKIP): \S+) \(\d+\.\d+s\)$", re.MULTILINE)


def tidy(outputs: Iterable[NotebookNode], temp: str | None = None) -> list[NotebookNode]:
    """A copy of outputs: each stream merged, temporary folders and times masked, figure data as objects.

    temp is the temporary folder of the run that made them, when it is known.
    """
    merged: list[NotebookNode] = []
    streams: dict[str, NotebookNode] = {}
    for output in outputs:
        if output.output_type in DISPLAYS:
            merged.append(_tidy_display(output, temp))
        elif output.output_type == "error":
            merged.append(nbformat.v4.new_output("error", ename=output.ename, evalue=_mask(output.evalue, temp)))
        elif output.name in streams:
            streams[output.name].text += output.text
        elif output.text:
            streams[output.name] = nbformat.v4.new_output("stream", name=output.name, text=output.text)
            merged.append(streams[output.name])
    for stream in streams.values():
        stream.text = last_states(stream.text)
        stream.text = _TEST_TIME.sub(r"\1 (0.00s)", _mask(stream.text, temp))
    return merged


def last_states(text: str) -> str:
    """Text as a terminal shows it in the end: of a line that was written over after a carriage return, the last."""
    return "\n".join(_last_state(line) for line in text.split("\n"))


def _last_state(line: str) -> str:
    written = line.rstrip("\r")
    return written.rsplit("\r", 1)[-1] + line[len(written) :]


def _tidy_display(output: NotebookNode, temp: str | None) -> NotebookNode:
    output = copy.deepcopy(output)
    for mime, value in output.data.items():
        if mime.startswith("text/") and isinstance(value, str):
            output.data[mime] = _mask(value, temp)
        elif mime == figure.DATA:
            with contextlib.suppress(json.JSONDecodeError):  # stays as it is: figure.problems reports it
                output.data[mime] = nbformat.from_dict(figure.parse_data(value))
    return output


def _mask(text: str, temp: str | None) -> str:
    if temp:
        text = text.replace(temp, "/tmp")
    return "\n".join(_mask_line(line) if "gonb_" in line else line for line in text.split("\n"))


def _mask_line(line: str) -> str:
    """The path of GoNB's folder is masked from where it begins; searched from its end, which takes linear time."""
    masked, rest = "", line
    while found := _CELL_FOLDER.search(rest):
        before = rest[: found.start()]
        last = max((m.end() for m in _BEFORE_A_PATH.finditer(before)), default=0)
        masked += before[:last] + "/tmp/gonb"
        rest = rest[found.end() :]
    return masked + rest


def text_shown(outputs: Iterable[NotebookNode]) -> str:
    """Everything a reader can read in outputs."""
    parts = []
    for output in outputs:
        if output.output_type == "stream":
            parts.append(output.text)
        elif output.output_type in DISPLAYS:
            parts += [value for mime, value in output.data.items() if mime.startswith("text/")]
    return "\n".join(parts)


def differences(stored: list[NotebookNode], fresh: list[NotebookNode], pictures: bool = False) -> list[str]:
    """What differs between two tidied lists of outputs, in words; pictures compares the bytes of figures as well."""
    if stored and not fresh:
        return ["no output, but one is stored:\n" + excerpt(stored)]
    if fresh and not stored:
        return ["output, but none is stored:\n" + excerpt(fresh)]
    found = []
    for name in ("stdout", "stderr"):
        if (before := _stream(stored, name)) != (now := _stream(fresh, name)):
            found.append(f"{name} differs:\n" + diff(before, now))
    before_displays, now_displays = _displays(stored), _displays(fresh)
    if len(before_displays) != len(now_displays):
        return [*found, f"{len(now_displays)} displays, but {len(before_displays)} are stored"]
    for number, (one, other) in enumerate(zip(before_displays, now_displays), 1):
        found += [f"display {number}: {what}" for what in _display_differences(one, other, pictures)]
    return found


def _stream(outputs: list[NotebookNode], name: str) -> str:
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == name)


def _displays(outputs: list[NotebookNode]) -> list[NotebookNode]:
    return [output for output in outputs if output.output_type in DISPLAYS]


def _display_differences(stored: NotebookNode, fresh: NotebookNode, pictures: bool) -> list[str]:
    before, now = stored.data, fresh.data
    if set(before) != set(now):
        return [f"it is {', '.join(sorted(now))}, but {', '.join(sorted(before))} is stored"]
    found = [] if stored.metadata == fresh.metadata else ["metadata differ:\n" + diff(stored.metadata, fresh.metadata)]
    by_data = figure.DATA in now and not pictures
    changed = [
        mime
        for mime in sorted(now)
        # As text: Python takes 1, 1.0 and true for equal.
        if _as_text(before[mime]) != _as_text(now[mime]) and not (by_data and mime in PICTURES)
    ]
    if changed:
        found.append(f"{', '.join(changed)} differ{'s' if len(changed) == 1 else ''}" + _shown(changed, before, now))
    return found


def _shown(changed: list[str], before: NotebookNode, now: NotebookNode) -> str:
    """The diff of that part of a display which is easiest to read: the others say the same."""
    for mime in READABLE:
        if mime in changed:
            return ":\n" + diff(_apart(before[mime]), _apart(now[mime]))
    return ""


def _apart(value: Any) -> Any:
    """Markup with a line for each tag, so that a diff shows what differs and not its row."""
    return value.replace("><", ">\n<") if isinstance(value, str) else value


def diff(stored: Any, fresh: Any, names: tuple[str, str] = ("stored", "now")) -> str:
    """A unified diff that fits on a screen."""
    before, now = _as_text(stored), _as_text(fresh)
    # A last newline is no line of its own, unless it is what differs.
    split = str.splitlines if before.endswith("\n") == now.endswith("\n") else lambda text: text.split("\n")
    return fit(list(difflib.unified_diff(split(before), split(now), *names, lineterm="", n=1)))


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)


def excerpt(outputs: list[NotebookNode]) -> str:
    """What a reader sees of outputs, cut to a few lines."""
    text = text_shown(outputs).rstrip("\n")
    return fit(text.split("\n") if text else [f"({', '.join(sorted(output.data))})" for output in _displays(outputs)])


def fit(lines: list[str]) -> str:
    """Lines as one text that fits on a screen."""
    cut = [line if len(line) <= LINE_WIDTH else line[: LINE_WIDTH - 3] + "..." for line in lines[:DIFF_LINES]]
    if len(lines) > DIFF_LINES:
        cut.append(f"... and {len(lines) - DIFF_LINES} lines more")
    return "\n".join(cut)
