"""The tabs that speak on the tab socket, and what is asked of them; also those that another companion shares.

One connection is one tab (`docs/tabs.md`). The socket puts messages in and takes them out; nothing here waits but
`command`.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from pageside.contract import TABS
from pageside.core.redaction import redact_text, redact_url
from pageside.core.signals import Signal
from pageside.core.tab_messages import Executing, Pong, Register, Response, Update
from pageside.errors import PagesideError, Refused, ShuttingDown, TabDisconnected, TabNotFound
from pageside.hubs.tab_commands import Commands, Send

LIMITS: dict[str, int] = TABS["limits"]
REMEMBERED = 256
"""Ids of tabs that went, so that a caller hears that its tab is gone, not that there never was one."""


@dataclass(frozen=True, slots=True)
class ExtensionTab:
    """One connected tab as it is now; `connected_at` in ms since 1970."""

    id: str
    url: str
    title: str
    connected_at: int
    target_id: str = ""
    """Its id in CDP; empty if not known."""
    scripts_allowed: bool | None = None
    """Whether the user lets agents run scripts in it; None: the client does not say."""
    is_shared: bool = False
    """Reached through another companion."""

    def summary(self) -> dict[str, str]:
        """`{"tabId", "title", "url"}`, as errors list tabs."""
        return {"tabId": self.id, "title": self.title, "url": self.url}


@dataclass(frozen=True, slots=True)
class TabSocketState:
    """`listening` itself, `shared` with the companion that has the port, or `off`; `why` says what else is to say."""

    kind: Literal["listening", "shared", "off"]
    port: int | None = None
    why: str = ""


STARTING = TabSocketState("off", None, "It is starting.")
"""Until it is clear who has the port."""


class Way(Protocol):
    """How a shared tab is reached."""

    async def command(
        self, tab_id: str, command: str, params: dict[str, Any], *, seconds: float
    ) -> dict[str, Any]: ...


class LiveTab:
    """A connection that has registered: what it says of itself, and its commands."""

    def __init__(self, tab: ExtensionTab, commands: Commands) -> None:
        self.tab, self.commands = tab, commands


class Tabs:
    """One for a companion. `grace`: seconds that a tab has beyond a command's own time limit."""

    def __init__(self, *, grace: float = TABS["graceMs"] / 1000) -> None:
        self._grace = grace
        self._live: dict[str, LiveTab] = {}
        self._shared: dict[str, ExtensionTab] = {}
        self._way: Way | None = None
        self._gone: OrderedDict[str, None] = OrderedDict()
        self._changes: Signal[()] = Signal()
        self._state = STARTING
        self._stopped = False

    @property
    def state(self) -> TabSocketState:
        return self._state

    @state.setter
    def state(self, state: TabSocketState) -> None:
        if state != self._state:
            self._state = state
            self._changes.tell()

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call it after every change of the tabs or of `state`; what is returned ends that."""
        return self._changes.listen(callback)

    def all(self) -> list[ExtensionTab]:
        """Every tab, the one that connected last first."""
        tabs = [*self.own(), *(tab for tab in self._shared.values() if tab.id not in self._live)]
        return sorted(tabs, key=lambda tab: -tab.connected_at)

    def own(self) -> list[ExtensionTab]:
        """Those that are connected to this companion's own socket."""
        return [live.tab for live in self._live.values()]

    def get(self, tab_id: str) -> ExtensionTab | None:
        live = self._live.get(tab_id)
        return live.tab if live is not None else self._shared.get(tab_id)

    def was_here(self, tab_id: str) -> bool:
        """It is not connected now, but was a while ago."""
        return tab_id in self._gone and self.get(tab_id) is None

    async def command(
        self, tab_id: str, command: str, params: dict[str, Any], *, seconds: float
    ) -> dict[str, Any]:
        """Run it in that tab and return its result.

        `seconds` count from the last sign that the tab's queue moves. Raises `TabNotFound`, `TabDisconnected`,
        `CommandTimeout`, `TooMany`, `ResultTooLarge`, and what the tab says as `ReportedByPage`. Cancelling the
        awaiting task takes the command back from the tab.
        """
        if self._stopped:
            raise ShuttingDown("The companion is stopping.")
        live = self._live.get(tab_id)
        if live is not None:
            return await live.commands.run(command, params, seconds)
        if self._way is not None and tab_id in self._shared:
            return await self._way.command(tab_id, command, params, seconds=seconds)
        raise self.missing(tab_id)

    def missing(self, tab_id: str) -> PagesideError:
        """Why there is no such tab, with those there are."""
        data = {"available_tabs": [tab.summary() for tab in self.all()]}
        fix = "Call kapturemcp_list_tabs for the tabs there are now."
        if self.was_here(tab_id):
            return TabDisconnected(f"The tab {tab_id} is not connected any more.", fix=fix, data=data)
        return TabNotFound(f"No tab with the id {tab_id[:200]!r} is connected.", fix=fix, data=data)

    @property
    def is_open(self) -> bool:
        """Its companion has not been stopped."""
        return not self._stopped

    # For the socket

    def register(self, told: Register, send: Send) -> LiveTab:
        """A connection says which tab it is. Raises `Refused` 409 for an id in use: it is never taken over."""
        if self._stopped:
            raise ShuttingDown("The companion is stopping.")
        if told.tab in self._live:
            raise Refused(
                409,
                "FORBIDDEN",
                "A tab of that id is connected already.",
                "Register under another id, or close the other connection first.",
            )
        now = round(time.time() * 1000)
        tab = ExtensionTab(told.tab, _url(told.url), _title(told.title), now, told.target)
        live = self._live[told.tab] = LiveTab(tab, Commands(told.tab, send, self._grace))
        self._gone.pop(told.tab, None)
        self._changes.tell()
        return live

    def take(self, live: LiveTab, message: Update | Pong | Executing | Response) -> None:
        """A registered tab said this; raises `Refused` for what is not an answer to one of its own commands."""
        match message:
            case Update():
                self._update(live, message)
            case Executing():
                live.commands.executing(message.id)
            case Response():
                live.commands.answer(message)
            case Pong():
                """It lives; the socket keeps the time."""

    def _update(self, live: LiveTab, told: Update) -> None:
        before = live.tab
        live.tab = replace(
            before,
            url=before.url if told.url is None else _url(told.url),
            title=before.title if told.title is None else _title(told.title),
            scripts_allowed=before.scripts_allowed if told.scripts_allowed is None else told.scripts_allowed,
        )
        if live.tab != before:
            self._changes.tell()

    def disconnect(self, live: LiveTab, why: str) -> None:
        """Its connection ended: its commands end with `TAB_DISCONNECTED`."""
        if self._live.get(live.tab.id) is live:
            del self._live[live.tab.id]
            self._remember(live.tab.id)
            live.commands.end(why)
            self._changes.tell()

    # For sharing

    def share(self, tabs: Sequence[ExtensionTab], way: Way | None) -> None:
        """These tabs are reached that way now, in place of the shared ones before; none without a way."""
        before, self._way = self._shared, way
        self._shared = {tab.id: replace(tab, is_shared=True) for tab in tabs}
        for tab_id in before:
            if tab_id not in self._shared:
                self._remember(tab_id)
        if before != self._shared:
            self._changes.tell()

    def stop(self) -> None:
        """End every command; nothing is accepted afterwards."""
        self._stopped = True
        for live in list(self._live.values()):
            self.disconnect(live, "the companion stops")
        self.share([], None)

    def _remember(self, tab_id: str) -> None:
        self._gone[tab_id] = None
        self._gone.move_to_end(tab_id)
        while len(self._gone) > REMEMBERED:
            self._gone.popitem(last=False)


def _url(url: str) -> str:
    return redact_url(url)[: LIMITS["urlChars"]]


def _title(title: str) -> str:
    return redact_text(title)[: LIMITS["titleChars"]]
