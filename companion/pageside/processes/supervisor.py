"""Runs one program, and ends all of it: when it is told to, and when the companion is gone, however that ended.

A process of its own (`python supervisor.py <socket> <folder> <program> <arguments>`) between the companion and the
program. The companion's end of the socket says when: closed means that the program has to end. What happens is told
there as lines of JSON: `{"pid": …}` or `{"error": …}`, and at last `{"exit": …}` (negative: ended by that signal).
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import psutil

GRACE_SECONDS = 3.0
"""Between asking a program to end and ending it."""
POLL_SECONDS = 0.02
KILLS = 5
"""How often it is looked for what was started meanwhile."""
_PR_SET_CHILD_SUBREAPER = 36


def main() -> None:
    number, folder, *argv = sys.argv[1:]
    companion = socket.socket(fileno=int(number))
    companion.set_inheritable(False)
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Not SIG_IGN, which the program would inherit.
        signal.signal(name, _nothing)
    _keep_orphans()
    try:
        program = subprocess.Popen(argv, cwd=folder, stdin=subprocess.DEVNULL, start_new_session=True)
    except (OSError, ValueError) as error:
        _tell(companion, {"error": str(error)})
        return
    _tell(companion, {"pid": program.pid})
    _leave_output_to_it()
    over = threading.Event()
    _in_thread(lambda: _until_closed(companion), over)
    ended = _in_thread(lambda: _until_ended(program), over)
    over.wait()
    _end(program)
    ended.join(GRACE_SECONDS)
    _tell(companion, {"exit": program.returncode})


def _nothing(_number: int, _frame: object) -> None:
    """A signal to all of the terminal, say: the companion says when to end."""


def _keep_orphans() -> None:
    """Where there is a way (Linux): what the program leaves behind becomes this process's child, not init's."""
    with suppress(OSError, AttributeError):
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _leave_output_to_it() -> None:
    """When the program ends, its output ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _in_thread(wait: Callable[[], None], over: threading.Event) -> threading.Thread:
    def run() -> None:
        wait()
        over.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def _until_closed(companion: socket.socket) -> None:
    with suppress(OSError):
        companion.recv(1)


def _until_ended(program: subprocess.Popen[bytes]) -> None:
    """The only one to collect exit codes: also those of orphans, which would stay as zombies."""
    while program.returncode is None:
        pid, status = os.waitpid(-1, 0)
        if pid == program.pid:
            program.returncode = os.waitstatus_to_exitcode(status)


def _end(program: subprocess.Popen[bytes]) -> None:
    """Its process group, and all of its descendants that have left that."""
    _signal(program, signal.SIGTERM)
    _all_gone(GRACE_SECONDS)
    for _ in range(KILLS):
        _signal(program, signal.SIGKILL)
        if _all_gone(1.0):
            break


def _all_gone(seconds: float) -> bool:
    """Whether they are within that time. They are no children of this process, so there is nothing to wait on."""
    until = time.monotonic() + seconds
    while _descendants():
        if time.monotonic() > until:
            return False
        time.sleep(POLL_SECONDS)
    return True


def _descendants() -> list[psutil.Process]:
    found = psutil.Process().children(recursive=True)
    return [process for process in found if not _is_dead(process)]


def _is_dead(process: psutil.Process) -> bool:
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False


def _signal(program: subprocess.Popen[bytes], number: int) -> None:
    for process in _descendants():
        with suppress(psutil.Error):
            process.send_signal(number)
    with suppress(OSError):
        os.killpg(program.pid, number)


def _tell(companion: socket.socket, what: dict[str, object]) -> None:
    with suppress(OSError):
        companion.sendall(json.dumps(what).encode() + b"\n")


if __name__ == "__main__":
    main()
