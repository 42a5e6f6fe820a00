"""Forks companions that need not import anything first: each a process of its own, with its own folder, variables,
arguments and output, in a session of its own. `warm_start.py` asks for one over the Unix socket of the first argument.

Ends, and every companion with it, when its standard input is closed. A companion whose asker is killed is killed.
"""

from __future__ import annotations

import gc
import json
import os
import selectors
import signal
import socket
import sys
import traceback
import warnings
from contextlib import suppress
from typing import Any

# What these commands import when they are asked for, so that the children have it.
import pageside.web.serve
import pageside.web.stdio  # noqa: F401
from pageside.cli import main

STREAMS = 3


class Server:
    """One thread, so that forks are safe."""

    def __init__(self, path: str) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen(64)
        ended, told = os.pipe()
        os.set_blocking(told, False)
        os.set_blocking(ended, False)
        self._ended = ended
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._askers: dict[int, socket.socket] = {}

    def run(self) -> None:
        """Until standard input is closed."""
        with selectors.DefaultSelector() as ready:
            for source in (self._listener, self._ended, sys.stdin.fileno()):
                ready.register(source, selectors.EVENT_READ)
            while True:
                for key, _ in ready.select():
                    if key.fileobj is self._listener:
                        self._start(ready)
                    elif key.fileobj == self._ended:
                        os.read(self._ended, 4096)
                        self._reap(ready)
                    elif key.fileobj == sys.stdin.fileno():
                        return self._end()
                    else:
                        self._left(key.data)

    def _start(self, ready: selectors.BaseSelector) -> None:
        asker, _ = self._listener.accept()
        _, streams, _, _ = socket.recv_fds(asker, 1, STREAMS)
        with asker.makefile("rb") as lines:
            asked = json.loads(lines.readline())
        pid = os.fork()
        if pid == 0:
            become(asked, streams)
        for stream in streams:
            os.close(stream)
        asker.sendall(f"{pid}\n".encode())
        self._askers[pid] = asker
        ready.register(asker, selectors.EVENT_READ, pid)

    def _left(self, pid: int) -> None:
        """An asker says nothing more: it was killed."""
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def _reap(self, ready: selectors.BaseSelector) -> None:
        while self._askers:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            asker = self._askers.pop(pid)
            ready.unregister(asker)
            with suppress(OSError):
                asker.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
            asker.close()

    def _end(self) -> None:
        for pid in self._askers:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)


def become(asked: dict[str, Any], streams: list[int]) -> None:
    """What was asked for, in a child; does not return."""
    code = 70
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        # Of this process: the socket, the pipe, other askers.
        os.closerange(STREAMS, 256)
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["variables"])
        # What Python itself reads when it starts.
        if asked["variables"].get("PYTHONWARNINGS") == "error":
            warnings.simplefilter("error")
        sys.argv = ["pageside", *asked["arguments"]]
        code = main(asked["arguments"])
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    server = Server(sys.argv[1])
    gc.freeze()
    os.write(1, b"ready\n")
    server.run()
