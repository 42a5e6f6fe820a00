"""A real Chromium, a real Vite dev server, and the companion that its plugin starts."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, async_playwright

from support import chromium
from support.agents import delete_inspections
from support.app import INSTALLED, DevServer, copy_example, dev_server


@pytest.fixture(autouse=True)
def no_blocking() -> None:
    """The companion runs in a process of its own here: there is no loop of ours to guard."""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One Chromium for all browser tests."""
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(
            executable_path=chromium.find(), args=[*chromium.test_flags(), "--headless=new"]
        )
        yield running
        await running.close()


@pytest_asyncio.fixture(loop_scope="session")
async def context(browser: Browser) -> AsyncIterator[BrowserContext]:
    """A fresh profile: no storage, no pages."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    yield context
    await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def app() -> AsyncIterator[DevServer]:
    """The React 19 example in a copy of its own, served by Vite with the plugin."""
    async with dev_server(copy_example("vite-react")) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def as_installed() -> AsyncIterator[DevServer]:
    """The same, and its plugin starts the companion by the very command that users have."""
    installed = {"VIRTUAL_ENV": str(INSTALLED)}
    async with dev_server(copy_example("vite-react"), environment=installed) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def served(request: pytest.FixtureRequest) -> AsyncIterator[DevServer]:
    """The same of the example that the module names in `EXAMPLE`."""
    async with dev_server(copy_example(request.module.EXAMPLE)) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def no_warnings(context: BrowserContext) -> AsyncIterator[None]:
    """The pages have nothing to complain of."""
    told: list[str] = []
    context.on("console", lambda m: told.append(m.text) if m.type in ("warning", "error") else None)
    yield
    assert told == []


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def one_app() -> AsyncIterator[DevServer]:
    """The React example for all tests of a module."""
    async with dev_server(copy_example("vite-react")) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def shared_app(one_app: DevServer) -> AsyncIterator[DevServer]:
    """The same for tests that leave its files and its companion as they were; each begins with an empty queue.

    A test that failed half-way leaves none of its notes to the next one, or to its own second run.
    """
    yield one_app
    await delete_inspections(await one_app.mcp_url())
