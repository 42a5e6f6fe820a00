"""`make demo` leaves nothing running, whenever Ctrl-C comes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

DEMO = Path(__file__).resolve().parents[2] / "examples" / "demo.py"


@pytest.mark.parametrize("seconds", [0.3, 0.8, 1.2, 1.6, 2.0, 3.0])
def test_ctrl_c_ends_everything_that_the_demo_started(tmp_path: Path, seconds: float) -> None:
    demo = subprocess.Popen(
        [sys.executable, str(DEMO), "--port", "0"],
        env={**os.environ, "PAGESIDE_STATE_DIR": str(tmp_path), "PAGESIDE_PORT": "0"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        time.sleep(seconds)  # The moment of Ctrl-C is what is tried here.
        os.killpg(demo.pid, signal.SIGINT)
        demo.wait(15)
        assert _processes_of(tmp_path) == []
    finally:
        for process in _processes_of(tmp_path):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        demo.kill()
        demo.wait()


def _processes_of(state: Path) -> list[psutil.Process]:
    """Everything that runs with this state folder."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get("PAGESIDE_STATE_DIR") == str(state) and process.is_running():
                found.append(process)
    return [process for process in found if _lives(process)]


def _lives(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
