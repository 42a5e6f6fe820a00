"""The server that the suite wants to meet, hosted as the companion hosts its own."""

from __future__ import annotations

import secrets
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import mcp_types as t
from aiohttp import web
from mcp.server import Server, ServerRequestContext
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler

from conformance import contents
from conformance.tools import Tools
from pageside.contract import LIMITS
from pageside.web.guard import guard
from pageside.web.keys import RUN, SECRETS, Run, Secrets
from pageside.web.mcp_http import McpHttp
from pageside.web.mcp_requests import McpRequests
from pageside.web.routes import MCP, Scope, register

NAME = "conformance"


async def _set_level(
    _context: ServerRequestContext[Any, Any], _params: t.SetLevelRequestParams
) -> t.EmptyResult:
    return t.EmptyResult()


def fixture_server() -> Server[Any]:
    bus = InMemorySubscriptionBus()
    tools = Tools(bus)
    server: Server[Any] = Server(
        NAME,
        version="1",
        get_tool_input_schema=tools.input_schema,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
        on_list_resources=contents.list_resources,
        on_list_resource_templates=contents.list_templates,
        on_read_resource=contents.read_resource,
        on_subscribe_resource=contents.subscribe,
        on_unsubscribe_resource=contents.unsubscribe,
        on_subscriptions_listen=ListenHandler(bus),
        on_list_prompts=contents.list_prompts,
        on_get_prompt=contents.get_prompt,
        on_completion=contents.complete,
        on_set_logging_level=_set_level,
    )
    server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=NAME))
    return server


class _Anybody:
    """Clients without queries, whose sessions are never closed from here."""

    def parse_query(self, query: Mapping[str, str]) -> object:
        return query

    def why_closed(self, _session: str) -> str | None:
        return None


@asynccontextmanager
async def hosted(server: Server[Any]) -> AsyncIterator[str]:
    """The URL of `server` on a real socket, behind the guard, Streamable HTTP, the bridge and the event store."""
    requests = McpRequests(_Anybody())
    transport = McpHttp(server, requests)

    async def stop(_app: web.Application) -> None:
        await transport.stop()
        await requests.stop()

    with socket.create_server(("127.0.0.1", 0)) as sock:
        port = sock.getsockname()[1]
        app = web.Application(middlewares=[guard], client_max_size=LIMITS["bodyBytes"])
        app[SECRETS], app[RUN] = Secrets(secrets.token_urlsafe(32)), Run("run", NAME, port, 0.0)
        # The suite can send no token, and sends its own origin, from which the guard lets nobody in without one. So
        # this one check is off; Host, Origin, Sec-Fetch, content type and size are checked as always.
        register(app, [replace(route, scope=Scope.PUBLIC) for route in transport.routes()])
        app.on_shutdown.append(stop)
        runner = web.AppRunner(app, handler_cancellation=True, access_log=None, auto_decompress=False)
        await runner.setup()
        try:
            await transport.start(port)
            await web.SockSite(runner, sock).start()
            yield f"http://127.0.0.1:{port}{MCP}"
        finally:
            await runner.cleanup()
