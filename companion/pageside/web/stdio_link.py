"""The link to whichever companion the project has now.

A companion that ended is looked for (or started) again, and gets the client's handshake once more, whose answers the
client does not see.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any

from pageside.core.jsonrpc import Message
from pageside.errors import PagesideError
from pageside.web.companions import Companions
from pageside.web.stdio_memory import Memory
from pageside.web.stdio_remote import BrokenOff, ClosedForGood, NotTaken, Remote

log = logging.getLogger(__name__)

FOLLOW_SECONDS = 1.0
OPEN_SECONDS = 1.0

Write = Callable[[bytes], Awaitable[None]]


class Tasks:
    """Tasks that are cancelled together."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work, name=f"stdio-{name}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def stop(self) -> None:
        tasks = list(self._running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Link:
    """`await attached()` whenever a companion is needed, `await stop()` once."""

    def __init__(self, write: Write, companions: Companions, query: Mapping[str, str]) -> None:
        self._write, self._companions, self._query = write, companions, query
        self.memory = Memory()
        self.closed = ""
        """Why the companion ended the session for good; empty if it did not."""
        self._remote: Remote | None = None
        self._attaching = asyncio.Lock()
        self._tasks = Tasks()
        self._listening: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        """End the session."""
        await self._tasks.stop()
        if self._remote is not None:
            await self._remote.end()

    async def attached(self) -> Remote:
        """The companion that has been told all it must know; raises `PagesideError` if there can be none."""
        async with self._attaching:
            if self._remote is None:
                remote = self._companions.session(await self._companions.ensure(), self._query)
                if not self.closed:
                    await self._replay(remote)
                self._remote = remote
                log.info("attached to the companion on port %d", remote.place.port)
                await self._listen()
            return self._remote

    async def begin_anew(self) -> None:
        """The client starts a session of its own accord: what was before is over."""
        async with self._attaching:
            remote, self.closed, self.memory = self._remote, "", Memory()
            if remote is not None and remote.session:
                self.lose(remote)
                await remote.end()

    async def initialized(self, message: Message) -> None:
        """The client's handshake is complete."""
        self.memory.note_initialized(message)
        await self.tell(message)
        await self._listen()

    async def tell(self, message: Message) -> None:
        """Pass on a notification or an answer, if there is anybody to take it."""
        remote = self._remote
        if remote is None:
            log.debug("no companion for %s", message.method or "an answer")
            return
        try:
            await remote.notify(message)
        except (NotTaken, BrokenOff):
            self.lose(remote)
        except ClosedForGood as reason:
            self.close(remote, str(reason))

    async def tell_answer(self, message: Message) -> None:
        """Pass on an answer, if its question came from the companion that is there now."""
        if self._remote is not None and message.key in self._remote.asked:
            self._remote.asked.discard(message.key)
            await self.tell(message)

    def lose(self, remote: Remote) -> None:
        """The companion, or the session with it, is gone."""
        if self._remote is remote:
            log.info("the companion on port %d, or its session, is gone", remote.place.port)
            self._remote = None
            self._stop_listening()

    def close(self, remote: Remote, reason: str) -> None:
        """Another client has this one's place: taking it back would take it in turns for ever."""
        log.warning("%s", reason)
        self.closed = reason
        self.lose(remote)

    async def follow(self, is_idle: Callable[[], bool]) -> None:
        """Go where the project's companion is, whenever nobody waits for an answer."""
        while True:
            await asyncio.sleep(FOLLOW_SECONDS)
            if is_idle() and not self.closed:
                try:
                    await self._go_along()
                    await self._companions.prepare()
                except PagesideError as error:
                    log.debug("not attached: %s", error.message)

    async def _go_along(self) -> None:
        if self._remote is None:
            if await self._companions.find() is not None:
                await self.attached()
        elif await self._companions.registered() not in (None, self._remote.place):
            self.lose(self._remote)

    async def _replay(self, remote: Remote) -> None:
        try:
            await self.memory.replay(remote)
        except (NotTaken, BrokenOff, ClosedForGood) as error:
            raise PagesideError("The companion ended while it was asked.", code="COMPANION_LOST") from error

    async def _listen(self) -> None:
        """Open the stream on which the companion speaks by itself, and keep it open."""
        self._stop_listening()
        remote = self._remote
        if remote is not None and remote.session and self.memory.initialized and not self.closed:
            opened = asyncio.Event()
            self._listening = self._tasks.start(self._hear(remote, opened), "listen")
            with suppress(TimeoutError):
                async with asyncio.timeout(OPEN_SECONDS):
                    await opened.wait()

    def _stop_listening(self) -> None:
        listening, self._listening = self._listening, None
        if listening is not None:
            listening.cancel()

    async def _hear(self, remote: Remote, opened: asyncio.Event) -> None:
        async def to_client(message: Message) -> None:
            await self._write(message.line)

        try:
            await remote.listen(to_client, opened)
        except NotTaken:
            self.lose(remote)
        except ClosedForGood as reason:
            self.close(remote, str(reason))
        finally:
            opened.set()
