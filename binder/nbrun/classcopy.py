"""A copy of the lab for a class: the same files, with the solutions taken out of the notebooks."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from nbformat import NotebookNode

from .notebook import BrokenNotebook, normalise, read, text_of
from .rules import SOLUTION_TAG

# What never belongs to a copy, where git cannot say what does.
_LEFT_BEHIND = {".git", ".venv"}


class NoCopy(Exception):
    """Why there is no copy: one line."""


def without_solutions(nb: NotebookNode) -> int:
    """Takes the cells tagged solution, code or text, out of the notebook; returns how many there were."""
    kept = [cell for cell in nb.cells if SOLUTION_TAG not in cell.metadata.get("tags", [])]
    solutions = len(nb.cells) - len(kept)
    nb.cells = kept
    return solutions


def write(root: Path, to: Path) -> tuple[int, int]:
    """Copies the checkout in root to the folder to; returns the numbers of files and of solutions left out.

    Raises NoCopy when to is not new or lies inside of root, and BrokenNotebook; to is left as it was then, and when the
    copying ends early: no folder may pass for a copy that is none.
    """
    if to.is_symlink() and not to.exists():
        raise NoCopy(f"{to} is a link that leads nowhere: want a new or empty folder")
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise NoCopy(f"{to} is there already: want a new or empty folder")
    if to.resolve().is_relative_to(root.resolve()):
        raise NoCopy(f"{to} lies inside of {root}: want a folder elsewhere")
    files = _files(root)
    texts, solutions = _texts(root, files)
    new = not to.exists()
    try:
        for name in files:
            target = to / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if name in texts:
                target.write_text(texts[name], encoding="utf-8")
                shutil.copystat(root / name, target)
            else:
                shutil.copy2(root / name, target, follow_symlinks=False)
    except BaseException:
        for path in [to] if new else list(to.iterdir()):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        raise
    return len(files), solutions


def _texts(root: Path, files: list[Path]) -> tuple[dict[Path, str], int]:
    """The notebooks that have solutions, as they are without them; and the number of solutions."""
    texts, solutions = {}, 0
    for name in files:
        if name.suffix != ".ipynb" or name.parts[0] != "notebooks":
            continue
        try:
            nb = read(root / name)
        except BrokenNotebook as error:
            raise BrokenNotebook(f"{root / name}: {error}") from error
        if found := without_solutions(nb):
            normalise(nb)
            texts[name] = text_of(nb)
            solutions += found
    return texts, solutions


def _files(root: Path) -> list[Path]:
    """What git tracks, or would; without git, everything but what set-up made."""
    if (root / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        if listed.returncode != 0:
            raise NoCopy(f"git ls-files in {root}: {listed.stderr.strip() or listed.returncode}")
        names = [Path(name) for name in listed.stdout.split("\0") if name]
    else:
        names = [
            path.relative_to(root) for path in sorted(root.rglob("*"))
            if path.relative_to(root).parts[0] not in _LEFT_BEHIND
        ]
    return [name for name in names if (root / name).is_symlink() or (root / name).is_file()]
