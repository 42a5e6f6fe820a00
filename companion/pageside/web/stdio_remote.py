"""One session with one companion over its Streamable HTTP endpoint; messages go through as they are.

The SDK's client transport is not used here: it ends as a whole when one connection is refused, and does not tell
a request that was never taken (which may be sent again) from one that broke off.
"""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from dataclasses import dataclass
from typing import Any

import aiohttp

from pageside.core.jsonrpc import Kind, Message, error_answer, parse
from pageside.core.lines import EventDecoder
from pageside.web.mcp_versions import (
    SESSION,
    modern_headers,
    modern_version,
    negotiated_version,
    session_headers,
)
from pageside.web.routes import MCP

Deliver = Callable[[Message], Awaitable[None]]

CLOSED = "Session closed: "
"""How the reason begins with which a companion ends a session for good (`AgentServer.why_closed`)."""
CONNECTION_CLOSED = -32000
INTERNAL_ERROR = -32603
PING = parse(b'{"jsonrpc": "2.0", "id": "pageside-alive", "method": "ping"}')
RETRY_SECONDS = 0.5
NOTICE_SECONDS = 5.0
END_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a companion listens, and what it asks of agents."""

    pid: int
    port: int
    token: str

    @property
    def mcp_url(self) -> str:
        return f"http://127.0.0.1:{self.port}{MCP}"


class NotTaken(Exception):
    """The companion is not there, or does not know the session: nothing was done."""


class BrokenOff(Exception):
    """The connection was lost before the answer: what was done is unknown."""


class ClosedForGood(Exception):
    """The companion ended the session for a reason, which is the text."""


class Remote:
    """A companion and, once `initialize` was answered, the session with it."""

    def __init__(self, http: aiohttp.ClientSession, place: Place, query: Mapping[str, str]) -> None:
        self._http, self.place, self._query = http, place, query
        self.session = ""
        self._version = ""
        self.asked: set[str] = set()
        """The ids of its requests that the client has not answered."""

    async def exchange(self, request: Message, deliver: Deliver, sent: asyncio.Event | None = None) -> None:
        """Send a request and deliver what comes on its stream, the answer last. `sent`: the companion has it."""
        try:
            last_id = await self._post(request, deliver, sent)
        except BrokenOff:
            await self._check_after_loss()
            raise
        while last_id:
            await self._check_after_loss()
            last_id = await self._resume(request, deliver, last_id)

    async def notify(self, message: Message) -> None:
        """Send a notification or an answer."""
        try:
            async with asyncio.timeout(NOTICE_SECONDS):
                await self._post(message, _nobody)
        except TimeoutError:
            raise BrokenOff from None

    async def listen(self, deliver: Deliver, opened: asyncio.Event) -> None:
        """Deliver what the companion says by itself, until the session is gone (then it raises)."""
        last_id = ""
        while True:
            with suppress(aiohttp.ClientError, TimeoutError):
                async with self._open("GET", self._headers(), last_id=last_id) as response:
                    if response.status == 200:
                        opened.set()
                        async for event_id, message in _messages(response):
                            last_id = event_id or last_id
                            if message is not None:
                                await self._note(message, deliver)
            await self.check()
            await asyncio.sleep(RETRY_SECONDS)

    async def check(self) -> None:
        """Return if the session is there; raise `NotTaken` or `ClosedForGood`."""
        try:
            async with asyncio.timeout(NOTICE_SECONDS):
                await self._post(PING, _nobody)
        except (BrokenOff, TimeoutError):
            raise NotTaken from None

    async def _check_after_loss(self) -> None:
        """Raise the reason, if the session was closed for one; `BrokenOff` if it is gone."""
        try:
            if self.session:
                await self.check()
        except NotTaken:
            raise BrokenOff from None

    async def end(self) -> None:
        """The client is done: its session need not wait to expire."""
        if self.session:
            with suppress(aiohttp.ClientError, TimeoutError):
                async with asyncio.timeout(END_SECONDS), self._open("DELETE", self._headers()):
                    """The answer says nothing new."""

    def _open(
        self, method: str, headers: dict[str, str], *, last_id: str = "", body: bytes | None = None
    ) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        if last_id:
            headers["last-event-id"] = last_id
        url, query = self.place.mcp_url, self._query
        return self._http.request(method, url, params=query, headers=headers, data=body and io.BytesIO(body))

    def _headers(self, message: Message | None = None) -> dict[str, str]:
        headers = {
            "accept": "application/json, text/event-stream",
            "authorization": f"Bearer {self.place.token}",
        }
        version = modern_version(message) if message is not None else None
        if message is not None and version is not None:
            return headers | modern_headers(message, version)
        if message is not None and message.method == "initialize":
            return headers
        return headers | session_headers(self.session, self._version)

    async def _post(self, message: Message, deliver: Deliver, sent: asyncio.Event | None = None) -> str:
        """Empty when it was answered, else the id of the last event of a stream that ended before."""
        headers = self._headers(message) | {"content-type": "application/json"}
        try:
            async with self._open("POST", headers, body=message.line) as response:
                if sent is not None:
                    sent.set()
                return await self._take(response, message, deliver)
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError):
            raise NotTaken from None
        except aiohttp.ClientError:
            raise BrokenOff from None

    async def _take(self, response: aiohttp.ClientResponse, message: Message, deliver: Deliver) -> str:
        if response.status >= 400:
            await self._take_refusal(response, message, deliver)
        elif message.kind is Kind.REQUEST:
            if message.method == "initialize":
                self.session = response.headers.get(SESSION, "")
            if response.content_type == "text/event-stream":
                return await self._follow(response, message, deliver)
            await self._note(parse(await response.read()), deliver, message)
        return ""

    async def _resume(self, message: Message, deliver: Deliver, last_id: str) -> str:
        with suppress(aiohttp.ClientError):
            async with self._open("GET", self._headers(), last_id=last_id) as response:
                if response.status == 200:
                    return await self._follow(response, message, deliver, last_id)
        raise BrokenOff

    async def _follow(
        self, response: aiohttp.ClientResponse, request: Message, deliver: Deliver, last_id: str = ""
    ) -> str:
        async with aclosing(_messages(response)) as messages:
            async for event_id, message in messages:
                last_id = event_id or last_id
                if message is not None:
                    await self._note(message, deliver, request)
                    if message.kind is Kind.ANSWER and message.key == request.key:
                        return ""
        if not last_id:
            raise BrokenOff
        return last_id

    async def _note(self, message: Message, deliver: Deliver, request: Message | None = None) -> None:
        if message.kind is Kind.REQUEST:
            self.asked.add(message.key)
        elif request is not None and request.method == "initialize" and message.kind is Kind.ANSWER:
            self._version = negotiated_version(message)
        await deliver(message)

    async def _take_refusal(
        self, response: aiohttp.ClientResponse, message: Message, deliver: Deliver
    ) -> None:
        error = _error(await response.read())
        if response.status == 404 and self.session and modern_version(message) is None:
            text = str(error.get("message"))
            raise ClosedForGood(text) if text.startswith(CLOSED) else NotTaken
        if response.status == 401 or error.get("code") == "SHUTTING_DOWN":
            raise NotTaken
        if message.kind is Kind.REQUEST:
            await deliver(parse(_refusal(response.status, error, message.id)))


def _refusal(status: int, error: dict[str, Any], message_id: Any) -> bytes:
    """JSON-RPC's own error as it is, Pageside's (`docs/protocol.md`) in JSON-RPC's form."""
    code, text = error.get("code"), str(error.get("message", ""))
    if type(code) is int:
        return error_answer(message_id, code, text, error.get("data"))
    if code:
        return error_answer(message_id, CONNECTION_CLOSED, f"{code}: {text} {error.get('fix', '')}", error)
    return error_answer(message_id, INTERNAL_ERROR, f"The companion answered with HTTP {status}.")


def _error(body: bytes) -> dict[str, Any]:
    try:
        error = json.loads(body).get("error")
    except (ValueError, AttributeError):
        return {}
    return error if isinstance(error, dict) else {}


async def _messages(response: aiohttp.ClientResponse) -> AsyncGenerator[tuple[str, Message | None]]:
    """Event ids with their messages; an event may have no message, only an id to resume from."""
    decoder = EventDecoder()
    async for chunk in response.content.iter_any():
        for event in decoder.feed(chunk):
            yield event.id, parse(event.data) if event.data else None


async def _nobody(_message: Message) -> None:
    """The answer is not for the client."""
