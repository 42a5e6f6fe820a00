"""A real Chromium of Pageside's own, and pages on a real server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from pageside.chrome.browser import Browser
from pageside.chrome.tab import Tab
from pageside.settings import ChromeSettings, Settings
from pageside.web.app import Companion
from support import chromium
from support.site import Site, serve_site
from support.sockets import free_ports


@pytest.fixture(autouse=True)
def no_blocking() -> None:
    """Sessions of pytest's loop outlive a test; the connection is guarded in `wire/`."""


def chrome_settings(count: int = 4) -> ChromeSettings:
    """A Chrome of one's own on ports that nobody else uses."""
    return ChromeSettings(
        ports=free_ports(count),
        program=chromium.find(),
        headless=True,
        arguments=tuple(chromium.QUIET_FLAGS),
    )


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chrome(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    """One for all tests that do not end it."""
    folder: Path = tmp_path_factory.mktemp("chrome")
    browser = Browser(chrome_settings(), folder)
    await browser.ensure()
    yield browser
    await browser.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def site() -> AsyncIterator[Site]:
    async with serve_site() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def tab(chrome: Browser) -> AsyncIterator[Tab]:
    """A fresh one, closed afterwards."""
    tab = await chrome.new_tab("about:blank")
    yield tab
    if tab.id in {each.id for each in await chrome.tabs()}:
        await chrome.close_tab(tab.id)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Companion]:
    """A companion that launches a Chrome of its own at the first call."""
    folder: Path = tmp_path_factory.mktemp("project")
    (folder / "shop").mkdir()
    settings = Settings(
        project=folder / "shop",
        port=0,
        state=folder / "state",
        chrome=chrome_settings(),
        script_origins=("*",),
    )
    companion = await Companion.start(settings)
    yield companion
    await companion.stop()
