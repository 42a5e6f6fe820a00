"""One companion has a project's queue, for as long as its process lives: a lock that the system lets go."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

FILE = "companion.owner"


def own(folder: Path) -> FileLock | None:
    """The lock, to be released at the end; None while another process holds it."""
    lock = FileLock(folder / FILE, timeout=0, mode=0o600, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        return None
    return lock
