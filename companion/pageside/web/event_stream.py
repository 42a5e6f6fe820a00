"""Answers that are streams of server-sent events: how each begins, and how each ends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web

_HEADERS = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}


async def stream_events(
    request: web.Request, pump: Callable[[web.StreamResponse], Awaitable[None]]
) -> web.StreamResponse:
    """Whatever `pump` writes; a `TimeoutError` of its writes cuts off who takes nothing."""
    response = web.StreamResponse(headers=_HEADERS)
    try:
        await response.prepare(request)
        await pump(response)
    except ConnectionError:
        return response
    except TimeoutError:
        if request.transport is not None:
            request.transport.abort()
    return response
