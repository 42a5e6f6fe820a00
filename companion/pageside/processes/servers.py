"""The servers of one companion: those that agents started, which end with it, and those that carry the Vite plugin."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import psutil

from pageside.core.signals import Signal
from pageside.errors import InvalidArguments, ServerNotFound, ServerRunning, ShuttingDown, TooMany
from pageside.processes.server import Attached, By, Server
from pageside.processes.server_process import ServerProcess
from pageside.settings import ServerSettings

log = logging.getLogger(__name__)

MAX_RUNNING = 8
MAX_KEPT = 16
"""Servers in the list, those that ended included; attached ones that live are not counted."""
SETTLE_SECONDS = 5.0
"""So long a start waits for an address or an end."""

Tell = Callable[[str, Literal["info", "warning", "error"], Mapping[str, Any]], object]
"""Takes note of what happened to a server: a sentence, how grave it is, and data."""

_DEFAULT = ServerSettings()
_TOKEN = re.compile(r"PAGESIDE_.*TOKEN", re.IGNORECASE)


def _untold(_text: str, _level: str, _data: Mapping[str, Any]) -> None:
    """Nobody takes note."""


class Servers:
    """`settings` say how much of each log is kept. After `close()` nothing runs and nothing starts."""

    def __init__(self, settings: ServerSettings = _DEFAULT, tell: Tell = _untold) -> None:
        self.settings = settings
        self._tell = tell
        self._servers: dict[str, Server] = {}
        self._starting: dict[str, str] = {}
        self._one_less = asyncio.Event()
        """Set when a start has come to something, or to nothing."""
        self._joining: set[asyncio.Task[None]] = set()
        self._closed = False
        self.agreed: set[tuple[object, ...]] = set()
        """What the user has agreed to, for as long as the companion lives."""
        self.changes: Signal[()] = Signal()
        """Of the servers there are, where they are reached, and whether they live."""

    # Who is there

    def all(self) -> list[Server]:
        """Those that live and the last ones that ended, in the order in which they came."""
        return list(self._servers.values())

    def find(self, name: str | None) -> Server:
        """The one of that id; without one, the only one. Raises `ServerNotFound` naming those there are."""
        if name is None and len(self._servers) == 1:
            return next(iter(self._servers.values()))
        if name is not None and name in self._servers:
            return self._servers[name]
        ids = ", ".join(f"{server.id} ({server.status})" for server in self.all())
        there = f"there are: {ids}" if ids else "there is none"
        what = (
            f"There is no server {name!r}; {there}."
            if name is not None
            else f"Name a server by 'id'; {there}."
        )
        raise ServerNotFound(what, data={"argument": "id", "allowed": list(self._servers)})

    @property
    def held_by_own(self) -> int:
        """How many dev servers with the plugin were started here: they do not live without this companion."""
        return sum(len(server.carries_plugin) for server in self.all() if server.alive)

    def forget_reader(self, reader: str) -> None:
        """Nobody of that name reads logs any more."""
        for server in self.all():
            server.log.forget(reader)

    # Started ones

    async def start(
        self,
        name: str,
        argv: Sequence[str],
        cwd: Path,
        environment: Mapping[str, str],
        *,
        program: str | None = None,
        asked_by: str = "an agent",
    ) -> Server:
        """Start it, and wait a moment until it tells an address or ends; it may have ended when this returns.

        `program` is run if that is another name of `argv[0]`; `environment` is added to the companion's own. Raises
        `ServerRunning`, `TooMany`, and `InvalidArguments` when the system cannot start it.
        """
        self.check_room(name)
        command = shlex.join(argv)
        server = Server(name, command, str(cwd), "agent", self.settings.log_lines)
        changed = asyncio.Event()

        def on_change() -> None:
            changed.set()
            self.changes.tell()

        server.on_change = on_change
        self._starting[name] = command
        log.info(
            "start_server %r for %s: %s in %s with %s", name, asked_by, command, cwd, sorted(environment)
        )
        try:
            server.process = await ServerProcess.start(
                (program or argv[0], *argv[1:]),
                cwd,
                _environment(environment),
                server.log.write,
                lambda code: self._over(server, code),
            )
        except OSError as error:
            raise InvalidArguments(
                f"'command': {argv[0]!r} cannot be started: {error}.", data={"argument": "command"}
            ) from error
        finally:
            del self._starting[name]
            self._one_less.set()
        server.pid = server.process.pid
        self._list(server)
        self._tell(f"Server {name!r} started: {command}", "info", {"id": name, "pid": server.pid})
        if self._closed:
            await self._end(server, "The companion ends.")
        try:
            await _within(SETTLE_SECONDS, changed)
        finally:
            server.settled = True
            self.changes.tell()
        return server

    def check_room(self, name: str) -> None:
        """Raises `ServerRunning` when the id is in use, `TooMany` when 8 run, `ShuttingDown` after `close()`."""
        if self._closed:
            raise ShuttingDown("The companion ends; nothing is started any more.")
        there = self._servers.get(name)
        if name in self._starting or (there is not None and there.alive):
            command = there.command if there is not None and there.alive else self._starting[name]
            raise ServerRunning(f"'id': a server {name!r} runs already: {command}.", data={"argument": "id"})
        running = [each.id for each in self.all() if each.process is not None and each.alive]
        if len(running) + len(self._starting) >= MAX_RUNNING:
            names = ", ".join([*running, *self._starting])
            raise TooMany(
                f"{MAX_RUNNING} servers run: {names}.",
                fix="Stop one of them with stop_server, then call again.",
            )

    def _list(self, server: Server) -> None:
        """In the place of an earlier one of its id, which is over; the oldest of those that are over makes room."""
        earlier = self._servers.pop(server.id, None)
        if earlier is not None:
            server.log.note(f"An earlier server of this id is over. {earlier.why}")
        self._servers[server.id] = server
        over = [each for each in self.all() if not each.alive]
        for old in over[: max(0, len(self._servers) - MAX_KEPT)]:
            del self._servers[old.id]
        self.changes.tell()

    async def stop(self, name: str) -> Server:
        """End it and all that it started; one that is over already stays as it is.

        Raises `ServerNotFound`, and `InvalidArguments` for one that was not started here.
        """
        server = self.find(name)
        if server.alive and server.process is None:
            raise InvalidArguments(
                f"'id': {name!r} was started by the user ({server.command}), not by start_server.",
                fix="Ask the user to stop it, in the terminal where it runs.",
                data={"argument": "id"},
            )
        await self._end(server, "It was stopped with stop_server.")
        return server

    async def _end(self, server: Server, why: str) -> None:
        if server.alive and server.process is not None:
            server.why = why
            await server.process.stop()

    def _over(self, server: Server, code: int | None) -> None:
        said = (
            "with an unknown exit code"
            if code is None
            else f"with exit code {code}"
            if code >= 0
            else _signal(code)
        )
        if server.why:
            server.end("stopped", server.why, code)
            self._tell(f"Server {server.id!r} was stopped", "info", {"id": server.id})
            return
        server.end("exited", f"It ended {said}.", code)
        level: Literal["info", "error"] = "error" if code else "info"
        self._tell(f"Server {server.id!r} ended {said}", level, {"id": server.id, "exitCode": code})

    async def close(self) -> None:
        """End all that were started here; nothing is started afterwards."""
        self._closed = True
        for task in self._joining:
            task.cancel()
        while self._starting:
            self._one_less.clear()
            await self._one_less.wait()
        await asyncio.gather(*(self._end(server, "The companion ends.") for server in self.all()))

    # Attached ones

    def attach(
        self,
        name: str,
        *,
        pid: int | None,
        cwd: str,
        command: str,
        urls: Sequence[str],
        by: By = "vite plugin",
    ) -> Attached:
        """List a server that was started elsewhere, until it is detached; with a number after `name` if that is taken.

        If its process is one of a server that was started here, or below it, the two are listed as one.
        """
        server = Server(self._free(name, cwd, by), command, cwd, by, self.settings.log_lines)
        server.pid, server.settled, server.on_change = pid, True, self.changes.tell
        self._list(server)
        attached = Attached(server, pid)
        attached.urls = urls
        if pid is not None and any(each.process is not None and each.alive for each in self.all()):
            task = asyncio.create_task(self._join(attached, server), name=f"join-{server.id}")
            self._joining.add(task)
            task.add_done_callback(self._joining.discard)
        return attached

    def _free(self, name: str, cwd: str, by: By) -> str:
        """An id of its own, or that of one like it that is over."""
        number = 1
        while True:
            wanted = name if number == 1 else f"{name}-{number}"
            there = self._servers.get(wanted)
            is_same = there is not None and not there.alive and (there.by, there.cwd) == (by, cwd)
            if wanted not in self._starting and (there is None or is_same):
                return wanted
            number += 1

    async def _join(self, attached: Attached, listed: Server) -> None:
        pids = await asyncio.to_thread(_lineage, attached.pid)
        for server in self.all():
            if server.process is not None and server.alive and server.pid in pids:
                attached.join(server)
                if self._servers.get(listed.id) is listed:
                    del self._servers[listed.id]
                    self.changes.tell()
                return


async def _within(seconds: float, event: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        """It goes on without a word."""


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    """The companion's own without its secrets, and what is asked for."""
    return {name: value for name, value in os.environ.items() if not _TOKEN.fullmatch(name)} | dict(more)


def _signal(code: int) -> str:
    return f"by signal {-code}"


def _lineage(pid: int | None) -> set[int]:
    """That process and those above it. Blocks."""
    try:
        process = psutil.Process(pid)
        return {process.pid, *(each.pid for each in process.parents())}
    except (psutil.Error, ValueError, OverflowError):
        return set()
