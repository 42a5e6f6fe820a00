"""The state folder: whose it is, who may read it, whether there is room, and whether the queue is whole."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from pageside.doctor.asking import aside
from pageside.doctor.report import Finding, note, ok, problem
from pageside.doctor.sight import Case
from pageside.processes import registry, start_lock
from pageside.processes.state import read_json
from pageside.store.check import quick_check

QUEUE = "inspections.sqlite3"
LITTLE, TOO_LITTLE = 1_000_000_000, 100_000_000
"""Bytes that are free on the disk."""
_ELSEWHERE = "Make it a folder of yours, or choose another with PAGESIDE_STATE_DIR."


async def check(case: Case) -> list[Finding]:
    return await aside(lambda: list(_check(case.settings.state, case.sight.folder)))


def _check(state: Path, folder: Path) -> Iterator[Finding]:
    wrong = _wrong_folder(state) or _wrong_folder(folder)
    if wrong is not None:
        yield wrong
        return
    yield _room(state)
    if not folder.exists():
        yield ok(f"{state}: nothing is kept for this project yet")
        return
    yield _modes(folder)
    if (folder / registry.FILE).exists() and read_json(folder / registry.FILE) is None:
        yield note(f"{folder / registry.FILE} cannot be read.", "Nothing: the next companion writes it anew.")
    if (lock := _lock(folder / start_lock.FILE)) is not None:
        yield lock
    if (folder / QUEUE).is_file():
        why = quick_check(folder / QUEUE)
        yield _damage(folder, why) if why else ok("the queue is whole (SQLite's own check)")


def _wrong_folder(folder: Path) -> Finding | None:
    """None for one that can be used, and for one that can still be made."""
    try:
        status = folder.lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        return problem(f"{folder} cannot be used: {error.strerror}.", _ELSEWHERE)
    if not folder.is_dir():
        return problem(f"{folder} is no folder.", _ELSEWHERE)
    if os.name != "nt" and status.st_uid != os.getuid():
        return problem(f"{folder} belongs to another user (uid {status.st_uid}).", _ELSEWHERE)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return problem(f"{folder} cannot be written.", f"chmod u+rwx {folder}")
    return None


def _room(state: Path) -> Finding:
    there = next(each for each in (state, *state.absolute().parents) if each.exists())
    free = shutil.disk_usage(there).free
    told = f"{free / 1e9:.1f} GB are free for {state}"
    if free < TOO_LITTLE:
        return problem(f"Only {told}.", "Make room: without it, no note can be kept.")
    return note(f"Only {told}.") if free < LITTLE else ok(told)


def _modes(folder: Path) -> Finding:
    if os.name == "nt":
        return ok(f"{folder} can be written")
    open_to_others = [folder.name] if folder.stat().st_mode & 0o077 else []
    for each in sorted(folder.iterdir()):
        status = each.lstat()
        if stat.S_ISREG(status.st_mode) and status.st_mode & 0o077:
            open_to_others.append(each.name)
    if open_to_others:
        return problem(f"Others may read {', '.join(open_to_others)} in {folder}.", f"chmod -R go= {folder}")
    return ok(f"{folder} can be written, and is yours alone")


def _lock(file: Path) -> Finding | None:
    if not file.is_file():
        return None
    if start_lock.is_stale(file):
        return note(
            f"{file.name} was left by a start that never ended.", "Nothing: the next start takes it away."
        )
    return note("A companion is being started just now.")


def _damage(folder: Path, why: str) -> Finding:
    return problem(
        f"The queue cannot be read: {why}.",
        f"Restart the companion: it keeps the file aside and takes over what can be read.\nIt is {folder / QUEUE}",
    )
