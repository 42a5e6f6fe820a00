"""Attacks on Pageside's paths of an app, through aiohttp's server and a threaded WSGI one."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from werkzeug.serving import make_server
from yarl import URL

from pageside.contract import CHANNEL, LIMITS
from pageside.middleware.aiohttp import setup
from pageside.middleware.options import PagesideOptions
from pageside.middleware.wsgi import PagesideMiddleware
from pageside.web.app import Companion

PAGE = "<!doctype html><html><head></head><body>x</body></html>"
ROUTES: dict[str, str] = CHANNEL["routes"]
PREFIX: str = CHANNEL["prefix"]
JSON = {"Content-Type": "application/json"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    },
}


@asynccontextmanager
async def aiohttp_app(options: PagesideOptions) -> AsyncIterator[str]:
    """Its address."""

    async def page(_request: web.Request) -> web.StreamResponse:
        return web.Response(text=PAGE, content_type="text/html")

    async def stream(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/html"})
        await response.prepare(request)
        for part in (PAGE[:20], PAGE[20:]):
            await response.write(part.encode())
        return response

    app = web.Application()
    app.router.add_get("/", page)
    app.router.add_get("/stream", stream)
    await asyncio.to_thread(lambda: setup(app, **options))
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def wsgi_app(options: PagesideOptions) -> AsyncIterator[str]:
    """Its address."""

    def page(_environ: Any, start_response: Any) -> list[bytes]:
        start_response("200 OK", [("Content-Type", "text/html"), ("Content-Length", str(len(PAGE)))])
        return [PAGE.encode()]

    middleware = await asyncio.to_thread(lambda: PagesideMiddleware(page, **options))
    server = make_server("127.0.0.1", 0, middleware, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        await asyncio.to_thread(server.shutdown)
        await asyncio.to_thread(middleware.close)
        server.server_close()


@pytest.fixture(params=[aiohttp_app, wsgi_app])
async def url(request: pytest.FixtureRequest, companion: Companion) -> AsyncIterator[str]:
    """An app with Pageside, whose companion runs in this process."""
    options: PagesideOptions = {
        "enabled": True,
        "project": companion.settings.project,
        "state_dir": companion.settings.state,
        "url": companion.url,
    }
    async with request.param(options) as address:
        yield address


def path(name: str) -> str:
    return PREFIX + ROUTES[name]


async def test_attacks_are_refused_and_tell_no_token(url: str, companion: Companion) -> None:
    connect: dict[str, Any] = {"method": "POST", "path": path("connect"), "headers": JSON}
    attacks: list[tuple[dict[str, Any], set[int]]] = [
        (connect | {"headers": JSON | {"Origin": "http://evil.test"}}, {403}),
        (connect | {"headers": JSON | {"Origin": "null"}}, {403}),
        (connect | {"headers": JSON | {"Host": "evil.test"}}, {403}),
        (connect | {"headers": JSON | {"Host": "evil.test:80", "Origin": "http://evil.test:80"}}, {403}),
        (connect | {"headers": JSON | {"Sec-Fetch-Site": "cross-site"}}, {403}),
        (connect | {"headers": JSON | {"X-Forwarded-For": "127.0.0.1"}}, {403}),
        (connect | {"headers": {"Content-Type": "text/plain"}}, {415}),
        (connect | {"data": io.BytesIO(b"x" * (LIMITS["bodyBytes"] + 1))}, {413}),
        (connect | {"method": "OPTIONS"}, {405}),
        (connect | {"method": "PUT"}, {405}),
        (
            {"path": path("client"), "headers": {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "script"}},
            {403},
        ),
        ({"path": path("lease"), "method": "POST", "headers": JSON}, {404}),
        ({"path": path("tell"), "method": "POST", "headers": JSON}, {404}),
        ({"path": f"{PREFIX}/../secret"}, {404}),
        ({"path": f"{PREFIX}/page/..%2fplugin/lease"}, {404}),
        ({"path": f"{PREFIX}/static/client.js"}, {404}),
        ({"path": f"{PREFIX}//client.js"}, {404}),
        (connect | {"path": f"{CHANNEL['mcp']}/../{path('lease')[1:]}"}, {404}),
        (connect | {"path": f"{CHANNEL['mcp']}/%2e%2e/{path('lease')[1:]}"}, {404}),
        (connect | {"path": f"{PREFIX}/page/../plugin/lease"}, {404}),
        (
            {"path": CHANNEL["mcp"], "method": "POST", "headers": JSON | {"Sec-Fetch-Site": "same-origin"}},
            {401},
        ),
        (
            {
                "path": CHANNEL["mcp"],
                "method": "POST",
                "headers": JSON | {CHANNEL["headers"]["agentPeer"]: "x", "Via": "1"},
            },
            {401},
        ),
    ]
    tokens = [companion.secrets.page, companion.secrets.plugin, companion.secrets.agent]
    async with aiohttp.ClientSession() as session:
        for attack, allowed in attacks:
            asked = {"method": "GET", **attack}
            # The path is not put in order before it is sent.
            where = URL(url + asked.pop("path"), encoded=True)
            async with session.request(url=where, **asked) as response:
                text = await response.text()
                assert response.status in allowed, (attack, response.status, text)
                assert not [token for token in tokens if token in text or token in str(response.headers)]
                assert "Access-Control-Allow-Origin" not in response.headers


async def test_a_page_reaches_the_companion_without_knowing_a_token(url: str, companion: Companion) -> None:
    async with aiohttp.ClientSession(url, headers={"Origin": url}) as session:
        stream = await session.get(f"{path('stream')}?channel=abcdefghijklmnop")
        assert stream.content_type == "text/event-stream"
        assert await stream.content.readline() == b"event: hello\n"
        ids = dict.fromkeys(("page", "key", "channel"), "abcdefghijklmnop")
        body = {**ids, "changes": [], "known": {}}
        info = {"url": url, "title": "x", "visible": True, "focused": True, "viewport": {}, "userAgent": "x"}
        answer = await session.post(path("connect"), json=body | {"info": info})
        assert answer.status == 200, await answer.text()
        told = await answer.text()
        assert companion.secrets.page not in told
        stream.close()


async def test_an_agent_comes_in_by_its_socket_or_its_token(url: str, companion: Companion) -> None:
    accept = JSON | {"Accept": "application/json, text/event-stream"}
    token = {"Authorization": f"Bearer {companion.secrets.agent}", "Via": "1.1 proxy"}
    async with aiohttp.ClientSession(url) as session:
        for headers in (accept, accept | token):
            async with session.post(CHANNEL["mcp"], json=INITIALIZE, headers=headers) as response:
                assert response.status == 200, await response.text()


async def test_the_answer_of_the_app_has_the_client_and_its_length(url: str) -> None:
    async with aiohttp.ClientSession(url) as session:
        for address in ("/", "/stream"):
            async with session.get(address) as response:
                text = await response.text()
                assert f'<head><script type="module" src="{path("client")}?project=' in text
                assert text.endswith("</script></head><body>x</body></html>")
        client = await session.get(path("client"))
        assert client.status == 200
        again = await session.get(path("client"), headers={"If-None-Match": client.headers["ETag"]})
        assert again.status == 304
