"""The connection to one Chrome: found or launched at first use, checked for life before each, made anew when lost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pageside.chrome.documents import preload
from pageside.chrome.endpoint import Endpoint
from pageside.chrome.launch import Launcher
from pageside.chrome.search import may_launch, nothing_found, search, still_listens
from pageside.chrome.session import CommandFailed
from pageside.errors import ChromeError, ChromeNotAnswering, ChromeUnreachable, CommandTimeout
from pageside.settings import ChromeSettings

if TYPE_CHECKING:
    from pageside.chrome.wire import Connection

log = logging.getLogger(__name__)

TRIES = 3
RETRY_SECONDS = 0.5
RELAUNCH_SECONDS = (0.0, 1.0, 2.0, 4.0)
"""Waits before own Chromes that follow others which ended by themselves."""
CONNECT_SECONDS = 3.0
CLOSE_SECONDS = 1.0


def _load() -> type[Connection]:
    """What only a companion with a Chrome needs: loading it is an eighth of the time in which one starts."""
    from pageside.chrome.wire import Connection  # noqa: PLC0415

    preload()
    return Connection


class Link:
    """At most one connection, at most one Chrome of our own."""

    def __init__(
        self,
        settings: ChromeSettings,
        folder: Path,
        is_ours: Callable[[int], bool],
        on_open: Callable[[Connection], None],
        on_lost: Callable[[str], None],
    ) -> None:
        """`on_open` gets each new connection before Chrome says anything of its tabs, `on_lost` why one ended."""
        self._settings, self._is_ours = settings, is_ours
        self._on_open, self._on_lost = on_open, on_lost
        self._launcher = Launcher(settings, folder)
        self._connection: Connection | None = None
        self._endpoint: Endpoint | None = None
        self._lock = asyncio.Lock()
        self._relaunches = 0
        self.closed = False
        """Nothing is connected any more."""

    @property
    def endpoint(self) -> Endpoint | None:
        """Of the Chrome that is connected now."""
        return self._endpoint if self.now is not None else None

    @property
    def own(self) -> Endpoint | None:
        """Of the Chrome that Pageside launched, if it still runs, connected or not."""
        return self._launcher.endpoint

    @property
    def is_launched(self) -> bool:
        """The connected Chrome is one of Pageside's own."""
        return self._endpoint is not None and self._endpoint is self._launcher.endpoint

    @property
    def now(self) -> Connection | None:
        """The connection that lives."""
        connection = self._connection
        return connection if connection is not None and connection.lost is None else None

    async def ensure(self, *, launch: bool = True) -> tuple[Connection, bool]:
        """A living connection, and whether Chrome was launched for it.

        Raises `ChromeUnreachable`, or `ChromeNotAnswering` when there is a stuck one.
        """
        if not self._settings.enabled:
            raise ChromeUnreachable(
                "Chrome is switched off for this companion.",
                fix="Start the companion without --no-chrome and PAGESIDE_CHROME=off.",
            )
        async with self._lock:
            if self.closed:
                raise ChromeUnreachable("The companion is stopping.")
            connection = self.now
            if connection is not None:
                # Not awaited: a stuck Chrome ends the caller's own command within 2 s. A second one would not help.
                connection.check_alive()
                return connection, False
            launched = self._relaunches
            connection = await self._connect(await self._find(launch))
        return connection, self._relaunches > launched

    async def _find(self, launch: bool) -> Endpoint:
        own = self._launcher.endpoint
        if own is not None and await still_listens(own):
            return own
        found = await search(self._settings, self._is_ours)
        if found is not None:
            return found
        if not launch or not may_launch(self._settings):
            raise nothing_found(self._settings)
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
        connection = await self._open(endpoint, await asyncio.to_thread(_load))
        connection.on_lost = self._lost
        self._on_open(connection)
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

    async def _open(self, endpoint: Endpoint, kind: type[Connection]) -> Connection:
        for attempt in range(TRIES - 1):
            try:
                return await kind.open(endpoint.url)
            except ChromeUnreachable as error:
                log.debug("try %d: %s", attempt + 1, error)
                await asyncio.sleep(RETRY_SECONDS * 2**attempt)
        try:
            return await kind.open(endpoint.url)
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
        self._on_lost(reason)

    async def rest(self) -> None:
        """End the connection and the Chrome of our own, until the next call, which begins anew."""
        async with self._lock:
            connection = self.now
            if connection is not None:
                if self.is_launched:
                    try:
                        await connection.root("Browser.close", seconds=CLOSE_SECONDS)
                    except (ChromeError, CommandTimeout) as error:
                        log.debug("Browser.close: %s", error)
                await connection.close()
            await self._launcher.stop()
            self._relaunches = 0
