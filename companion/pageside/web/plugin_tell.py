"""What dev servers report while they hold a lease."""

from __future__ import annotations

from functools import partial

from aiohttp import web

from pageside.core.fields import Fields
from pageside.errors import Refused
from pageside.operations import plugin_reports
from pageside.web.bodies import read_object
from pageside.web.keys import WORLD
from pageside.web.plugin_lease import PluginLeases
from pageside.web.routes import Route, Scope, channel_route


def routes(leases: PluginLeases) -> list[Route]:
    return [channel_route("tell", "POST", partial(tell, leases), Scope.PLUGIN)]


async def tell(leases: PluginLeases, request: web.Request) -> web.Response:
    """A batch of events, told as a whole or refused as a whole."""
    body = Fields(await read_object(request))
    world = request.app[WORLD]
    lease = world.leases.get(body.text("lease", 100))
    if lease is None:
        raise Refused(
            410, "NOT_FOUND", "That lease is not held.", "Take a lease, and tell it under that one."
        )
    plugin_reports.take(world, lease.id, body, partial(leases.write, lease.id))
    return web.Response(status=204)
