"""Requests and answers on Pageside's own paths, whatever server the app runs on."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pageside.contract import CHANNEL, LIMITS
from pageside.core.page_guard import Knock, too_large
from pageside.errors import PagesideError, Refused

Headers = list[tuple[str, str]]
PREFIX: str = CHANNEL["prefix"]
MCP: str = CHANNEL["mcp"]
STREAM: str = PREFIX + CHANNEL["routes"]["stream"]
_SAFE_HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


@dataclass(frozen=True, slots=True)
class Socket:
    """One TCP connection from the app's side: the client's address and port, then the app's own."""

    address: str
    port: int
    own_address: str
    own_port: int


@dataclass(frozen=True, slots=True)
class Asked:
    """One request; `path` is without the app's base, names of headers are in lower case."""

    method: str
    path: str
    query: str
    headers: Headers
    secure: bool
    peer: str | None
    body: AsyncIterator[bytes]
    socket: Socket | None = None
    """Where the server tells it: an agent is known by it."""

    def knock(self) -> Knock:
        """What the guard looks at."""
        hosts = tuple(value for name, value in self.headers if name == "host")
        return Knock(self.method, joined(self.headers), hosts, self.secure, self.peer)

    async def read(self) -> bytes:
        """The whole body; raises `Refused` 413."""
        parts, size = [], 0
        async for part in self.body:
            size += len(part)
            if size > LIMITS["bodyBytes"]:
                raise too_large()
            parts.append(part)
        return b"".join(parts)

    async def read_object(self) -> dict[str, Any]:
        """The body as a JSON object; raises `Refused` 400."""
        try:
            value = json.loads(await self.read())
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise Refused(400, "BAD_REQUEST", "The body must be a JSON object.")
        return value


@dataclass(slots=True)
class Answer:
    """What goes back; `stream` is closed by whoever sends it, also when nobody reads on."""

    status: int
    headers: Headers
    body: bytes = b""
    stream: AsyncGenerator[bytes] | None = field(default=None)


def joined(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """By name; several of one name are one, with commas."""
    found: dict[str, str] = {}
    for name, value in headers:
        found[name] = f"{found[name]}, {value}" if name in found else value
    return found


def json_answer(status: int, body: Any, more: Mapping[str, str] | None = None) -> Answer:
    """Plain JSON, which nobody stores or sniffs."""
    text = json.dumps(body).encode()
    headers = {"content-type": "application/json", "content-length": str(len(text)), **_SAFE_HEADERS}
    return Answer(status, list((headers | dict(more or {})).items()), text)


def refusal(error: PagesideError) -> Answer:
    """`{"error": {"code", "message", "fix"}}`; what is only absent for now is worth another try."""
    status = error.status if isinstance(error, Refused) else 500
    return json_answer(status, {"error": error.to_json()}, {"retry-after": "1"} if status == 503 else None)


def below(path: str, base: str) -> str | None:
    """The path without the app's base, if it is one of Pageside's."""
    short = path[len(base) :] if base and path.startswith(f"{base}/") else path
    is_ours = any(short == prefix or short.startswith(f"{prefix}/") for prefix in (PREFIX, MCP))
    return short if is_ours else None
