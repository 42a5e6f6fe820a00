"""A real Chromium with the built extension, and the tabs that a user connects with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Page, Worker, async_playwright
from playwright.async_api import TimeoutError as PlaywrightTimeout

from pageside.contract import TABS
from pageside.settings import ChromeSettings, Settings
from pageside.web.app import Companion
from support import chromium

DIST = Path(__file__).parents[2] / "inspector_client/extension/dist"
ORIGIN = f"chrome-extension://{TABS['extension']}"

_OPEN_VIEW = """
tab => {
  const port = chrome.runtime.connect({ name: 'view' });
  const view = { port, state: null, entries: null, look: () => {} };
  port.onMessage.addListener((message) => {
    if (message.type === 'state')
      view.state = { ...message.state, outcomes: [...message.news, ...(view.state?.outcomes ?? [])] };
    else if (message.type === 'console') view.entries = message.entries;
    view.look();
  });
  port.postMessage({ type: 'watch', tab });
  return view;
}
"""
_UNTIL = """
(view, text) => new Promise((done) => {
  const fits = new Function('state', 'entries', `return (${text})`);
  view.look = () => {
    if (!view.state || !fits(view.state, view.entries)) return;
    view.look = () => {};
    done(view.state);
  };
  view.look();
})
"""
_CONSOLE = """
(view, max) => new Promise((done) => {
  view.entries = null;
  view.look = () => { if (view.entries) { view.look = () => {}; done(view.entries); } };
  view.port.postMessage({ type: 'readConsole', max });
})
"""


@dataclass(slots=True)
class UserTab:
    """A tab of the user's, with what the panel shows of it: a view of its own, over the same port as the panel's."""

    number: int
    """Chrome's."""
    page: Page
    _view: Any

    async def tell(self, kind: str, **more: Any) -> None:
        """What a button of the panel would tell the worker: `connect`, `disconnect`, `run` and so on."""
        await self._view.evaluate("(view, message) => view.port.postMessage(message)", {"type": kind, **more})

    async def state(self, fits: str = "true") -> dict[str, Any]:
        """The state, as soon as `fits` is true of it: JavaScript over `state`."""
        async with asyncio.timeout(20):
            told: dict[str, Any] = await self._view.evaluate(_UNTIL, fits)
        return told

    async def connect(self, port: int) -> str:
        """As the user does it in the panel: the id under which the companion knows the tab."""
        await self.tell("setPort", port=port)
        await self.tell("connect")
        try:
            told = await self.state("state.connection === 'connected'")
        except TimeoutError:
            raise AssertionError((await self.state())["problem"]) from None
        return str(told["tabId"])

    async def disconnect(self) -> None:
        await self.tell("disconnect")
        await self.state("state.connection === 'idle' && !state.retryAt")

    async def allow_scripts(self, allowed: bool = True) -> None:
        await self.tell("allowScripts", allowed=allowed)
        await self.state(f"state.scriptsAllowed === {str(allowed).lower()}")

    async def run(self, command: str, **params: Any) -> dict[str, Any]:
        """A command by the panel's form; its outcome."""
        before = {each["id"] for each in (await self.state())["outcomes"]}
        await self.tell("run", command=f"kapturemcp_{command}", params=params)
        new = f"state.outcomes.some(each => each.by === 'user' && !{sorted(before)}.includes(each.id))"
        told = await self.state(new)
        return next(each for each in told["outcomes"] if each["by"] == "user" and each["id"] not in before)

    async def console(self, count: int = 1000) -> list[dict[str, Any]]:
        """What the panel's console shows, newest first."""
        async with asyncio.timeout(20):
            entries: list[dict[str, Any]] = await self._view.evaluate(_CONSOLE, count)
        return entries


