"""What operations work on: the hubs and the store of one companion."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pageside.chrome.browser import Browser
from pageside.hubs.activity import Activity
from pageside.hubs.brakes import Brakes
from pageside.hubs.claims import LiveClaims
from pageside.hubs.heard import Heard
from pageside.hubs.leases import Leases
from pageside.hubs.pages import Pages
from pageside.hubs.pictures import RecentPictures
from pageside.hubs.sessions import Sessions
from pageside.hubs.tabs import Tabs
from pageside.hubs.tickets import Tickets
from pageside.hubs.timeline import Timeline
from pageside.hubs.whole_pictures import WholePictures
from pageside.operations.camera import ElementCamera, NoChrome
from pageside.operations.chromes import Chromes
from pageside.operations.tab_pages import TabPages
from pageside.processes.servers import Servers
from pageside.store.inspections import Inspections


async def _keep_nothing(_brakes: dict[str, Any]) -> None:
    """For a world without a state folder."""


Report = Callable[[float, float | None, str], Awaitable[None]]
"""Tells a waiting agent how far it is: `report(done, total, message)`, in seconds here."""


@dataclass(frozen=True, slots=True)
class World:
    """One companion, one project. `neighbours()` names the projects that other companions serve."""

    project: Path
    pages: Pages
    sessions: Sessions
    tickets: Tickets
    leases: Leases
    inspections: Inspections
    claims: LiveClaims
    chromes: Chromes
    """Which Chrome a watcher means: `chromes.of(watcher)`."""
    neighbours: Callable[[], Awaitable[list[str]]]
    chosen_tabs: dict[str, str] = field(default_factory=dict)
    """Which tab a watcher selected: its key → the tab's target id."""
    pictures: RecentPictures = field(default_factory=RecentPictures)
    whole_pictures: WholePictures = field(default_factory=WholePictures)
    """Of tabs: those that were too large for an answer."""
    camera: ElementCamera = field(default_factory=NoChrome)
    timeline: Timeline = field(default_factory=Timeline)
    heard: Heard = field(default_factory=Heard)
    """What each agent was told of the user's replies."""
    servers: Servers = field(default_factory=Servers)
    activity: Activity = field(default_factory=Activity)
    brakes: Brakes = field(default_factory=Brakes)
    tab_pages: TabPages = field(default_factory=TabPages)
    """Which pages the tabs of Chrome show."""
    extension_tabs: Tabs = field(default_factory=Tabs)
    """The tabs that speak on the tab socket."""
    script_origins: tuple[str, ...] = ()
    """Where agents may run scripts besides the dev servers' own; `*`: anywhere."""
    own_origins: set[str] = field(default_factory=set)
    """Of the companion itself, where its web console is; known as soon as it listens."""
    keep_brakes: Callable[[dict[str, Any]], Awaitable[None]] = _keep_nothing
    """Writes down what of the brakes survives the companion; raises `StoreFailed`."""

    @property
    def chrome(self) -> Browser:
        """The Chrome of everybody who names none."""
        return self.chromes.default
