"""This process's stdin and stdout as lines.

Two daemon threads on descriptors of their own: a read or a write that waits for the other side holds up neither the
loop nor the end of the process. (The SDK's `stdio_server` waits for its reader when it is cancelled: after a SIGTERM
it stays until the client closes stdin.) While it lasts, descriptor 0 is empty and descriptor 1 is stderr, so that
nothing but messages gets on the wire, whoever prints.
"""

from __future__ import annotations

import asyncio
import os
import queue
import select
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from pageside.core.lines import LineSplitter

CHUNK = 65536
AT_ONCE: int = getattr(select, "PIPE_BUF", 0)
"""Bytes for which a pipe that takes any has room."""
LINES_AHEAD = 64


class StdioLines:
    """Make one, once in a process: stdin and stdout belong to it from then on."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._in, self._out = _claim_stdio()
        self._room = threading.Semaphore(LINES_AHEAD)
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._writes: queue.SimpleQueue[tuple[bytes, asyncio.Future[bool]]] = queue.SimpleQueue()
        self._unwritten = 0
        """How many of them are not written yet."""
        self.broken = asyncio.Event()
        """Nobody reads what is written."""
        for work in (self._read_all, self._write_all):
            threading.Thread(target=work, name=f"stdio{work.__name__}", daemon=True).start()

    async def next(self) -> bytes | None:
        """The next line that is not blank; None when there are no more."""
        line = await self._lines.get()
        self._room.release()
        return line

    async def write(self, line: bytes) -> None:
        """Write the line; returns when the other side has room for it."""
        data = line + b"\n"
        # The thread has to be woken, and gets its turn after whatever else is to be done here.
        at_once = self._unwritten == 0 and len(data) <= AT_ONCE and _has_room(self._out)
        if not (_write(self._out, data) if at_once else await self._written(data)):
            self.broken.set()

    async def _written(self, data: bytes) -> bool:
        written: asyncio.Future[bool] = self._loop.create_future()
        self._unwritten += 1
        self._writes.put((data, written))
        return await written

    def _read_all(self) -> None:
        splitter = LineSplitter()
        while chunk := _read(self._in):
            for line in splitter.feed(chunk):
                self._hand_over(line)
        self._hand_over(splitter.rest())
        self._tell(self._lines.put_nowait, None)

    def _hand_over(self, line: bytes) -> None:
        if line.strip():
            self._room.acquire()
            self._tell(self._lines.put_nowait, line)

    def _write_all(self) -> None:
        while True:
            data, written = self._writes.get()
            self._tell(self._settle, written, _write(self._out, data))

    def _settle(self, written: asyncio.Future[bool], success: bool) -> None:
        # Not before: what nobody waits for any longer may still be half written.
        self._unwritten -= 1
        if not written.done():
            written.set_result(success)

    def _tell(self, work: Callable[..., object], *args: object) -> None:
        # The loop may have ended before its threads.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(work, *args)


def _claim_stdio() -> tuple[int, int]:
    """Private descriptors of the wire; the public ones lead elsewhere from now on."""
    wire = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    # What is buffered in it would be written at the end.
    sys.stdout = sys.stderr
    return wire


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, CHUNK)
    except OSError:
        return b""


def _has_room(descriptor: int) -> bool:
    """Whether so many bytes can be written now without waiting, where the platform tells."""
    if sys.platform == "win32":
        return False
    looking = select.poll()
    looking.register(descriptor, select.POLLOUT)
    return any(event & select.POLLOUT for _, event in looking.poll(0))


def _write(descriptor: int, data: bytes) -> bool:
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    except OSError:
        return False
    return True
