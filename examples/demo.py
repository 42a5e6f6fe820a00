"""`make demo`: the example app with Pageside, until Ctrl-C; afterwards nothing is left running.

The plugin starts the companion, as in any project. The demo's queue is kept in `.pageside/` of this folder.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil

from pageside.processes.registry import living
from pageside.processes.state import project_state

REPOSITORY = Path(__file__).resolve().parents[1]
APP = REPOSITORY / "examples" / "vite-react"
STATE = REPOSITORY / ".pageside" / "demo"
STOP_SECONDS = 5.0


def main() -> int:
    """Run Vite in the foreground; its exit code."""
    print("Starting the example app …", flush=True)
    for name in ("SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), _interrupt)
    vite = subprocess.Popen(
        ["node", str(REPOSITORY / "node_modules" / "vite" / "bin" / "vite.js"), *sys.argv[1:]],
        cwd=APP,
        env={
            **os.environ,
            "PAGESIDE_PROJECT": str(REPOSITORY),
            "PAGESIDE_STATE_DIR": str(STATE),
            "VIRTUAL_ENV": str(REPOSITORY / ".venv"),
        },
    )
    try:
        return vite.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        _stop(vite)
        _stop_companion()
        print("Stopped.", flush=True)


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _stop(vite: subprocess.Popen[bytes]) -> None:
    if vite.poll() is None:
        vite.send_signal(signal.SIGINT)
        try:
            vite.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            vite.kill()
            vite.wait()


def _stop_companion() -> None:
    """End the companion of the demo; it is proved to be that process by its start time."""
    entry = living(project_state(STATE, REPOSITORY))
    if entry is None:
        return
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(entry["pid"])
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except psutil.TimeoutExpired:
            process.kill()


if __name__ == "__main__":
    sys.exit(main())