@dataclass(slots=True)
class Extension:
    """The extension in a Chromium of its own profile."""

    context: BrowserContext
    worker: Worker
    _views: Page

    async def open(self, url: str, *, active: bool = True) -> UserTab:
        """A new tab; `active` False leaves it behind the others."""
        async with self.context.expect_page() as opened:
            number: int = await self.worker.evaluate(
                "how => chrome.tabs.create(how).then((tab) => tab.id)", {"url": url, "active": active}
            )
        page = await opened.value
        await page.wait_for_url(url)
        return await self.tab(number, page)

    async def tab(self, number: int, page: Page) -> UserTab:
        """A tab that is there already."""
        return UserTab(number, page, await self._views.evaluate_handle(_OPEN_VIEW, number))

    async def number(self, page: Page) -> int:
        """Chrome's number of a page that a test opened itself."""
        found: int = await self.worker.evaluate(
            "url => chrome.tabs.query({}).then((tabs) => tabs.findLast((tab) => tab.url === url).id)",
            page.url,
        )
        return found

    async def badge(self, tab: UserTab) -> str:
        """The text on the toolbar's button while that tab is shown."""
        text: str = await self.worker.evaluate("tabId => chrome.action.getBadgeText({ tabId })", tab.number)
        return text

    async def stop_worker(self) -> None:
        """As Chrome does with one that has nothing to do; views have to be opened anew."""
        devtools = await self.context.new_cdp_session(self._views)
        await devtools.send("ServiceWorker.enable")
        await devtools.send("ServiceWorker.stopAllWorkers")
        await devtools.detach()


@asynccontextmanager
async def chromium_with_extension(profile: Path, *flags: str) -> AsyncIterator[Extension]:
    """A new Chromium that loads `dist` by `--load-extension`; a branded Chrome, which ignores that flag, over CDP.

    `flags`: more of them, such as `--auto-open-devtools-for-tabs`.
    """
    assert (DIST / "background.js").exists(), "build it first: npm run build -w inspector_client"
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            profile,
            executable_path=chromium.find(),
            headless=True,
            # With the back/forward cache, as users have it.
            ignore_default_args=["--disable-extensions", "--disable-back-forward-cache"],
            args=[
                *chromium.test_flags(),
                "--headless=new",
                f"--disable-extensions-except={DIST}",
                f"--load-extension={DIST}",
                "--enable-unsafe-extension-debugging",
                *flags,
            ],
        )
        try:
            worker = await _worker(context)
            views = await context.new_page()
            await views.goto(f"{ORIGIN}/manifest.json")
            yield Extension(context, worker, views)
        finally:
            await context.close()


@asynccontextmanager
async def companion_for_tabs(folder: Path, *, tab_port: int = 0) -> AsyncIterator[Companion]:
    """A companion in this process, without a Chrome, to which tabs connect on any free port."""
    await asyncio.to_thread((folder / "shop").mkdir, parents=True, exist_ok=True)
    settings = Settings(
        project=folder / "shop",
        port=0,
        state=folder / "state",
        chrome=ChromeSettings(enabled=False),
        tab_port=tab_port,
    )
    companion = await Companion.start(settings)
    try:
        yield companion
    finally:
        await companion.stop()


async def _worker(context: BrowserContext) -> Worker:
    if context.service_workers:
        return context.service_workers[0]
    with suppress(PlaywrightTimeout):
        return await context.wait_for_event("serviceworker", timeout=5000)
    assert context.browser is not None
    devtools = await context.browser.new_browser_cdp_session()
    async with context.expect_event("serviceworker") as started:
        await devtools.send("Extensions.loadUnpacked", {"path": str(DIST)})
    await devtools.detach()
    return await started.value


async def told_of(companion: Companion, is_so: Callable[[], bool]) -> None:
    """Return when the companion's tabs have told it what makes it so."""
    news = asyncio.Event()
    stop = companion.world.extension_tabs.listen(news.set)
    try:
        async with asyncio.timeout(10):
            while not is_so():
                news.clear()
                await news.wait()
    finally:
        stop()


async def connected(companion: Companion, count: int) -> None:
    """Return when the companion knows so many tabs."""
    await told_of(companion, lambda: len(companion.world.extension_tabs.all()) == count)
