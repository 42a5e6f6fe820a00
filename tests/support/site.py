"""Pages on a real server: the files of `support/pages`, and what a test makes up."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import web

PAGES = Path(__file__).with_name("pages")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Site:
    """One server; `localhost` and `127.0.0.1` are two sites to Chrome, so frames of the other are out of process."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self.other_origin = f"http://localhost:{port}"
        self._made: dict[str, Handler] = {}
        self._count = itertools.count(1)

    def url(self, path: str) -> str:
        """Of a file in `support/pages`."""
        return f"{self.origin}/{path}"

    def page(self, html: str, **headers: str) -> str:
        """The URL of a page with that text."""
        return self.origin + self.path(html, **headers)

    def path(self, text: str, kind: str = "text/html", **headers: str) -> str:
        """The path of anything with that text; header names with _ for -."""

        async def answer(_request: web.Request) -> web.Response:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            return web.Response(text=text, content_type=kind, charset="utf-8", headers=sent)

        return self.handle(answer)

    def slow(self, seconds: float, text: str = "{}", kind: str = "application/json") -> str:
        """The path of an answer that takes its time."""

        async def answer(_request: web.Request) -> web.Response:
            await asyncio.sleep(seconds)
            return web.Response(text=text, content_type=kind, charset="utf-8")

        return self.handle(answer)

    def handle(self, handler: Handler) -> str:
        """The path at which `handler` answers, whatever the method."""
        path = f"/made/{next(self._count)}"
        self._made[path] = handler
        return path

    async def answer(self, request: web.Request) -> web.StreamResponse:
        made = self._made.get(request.path)
        if made is not None:
            return await made(request)
        if request.path == "/favicon.ico":
            # Chrome asks by itself, and would log an error.
            return web.Response(status=204)
        file = (PAGES / request.path.lstrip("/")).resolve()
        if not file.is_relative_to(PAGES) or not file.is_file():
            return web.Response(status=404, text="no such page")
        return web.FileResponse(file, headers={"Cache-Control": "no-store"})


@asynccontextmanager
async def serve_site() -> AsyncIterator[Site]:
    """A site on a free port."""
    app = web.Application()
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    holder: list[Site] = []

    async def answer(request: web.Request) -> web.StreamResponse:
        return await holder[0].answer(request)

    app.router.add_route("*", "/{path:.*}", answer)
    await runner.setup()
    socket = web.TCPSite(runner, "127.0.0.1", 0)
    await socket.start()
    port: int = runner.addresses[0][1]
    holder.append(Site(port))
    try:
        yield holder[0]
    finally:
        await runner.cleanup()
