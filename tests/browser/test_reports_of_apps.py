"""One timeline for each page: the edit, what Vite made of it, and what the page and its user did, in their order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Page

from pageside.core.timeline import Entry, Wanted
from pageside.settings import ChromeSettings, Settings
from pageside.web.app import Companion
from support.app import DevServer, copy_example, dev_server, edit, save
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")

SECRET = "correct-horse-battery"
OTHER_PAGE = '<!doctype html><title>Other</title><script type="module" src="/other.ts"></script>'
FORM = """
  document.body.insertAdjacentHTML('beforeend', `<form aria-label="Sign in" onsubmit="return false">
    <label>Name <input name="who"></label> <label>Password <input type="password" name="pw"></label>
    <button>Sign in</button></form>`)
"""


@dataclass(slots=True)
class Watched:
    """An app under Vite, and its companion in this process, whose timeline can be read."""

    companion: Companion
    server: DevServer
    mark: int = 0

    async def open(self, context: BrowserContext, path: str = "") -> tuple[Overlay, str]:
        """A new tab and the id of its page."""
        before = {page.id for page in self.companion.world.pages.all()}
        overlay = Overlay(await context.new_page())
        await overlay.page.goto(self.server.url + path)
        await overlay.connected()
        [page] = {page.id for page in self.companion.world.pages.all()} - before
        # Vite's own socket opens when it likes: an edit before that would not reach the page.
        await self.entry(page, event="connected")
        self.mark = self.companion.world.timeline.seq
        return overlay, page

    def told(self, page: str | None = None, *kinds: str) -> list[Entry]:
        """What came since the tab was opened: to that page and the project, or to all."""
        return self.companion.world.timeline.read(page, Wanted(after=self.mark, kinds=kinds))

    async def entry(self, page: str | None = None, **data: Any) -> Entry:
        """The first entry since then with such data, as soon as it is there."""
        timeline = self.companion.world.timeline
        try:
            async with asyncio.timeout(20):
                while True:
                    seq = timeline.seq
                    for found in self.told(page):
                        if data.items() <= found.data.items():
                            return found
                    await timeline.later(seq)
        except TimeoutError:
            lines = [f"{entry.kind}: {entry.text} {entry.data}" for entry in self.told()]
            raise AssertionError("\n".join([f"no {data} among", *lines])) from None

    def file(self, name: str) -> Path:
        return self.server.project / name


@asynccontextmanager
async def watched(project: Path) -> AsyncIterator[Watched]:
    settings = Settings(
        project=project, port=0, state=project / ".state", chrome=ChromeSettings(enabled=False)
    )
    companion = await Companion.start(settings)
    async with dev_server(project, environment={"PAGESIDE_URL": companion.url}) as server:
        try:
            await server.printed(r"Pageside: +http")
            yield Watched(companion, server)
        finally:
            # Before the dev server ends, which would end the process of the companion that it finds.
            await companion.stop()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shop() -> AsyncIterator[Watched]:
    project = copy_example("vite-react")
    config = project / "vite.config.ts"
    edit(config, "plugins:", "server: { proxy: { '/api': 'http://127.0.0.1:9' } }, plugins:")
    (project / "other.html").write_text(OTHER_PAGE, "utf-8")
    (project / "other.ts").write_text("export const other = 1", "utf-8")
    async with watched(project) as running:
        yield running


def events(entries: list[Entry]) -> list[str]:
    return [str(entry.data["event"]) for entry in entries if "event" in entry.data]


async def test_an_edit_is_followed_from_the_file_to_the_page_that_applied_it(
    context: BrowserContext, shop: Watched
) -> None:
    _, other = await shop.open(context, "other.html")
    _, page = await shop.open(context)
    file = shop.file("src/components/Header.tsx")
    await asyncio.to_thread(edit, file, "<header", "<header data-edited")
    applied = await shop.entry(page, event="applied")
    seen = [entry for entry in shop.told(page, "update") if entry.seq <= applied.seq]
    assert events(seen) == ["change", "sent", "applied"]
    change, sent, applied = seen
    assert change.data["file"] == "src/components/Header.tsx"
    assert change.data["modules"] == ["/src/components/Header.tsx"]
    assert applied.data["stamps"] == [sent.data["stamp"]]
    assert [update["file"] for update in sent.data["updates"]] == ["src/components/Header.tsx"]
    assert change.at <= sent.at <= applied.at
    # The other page is told of it too, and has nothing to do.
    assert (await shop.entry(other, event="applied")).data["updates"] == []


async def test_a_syntax_error_is_told_with_its_place_and_when_it_is_mended(
    context: BrowserContext, shop: Watched
) -> None:
    _, page = await shop.open(context)
    file = shop.file("src/components/Stat.tsx")
    before = await asyncio.to_thread(file.read_text, "utf-8")
    line = before.count("\n") + 2
    await asyncio.to_thread(save, file, f"{before}\n  const broken = }}\n")
    error = await shop.entry(page, event="error")
    place = {"file": "src/components/Stat.tsx", "line": line, "column": 18, "message": "Unexpected token"}
    assert place.items() <= error.data.items()
    assert "const broken = }" in error.data["frame"]
    assert error.text == f"error in src/components/Stat.tsx:{line}:18: Unexpected token"
    failed = await shop.entry(page, event="failed", line=line)
    assert place.items() <= failed.data.items()
    assert "applied" not in events(shop.told(page))
    await asyncio.to_thread(save, file, before + "\n")
    mended = await shop.entry(page, event="mended")
    assert mended.data["file"] == "src/components/Stat.tsx"
    assert (await shop.entry(page, event="applied")).at > error.at


async def test_a_reload_goes_on_with_the_page_s_line(context: BrowserContext, shop: Watched) -> None:
    overlay, page = await shop.open(context)
    await overlay.page.evaluate("console.warn('before the reload')")
    await asyncio.to_thread(edit, shop.file("index.html"), "</title>", "!</title>")
    reload = await shop.entry(page, event="full-reload")
    assert (reload.data["path"], reload.data["file"]) == ("/index.html", "index.html")
    await shop.entry(page, event="reloading")
    loaded = await shop.entry(page, event="loaded")
    assert loaded.text == f"reloaded {shop.server.url}"
    # Each in its time, but for how long the report of it was on its way.
    assert {"before the reload", "the page reloads"} <= {entry.text for entry in shop.told(page)}


async def test_what_the_user_and_the_page_do_is_told_without_what_was_typed(
    context: BrowserContext, shop: Watched
) -> None:
    _, other = await shop.open(context)
    overlay, page = await shop.open(context)
    await overlay.page.evaluate(FORM)
    await fill_form(overlay.page)
    await overlay.page.evaluate(
        """async () => {
          history.pushState({}, '', '/cart?token=abcdefgh12345678')
          setTimeout(() => { throw new Error('boom') })
          await fetch('/api/orders')
        }"""
    )
    request = await shop.entry(page, status=502)
    assert (request.text, request.level) == ("/api/orders 502", "error")
    uncaught = await shop.entry(page, uncaught=True)
    assert (uncaught.text, uncaught.level) == ("Uncaught Error: boom", "error")
    moved = await shop.entry(page, event="navigated")
    assert moved.text == f"went to {shop.server.url}cart?token=<redacted>"
    assert [entry.text for entry in shop.told(page, "action")] == [
        'clicked textbox "Name"',
        'changed textbox "Name" (3 characters)',
        'clicked input "Password"',
        'changed input "Password"',
        'clicked button "Sign in"',
        'submitted form "Sign in"',
    ]
    assert not [entry for entry in shop.told(other) if entry.page is not None]
    log = shop.companion.world.servers.all()[0].log.last(500)
    assert SECRET not in repr(shop.companion.world.timeline.read(None)) + repr(log)


async def fill_form(page: Page) -> None:
    """As a user does: with mouse and keys."""
    await page.get_by_label("Name").click()
    await page.keyboard.type("Ada")
    await page.get_by_label("Password").click()
    await page.keyboard.type(SECRET)
    await page.get_by_role("button", name="Sign in").click()


async def test_the_dev_server_s_own_log_is_there_and_its_restart_is_told(
    context: BrowserContext, shop: Watched
) -> None:
    _, page = await shop.open(context)
    [server] = shop.companion.world.servers.all()
    assert any("Local:" in line for line in server.log.last(500))
    config = shop.file("vite.config.ts")
    text = await asyncio.to_thread(config.read_text, "utf-8")
    await asyncio.to_thread(save, config, text + "\n// changed\n")
    restart = await shop.entry(page, event="restart")
    await shop.entry(page, event="disconnected")
    await shop.entry(page, event="loaded")
    assert shop.companion.world.servers.all() == [server]
    assert server.alive
    assert restart.data["server"] == (await shop.entry(page, event="change")).data["server"]
    assert "gone" not in events(shop.told(page))
    assert any("server restarted" in line for line in server.log.last(500))
