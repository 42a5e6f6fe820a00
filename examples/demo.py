"""`make demo`: the example app with Pageside, until Ctrl-C; afterwards nothing is left running.

The plugin starts the companion, as in any project. The demo's queue is kept in `.pageside/` of this folder.
"""

from __future__ import annotations

import os
import secrets
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
STATE = Path(os.environ.get("PAGESIDE_STATE_DIR") or REPOSITORY / ".pageside" / "demo").resolve()
MARK = "PAGESIDE_DEMO"
"""Environment variable that everything a demo starts inherits, from its first moment on."""
STOP_SECONDS = 5.0
NEXT = """Starting the example app …
Open the address after "Local", press Alt+I, click something, write a note, press Enter.
Then connect your agent with the line after "Agent", and tell it: "Wait for my Pageside inspections and fix them."
Ctrl-C ends everything."""
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def main() -> int:
    """Run Vite in the foreground; its exit code."""
    print(NEXT, flush=True)
    run = secrets.token_hex(16)
    _on_signals(_interrupt)
    try:
        code = _run_vite(run)
        _on_signals(signal.SIG_IGN)
    except KeyboardInterrupt:
        code = 0
    finally:
        _end_everything(run)
        print("Stopped.", flush=True)
    return code


def _run_vite(run: str) -> int:
    return subprocess.call(
        ["node", str(REPOSITORY / "node_modules" / "vite" / "bin" / "vite.js"), *sys.argv[1:]],
        cwd=APP,
        env={
            **os.environ,
            "PAGESIDE_PROJECT": str(REPOSITORY),
            "PAGESIDE_STATE_DIR": str(STATE),
            "VIRTUAL_ENV": str(REPOSITORY / ".venv"),
            MARK: run,
        },
    )


def _on_signals(handler: signal._HANDLER) -> None:
    for number in SIGNALS:
        signal.signal(number, handler)


def _interrupt(_number: int, _frame: object) -> None:
    """Interrupt once; a second Ctrl-C must not cut the tidying short."""
    _on_signals(signal.SIG_IGN)
    raise KeyboardInterrupt


def _end_everything(run: str) -> None:
    # Vite first: its plugin would start the companion again.
    _end(psutil.Process().children())
    # A companion that ran already belongs to no run of ours; the registry proves it by its start time.
    entry = living(project_state(STATE, REPOSITORY))
    if entry is not None:
        with suppress(psutil.NoSuchProcess):
            _end([psutil.Process(entry["pid"])])
    # One that is only coming up is in no registry yet.
    while left := _started_by(run):
        _end(left)


def _started_by(run: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == run:
                found.append(process)
    return found


def _end(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.terminate()
    _, alive = psutil.wait_procs(processes, STOP_SECONDS)
    for process in alive:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(alive, STOP_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
