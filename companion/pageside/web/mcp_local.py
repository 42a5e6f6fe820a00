"""The session of this process's own client with the companion that runs in it: messages are handed over.

To who asks it is a `Remote`, without a connection, HTTP, tokens and event streams in between: they would be most of
what a call costs. Messages of 2026-07-28 and later, which know no sessions, go over HTTP all the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

import aiohttp
import anyio
import mcp_types as t
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.runner import serve_loop
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from pageside.agents.identity import IN_PROCESS
from pageside.agents.server import AgentServer
from pageside.core.jsonrpc import Kind, Message, error_answer, id_key, parse
from pageside.web.mcp_versions import modern_version
from pageside.web.stdio_remote import (
    END_SECONDS,
    INTERNAL_ERROR,
    BrokenOff,
    ClosedForGood,
    Deliver,
    NotTaken,
    Place,
    Remote,
)

log = logging.getLogger(__name__)

Inbox = MemoryObjectSendStream[SessionMessage | Exception]
Outbox = MemoryObjectReceiveStream[SessionMessage]
Waiting = asyncio.Future[Message | None]
_KINDS: dict[type[object], Kind] = {
    t.JSONRPCRequest: Kind.REQUEST,
    t.JSONRPCNotification: Kind.NOTIFICATION,
    t.JSONRPCResponse: Kind.ANSWER,
    t.JSONRPCError: Kind.ANSWER,
}


class Local(Remote):
    """One at a time in a process. `initialize` begins the session, `end` or the companion ends it."""

    def __init__(
        self, server: AgentServer, http: aiohttp.ClientSession, place: Place, query: Mapping[str, str]
    ) -> None:
        super().__init__(http, place, query)
        self._server, self._parsed = server, server.parse_query(query)
        self._waiting: dict[str, Waiting] = {}
        self._hear: Deliver | None = None
        self._inbox: Inbox | None = None
        self._serving: asyncio.Task[None] | None = None
        self._over = asyncio.Event()

    async def exchange(self, request: Message, deliver: Deliver, sent: asyncio.Event | None = None) -> None:
        if modern_version(request) is not None:
            await super().exchange(request, deliver, sent)
            return
        if request.method == "initialize" and self._inbox is None:
            self._begin()
        self._hear = self._hear or deliver
        waiting: Waiting = asyncio.get_running_loop().create_future()
        self._waiting[request.key] = waiting
        try:
            await self._hand_over(request)
            if sent is not None:
                sent.set()
            answer = await waiting
        finally:
            if self._waiting.get(request.key) is waiting:
                del self._waiting[request.key]
        if answer is not None:
            await deliver(answer)

    async def notify(self, message: Message) -> None:
        # Its id may be used again before this is handed over.
        cancelled = self._waiting.get(id_key(message.params.get("requestId")))
        await self._hand_over(message)
        if message.method == "notifications/cancelled":
            # What was cancelled has no answer.
            self._settle(cancelled, None)

    async def listen(self, deliver: Deliver, opened: asyncio.Event) -> None:
        self._hear = deliver
        opened.set()
        await self._over.wait()
        raise self._gone()

    async def check(self) -> None:
        if self._inbox is None or self._over.is_set():
            raise self._gone()

    async def end(self) -> None:
        if self._serving is None:
            return
        self._close()
        _, late = await asyncio.wait({self._serving}, timeout=END_SECONDS)
        for task in late:
            task.cancel()
            await asyncio.wait({task}, timeout=END_SECONDS)

    # The session

    def _begin(self) -> None:
        self._inbox, read = anyio.create_memory_object_stream[SessionMessage | Exception]()
        write, outbox = anyio.create_memory_object_stream[SessionMessage]()
        self._server.remember(IN_PROCESS, self._parsed, self._close)
        self.session = IN_PROCESS
        self._serving = asyncio.create_task(self._serve(read, write, outbox), name="mcp-local")

    def _close(self) -> None:
        if self._inbox is not None:
            self._inbox.close()

    async def _serve(
        self,
        read: MemoryObjectReceiveStream[SessionMessage | Exception],
        write: MemoryObjectSendStream[SessionMessage],
        outbox: Outbox,
    ) -> None:
        passing = asyncio.create_task(self._pass_on(outbox), name="mcp-local-answers")
        options = self._server.create_initialization_options()
        try:
            async with self._server.lifespan(self._server) as state:
                await serve_loop(self._server, read, write, lifespan_state=state, init_options=options)
            await passing
        finally:
            passing.cancel()
            self._server.forget(IN_PROCESS)
            self._over.set()
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(self._gone(BrokenOff))

    def _gone(self, else_so: type[Exception] = NotTaken) -> Exception:
        reason = self._server.why_closed(IN_PROCESS)
        return ClosedForGood(reason) if reason is not None else else_so()

    # Messages

    async def _hand_over(self, message: Message) -> None:
        if self._inbox is None:
            raise NotTaken
        try:
            await self._inbox.send(SessionMessage(_to_sdk(message)))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            raise self._gone() from None

    async def _pass_on(self, outbox: Outbox) -> None:
        async with outbox:
            async for each in outbox:
                message = from_sdk(each.message)
                if message.kind is Kind.ANSWER:
                    self._settle(self._waiting.get(message.key), message)
                elif self._hear is not None:
                    if message.kind is Kind.REQUEST:
                        self.asked.add(message.key)
                    await self._hear(message)

    def _settle(self, waiting: Waiting | None, answer: Message | None) -> None:
        if waiting is None or waiting.done():
            return
        if answer is not None and answer.failed and self._server.why_closed(IN_PROCESS) is not None:
            waiting.set_exception(self._gone())
        else:
            waiting.set_result(answer)


def _to_sdk(message: Message) -> t.JSONRPCMessage:
    params = dict(message.params) or None
    match message.kind:
        case Kind.REQUEST:
            return t.JSONRPCRequest(jsonrpc="2.0", id=message.id, method=message.method, params=params)
        case Kind.NOTIFICATION:
            return t.JSONRPCNotification(jsonrpc="2.0", method=message.method, params=params)
        case Kind.ANSWER:
            return _answer_to_sdk(message)


def _answer_to_sdk(message: Message) -> t.JSONRPCMessage:
    try:
        return t.jsonrpc_message_adapter.validate_json(message.line, by_name=False)
    except ValidationError:
        error = t.ErrorData(code=t.INVALID_REQUEST, message="The client's answer is no valid one.")
        return t.JSONRPCError(jsonrpc="2.0", id=message.id, error=error)


def from_sdk(message: t.JSONRPCMessage) -> Message:
    """The message as a line."""
    try:
        line = message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    except ValueError:
        log.exception("a message to the client cannot be written")
        return parse(
            error_answer(getattr(message, "id", None), INTERNAL_ERROR, "The answer is no valid text.")
        )
    method = getattr(message, "method", "")
    failed = isinstance(message, t.JSONRPCError)
    return Message(line, _KINDS[type(message)], getattr(message, "id", None), method, {}, failed)
