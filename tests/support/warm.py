"""Companions that start at once: forked by a process that has imported Pageside already.

A start imports for a second or two of processor time, and the tests' dev servers start one each. What a test sees is
the same: a process of its own behind the same command.
"""

from __future__ import annotations

import atexit
import functools
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import PIPE

_HERE = Path(__file__).parent


@contextmanager
def warm() -> Iterator[Path]:
    """A virtual environment, of a sort, whose `bin/python -m pageside` forks; for `VIRTUAL_ENV`."""
    with tempfile.TemporaryDirectory(prefix="warm-") as folder:
        (path := Path(folder)).joinpath("bin").mkdir()
        python = path / "bin" / "python"
        words = (sys.executable, "-I", "-S", str(_HERE / "warm_start.py"), f"{folder}/socket")
        python.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        python.chmod(0o755)
        command = (sys.executable, "-P", str(_HERE / "warm_server.py"), f"{folder}/socket")
        with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, start_new_session=True) as server:
            assert server.stdout is not None
            assert server.stdout.readline() == b"ready\n"
            yield path


@functools.cache
def folder() -> Path:
    """One for this process, from now until it ends."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(warm())
