"""A page in a real browser whose stream the companion drops again and again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, expect

from pageside.settings import Settings
from pageside.web.app import Companion
from support.agents import agent, call
from support.app import DevServer, copy_example, dev_server
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")

DROPS = 50
MOST_SECONDS = 0.03
"""For which a stream is left open: long enough for some of what the page is told, and for some of it not."""
AWAKE = "setInterval(() => dispatchEvent(new Event('online')), 5)"
"""As when the network comes back: a lost stream is opened again at once."""


@pytest_asyncio.fixture(loop_scope="session")
async def pair() -> AsyncIterator[tuple[Companion, DevServer]]:
    """A companion of this very process, and the dev server whose plugin found it."""
    project = copy_example("vite-react")
    settings = Settings(project=project, port=0, state=project / ".state", script_origins=("*",))
    companion = await Companion.start(settings)
    try:
        async with dev_server(project) as server:
            yield companion, server
    finally:
        await companion.stop()


class Drops:
    """Each stream ends soon after its page came back, `DROPS` times in all."""

    def __init__(self, companion: Companion) -> None:
        self.count = 0
        self.enough = asyncio.Event()
        self._pages, self._chance = companion.world.pages, random.Random(3)
        self._pages.changes.listen(self._soon)
        self._soon()

    def _soon(self) -> None:
        if any(not page.channel.closed for page in self._pages.all()):
            asyncio.get_running_loop().call_later(self._chance.uniform(0, MOST_SECONDS), self._drop)

    def _drop(self) -> None:
        for page in self._pages.all():
            if not page.channel.closed and self.count < DROPS:
                page.channel.close()
                self.count += 1
        if self.count == DROPS:
            self.enough.set()


async def test_of_a_stream_that_drops_fifty_times_no_call_is_lost_and_none_is_run_twice(
    context: BrowserContext, pair: tuple[Companion, DevServer]
) -> None:
    companion, server = pair
    await context.add_init_script(AWAKE)
    overlay = await Overlay.open(context, server)
    async with agent(companion.mcp_url) as client:
        (page,) = companion.world.pages.all()
        drops = Drops(companion)
        counted: list[object] = []
        hit = 0
        while not drops.enough.is_set():
            before = drops.count
            told = await call(client, "execute_page_script", code="return window.ran = (window.ran ?? 0) + 1")
            counted.append(told["value"])
            hit += drops.count > before
        assert counted == list(range(1, len(counted) + 1))
        # Calls were on their way when it dropped.
        assert hit
        assert [each.id for each in companion.world.pages.all()] == [page.id]
        await expect(overlay.root.get_by_role("img", name="Connected to")).to_be_visible()
        again = await call(client, "execute_page_script", code="return window.ran")
        assert again["value"] == len(counted)
