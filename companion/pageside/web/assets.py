"""The built client script, its worker and what it loads later, by name from the contract's list."""

from __future__ import annotations

import asyncio
from pathlib import Path

from aiohttp import web

from pageside.contract import SCRIPTS
from pageside.errors import Refused
from pageside.web.routes import Route, Scope, channel_route

_STATIC = Path(__file__).parent / "static"


def routes() -> list[Route]:
    return [channel_route(name, "GET", _script, Scope.PAGE) for name in SCRIPTS]


async def _script(request: web.Request) -> web.Response:
    name = next(n for n in SCRIPTS.values() if request.path.endswith("/" + n))
    try:
        body = await asyncio.to_thread((_STATIC / name).read_bytes)
    except FileNotFoundError:
        raise Refused(404, "NOT_FOUND", f"{name} is not built.", "Run `npm run build`.") from None
    return web.Response(body=body, content_type="text/javascript", charset="utf-8")
