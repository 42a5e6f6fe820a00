"""Small pictures, and where they are read."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any

import mcp_types as t
from mcp import Client


def png(width: int = 2, height: int = 2, shade: int = 0) -> bytes:
    """A grey PNG of that size in px."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + bytes([shade]) * width) * height
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def drawn(data: bytes, **more: Any) -> dict[str, Any]:
    """What the page tool `picture` answers."""
    told = {
        "mime": "image/png",
        "base64": base64.b64encode(data).decode(),
        "width": 2,
        "height": 2,
        "scale": 1,
    }
    return {**told, **more}


async def screenshot(client: Client, name: str) -> t.BlobResourceContents:
    """The resource of the picture of an inspection or of a pick."""
    (content,) = (await client.read_resource(f"pageside://screenshots/{name}")).contents
    assert isinstance(content, t.BlobResourceContents)
    return content


def bytes_of(content: t.BlobResourceContents) -> bytes:
    return base64.b64decode(content.blob)
