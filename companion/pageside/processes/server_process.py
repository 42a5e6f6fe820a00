"""One program in the background: its output as it comes, its end, and the end of all that it started.

A supervisor stands between (`supervisor.py`), so that it does not outlive a companion that is killed. On Windows there
is none: there, a program outlives a killed companion.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from pageside.processes import supervisor

log = logging.getLogger(__name__)

OnOutput = Callable[[str, bytes], None]
OnEnd = Callable[[int | None], None]

LAST_OUTPUT_SECONDS = 1.0
"""For what is still in the pipes when a program has ended; somebody may hold them open for ever."""
_STREAMS = {1: "stdout", 2: "stderr"}


class ServerProcess:
    """`await ServerProcess.start(…)`; `on_end(code)` comes once, after all output (None: nobody knows the code)."""

    def __init__(self, on_end: OnEnd) -> None:
        self._on_end = on_end
        self._created: float | None = None
        self._watch: asyncio.Task[None] | None = None
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self.pid = 0

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        cwd: Path,
        environment: Mapping[str, str],
        on_output: OnOutput,
        on_end: OnEnd,
    ) -> ServerProcess:
        """Start it, in a session of its own and without input; raises `OSError`."""
        process = cls(on_end)
        transport, output = await process._spawn(argv, cwd, environment, on_output)
        try:
            process.pid = await process._told_pid(transport)
            process._created = await asyncio.to_thread(_created, process.pid)
        except BaseException:
            if process._writer is not None:
                process._writer.close()
                # What it may have started by now is ended by it, not by us.
                await output.exited.wait()
            transport.close()
            raise
        process._watch = asyncio.create_task(process._follow(transport, output), name=f"server-{process.pid}")
        return process

    async def stop(self) -> None:
        """Ask all of it to end, and end it after 3 s; returns when that is done and `on_end` was called."""
        self._hang_up()
        if self._writer is None:
            await asyncio.to_thread(_end_tree, self.pid, self._created)
        if self._watch is not None:
            await asyncio.wait([self._watch])

    async def _spawn(
        self, argv: Sequence[str], cwd: Path, environment: Mapping[str, str], on_output: OnOutput
    ) -> tuple[asyncio.SubprocessTransport, _Output]:
        given: dict[str, Any] = {"stdin": subprocess.DEVNULL, "env": dict(environment)}
        loop = asyncio.get_running_loop()
        if sys.platform == "win32":
            return await loop.subprocess_exec(lambda: _Output(on_output), *argv, cwd=cwd, **given)
        ours, theirs = socket.socketpair()
        try:
            # It stays in the companion's own folder, as nothing in the project shall get into its imports.
            supervised = (sys.executable, "-P", supervisor.__file__, str(theirs.fileno()), str(cwd), *argv)
            given |= {"pass_fds": (theirs.fileno(),), "start_new_session": True}
            transport, output = await loop.subprocess_exec(lambda: _Output(on_output), *supervised, **given)
            self._reader, self._writer = await asyncio.open_connection(sock=ours)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        return transport, output

    async def _told_pid(self, transport: asyncio.SubprocessTransport) -> int:
        if self._reader is None:
            return transport.get_pid() or 0
        told = await _heard(self._reader)
        if "pid" not in told:
            raise OSError(str(told.get("error", "its supervisor did not start")))
        return int(told["pid"])

    async def _follow(self, transport: asyncio.SubprocessTransport, output: _Output) -> None:
        code: int | None = None
        if self._reader is not None:
            code = (await _heard(self._reader)).get("exit")
            if code is None:
                log.warning("the supervisor of process %d is gone", self.pid)
                await asyncio.to_thread(_end_tree, self.pid, self._created)
        await output.exited.wait()
        with suppress(TimeoutError):
            await asyncio.wait_for(output.closed.wait(), LAST_OUTPUT_SECONDS)
        if self._writer is not None:
            self._writer.close()
        self._on_end(code if self._reader is not None else transport.get_returncode())
        transport.close()

    def _hang_up(self) -> None:
        """Which tells the supervisor to end it; what it says about that can still be heard."""
        if self._writer is not None and not self._writer.is_closing():
            with suppress(OSError):
                self._writer.write_eof()


class _Output(asyncio.SubprocessProtocol):
    def __init__(self, on_output: OnOutput) -> None:
        self._on_output = on_output
        self.exited, self.closed = asyncio.Event(), asyncio.Event()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._on_output(_STREAMS[fd], data)

    def process_exited(self) -> None:
        self.exited.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set()


async def _heard(supervised: asyncio.StreamReader) -> dict[str, Any]:
    """What a supervisor says next; nothing when it is gone."""
    try:
        told = json.loads(await supervised.readline())
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _created(pid: int) -> float | None:
    with suppress(psutil.Error):
        return psutil.Process(pid).create_time()
    return None


def _end_tree(pid: int, created: float | None) -> None:
    """That very process and its descendants; the pid may be another's by now."""
    try:
        root = psutil.Process(pid)
        if created is None or root.create_time() != created:
            return
        tree = [root, *root.children(recursive=True)]
    except psutil.Error:
        return
    for process in tree:
        with suppress(psutil.Error):
            process.terminate()
    for process in psutil.wait_procs(tree, supervisor.GRACE_SECONDS)[1]:
        with suppress(psutil.Error):
            process.kill()
