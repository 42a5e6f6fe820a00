"""Reading JSON bodies: bounded in size by the server, in time here, and objects only."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NoReturn

from aiohttp import web

from pageside.errors import Refused

BODY_SECONDS = 15.0


async def read_object(request: web.Request) -> dict[str, Any]:
    """The body as a JSON object; raises `Refused` 400 or 408."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            raw = await request.read()
    except TimeoutError:
        raise Refused(408, "BAD_REQUEST", f"The body did not arrive within {BODY_SECONDS:g} s.") from None
    try:
        value = json.loads(raw, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Refused(400, "BAD_REQUEST", f"The body is not JSON: {str(error)[:120]}.") from None
    if not isinstance(value, dict):
        raise Refused(400, "BAD_REQUEST", "The body must be a JSON object.")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
