"""The Chromes of one companion: the one that everybody has, and those that single sessions name for themselves."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any

from pageside.chrome.browser import Browser
from pageside.chrome.search import is_loopback
from pageside.core.addresses import ChromeAddress
from pageside.errors import InvalidArguments, PagesideError
from pageside.hubs.sessions import Watcher
from pageside.settings import ChromeSettings

log = logging.getLogger(__name__)

MAX_NAMED = 8
IDLE_SECONDS = 600.0
"""After which one makes room for another, should there be too many."""

Make = Callable[[ChromeSettings, str], Browser]
"""Makes a `Browser` with these settings; the text is a name for its folder."""


@dataclass(slots=True)
class _Named:
    browser: Browser
    users: set[str] = field(default_factory=set)
    """The keys of the watchers that have called it."""
    used: float = 0.0


class Chromes:
    """`of(watcher)` is the Chrome that an agent means; nobody meets the tabs of another's."""

    def __init__(self, default: Browser, make: Make) -> None:
        self.default = default
        self._make = make
        self._named: dict[ChromeAddress, _Named] = {}
        self._home: Callable[[], str | None] = lambda: None
        self._endings: set[asyncio.Task[None]] = set()

    def open_at(self, home: Callable[[], str | None]) -> None:
        """What a launched one opens; see `Browser.open_at`."""
        self._home = home
        self.default.open_at(home)

    def check(self, address: ChromeAddress | None) -> None:
        """Raise `InvalidArguments` unless it is on this machine, or on the one that is configured."""
        if address is None or is_loopback(address.host) or address.host == self.default.settings.host:
            return
        raise InvalidArguments(
            f"'chrome': {address} is on another machine.",
            data={"argument": "chrome"},
            fix="Name a port of this machine; CHROME_DEBUG_HOST of the companion allows one other host.",
        )

    def of(self, watcher: Watcher) -> Browser:
        """The Chrome that this watcher named, made at its first call, else the default one; raises TOO_MANY."""
        address = watcher.chrome
        if address is None or self._is_default(address):
            return self.default
        named = self._named.get(address) or self._add(address)
        named.users.add(watcher.key)
        named.used = time.monotonic()
        return named.browser

    @property
    def all(self) -> list[Browser]:
        """The default one first."""
        return [self.default, *(named.browser for named in self._named.values())]

    def has_launched(self, port: int) -> bool:
        """Whether a session's own Chrome was launched there: it is no find for somebody who searches."""
        # Asked from another thread: the table may change meanwhile.
        browsers = [named.browser for named in list(self._named.values())]
        launched = [browser.endpoint for browser in browsers if browser.is_launched]
        return any(each is not None and each.address.endswith(f":{port}") for each in launched)

    def session_closed(self, key: str) -> None:
        """A Chrome that no session uses any more is let go, and ended if Pageside launched it."""
        for address, named in self._named.items():
            was_used = bool(named.users)
            named.users.discard(key)
            if was_used and not named.users:
                self._later(self._let_go(address, named))

    async def close(self) -> None:
        """End every connection, and the Chromes that were launched."""
        await asyncio.gather(*(browser.close() for browser in self.all))
        await asyncio.gather(*self._endings, return_exceptions=True)

    def _is_default(self, address: ChromeAddress) -> bool:
        settings = self.default.settings
        asked = (settings.host, settings.ports) == (address.host, (address.port,))
        return asked and settings.ws_url is None

    def _add(self, address: ChromeAddress) -> _Named:
        self._make_room()
        settings = replace(self.default.settings, ws_url=None, host=address.host, ports=(address.port,))
        folder = f"{address.host.replace(':', '-')}-{address.port}"
        named = self._named[address] = _Named(self._make(settings, folder))
        named.browser.open_at(self._home)
        return named

    def _make_room(self) -> None:
        if len(self._named) < MAX_NAMED:
            return
        oldest = min(self._named, key=lambda address: self._named[address].used)
        if time.monotonic() - self._named[oldest].used < IDLE_SECONDS:
            raise PagesideError(
                f"Sessions use {MAX_NAMED} Chromes of their own already.",
                code="TOO_MANY",
                fix="End a session that has its own Chrome, or connect without 'chrome'.",
            )
        self._later(self._named.pop(oldest).browser.close())

    async def _let_go(self, address: ChromeAddress, named: _Named) -> None:
        # Whoever names it meanwhile gets the same one, and waits until this is over.
        await named.browser.rest()
        if not named.users and self._named.get(address) is named:
            del self._named[address]

    def _later(self, ending: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(ending)
        self._endings.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._endings.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.warning("a Chrome was not let go: %s", task.exception())
