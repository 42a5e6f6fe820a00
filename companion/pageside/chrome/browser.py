"""The dev browser: found or launched at first use, checked for life before each use, connected anew when lost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pageside.chrome.activity import activity_of
from pageside.chrome.documents import preload
from pageside.chrome.downloads import downloads_of
from pageside.chrome.emulation import Kept
from pageside.chrome.endpoint import NOT_FOR_AGENTS, Endpoint
from pageside.chrome.launch import Launcher
from pageside.chrome.navigation import NAVIGATION_SECONDS, check_url, navigate
from pageside.chrome.search import may_launch, nothing_found, search, still_listens
from pageside.chrome.session import CALL_SECONDS, CommandFailed, Params
from pageside.chrome.tab import Tab
from pageside.chrome.wire import Connection
from pageside.core.redaction import redact_text, redact_url
from pageside.errors import (
    ChromeError,
    ChromeNotAnswering,
    ChromeUnreachable,
    CommandTimeout,
    PagesideError,
    TabCrashed,
    TabDisconnected,
)
from pageside.settings import ChromeSettings

log = logging.getLogger(__name__)

TRIES = 3
RETRY_SECONDS = 0.5
RELAUNCH_SECONDS = (0.0, 1.0, 2.0, 4.0)
"""Waits before own Chromes that follow others which ended by themselves."""
CONNECT_SECONDS = 3.0
CLOSE_SECONDS = 1.0
CLOSE_TAB_SECONDS = 1.0
"""Of one try; Chrome forgets a close that it gets while a navigation commits."""
_CLOSE_TRIES = 10


@dataclass(frozen=True, slots=True)
class TabInfo:
    """A tab as Chrome lists it; `number` is its short name, `id` the target's."""

    id: str
    title: str
    url: str
    number: int = 0

    def summary(self) -> dict[str, Any]:
        """`{"id", "title", "url"}`; the id is the number."""
        return {"id": self.number, "title": redact_text(self.title), "url": redact_url(self.url)}


