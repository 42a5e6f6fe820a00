"""HTTP as bytes on a socket: what no client library would send, and exactly what comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

SECONDS = 10.0
"""Nothing in the tests may take longer to be answered."""

Headers = Mapping[str, str] | Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Reply:
    """One response; of a chunked one, the head."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of an error answer."""
        return str(self.json()["error"]["code"])

    @property
    def message(self) -> str:
        return str(self.json()["error"]["message"])


def head(method: str, target: str, headers: Headers, version: str = "HTTP/1.1") -> bytes:
    """The request line and headers, to the letter."""
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    lines = [f"{method} {target} {version}", *(f"{name}: {value}" for name, value in pairs)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def exchange(port: int, data: bytes, *, half_close: bool = False) -> Reply | None:
    """Send `data` on a connection of its own; the first answer, or None when the server just closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(SECONDS):
            with suppress(ConnectionError):
                writer.write(data)
                await writer.drain()
                if half_close:
                    writer.write_eof()
            return await read_reply(reader, has_body=not data.startswith(b"HEAD "))
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def read_reply(reader: asyncio.StreamReader, *, has_body: bool = True) -> Reply | None:
    """The next response of the connection, or None at its end."""
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    status, *lines = raw.decode("latin-1").split("\r\n")[:-2]
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    body = b""
    if not has_body or headers.get("transfer-encoding") == "chunked":
        pass
    elif "content-length" in headers:
        body = await reader.readexactly(int(headers["content-length"]))
    else:
        body = await reader.read()
    return Reply(int(status.split()[1]), headers, body)
