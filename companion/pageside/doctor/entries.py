"""What stands under our name in agents' files: every file that an agent reads, not only the one that setup writes."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pageside.core import jsonc, toml_edit
from pageside.core.agent_files import AGENTS, Agent, argv_of, url_key_of
from pageside.core.jsonc import BOM
from pageside.core.nested import below
from pageside.setup.agent_places import read_files

MAX_BYTES = 50_000_000
"""Claude Code keeps its history in the same file."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of an agent's file, as it stands there."""

    agent: Agent
    file: Path
    value: Any

    @property
    def argv(self) -> list[str] | None:
        return argv_of(self.value)

    @property
    def url_key(self) -> str | None:
        """Under which key it names a URL."""
        return url_key_of(self.value)


@dataclass(frozen=True, slots=True)
class Unread:
    """A file of an agent that cannot be read, and why."""

    agent: Agent
    file: Path
    why: str


def find(root: Path) -> Iterator[Entry | Unread]:
    """In the order of the agents; a file that has no entry of ours is none."""
    for agent in AGENTS:
        unread = set()
        for file, keys in dict.fromkeys(read_files(agent, root)):
            if file in unread or not file.is_file():
                continue
            try:
                data = _read(file)
            except (OSError, ValueError) as error:
                unread.add(file)
                yield Unread(
                    agent, file, (error.strerror if isinstance(error, OSError) else "") or str(error)
                )
                continue
            found = below(data, *keys)
            if found is not None:
                yield Entry(agent, file, found)


def _read(file: Path) -> Any:
    """Its data; raises `OSError`, or `ValueError` for what cannot be understood."""
    if file.stat().st_size > MAX_BYTES:
        raise ValueError("it is larger than any settings")
    text = file.read_bytes().decode("utf-8")
    if file.suffix == ".toml":
        return toml_edit.parse(text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return jsonc.parse(text).root.value if text.strip(f"{BOM} \t\r\n") else {}


def program(named: str, root: Path) -> str | None:
    """The program that an agent starts by that name in the project; None if there is none."""
    if os.sep in named or "/" in named:
        return shutil.which(str(root / named))
    return shutil.which(named)
