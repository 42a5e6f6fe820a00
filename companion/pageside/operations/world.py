"""What operations work on: the hubs and the store of one companion."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from pageside.chrome.browser import Browser
from pageside.hubs.claims import LiveClaims
from pageside.hubs.leases import Leases
from pageside.hubs.pages import Pages
from pageside.hubs.picks import Picks
from pageside.hubs.pictures import RecentPictures
from pageside.hubs.sessions import Sessions
from pageside.hubs.timeline import Timeline
from pageside.operations.camera import ElementCamera, NoChrome
from pageside.operations.chromes import Chromes
from pageside.processes.servers import Servers
from pageside.store.inspections import Inspections

Report = Callable[[float, float | None, str], Awaitable[None]]
"""Tells a waiting agent how far it is: `report(done, total, message)`, in seconds here."""


@dataclass(frozen=True, slots=True)
class World:
    """One companion, one project. `neighbours()` names the projects that other companions serve."""

    project: Path
    pages: Pages
    sessions: Sessions
    picks: Picks
    leases: Leases
    inspections: Inspections
    claims: LiveClaims
    chromes: Chromes
    """Which Chrome a watcher means: `chromes.of(watcher)`."""
    neighbours: Callable[[], Awaitable[list[str]]]
    chosen_tabs: dict[str, str] = field(default_factory=dict)
    """Which tab a watcher selected: its key → the tab's target id."""
    pictures: RecentPictures = field(default_factory=RecentPictures)
    camera: ElementCamera = field(default_factory=NoChrome)
    timeline: Timeline = field(default_factory=Timeline)
    servers: Servers = field(default_factory=Servers)

    @property
    def chrome(self) -> Browser:
        """The Chrome of everybody who names none."""
        return self.chromes.default
