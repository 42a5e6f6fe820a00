"""When the middleware of an ASGI app lets its companion go."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest

from pageside.middleware import asgi
from pageside.middleware.options import PagesideOptions

NOBODY = "http://127.0.0.1:9"
"""Where no companion is, and none is started."""


@pytest.fixture
def options(tmp_path: Path) -> PagesideOptions:
    return {"enabled": True, "project": tmp_path, "state_dir": tmp_path / "state", "url": NOBODY}


def links() -> set[asyncio.Task[Any]]:
    """What holds a companion."""
    return {task for task in asyncio.all_tasks() if task.get_name() == "pageside-link"}


async def nothing(*_: Any) -> Any:
    """Nobody asks, nobody looks at the answer."""


async def test_all_is_let_go_before_the_app_says_that_its_lifespan_is_over(options: PagesideOptions) -> None:
    held: dict[str, int] = {}

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})

    async def send(message: Any) -> None:
        held[message["type"]] = len(links())

    middleware = await asyncio.to_thread(lambda: asgi.PagesideMiddleware(app, **options))
    await middleware({"type": "lifespan"}, nothing, send)
    assert held == {"lifespan.startup.complete": 1, "lifespan.shutdown.complete": 0}


async def test_an_app_without_lifespan_lets_all_go_when_its_server_is_told_to_stop(
    options: PagesideOptions,
) -> None:
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b""}
    scope |= {"client": ("127.0.0.1", 5), "headers": [(b"host", b"localhost")]}
    told: list[int] = []
    before = signal.signal(signal.SIGHUP, lambda number, _frame: told.append(number))
    try:
        middleware = await asyncio.to_thread(lambda: asgi.PagesideMiddleware(nothing, **options))
        await middleware(scope, nothing, nothing)
        (link,) = links()
        signal.raise_signal(signal.SIGHUP)
        await asyncio.wait({link}, timeout=20)
        assert link.done()
        assert told == [signal.SIGHUP]
    finally:
        signal.signal(signal.SIGHUP, before)
