"""Connections to a Chrome that does as it is told."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from blockbuster import BlockBuster, blockbuster_ctx

from pageside.chrome.wire import Connection
from support.connections import own_threads
from support.fake_chrome import FakeChrome, fake_chrome


@pytest.fixture(autouse=True)
def no_blocking() -> Iterator[BlockBuster]:
    """A call that blocks the event loop inside Pageside fails the test."""
    with blockbuster_ctx("pageside") as guard:
        yield guard


@pytest.fixture
async def fake() -> AsyncIterator[FakeChrome]:
    async with fake_chrome() as running:
        yield running


@pytest.fixture
async def connection(fake: FakeChrome) -> AsyncIterator[Connection]:
    opened = await Connection.open(fake.url)
    yield opened
    await opened.close()


@pytest.fixture(autouse=True)
def threads() -> Callable[[], set[threading.Thread]]:
    """Those of connections that were made since the test began."""
    before = own_threads()
    return lambda: own_threads() - before
