"""Every route and who may call it, in one table; a path that is not in it does not exist."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum

from aiohttp import web

from pageside.contract import CHANNEL

PREFIX: str = CHANNEL["prefix"]
MCP: str = CHANNEL["mcp"]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Scope(Enum):
    """The credential that a route asks for."""

    PUBLIC = "public"
    PAGE = "page"
    PLUGIN = "plugin"
    AGENT = "agent"
    CONSOLE = "console"


@dataclass(frozen=True, slots=True)
class Route:
    """One path with its methods, handler and scope."""

    path: str
    methods: tuple[str, ...]
    handler: Handler
    scope: Scope


def channel_route(name: str, method: str, handler: Handler, scope: Scope) -> Route:
    """A route of the page channel by its name in the contract."""
    return Route(PREFIX + CHANNEL["routes"][name], (method,), handler, scope)


def console_route(name: str, method: str, handler: Handler, scope: Scope) -> Route:
    """A route of the web console by its name in the contract."""
    return Route(PREFIX + CHANNEL["console"][name], (method,), handler, scope)


ROUTES = web.AppKey("ROUTES", dict[str, Route])


def register(app: web.Application, routes: list[Route]) -> None:
    """Add the routes to `app`, and to the table that the guard reads."""
    app[ROUTES] = {route.path: route for route in routes}
    for route in routes:
        for method in route.methods:
            app.router.add_route(method, route.path, route.handler)
