"""What happened in pages, as they report it."""

from __future__ import annotations

from aiohttp import web

from pageside.core.fields import Fields
from pageside.operations import page_reports
from pageside.web.bodies import read_object
from pageside.web.keys import WORLD
from pageside.web.routes import Route, Scope, channel_route


def routes() -> list[Route]:
    return [channel_route("report", "POST", report, Scope.PAGE)]


async def report(request: web.Request) -> web.Response:
    """A batch of events, told as a whole or refused as a whole."""
    body = await read_object(request)
    world = request.app[WORLD]
    page = world.pages.authorised(body.get("page"), body.get("key"))
    page_reports.take(world, page, Fields(body))
    return web.Response(status=204)
