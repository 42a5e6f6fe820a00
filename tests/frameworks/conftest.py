"""Each example under its framework's own dev server: first without the plugin, then with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from browser.conftest import browser, context, no_blocking
from frameworks.apps import APPS, App
from frameworks.visit import html_of, visited
from support.app import DevServer
from support.frameworks import copy_of, served

__all__ = ["browser", "context", "no_blocking"]

SHOWS_MS = 20_000
"""Servers that render compile what a page needs when it is asked for."""
expect.set_options(timeout=SHOWS_MS)


@dataclass(frozen=True)
class Running:
    """An example that is served with the plugin, and what it was without."""

    app: App
    server: DevServer
    html_without: dict[str, str]
    told_without: list[str]


@pytest_asyncio.fixture(
    scope="module",
    loop_scope="session",
    params=[
        pytest.param(app, id=app.framework.name, marks=pytest.mark.xdist_group(app.framework.name))
        for app in APPS
    ],
)
async def running(request: pytest.FixtureRequest, browser: Browser) -> AsyncIterator[Running]:
    """Each example in turn."""
    app: App = request.param
    async with copy_of(app.framework) as project:
        context = await browser.new_context(viewport={"width": 1280, "height": 800})
        async with served(app.framework, project, enabled=False) as server:
            # The first visit makes Vite optimise what the app imports, and reload the page.
            async with visited(context, app, server.url):
                pass
            async with visited(context, app, server.url) as told:
                html = await html_of(server.url)
        await context.close()
        async with served(app.framework, project) as server:
            yield Running(app, server, html, told.lines)