class Browser:
    """At most one connection, at most one Chrome of our own."""

    def __init__(
        self, settings: ChromeSettings, folder: Path, is_ours: Callable[[int], bool] = lambda _port: True
    ) -> None:
        """`is_ours(port)`: whether the listener there belongs to this user; a scan takes no other."""
        self.settings = settings
        self.is_ours = is_ours
        self._launcher = Launcher(settings, folder)
        self._connection: Connection | None = None
        self._endpoint: Endpoint | None = None
        self._tabs: dict[str, Tab] = {}
        self._numbers: dict[str, int] = {}
        self._emulated: dict[str, Kept] = {}
        """By target id: a connection that is lost takes away what its tabs pretend."""
        self._attaching: dict[str, asyncio.Task[Tab]] = {}
        self._lock = asyncio.Lock()
        self._relaunches = 0
        self._closed = False
        self._home: Callable[[], str | None] = lambda: None

    def open_at(self, home: Callable[[], str | None]) -> None:
        """A launched Chrome opens `home()`, if that is a URL and the settings name none."""
        self._home = home

    # The connection

    @property
    def endpoint(self) -> Endpoint | None:
        """Of the Chrome that is connected now."""
        return self._endpoint if self._connected() is not None else None

    @property
    def own(self) -> Endpoint | None:
        """Of the Chrome that Pageside launched, if it still runs, connected or not."""
        return self._launcher.endpoint

    @property
    def is_launched(self) -> bool:
        """The connected Chrome is one of Pageside's own."""
        return self._endpoint is not None and self._endpoint is self._launcher.endpoint

    def _connected(self) -> Connection | None:
        connection = self._connection
        return connection if connection is not None and connection.lost is None else None

    async def ensure(self, *, launch: bool = True) -> Connection:
        """A living connection; raises `ChromeUnreachable`, or `ChromeNotAnswering` when there is a stuck one."""
        if not self.settings.enabled:
            raise ChromeUnreachable(
                "Chrome is switched off for this companion.",
                fix="Start the companion without --no-chrome and PAGESIDE_CHROME=off.",
            )
        async with self._lock:
            if self._closed:
                raise ChromeUnreachable("The companion is stopping.")
            connection = self._connected()
            if connection is not None:
                # Not awaited: a stuck Chrome ends the caller's own command within 2 s. A second one would not help.
                connection.check_alive()
                return connection
            launched = self._relaunches
            connection = await self._connect(await self._find(launch))
        if self._relaunches > launched:
            await self._open_home()
        return connection

    async def _open_home(self) -> None:
        """In the tab that a launched Chrome comes with; attached first, so that nothing of the page is missed."""
        url = self.settings.launch_url or self._home()
        tabs = await self.tabs() if url else []
        if url is None or not tabs:
            return
        try:
            await navigate(await self.tab(tabs[0].id), url)
        except PagesideError as error:
            log.warning("the launched Chrome could not open %s: %s", redact_url(url), error.message)

    async def _find(self, launch: bool) -> Endpoint:
        own = self._launcher.endpoint
        if own is not None and await still_listens(own):
            return own
        found = await search(self.settings, self.is_ours)
        if found is not None:
            return found
        if not launch or not may_launch(self.settings):
            raise nothing_found(self.settings)
        return await self._launch()

    async def _launch(self) -> Endpoint:
        wait = RELAUNCH_SECONDS[min(self._relaunches, len(RELAUNCH_SECONDS) - 1)]
        if wait:
            log.info("launching Chrome again in %g s, as the last one ended by itself", wait)
            await asyncio.sleep(wait)
        endpoint = await self._launcher.start()
        self._relaunches += 1
        return endpoint

    async def _connect(self, endpoint: Endpoint) -> Connection:
        await asyncio.to_thread(preload)
        connection = await self._open(endpoint)
        connection.on_lost = self._lost
        connection.root.on("Target.targetCreated", lambda params: self._created(params["targetInfo"]))
        connection.root.on("Target.targetDestroyed", lambda params: self._gone(params["targetId"]))
        connection.root.on("Target.targetCrashed", self._crashed)
        connection.root.on("Target.detachedFromTarget", self._detached)
        try:
            await connection.root("Target.setDiscoverTargets", seconds=CONNECT_SECONDS, discover=True)
            await self._check_is_ours(connection)
            await self._keep_downloads(connection, endpoint)
        except CommandTimeout:
            await connection.close()
            raise ChromeNotAnswering(f"Chrome at {endpoint.address} does not answer.") from None
        except BaseException:
            await connection.close()
            raise
        self._connection, self._endpoint = connection, endpoint
        log.info("connected to %s at %s", endpoint.product or "Chrome", endpoint.address)
        return connection

    async def _open(self, endpoint: Endpoint) -> Connection:
        for attempt in range(TRIES - 1):
            try:
                return await Connection.open(endpoint.url)
            except ChromeUnreachable as error:
                log.debug("try %d: %s", attempt + 1, error)
                await asyncio.sleep(RETRY_SECONDS * 2**attempt)
        try:
            return await Connection.open(endpoint.url)
        except ChromeUnreachable as error:
            raise ChromeUnreachable(f"{error.message} Tried {TRIES} times.") from None

    async def _check_is_ours(self, connection: Connection) -> None:
        """Another Chrome may have taken the port while ours was starting."""
        pid = self._launcher.pid
        if pid is None:
            return
        listed = await connection.root("SystemInfo.getProcessInfo", seconds=CONNECT_SECONDS)
        browsers = [each["id"] for each in listed.get("processInfo", ()) if each["type"] == "browser"]
        if browsers and pid not in browsers:
            await self._launcher.stop()
            raise ChromeUnreachable("Another Chrome took the port of the one that Pageside launched.")

    async def _keep_downloads(self, connection: Connection, endpoint: Endpoint) -> None:
        """What our own Chrome downloads goes with it; in others, the user decides."""
        if endpoint is not self._launcher.endpoint:
            return
        try:
            await connection.root(
                "Browser.setDownloadBehavior",
                seconds=CONNECT_SECONDS,
                behavior="allow",
                downloadPath=str(self._launcher.downloads),
            )
        except CommandFailed as error:
            log.warning("downloads go where Chrome puts them: %s", error)

    def _lost(self, reason: str) -> None:
        log.info("the connection to Chrome ended: %s", reason)
        for target_id in list(self._tabs):
            self._tabs.pop(target_id).end(f"The connection to Chrome was lost: {reason}.")

    # Tabs

    async def tabs(self, *, launch: bool = True) -> list[TabInfo]:
        """The tabs there are, without DevTools' and extensions' own."""
        return await self._listed(await self.ensure(launch=launch))

    async def look(self) -> list[TabInfo] | None:
        """The tabs of the Chrome that is connected now, told within 3 s; None if none is, and none is looked for."""
        connection = self._connected()
        return await self._listed(connection, CONNECT_SECONDS) if connection is not None else None

    async def _listed(self, connection: Connection, seconds: float = CALL_SECONDS) -> list[TabInfo]:
        answer = await connection.root("Target.getTargets", seconds=seconds)
        try:
            return [
                TabInfo(each["targetId"], each["title"], each["url"], self.number(each["targetId"]))
                for each in answer["targetInfos"]
                if each["type"] == "page" and not each["url"].startswith(NOT_FOR_AGENTS)
            ]
        except (TypeError, KeyError, AttributeError):
            raise ChromeError("What Chrome says of its tabs makes no sense.") from None

    def number(self, target_id: str) -> int:
        """Counts up in the order in which tabs were first seen; never used twice."""
        return self._numbers.setdefault(target_id, len(self._numbers) + 1)

    def has_seen(self, target_id: str) -> bool:
        """Whether a tab of that id was listed once; it may be gone."""
        return target_id in self._numbers

    @property
    def attached(self) -> list[Tab]:
        """The tabs that are watched already."""
        return list(self._tabs.values())

    def known_tab(self, target_id: str | None) -> Tab | None:
        """The tab of that id if it is attached, at no cost."""
        if target_id is None or target_id in self._attaching:
            return None
        connection = self._connected()
        if connection is None:
            return None
        connection.check_alive()
        return self._tabs.get(target_id)

    async def tab(self, target_id: str) -> Tab:
        """The tab of that id, attached; raises `TabDisconnected` when it is gone."""
        task = self._attaching.get(target_id)
        known = self._tabs.get(target_id)
        if known is not None and task is None:
            return known
        if task is None:
            task = self._attaching[target_id] = asyncio.create_task(self._attach(target_id))
            task.add_done_callback(lambda done: self._attached(target_id, done))
        return await asyncio.shield(task)

    def _attached(self, target_id: str, done: asyncio.Task[Tab]) -> None:
        del self._attaching[target_id]
        if not done.cancelled() and done.exception() is not None:
            log.debug("attaching failed: %s", done.exception())

    async def _attach(self, target_id: str) -> Tab:
        connection = await self.ensure()
        try:
            answer = await connection.root("Target.attachToTarget", targetId=target_id, flatten=True)
        except CommandFailed as error:
            raise TabDisconnected(f"The tab {target_id} cannot be attached: {error.message}") from None
        session = connection.root.child(_text(answer, "sessionId"))
        tab = Tab(target_id, session, self.settings, self._emulated.setdefault(target_id, Kept()))
        self._tabs[target_id] = tab
        activity_of(tab)
        downloads_of(tab)
        try:
            await tab.start()
        except TabCrashed:
            # It works again after a navigation, which enables what is missing.
            tab.silent = True
        except BaseException as error:
            if self._tabs.get(target_id) is tab:
                del self._tabs[target_id]
                tab.end(f"The tab could not be watched: {error}")
            raise
        return tab

    async def new_tab(self, url: str) -> Tab:
        """Open a tab and wait for its page; see `open_tab`."""
        return (await self.open_tab(url))[0]

    async def open_tab(
        self, url: str, *, background: bool = False, seconds: float = NAVIGATION_SECONDS
    ) -> tuple[Tab, bool]:
        """A new tab, and whether its page has loaded; attached before that, so that nothing of it is missed.

        When nothing can be loaded the tab is closed again.
        """
        check_url(url)
        connection = await self.ensure()
        answer = await connection.root("Target.createTarget", url="about:blank", background=background)
        target_id = _text(answer, "targetId")
        try:
            tab = await self.tab(target_id)
            return tab, url == "about:blank" or await navigate(tab, url, seconds=seconds)
        except (PagesideError, asyncio.CancelledError):
            await self._drop_tab(target_id)
            raise

    async def _drop_tab(self, target_id: str) -> None:
        try:
            await self.close_tab(target_id)
        except PagesideError as error:
            log.debug("it could not be closed: %s", error)

    async def close_tab(self, target_id: str) -> None:
        """Close it, without asking its `beforeunload`."""
        connection = await self.ensure()
        for _ in range(_CLOSE_TRIES):
            if await self._closes(connection, target_id):
                return
        raise CommandTimeout(f"Chrome did not close the tab within {_CLOSE_TRIES * CLOSE_TAB_SECONDS:g} s.")

    async def _closes(self, connection: Connection, target_id: str) -> bool:
        """Ask for it once; whether the tab has gone then."""
        root = connection.root
        gone = asyncio.ensure_future(
            root.event(
                "Target.targetDestroyed", lambda params: params["targetId"] == target_id, CLOSE_TAB_SECONDS
            )
        )
        try:
            await root("Target.closeTarget", targetId=target_id)
            await gone
        except CommandTimeout:
            listed = (await root("Target.getTargets")).get("targetInfos", ())
            return target_id not in [each["targetId"] for each in listed]
        finally:
            gone.cancel()
            await asyncio.gather(gone, return_exceptions=True)
        return True

    async def show_tab(self, target_id: str) -> None:
        """Bring it to the front."""
        connection = await self.ensure()
        await connection.root("Target.activateTarget", targetId=target_id)

    def _created(self, info: Params) -> None:
        opener = self._tabs.get(info.get("openerId", ""))
        if opener is not None and info["type"] == "page":
            opener.opened.append(info["targetId"])

    def _gone(self, target_id: str) -> None:
        self._emulated.pop(target_id, None)
        tab = self._tabs.pop(target_id, None)
        if tab is not None:
            tab.closed("The tab was closed.")

    def _detached(self, params: Params) -> None:
        for target_id, tab in list(self._tabs.items()):
            if tab.session.id == params.get("sessionId"):
                del self._tabs[target_id]
                tab.closed("The tab was closed or detached.")

    def _crashed(self, params: Params) -> None:
        tab = self._tabs.get(params["targetId"])
        # The tab's own session tells it too; twice would be once too often for a tab that is loading again.
        if tab is not None and tab.silent:
            tab.crashed()

    # The end

    async def close(self) -> None:
        """End the connection, and the Chrome that Pageside launched; others are left as they are."""
        self._closed = True
        await self.rest()

    async def rest(self) -> None:
        """The same until the next call, which begins anew."""
        async with self._lock:
            connection = self._connected()
            if connection is not None:
                if self.is_launched:
                    try:
                        await connection.root("Browser.close", seconds=CLOSE_SECONDS)
                    except (ChromeError, CommandTimeout) as error:
                        log.debug("Browser.close: %s", error)
                await connection.close()
            await self._launcher.stop()
            self._relaunches = 0


def _text(answer: Params, key: str) -> str:
    """What every Chrome answers; another program may not."""
    value = answer.get(key)
    if not isinstance(value, str):
        raise ChromeError(f"Chrome's answer has no {key}.")
    return value
