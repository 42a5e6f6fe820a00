"""What both HTTP transports of MCP share: requests that are counted, checked, and ended at shutdown."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Protocol

from aiohttp import web
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from pageside.core.rate import Bucket
from pageside.errors import Refused, ShuttingDown
from pageside.web.asgi_bridge import ASGIApp, Message, Receive, Send, serve_asgi

GRACE_SECONDS = 1.0
"""How long calls may take to answer at shutdown, and streams to end after it."""
OPENINGS_AT_ONCE = 100
OPENINGS_PER_SECOND = 20.0
GONE = (
    "Session not found: it expired, was closed, or the companion was started anew. Initialize a new session "
    "(in most agents: reconnect the MCP server); inspections are kept."
)


class Clients(Protocol):
    """What is asked about those who send requests."""

    def parse_query(self, query: Mapping[str, str]) -> object:
        """Raises when the query makes no sense."""

    def why_closed(self, session: str) -> str | None:
        """Why a session was closed from this side, if it was."""


class McpRequests:
    """The open requests of all MCP routes."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._calls: set[asyncio.Task[web.StreamResponse]] = set()
        self._streams: set[asyncio.Task[web.StreamResponse]] = set()
        self._openings = Bucket(OPENINGS_AT_ONCE, OPENINGS_PER_SECOND)
        self._stopped = False
        self.last = asyncio.get_running_loop().time()
        """When a request last ended, on the loop's clock."""

    def __len__(self) -> int:
        return len(self._calls) + len(self._streams)

    async def serve(self, app: ASGIApp, request: web.Request) -> web.StreamResponse:
        """Answer with `app` a request whose query makes sense."""
        if self._stopped:
            raise ShuttingDown("The companion is stopping.")
        self._clients.parse_query(request.query)
        self._check_rate(request)
        running = self._calls if request.method == "POST" else self._streams
        try:
            return await serve_asgi(self._explaining(app, request), request, running)
        finally:
            self.last = asyncio.get_running_loop().time()

    def _check_rate(self, request: web.Request) -> None:
        """A request that opens a session costs more than others: a flood of them must not starve the rest."""
        revision = request.headers.get("mcp-protocol-version")
        sessionless = revision is not None and revision not in HANDSHAKE_PROTOCOL_VERSIONS
        if request.method != "POST" or sessionless or _session(request) is not None:
            return
        if not self._openings.take(asyncio.get_running_loop().time()):
            raise Refused(429, "TOO_MANY", f"More than {OPENINGS_PER_SECOND:g} sessions a second are opened.")

    def _explaining(self, app: ASGIApp, request: web.Request) -> ASGIApp:
        """`app`, whose 404 says what to do, and why the session is gone if that is known."""
        session = _session(request)
        if session is None:
            return app

        async def explained(scope: Message, receive: Receive, send: Send) -> None:
            replaced = False

            async def to_client(message: Message) -> None:
                nonlocal replaced
                if message["type"] == "http.response.start" and message["status"] == 404:
                    replaced = True
                    await _send_gone(send, self._clients.why_closed(session) or GONE)
                elif not replaced:
                    await send(message)

            await app(scope, receive, to_client)

        return explained

    async def answer(self) -> None:
        """Refuse new requests; the calls that are open were told to end, and have a moment to say so."""
        self._stopped = True
        if self._calls:
            await asyncio.wait(self._calls, timeout=GRACE_SECONDS)

    async def stop(self) -> None:
        """Give what is open after the sessions ended a moment, then cancel it."""
        left = self._calls | self._streams
        if left:
            _, late = await asyncio.wait(left, timeout=GRACE_SECONDS)
            for task in late:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


def _session(request: web.Request) -> str | None:
    """The session that the request names. From 2026-07-28 on there are none, and a 404 is an unknown method."""
    if "session_id" in request.query:
        return request.query["session_id"]
    version = request.headers.get("mcp-protocol-version")
    if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
        return None
    return request.headers.get("mcp-session-id")


async def _send_gone(send: Send, message: str) -> None:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": message}}
    body = json.dumps(error).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 404, "headers": headers})
    await send({"type": "http.response.body", "body": body})
