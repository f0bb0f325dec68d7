"""Notebook files: reading with errors that name a position, and writing one stable form."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.validator import iter_validate

# Without versions: a new Go release is no change of a notebook.
LANGUAGE_INFO = {"file_extension": ".go", "mimetype": "text/x-go", "name": "go"}
# What editors and earlier runs leave in a cell's metadata, and nobody wants in a diff.
VOLATILE_CELL_METADATA = ("ExecuteTime", "collapsed", "execution", "scrolled", "trusted")


class BrokenNotebook(Exception):
    """A file that is no notebook: one line that says where and why."""


@dataclass(frozen=True)
class CodeCell:
    """A code cell that runs, with the number JupyterLab shows beside it after Run All."""

    number: int
    index: int
    node: NotebookNode

    @property
    def first_line(self) -> str:
        """What names the cell in a report: the line that only says "run this" does not."""
        lines = [line.strip() for line in self.node.source.splitlines() if line.strip()]
        return next((line for line in lines if line not in ("%%", "%main")), lines[0])

    @property
    def tags(self) -> list[str]:
        """The tags of the cell, in order."""
        return list(self.node.metadata.get("tags", []))


def code_cells(nb: NotebookNode) -> list[CodeCell]:
    """The code cells that run: an empty one gets no number from Jupyter either."""
    running = (pair for pair in enumerate(nb.cells) if pair[1].cell_type == "code" and pair[1].source.strip())
    return [CodeCell(number, index, node) for number, (index, node) in enumerate(running, 1)]


def read(path: Path) -> NotebookNode:
    """The notebook in path, as nbformat 4.5 with an id in every cell."""
    data = _parse(path)
    _fill_ids(data)
    for error in iter_validate(data, version=4, version_minor=5):
        raise BrokenNotebook(f"{_position(error.absolute_path)}: not a valid notebook: {_shorten(error.message)}")
    return nbformat.reads(json.dumps(data), as_version=4)


def _parse(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise BrokenNotebook(f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BrokenNotebook(f"byte {error.start}: not UTF-8") from error
    except json.JSONDecodeError as error:
        raise BrokenNotebook(f"line {error.lineno}, column {error.colno}: not valid JSON: {error.msg}") from error
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        raise BrokenNotebook("top level: not a valid notebook: want an object with a list of cells")
    if data.get("nbformat") != 4:
        raise BrokenNotebook(f"top level: not a valid notebook: nbformat {data.get('nbformat')!r}, want 4")
    return data


def _fill_ids(data: dict[str, Any]) -> None:
    """Gives cells without an id of their own one that depends on the content alone, where Jupyter draws at random."""
    data["nbformat_minor"] = 5
    seen: set[str] = set()
    for cell in data["cells"]:
        if not isinstance(cell, dict):
            continue  # the validation that follows names it
        if "id" not in cell or cell["id"] in seen:
            cell["id"] = next(name for name in _candidate_ids(cell) if name not in seen)
        if isinstance(cell["id"], str):
            seen.add(cell["id"])


def _candidate_ids(cell: dict[str, Any]) -> Iterator[str]:
    content = json.dumps([cell.get("cell_type"), cell.get("source")], ensure_ascii=False)
    attempt = 0
    while True:
        yield hashlib.sha256(f"{attempt} {content}".encode()).hexdigest()[:8]
        attempt += 1


def _position(path: Any) -> str:
    """Where in the notebook, counting cells and outputs from 1 as people do."""
    words = [f" {part + 1}" if isinstance(part, int) else f", {str(part).removesuffix('s')}" for part in path]
    return "".join(words).removeprefix(", ") or "top level"


def _shorten(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= 160 else f"{line[:80]} ... {line[-70:]}"


def normalise(nb: NotebookNode) -> None:
    """Brings everything but the outputs into the form that is committed: what a rerun cannot change."""
    nb.nbformat, nb.nbformat_minor = 4, 5
    kernelspec = nb.metadata.get("kernelspec", {})
    kept = {key: kernelspec[key] for key in ("display_name", "language", "name") if key in kernelspec}
    nb.metadata = nbformat.from_dict({"kernelspec": kept, "language_info": LANGUAGE_INFO})
    for cell in nb.cells:
        for key in VOLATILE_CELL_METADATA:
            cell.metadata.pop(key, None)
        if cell.cell_type == "code":
            cell.execution_count = None
            if not cell.source.strip():
                cell.outputs = []
    for cell in code_cells(nb):
        cell.node.execution_count = cell.number
        for output in cell.node.outputs:
            if output.output_type == "execute_result":
                output.execution_count = cell.number


def text_of(nb: NotebookNode) -> str:
    """The notebook as it is stored: sorted, one space of indent, readable Chinese, a final newline."""
    return nbformat.writes(nb, version=4) + "\n"


def store(path: Path, text: str) -> bool:
    """Replaces path by text in one step; False when it is there already."""
    if path.read_bytes() == text.encode("utf-8"):
        return False
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(text.encode("utf-8"))
    new.chmod(path.stat().st_mode)
    os.replace(new, path)
    return True
