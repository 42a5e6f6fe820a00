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


def start_time(pid: int) -> float | None:
    """When that process started; None if there is none, or only what its parent has not yet collected."""
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except (psutil.Error, ValueError, OverflowError):
        return None


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
    found = read_json(folder / FILE) or {}
    pid, stated, port = found.get("pid"), found.get("startTime"), found.get("port")
    if type(pid) is not int or type(port) is not int or not isinstance(stated, int | float):
        return None
    started = start_time(pid)
    return found if started is not None and started - 1 < stated < started + 1 else None


def others(state: Path, project: Path) -> list[str]:
    """`<project> (port N)` of every other companion of this user that runs now."""
    entries = map(living, sorted(state.iterdir()) if state.is_dir() else [])
    return [
        f"{entry.get('project')} (port {entry.get('port')})"
        for entry in entries
        if entry is not None and entry.get("project") != str(project)
    ]


def token_at(state: Path, port: int) -> str | None:
    """The agent token of this user's companion that runs on that port now, if its entry is below `state`."""
    for entry in map(living, sorted(state.iterdir()) if state.is_dir() else []):
        if entry is not None and entry.get("port") == port and isinstance(entry.get("agentToken"), str):
            return str(entry["agentToken"])
    return None
