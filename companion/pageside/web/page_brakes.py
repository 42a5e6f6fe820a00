"""What agents do in a page, and the user's brakes: told to pages, and set by them."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from pageside.hubs.channel import EVENTS
from pageside.operations import brakes
from pageside.operations.world import World
from pageside.web.bodies import read_object
from pageside.web.keys import WORLD
from pageside.web.routes import Route, Scope, channel_route


def routes() -> list[Route]:
    return [channel_route("brakes", "POST", change, Scope.PAGE)]


async def change(request: web.Request) -> web.Response:
    """The user holds back agents, or lets them go on; the state as it is then."""
    body = await read_object(request)
    world = request.app[WORLD]
    page = world.pages.authorised(body.get("page"), body.get("key"))
    return web.json_response(await brakes.apply(world, page, brakes.parse(body)))


def publish(world: World) -> None:
    """Tell pages what agents do in them, and how the brakes stand, from now on."""

    def push(news: dict[str, list[dict[str, Any]]]) -> None:
        for page in world.pages.all():
            entries = news.get(page.id, news[""])
            if entries:
                world.pages.tell(page.id, EVENTS["activity"], {"entries": entries})

    def changed() -> None:
        for page in world.pages.all():
            world.pages.tell(page.id, EVENTS["brakes"], world.brakes.state(page.id))

    world.activity.push = push
    world.brakes.listen(changed)
