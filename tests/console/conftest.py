"""A real Chromium that shows the console, and that a companion in this process drives over CDP as well."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, async_playwright

from pageside.settings import ChromeSettings, Settings
from pageside.web.app import Companion
from support import chromium
from support.console_page import ConsolePage
from support.site import Site, serve_site
from support.sockets import free_ports


@pytest.fixture(autouse=True)
def no_blocking() -> None:
    """Playwright runs in this loop, and a session's fixtures outlive a test."""


@pytest.fixture(scope="session")
def chrome_port() -> int:
    (port,) = free_ports(1)
    return port


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chrome_port: int) -> AsyncIterator[Browser]:
    """One for all tests."""
    flags = [*chromium.test_flags(), "--headless=new", f"--remote-debugging-port={chrome_port}"]
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=chromium.find(), args=flags)
        yield running
        await running.close()


@pytest_asyncio.fixture(loop_scope="session")
async def context(browser: Browser) -> AsyncIterator[BrowserContext]:
    """A fresh profile: no storage, no pages."""
    context = await browser.new_context(viewport={"width": 1280, "height": 900})
    yield context
    await context.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def site() -> AsyncIterator[Site]:
    async with serve_site() as running:
        yield running


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory, chrome_port: int) -> Settings:
    """Scripts may run anywhere; tabs connect on any free port; the Chrome is the one that shows the console."""
    folder: Path = tmp_path_factory.mktemp("project")
    (folder / "shop").mkdir()
    chrome = ChromeSettings(ports=(chrome_port,), auto_launch=False)
    return Settings(
        project=folder / "shop",
        port=0,
        state=folder / "state",
        chrome=chrome,
        script_origins=("*",),
        tab_port=0,
    )


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def running(settings: Settings, browser: Browser) -> AsyncIterator[Companion]:
    """For all tests that do not stop it."""
    companion = await Companion.start(settings)
    yield companion
    await companion.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def console(context: BrowserContext) -> AsyncIterator[ConsolePage]:
    """A tab for a console; at its end the browser must have had nothing to complain of."""
    page = ConsolePage(await context.new_page())
    yield page
    assert page.complaints == []
