"""Watchers: the agents' MCP sessions, which page each drives, and what each works on."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field

from pageside.core import bindings as rules
from pageside.core.addresses import ChromeAddress
from pageside.core.signals import Signal
from pageside.hubs.activity import Call

MAX_WATCHERS = 256
PUPPET = "inspector"
"""The `puppetId` of a watcher that drives pages."""


@dataclass(slots=True)
class Watcher:
    """One agent. `key` tells sessions apart, `name` is what people read, `inspection` what it works on."""

    key: str
    name: str
    puppet: str = PUPPET
    inspection: str | None = None
    chrome: ChromeAddress | None = None
    """The Chrome that its session names for itself."""
    shared: bool = False
    """On a wire without sessions, and without a `clientId`: every agent of that name has this key."""
    since: float = field(default_factory=lambda: time.time() * 1000)
    """When it was first heard of, in ms since 1970."""
    call: Call | None = field(default=None, repr=False)
    """The last one that it made."""


class Sessions:
    """Bindings follow the user from page to page, and a page to its successor."""

    def __init__(self) -> None:
        self._watchers: OrderedDict[str, Watcher] = OrderedDict()
        self._bindings: dict[str, str] = {}
        self.closed: Signal[str] = Signal()
        """With the key of a watcher that is gone."""
        self.changes: Signal[()] = Signal()
        """Of the watchers there are, their names and their pages; not of what they do."""

    def watcher(self, key: str, name: str, puppet: str = PUPPET) -> Watcher:
        """The watcher of that key, made at its first call. Past 256 the one idle longest is forgotten."""
        found = self._watchers.get(key)
        if found is None:
            while len(self._watchers) >= MAX_WATCHERS:
                self.close(next(iter(self._watchers)))
            found = self._watchers[key] = Watcher(key, name, puppet)
        self._watchers.move_to_end(key)
        is_news = (found.name, found.puppet) != (name, puppet)
        found.name, found.puppet = name, puppet
        if is_news or found.call is None:
            self.changes.tell()
        return found

    def close(self, key: str) -> None:
        """The session ended; closing twice is harmless."""
        if self._watchers.pop(key, None) is not None:
            rules.apply(self._bindings, rules.unbind_puppet(self._bindings, key))
            self.closed.tell(key)
            self.changes.tell()

    def all(self) -> list[Watcher]:
        """Those there are, the one that was heard last at the end."""
        return list(self._watchers.values())

    def __len__(self) -> int:
        return len(self._watchers)

    def bound_page(self, key: str) -> str | None:
        """The id of the page that this watcher drives."""
        return self._bindings.get(key)

    def bind(self, key: str, page: str) -> None:
        """Bind a watcher that drives no page yet."""
        rules.apply(self._bindings, rules.bind_puppet(self._bindings, key, page))
        self.changes.tell()

    def bindings(self) -> dict[str, str]:
        """A copy of the table: watcher → page."""
        return dict(self._bindings)

    # What becomes of pages

    def page_connected(self, page: str, predecessor: str | None) -> None:
        if predecessor is not None:
            changes = rules.rebind_watchers(self._bindings, predecessor, page)
            rules.apply(self._bindings, changes)

    def page_used(self, page: str) -> None:
        puppets = [w.key for w in self._watchers.values() if w.puppet == PUPPET]
        rules.apply(self._bindings, rules.follow_user(self._bindings, puppets, page))

    def page_gone(self, page: str) -> None:
        rules.apply(self._bindings, rules.rebind_watchers(self._bindings, page, None))
