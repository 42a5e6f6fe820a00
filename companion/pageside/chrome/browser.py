"""The dev browser and its tabs: listed, attached, opened and closed; its connection is a `Link`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageside.chrome.activity import activity_of
from pageside.chrome.downloads import downloads_of
from pageside.chrome.emulation import Kept
from pageside.chrome.endpoint import NOT_FOR_AGENTS, Endpoint
from pageside.chrome.link import CONNECT_SECONDS, Link
from pageside.chrome.navigation import NAVIGATION_SECONDS, check_url, navigate
from pageside.chrome.session import CALL_SECONDS, CommandFailed, Params
from pageside.chrome.tab import Tab
from pageside.core.redaction import redact_text, redact_url
from pageside.errors import ChromeError, CommandTimeout, PagesideError, TabCrashed, TabDisconnected
from pageside.settings import ChromeSettings

if TYPE_CHECKING:
    from pageside.chrome.wire import Connection

log = logging.getLogger(__name__)

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
    """One Chrome, by whatever connection it has now."""

    def __init__(
        self, settings: ChromeSettings, folder: Path, is_ours: Callable[[int], bool] = lambda _port: True
    ) -> None:
        """`is_ours(port)`: whether the listener there belongs to this user; a scan takes no other."""
        self.settings = settings
        self.is_ours = is_ours
        self._link = Link(settings, folder, is_ours, self._opened, self._lost)
        self._tabs: dict[str, Tab] = {}
        self._numbers: dict[str, int] = {}
        self._emulated: dict[str, Kept] = {}
        """By target id: a connection that is lost takes away what its tabs pretend."""
        self._attaching: dict[str, asyncio.Task[Tab]] = {}
        self._home: Callable[[], str | None] = lambda: None

    def open_at(self, home: Callable[[], str | None]) -> None:
        """A launched Chrome opens `home()`, if that is a URL and the settings name none."""
        self._home = home

    # Its connection

    @property
    def endpoint(self) -> Endpoint | None:
        """Of the Chrome that is connected now."""
        return self._link.endpoint

    @property
    def own(self) -> Endpoint | None:
        """Of the Chrome that Pageside launched, if it still runs, connected or not."""
        return self._link.own

    @property
    def is_launched(self) -> bool:
        """The connected Chrome is one of Pageside's own."""
        return self._link.is_launched

    async def ensure(self, *, launch: bool = True) -> Connection:
        """A living connection; raises `ChromeUnreachable`, or `ChromeNotAnswering` when there is a stuck one."""
        connection, is_launched = await self._link.ensure(launch=launch)
        if is_launched:
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

    def _opened(self, connection: Connection) -> None:
        connection.root.on("Target.targetCreated", lambda params: self._created(params["targetInfo"]))
        connection.root.on("Target.targetDestroyed", lambda params: self._gone(params["targetId"]))
        connection.root.on("Target.targetCrashed", self._crashed)
        connection.root.on("Target.detachedFromTarget", self._detached)

    def _lost(self, reason: str) -> None:
        for target_id in list(self._tabs):
            self._tabs.pop(target_id).end(f"The connection to Chrome was lost: {reason}.")

    async def close(self) -> None:
        """End the connection, and the Chrome that Pageside launched; others are left as they are."""
        self._link.closed = True
        await self.rest()

    async def rest(self) -> None:
        """The same until the next call, which begins anew."""
        await self._link.rest()

    # Tabs

    async def tabs(self, *, launch: bool = True) -> list[TabInfo]:
        """The tabs there are, without DevTools' and extensions' own."""
        return await self._listed(await self.ensure(launch=launch))

    async def look(self) -> list[TabInfo] | None:
        """The tabs of the Chrome that is connected now, told within 3 s; None if none is, and none is looked for."""
        connection = self._link.now
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
        connection = self._link.now
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


def _text(answer: Params, key: str) -> str:
    """What every Chrome answers; another program may not."""
    value = answer.get(key)
    if not isinstance(value, str):
        raise ChromeError(f"Chrome's answer has no {key}.")
    return value
