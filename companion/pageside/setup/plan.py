"""What a set-up is going to do: which files become what, which commands run, and what cannot be done."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pageside.core.jsonc import BOM
from pageside.setup.files import Source


@dataclass(frozen=True, slots=True)
class Change:
    """One file's new content; `how` tells an undo how to take out only that (see `undo.py`)."""

    what: str
    source: Source
    after: bytes
    how: dict[str, Any]
    next_step: str = ""
    """What is left to do by hand afterwards."""
    replaces: str = ""
    """Of whom there is an entry under our name: it is asked about by itself."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the project's package manager, what takes it back, and the files that it changes."""

    argv: tuple[str, ...]
    folder: Path
    undo: tuple[str, ...]
    files: tuple[Path, ...]


@dataclass(slots=True)
class Plan:
    """In the order of what is done: agents' files, the command, configs that need what the command installs."""

    root: Path
    agents: list[Change] = field(default_factory=list)
    command: Command | None = None
    configs: list[Change] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    """What was wanted and cannot be done."""
    notes: list[str] = field(default_factory=list)
    """What is left to the user, with the lines to paste."""

    @property
    def is_empty(self) -> bool:
        return not self.agents and not self.configs and self.command is None


def shown_path(path: Path, root: Path) -> str:
    """Short where that is clear: below the project, or below the user's folder."""
    for base, prefix in ((root, ""), (Path.home(), f"~{os.sep}")):
        if path.is_relative_to(base):
            return prefix + str(path.relative_to(base))
    return str(path)


def diff(change: Change, root: Path) -> str:
    """The change as a unified diff; lines that differ in their end alone show it."""
    name = shown_path(change.source.shown, root)
    is_inside = change.source.shown.is_relative_to(root)
    before = change.source.content
    old = [] if before is None else _lines(before)
    old_name = "/dev/null" if before is None else f"a/{name}" if is_inside else name
    rows = difflib.unified_diff(old, _lines(change.after), old_name, f"b/{name}" if is_inside else name)
    return "".join(_ended(rows))


def _lines(content: bytes) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", content.decode("utf-8", "replace").removeprefix(BOM))


def _ended(rows: Iterable[str]) -> Iterable[str]:
    for row in rows:
        bare = row.rstrip("\r\n")
        yield f"{bare}\n" if row.endswith("\n") else f"{bare}\n\\ No newline at end of file\n"
