"""Reading bodies and frames: bounded in size by the server, in time and depth here."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NoReturn

from aiohttp import web

from pageside.errors import Refused

BODY_SECONDS = 15.0
MAX_DEPTH = 100
"""Far more than anybody means, and far less than Python's recursion can take."""


async def read_body(request: web.Request) -> bytes:
    """The whole body; raises `Refused` 408, or 413 as aiohttp has it."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.read()
    except TimeoutError:
        raise Refused(408, "BAD_REQUEST", f"The body did not arrive within {BODY_SECONDS:g} s.") from None


async def read_object(request: web.Request) -> dict[str, Any]:
    """The body as a JSON object; raises `Refused` 400 and what `read_body` raises."""
    raw = await read_body(request)
    try:
        value = json.loads(raw, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Refused(400, "BAD_REQUEST", f"The body is not JSON: {str(error)[:120]}.") from None
    if not isinstance(value, dict):
        raise Refused(400, "BAD_REQUEST", "The body must be a JSON object.")
    if raw.count(b"{") + raw.count(b"[") > MAX_DEPTH and _is_deep(value):
        raise Refused(400, "BAD_REQUEST", f"The body is nested deeper than {MAX_DEPTH} levels.")
    return value


def frame_object(frame: str) -> dict[str, Any]:
    """A WebSocket's text frame as a JSON object; raises `Refused` 400."""
    try:
        value = json.loads(frame)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise Refused(400, "BAD_REQUEST", "A frame must be a JSON object.")
    return value


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        inside = (item.values() if isinstance(item, dict) else item for item in level)
        level = [inner for items in inside for inner in items if isinstance(inner, dict | list)]
        if not level:
            return False
    return True


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
