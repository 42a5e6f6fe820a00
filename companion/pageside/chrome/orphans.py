"""Chromes that Pageside launched: recorded in a file, so that the next run ends what a killed one left behind.

A process is ended only on proof: same pid, same start time, and our profile folder in its command line.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

log = logging.getLogger(__name__)

RECORD = "chrome.json"
END_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Launched:
    """A Chrome of ours; `start_time` in seconds since the epoch, `profile` its own folder."""

    pid: int
    start_time: float
    profile: str


def remember(folder: Path, launched: Launched) -> None:
    """Write the record (0600); an older one goes, and so does a link in its place."""
    (folder / RECORD).unlink(missing_ok=True)
    file = os.open(folder / RECORD, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "w", encoding="utf-8") as out:
        json.dump(asdict(launched), out)


def recall(folder: Path) -> Launched | None:
    """The record of an earlier run, or None if there is none that makes sense."""
    with contextlib.suppress(OSError, ValueError, TypeError, RecursionError):
        launched = Launched(**json.loads((folder / RECORD).read_text("utf-8")))
        if type(launched.pid) is int and isinstance(launched.start_time, int | float):
            # Never a folder that is not ours to remove.
            if Path(launched.profile).parent == folder and Path(launched.profile).name.startswith("profile-"):
                return launched
    return None


def is_alive(launched: Launched) -> bool:
    """True only on proof that this very process still runs."""
    return _proven(launched) is not None


def end(folder: Path, launched: Launched) -> bool:
    """End that Chrome if proven to be ours, remove its profile and the record; was one ended? Blocks up to 2 s."""
    process = _proven(launched)
    if process is not None:
        _end_tree(process)
    shutil.rmtree(launched.profile, ignore_errors=True)
    _forget(folder)
    return process is not None


def end_orphan(folder: Path) -> bool:
    """End what an earlier run left behind; was there one?"""
    launched = recall(folder)
    if launched is None:
        _forget(folder)
        return False
    return end(folder, launched)


def _forget(folder: Path) -> None:
    try:
        (folder / RECORD).unlink(missing_ok=True)
    except OSError as error:
        log.warning("the record of a launched Chrome stays: %s", error)


def _proven(launched: Launched) -> psutil.Process | None:
    try:
        process = psutil.Process(launched.pid)
        same_start = abs(process.create_time() - launched.start_time) < 1
        carries = any(launched.profile in argument for argument in process.cmdline())
    except (psutil.Error, ValueError, OverflowError):
        return None
    return process if same_start and carries else None


def _end_tree(process: psutil.Process) -> None:
    # psutil checks the start time again before each signal, so a recycled pid is not hit.
    processes = [process]
    with contextlib.suppress(psutil.Error):
        processes += process.children(recursive=True)
    for signal_all in (psutil.Process.terminate, psutil.Process.kill):
        for each in processes:
            with contextlib.suppress(psutil.Error):
                signal_all(each)
        processes = _still_running(processes, END_SECONDS)
        if not processes:
            return


def _still_running(processes: list[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Those that have not ended by then; one that nobody has waited for has."""
    deadline = time.monotonic() + seconds
    while processes and time.monotonic() < deadline:
        _, alive = psutil.wait_procs(processes, timeout=0.05)
        processes = [each for each in alive if not _is_zombie(each)]
    return processes


def _is_zombie(process: psutil.Process) -> bool:
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
