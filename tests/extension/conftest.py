"""A real Chromium with the extension, a companion in this process, and pages on a real server."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from pageside.web.app import Companion
from support.extension import Extension, UserTab, chromium_with_extension, companion_for_tabs
from support.site import Site, serve_site


@pytest.fixture(autouse=True)
def no_blocking() -> None:
    """Playwright runs in this loop, and a session's fixtures outlive a test."""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def extension(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Extension]:
    """One for all tests."""
    async with chromium_with_extension(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def site() -> AsyncIterator[Site]:
    async with serve_site() as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Companion]:
    """A companion to which tabs connect."""
    async with companion_for_tabs(tmp_path_factory.mktemp("project")) as companion:
        yield companion


@pytest_asyncio.fixture(loop_scope="session")
async def tab(extension: Extension, site: Site, running: Companion) -> AsyncIterator[UserTab]:
    """A connected tab that shows `support/pages/any-tab.html`; closed afterwards."""
    opened = await extension.open(site.url("any-tab.html"))
    assert running.tab_port is not None
    await opened.connect(running.tab_port)
    yield opened
    if not opened.page.is_closed():
        await opened.page.close()
