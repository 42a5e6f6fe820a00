"""The event loop beside an app without one, while the app stops."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator

import pytest

from pageside.errors import ShuttingDown
from pageside.middleware.exchange import Asked
from pageside.middleware.options import PagesideOptions, read_options
from pageside.middleware.side import Side
from pageside.settings import Settings


@pytest.fixture
async def side(settings: Settings) -> Side:
    options: PagesideOptions = {"enabled": True, "project": settings.project, "state_dir": settings.state}
    return await asyncio.to_thread(lambda: Side(read_options(options)))


async def test_a_stream_that_waits_ends_when_the_app_stops(side: Side) -> None:
    waits, is_let_go = threading.Event(), threading.Event()

    async def endless() -> AsyncGenerator[bytes]:
        try:
            yield b"hello"
            waits.set()
            await asyncio.Event().wait()
        finally:
            is_let_go.set()

    read = asyncio.create_task(asyncio.to_thread(list, side.streamed(endless())))
    assert await asyncio.to_thread(waits.wait, 10)
    await asyncio.to_thread(side.stop)
    assert await read == [b"hello"]
    assert is_let_go.is_set()


async def test_what_comes_after_the_end_is_told_so_and_waits_for_nothing(side: Side) -> None:
    async def left() -> AsyncGenerator[bytes]:
        yield b"never asked for"

    stream = side.streamed(left())
    await asyncio.to_thread(side.stop)
    await asyncio.to_thread(side.stop)
    assert await asyncio.to_thread(list, stream) == []
    await asyncio.to_thread(stream.close)
    side.serves("http://127.0.0.1:1/")
    with pytest.raises(ShuttingDown):
        await asyncio.to_thread(side.answer, Asked("GET", "/", "", [], False, None, left()))
