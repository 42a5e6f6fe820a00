"""The registry file: how plugins and bridges find the companion of a project.

An entry counts only while that very process lives: same pid and same start time.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from pageside import __version__
from pageside.contract import CHANNEL
from pageside.processes.state import read_json, write_private

FILE: str = CHANNEL["registry"]["file"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One running companion; `start_time` in seconds since the epoch, as the system keeps it."""

    pid: int
    start_time: float
    port: int
    project: str
    page_token: str
    plugin_token: str
    agent_token: str

    def to_json(self) -> dict[str, Any]:
        return {
            "service": CHANNEL["service"],
            "protocol": CHANNEL["protocol"],
            "version": __version__,
            "pid": self.pid,
            "startTime": self.start_time,
            "port": self.port,
            "project": self.project,
            "pageToken": self.page_token,
            "pluginToken": self.plugin_token,
            "agentToken": self.agent_token,
        }


def own_start_time() -> float:
    """When this process started."""
    return psutil.Process().create_time()


def publish(folder: Path, entry: Entry) -> None:
    """Say that this companion serves the project."""
    write_private(folder / FILE, entry.to_json())


def withdraw(folder: Path) -> None:
    """Take the entry back, unless another companion has written its own since."""
    found = read_json(folder / FILE)
    if found is not None and found.get("pid") == os.getpid():
        (folder / FILE).unlink(missing_ok=True)


def living(folder: Path) -> dict[str, Any] | None:
    """The entry of the companion that serves this folder's project now, or None."""
    found = read_json(folder / FILE)
    if found is None or not isinstance(found.get("pid"), int):
        return None
    try:
        started = psutil.Process(found["pid"]).create_time()
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return None
    return found if abs(started - float(found.get("startTime", 0))) < 1 else None


def others(state: Path, project: Path) -> list[str]:
    """`<project> (port N)` of every other companion of this user that runs now."""
    entries = map(living, sorted(state.iterdir()) if state.is_dir() else [])
    return [
        f"{entry.get('project')} (port {entry.get('port')})"
        for entry in entries
        if entry is not None and entry.get("project") != str(project)
    ]
