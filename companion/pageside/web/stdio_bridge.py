"""Messages between an agent's lines and whichever companion its project has now.

A companion that ended is looked for (or started) again, and gets the client's handshake once more, whose answers the
client does not see. What it did not take is sent again; what broke off is answered with an error, unless repeating it
is harmless.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from pageside.core.jsonrpc import INVALID_REQUEST, Kind, Message, NotJsonRpc, error_answer, id_key, parse
from pageside.errors import PagesideError
from pageside.web.companions import Companions
from pageside.web.mcp_versions import modern_version
from pageside.web.stdio_memory import Memory
from pageside.web.stdio_remote import CONNECTION_CLOSED, BrokenOff, ClosedForGood, NotTaken, Remote

log = logging.getLogger(__name__)

ATTEMPTS = 3
FOLLOW_SECONDS = 1.0
DRAIN_SECONDS = 1.0
NOT_REPEATED = frozenset({"tools/call", "subscriptions/listen"})

Write = Callable[[bytes], Awaitable[None]]


@dataclass(eq=False, slots=True)
class _Call:
    """A request of the client that is not answered."""

    request: Message
    remote: Remote | None = None
    sent: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Bridge:
    """`await start()`, `await take(line)` for each line of the client, `await stop()`."""

    def __init__(
        self,
        write: Write,
        companions: Companions,
        http: aiohttp.ClientSession,
        query: Mapping[str, str],
    ) -> None:
        self._write, self._companions, self._http, self._query = write, companions, http, query
        self._memory = Memory()
        self._calls: dict[str, _Call] = {}
        self._remote: Remote | None = None
        self._attaching = asyncio.Lock()
        self._closed = ""
        self._tasks: set[asyncio.Task[None]] = set()
        self._listening: asyncio.Task[None] | None = None
        self._following: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Attach to the companion, or start it; raises `PagesideError`."""
        await self._attached()
        self._following = self._spawn(self._follow(), "follow")

    async def drain(self) -> None:
        """There are no more lines: let calls that are all but answered end."""
        calls = [call.task for call in self._calls.values() if call.task is not None]
        if calls:
            await asyncio.wait(calls, timeout=DRAIN_SECONDS)

    async def stop(self) -> None:
        """Drop what is not answered, and end the session."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._remote is not None:
            await self._remote.end()

    async def take(self, line: bytes) -> None:
        """One line of the client."""
        try:
            message = parse(line)
        except NotJsonRpc as error:
            await self._write(error_answer(error.id, error.code, error.message))
            return
        match message.kind:
            case Kind.REQUEST:
                await self._take_request(message)
            case Kind.NOTIFICATION:
                await self._take_notification(message)
            case Kind.ANSWER:
                await self._take_answer(message)

    # From the client

    async def _take_request(self, message: Message) -> None:
        if message.key in self._calls:
            text = f"A request with the id {message.key} is being answered already."
            await self._write(error_answer(message.id, INVALID_REQUEST, text))
            return
        call = self._calls[message.key] = _Call(message)
        call.task = self._spawn(self._run(call), message.method)

    async def _take_notification(self, message: Message) -> None:
        if message.method == "notifications/cancelled":
            self._cancel(message)
        elif self._memory.note_notification(message):
            await self._tell(message)
            self._listen()
        elif modern_version(message) is None:
            await self._tell(message)

    async def _take_answer(self, message: Message) -> None:
        if self._remote is not None and message.key in self._remote.asked:
            self._remote.asked.discard(message.key)
            await self._tell(message)

    def _cancel(self, message: Message) -> None:
        call = self._calls.pop(id_key(message.params.get("requestId")), None)
        if call is None or call.task is None:
            return
        if call.remote is None or modern_version(call.request) is not None:
            # Since 2026-07-28 the end of the stream says it all.
            call.task.cancel()
        else:
            call.task = self._spawn(self._cancel_there(call, message), "cancel")

    async def _cancel_there(self, call: _Call, message: Message) -> None:
        # What overtakes its request cancels nothing.
        await call.sent.wait()
        await self._tell(message)

    async def _tell(self, message: Message) -> None:
        remote = self._remote
        if remote is None:
            log.debug("no companion for %s", message.method or "an answer")
            return
        try:
            await remote.notify(message)
        except (NotTaken, BrokenOff):
            self._lose(remote)
        except ClosedForGood as reason:
            self._close(remote, str(reason))

    # Calls

    async def _run(self, call: _Call) -> None:
        try:
            await self._ask(call)
        except PagesideError as error:
            await self._fail(call, error)
        except Exception:
            log.exception("%s failed", call.request.method)
            await self._fail(call, PagesideError(f"{call.request.method} failed inside the bridge."))
        finally:
            call.sent.set()
            if self._calls.get(call.request.key) is call:
                del self._calls[call.request.key]

    async def _ask(self, call: _Call) -> None:
        request = call.request
        for _ in range(ATTEMPTS):
            remote = call.remote = await self._remote_for(request)
            try:
                await remote.exchange(request, lambda message: self._deliver(call, message), call.sent)
                return
            except NotTaken:
                self._lose(remote)
            except BrokenOff:
                self._lose(remote)
                if request.method in NOT_REPEATED:
                    raise _lost(request) from None
            except ClosedForGood as reason:
                self._close(remote, str(reason))
        raise _lost(request)

    async def _remote_for(self, request: Message) -> Remote:
        if request.method == "initialize":
            await self._begin_anew()
        elif modern_version(request) is None:
            if self._closed:
                raise PagesideError(self._closed, code="SESSION_CLOSED")
            if self._memory.is_empty and request.method != "ping":
                raise PagesideError("Send 'initialize' first.", code="BAD_REQUEST")
        return await self._attached()

    async def _begin_anew(self) -> None:
        """The client starts a session of its own accord: what was before is over."""
        async with self._attaching:
            remote, self._closed = self._remote, ""
            self._memory = Memory()
            if remote is not None and remote.session:
                self._lose(remote)
                await remote.end()

    async def _deliver(self, call: _Call, message: Message) -> None:
        if message.kind is not Kind.ANSWER or message.key != call.request.key:
            await self._write(message.line)
        elif self._calls.get(message.key) is call:
            del self._calls[message.key]
            if not message.failed:
                self._memory.note_answered(call.request)
            await self._write(message.line)

    async def _fail(self, call: _Call, error: PagesideError) -> None:
        if self._calls.get(call.request.key) is call:
            text = f"{error.error_code}: {error.message} What to do: {error.fix}"
            answer = error_answer(call.request.id, CONNECTION_CLOSED, text, error.to_json())
            await self._write(answer)

    # The companion

    async def _attached(self) -> Remote:
        async with self._attaching:
            if self._remote is None:
                remote = Remote(self._http, await self._companions.ensure(), self._query)
                if not self._closed:
                    await self._replay(remote)
                self._remote = remote
                log.info("attached to the companion on port %d", remote.place.port)
                self._listen()
            return self._remote

    async def _replay(self, remote: Remote) -> None:
        try:
            await self._memory.replay(remote)
        except (NotTaken, BrokenOff, ClosedForGood) as error:
            raise PagesideError(
                "The companion ended while it was being asked.", code="COMPANION_LOST"
            ) from error

    def _lose(self, remote: Remote) -> None:
        if self._remote is remote:
            log.info("the companion on port %d, or its session, is gone", remote.place.port)
            self._remote = None
            self._stop_listening()

    def _close(self, remote: Remote, reason: str) -> None:
        """Another client has this one's place: taking it back would take it in turns for ever."""
        log.warning("%s", reason)
        self._closed = reason
        self._lose(remote)

    def _listen(self) -> None:
        """Keep the stream open on which the companion speaks by itself."""
        self._stop_listening()
        remote = self._remote
        if remote is not None and remote.session and self._memory.initialized and not self._closed:
            self._listening = self._spawn(self._hear(remote), "listen")

    def _stop_listening(self) -> None:
        listening, self._listening = self._listening, None
        if listening is not None:
            listening.cancel()

    async def _hear(self, remote: Remote) -> None:
        async def to_client(message: Message) -> None:
            await self._write(message.line)

        try:
            await remote.listen(to_client)
        except NotTaken:
            self._lose(remote)
        except ClosedForGood as reason:
            self._close(remote, str(reason))

    async def _follow(self) -> None:
        """Go where the project's companion is, if nobody waits for an answer of another one."""
        while True:
            await asyncio.sleep(FOLLOW_SECONDS)
            try:
                if self._calls or self._closed:
                    continue
                if self._remote is None:
                    if await self._companions.find() is not None:
                        await self._attached()
                elif await self._companions.registered() not in (None, self._remote.place):
                    self._lose(self._remote)
            except PagesideError as error:
                log.debug("not attached: %s", error.message)

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work, name=f"stdio-{name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _lost(request: Message) -> PagesideError:
    return PagesideError(
        f"The companion ended while {request.params.get('name') or request.method} was running.",
        code="COMPANION_LOST",
    )
