"""Forks `pageside serve` processes that need not import anything first: for tests that kill many of them.

Reads one JSON list of arguments a line, runs it as a child whose output is its own, tells `pid N` before and
`ended N` (as `subprocess` counts return codes) after it, and takes the next line.
"""

from __future__ import annotations

import json
import os
import sys
import traceback

# What `serve` imports when it is asked for, so that the children have it.
import pageside.web.serve  # noqa: F401
from pageside.cli import main


def run(arguments: list[str]) -> None:
    """One child from beginning to end."""
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            code = main(arguments)
        except BaseException:
            traceback.print_exc()
        os._exit(code)
    tell(f"pid {pid}")
    _, status = os.waitpid(pid, 0)
    tell(f"ended {os.waitstatus_to_exitcode(status)}")


def tell(line: str) -> None:
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    for command in sys.stdin:
        run(json.loads(command))
