"""A look at an app as a browser and a crawler see it, to compare with and without the plugin."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
from playwright.async_api import BrowserContext, ConsoleMessage, Page

from frameworks.apps import App

PAGES = ("", "about")
PRESS = """([button, shown]) => {
  if (document.querySelector(shown)) return true;
  document.querySelector(button).click();
  return false;
}"""
"""Pressed until it works: before the framework has taken over the server's HTML, nothing happens."""
TAKEN_OVER = """buttons => buttons.every(
  button => Object.getOwnPropertyNames(document.querySelector(button)).some(name => name.startsWith('__')),
)"""
"""React, Vue and Svelte leave something of their own at the elements that they work with."""
_RANDOM = (
    re.compile(r'(?<="version": ")0\.\d+(?=")'),
    re.compile(r"(?<=[?&][tv]=)[0-9a-f]+"),
    re.compile(r"(?<=,u:)\d{13}"),
    re.compile(r'(?<=server-render-time=")[\d.]+'),
    re.compile(r":\d{4,5}(?=/)"),
)
"""React Router's manifest has `Math.random()` for a version, Vite numbers what it has optimised, TanStack's router
tells when it loaded what, Astro how long an island took; ports differ."""


@dataclass
class Told:
    """What the page said in the console that a developer would look at."""

    lines: list[str] = field(default_factory=list)

    def hear(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.lines.append(f"uncaught: {error}"))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self.lines.append(f"{message.type}: {steady(message.text)}")


def steady(text: str) -> str:
    """Without what is random by itself."""
    for pattern in _RANDOM:
        text = pattern.sub("…", text)
    return text


async def press(page: Page, app: App) -> None:
    """Press the app's buttons until each has shown something."""
    for button in app.buttons:
        await page.wait_for_function(PRESS, arg=list(button), polling=200, timeout=30_000)


async def taken_over(page: Page, app: App) -> None:
    """Wait until the framework knows the elements that the server has rendered."""
    await page.wait_for_function(TAKEN_OVER, arg=[button for button, _ in app.buttons], timeout=30_000)


async def to_about(page: Page) -> None:
    """Go to the second page as the app does it."""
    await page.locator(".to-about").click()
    await page.locator(".hours").wait_for()


@asynccontextmanager
async def visited(context: BrowserContext, app: App, url: str) -> AsyncIterator[Told]:
    """What is told from the load on until both pages have been used."""
    told = Told()
    page = await context.new_page()
    told.hear(page)
    await page.goto(url)
    await press(page, app)
    await to_about(page)
    yield told
    await page.close()


async def html_of(url: str) -> dict[str, str]:
    """The HTML of each page, as the server writes it."""
    async with aiohttp.ClientSession(headers={"Accept": "text/html"}) as session:
        return {path: steady(await _text(session, url + path)) for path in PAGES}


async def _text(session: aiohttp.ClientSession, url: str) -> str:
    async with session.get(url) as response:
        assert response.status == 200, await response.text()
        return await response.text()
