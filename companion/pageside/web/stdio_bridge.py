"""What an agent says on its lines, and what it hears: every request gets one answer.

What a companion did not take is sent again; what broke off is answered with an error, unless repeating it is harmless.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from pageside.contract import LIMITS
from pageside.core.jsonrpc import (
    INVALID_REQUEST,
    Kind,
    Message,
    NotJsonRpc,
    answer,
    error_answer,
    id_key,
    parse,
)
from pageside.errors import PagesideError
from pageside.web.companions import Companions
from pageside.web.mcp_versions import modern_version
from pageside.web.stdio_link import Link, Tasks, Write
from pageside.web.stdio_remote import CONNECTION_CLOSED, BrokenOff, ClosedForGood, NotTaken, Remote

log = logging.getLogger(__name__)

ATTEMPTS = 3
MAX_CALLS = 256
DRAIN_SECONDS = 1.0
NOT_REPEATED = frozenset({"tools/call", "subscriptions/listen"})


@dataclass(eq=False, slots=True)
class _Call:
    """A request of the client that is not answered. `remote`: who was asked; `sent`: it has arrived there."""

    request: Message
    remote: Remote | None = None
    sent: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Bridge:
    """`await start()`, `await take(line)` for each line of the client, `await stop()`."""

    def __init__(self, write: Write, companions: Companions, query: Mapping[str, str]) -> None:
        self._write = write
        self._link = Link(write, companions, query)
        self._calls: dict[str, _Call] = {}
        self._tasks = Tasks()
        self._following: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Attach to the companion, or start it; raises `PagesideError`."""
        await self._link.attached()
        self._following = self._tasks.start(self._link.follow(lambda: not self._calls), "follow")

    async def drain(self) -> None:
        """There are no more lines: let calls that are all but answered end."""
        calls = [call.task for call in self._calls.values() if call.task is not None]
        if calls:
            await asyncio.wait(calls, timeout=DRAIN_SECONDS)

    async def stop(self) -> None:
        """Drop what is not answered, and end the session."""
        await self._tasks.stop()
        await self._link.stop()

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
                await self._link.tell_answer(message)

    async def _take_request(self, message: Message) -> None:
        refusal = self._refusal(message)
        if refusal is not None:
            text = f"{refusal.error_code}: {refusal.message} What to do: {refusal.fix}"
            await self._write(error_answer(message.id, INVALID_REQUEST, text, refusal.to_json()))
            return
        if message.method == "ping" and self._link.memory.is_empty:
            # The one request that is allowed before there is a session.
            await self._write(answer(message.id, {}))
            return
        call = self._calls[message.key] = _Call(message)
        call.task = self._tasks.start(self._run(call), message.method)

    def _refusal(self, request: Message) -> PagesideError | None:
        if request.key in self._calls:
            return PagesideError(f"The id {request.key} waits for its answer already.", code="BAD_REQUEST")
        if len(self._calls) >= MAX_CALLS:
            return PagesideError(f"{MAX_CALLS} requests wait for an answer already.", code="TOO_MANY")
        if len(request.line) > LIMITS["bodyBytes"]:
            limit = f"The message is larger than {LIMITS['bodyBytes']} bytes."
            return PagesideError(limit, code="TOO_LARGE")
        return None

    async def _take_notification(self, message: Message) -> None:
        if message.method == "notifications/cancelled":
            self._cancel(message)
        elif message.method == "notifications/initialized":
            await self._link.initialized(message)
        elif modern_version(message) is None:
            await self._link.tell(message)

    def _cancel(self, message: Message) -> None:
        call = self._calls.pop(id_key(message.params.get("requestId")), None)
        if call is None or call.task is None:
            return
        if call.remote is None or modern_version(call.request) is not None:
            # Since 2026-07-28 the end of the stream says it all.
            call.task.cancel()
        else:
            call.task = self._tasks.start(self._cancel_there(call, message), "cancel")

    async def _cancel_there(self, call: _Call, message: Message) -> None:
        # What overtakes its request cancels nothing.
        await call.sent.wait()
        await self._link.tell(message)

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
        request, link = call.request, self._link
        for _ in range(ATTEMPTS):
            remote = call.remote = await self._remote_for(request)
            try:
                await remote.exchange(request, lambda message: self._deliver(call, message), call.sent)
                return
            except NotTaken:
                link.lose(remote)
            except BrokenOff:
                link.lose(remote)
                if request.method in NOT_REPEATED:
                    break
            except ClosedForGood as reason:
                link.close(remote, str(reason))
        what = request.params.get("name") or request.method
        raise PagesideError(f"The companion ended while {what} was running.", code="COMPANION_LOST")

    async def _remote_for(self, request: Message) -> Remote:
        if request.method == "initialize":
            await self._link.begin_anew()
        elif modern_version(request) is None:
            if self._link.closed:
                raise PagesideError(self._link.closed, code="SESSION_CLOSED")
            if self._link.memory.is_empty:
                raise PagesideError("Send 'initialize' first.", code="BAD_REQUEST")
        return await self._link.attached()

    async def _deliver(self, call: _Call, message: Message) -> None:
        if message.kind is not Kind.ANSWER or message.key != call.request.key:
            await self._write(message.line)
        elif self._calls.get(message.key) is call:
            del self._calls[message.key]
            if not message.failed:
                self._link.memory.note_answered(call.request)
            await self._write(message.line)

    async def _fail(self, call: _Call, error: PagesideError) -> None:
        if self._calls.get(call.request.key) is call:
            text = f"{error.error_code}: {error.message} What to do: {error.fix}"
            await self._write(error_answer(call.request.id, CONNECTION_CLOSED, text, error.to_json()))
