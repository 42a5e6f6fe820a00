"""Who may start the companion of a project now: the same lock file as in `vite-plugin/src/companion/lock.ts`.

It spares starts that would be in vain. Two that find the same stale lock at the same moment may both get it; that one
companion alone gets the queue is the matter of `ownership.py`.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pageside.contract import CHANNEL
from pageside.processes import registry
from pageside.processes.state import read_json

FILE: str = CHANNEL["registry"]["lock"]
STALE_SECONDS = 300.0
"""Longer than any start takes; an older lock belongs to a recycled pid."""
UNREADABLE_STALE_SECONDS = 2.0
"""A lock without content is being written just now, unless it is older than this."""


def take(file: Path) -> Callable[[], None] | None:
    """Take the lock and return how to release it; None while another living process holds it."""
    content = json.dumps({"pid": os.getpid(), "time": int(time.time() * 1000)}).encode()
    if not (_create(file, content) or (_remove_stale(file) and _create(file, content))):
        return None

    def release() -> None:
        if _read(file) == content:
            file.unlink(missing_ok=True)

    return release


def _create(file: Path, content: bytes) -> bool:
    try:
        descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return False
    with os.fdopen(descriptor, "wb") as lock:
        lock.write(content)
    return True


def _remove_stale(file: Path) -> bool:
    content = _read(file)
    if content is None:
        return True
    if not is_stale(file):
        return False
    # Renaming lets exactly one of several processes take the stale lock away.
    aside = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        file.rename(aside)
    except FileNotFoundError:
        return True
    was_the_stale_one = _read(aside) == content
    if was_the_stale_one:
        aside.unlink()
    else:
        aside.rename(file)
    return was_the_stale_one


def is_stale(file: Path) -> bool:
    """Whether it was left by a process that ended, or is older than any start takes."""
    lock = read_json(file) or {}
    pid, stated = lock.get("pid"), lock.get("time")
    if type(pid) is not int or not isinstance(stated, int | float):
        with suppress(FileNotFoundError):
            return time.time() - file.stat().st_mtime > UNREADABLE_STALE_SECONDS
        return True
    # Older locks may be in seconds.
    seconds = stated if stated < 1e11 else stated / 1000
    return registry.start_time(pid) is None or time.time() - seconds > STALE_SECONDS


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
