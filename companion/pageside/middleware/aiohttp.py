"""Pageside for aiohttp apps.

setup(app, enabled=True)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Unpack

from aiohttp import web

from pageside.middleware.door import Door
from pageside.middleware.exchange import Asked, Headers, Socket, below
from pageside.middleware.options import PagesideOptions, read_options
from pageside.middleware.pages import Insertion, Page, Pages
from pageside.middleware.templates import TEMPLATES

__all__ = ["setup"]

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

DOOR = web.AppKey("PAGESIDE_DOOR", Door)
_PAGE = web.RequestKey("PAGESIDE_PAGE", Page)


def setup(app: web.Application, **options: Unpack[PagesideOptions]) -> None:
    """Add Pageside to an app, with the options of docs/python-pages.md; off unless one says that it is on."""
    chosen = read_options(options)
    if not chosen.enabled:
        return
    TEMPLATES.turn_on(chosen.project)
    pages = Pages(chosen)

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        path = below(request.path, "")
        door = request.config_dict[DOOR]
        if path is not None:
            return await _answer(door, request, path)
        asked = _asked(request, request.path)
        # The body of an answer is at hand, also where only its head is asked for.
        page = pages.page(replace(asked, method="GET") if asked.method == "HEAD" else asked, "")
        if page is None:
            return await handler(request)
        door.link.serves(page.url)
        door.link.start()
        request[_PAGE] = page
        try:
            response = await handler(request)
        except web.HTTPException as error:
            _insert(error, page)
            raise
        _insert(response, page)
        return response

    async def link(app: web.Application) -> AsyncGenerator[None]:
        door = app[DOOR] = Door(chosen)
        door.link.start()
        yield
        await door.close()

    async def end_streams(app: web.Application) -> None:
        app[DOOR].end_streams()

    app.middlewares.insert(0, middleware)
    app.cleanup_ctx.append(link)
    app.on_shutdown.append(end_streams)
    app.on_response_prepare.append(_insert_into_stream)


def _asked(request: web.Request, path: str) -> Asked:
    transport = request.transport
    client = _address(transport, "peername")
    own = _address(transport, "sockname")
    return Asked(
        request.method,
        path,
        request.raw_path.partition("?")[2],
        [(name.lower(), value) for name, value in request.headers.items()],
        request.secure,
        client[0] if client else None,
        _chunks(request),
        Socket(*client, *own) if client and own else None,
    )


def _address(transport: asyncio.Transport | None, name: str) -> tuple[str, int] | None:
    """Address and port; a Unix socket has none."""
    found = transport.get_extra_info(name) if transport is not None else None
    return (str(found[0]), int(found[1])) if isinstance(found, tuple) else None


async def _chunks(request: web.Request) -> AsyncIterator[bytes]:
    async for chunk in request.content.iter_any():
        yield chunk


async def _answer(door: Door, request: web.Request, path: str) -> web.StreamResponse:
    answer = await door.answer(_asked(request, path))
    if answer.stream is None:
        return web.Response(status=answer.status, headers=answer.headers, body=answer.body)
    async with aclosing(answer.stream) as stream:
        response = web.StreamResponse(status=answer.status, headers=answer.headers)
        try:
            await response.prepare(request)
            async for chunk in stream:
                await response.write(chunk)
        except ConnectionError:
            return response
    return response


def _insert(response: web.StreamResponse, page: Page) -> None:
    """Put the client into an answer that is not on its way yet; its compression, if any, comes later."""
    if not isinstance(response, web.Response) or response.prepared or not isinstance(response.body, bytes):
        return
    insertion = page.begin(response.status, list(response.headers.items()))
    if insertion is not None:
        response.body = insertion.feed(response.body) + insertion.finish()
        _rewrite(response, insertion.headers())


def _rewrite(response: web.StreamResponse, headers: Headers) -> None:
    response.headers.clear()
    response.headers.extend(headers)


async def _insert_into_stream(request: web.Request, response: web.StreamResponse) -> None:
    """The same for one that its handler writes bit by bit: its headers are about to go out."""
    page = request.get(_PAGE)
    is_closed = isinstance(response, web.Response) or response.compression
    if page is None or is_closed or "content-length" in response.headers:
        return
    insertion = page.begin(response.status, list(response.headers.items()))
    if insertion is not None:
        _rewrite(response, insertion.stream_headers())
        _Written(response, insertion)


class _Written:
    """Stands in for the two ways to write to a stream."""

    def __init__(self, response: web.StreamResponse, insertion: Insertion) -> None:
        self._insertion = insertion
        self._write, self._write_eof = response.write, response.write_eof
        response.write = self.write  # type: ignore[method-assign]
        response.write_eof = self.write_eof  # type: ignore[method-assign]

    async def write(self, data: bytes | bytearray | memoryview) -> None:
        text = self._insertion.feed(bytes(data))
        if text:
            await self._write(text)

    async def write_eof(self, data: bytes = b"") -> None:
        await self._write_eof(self._insertion.feed(data) + self._insertion.finish())
