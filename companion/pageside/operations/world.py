"""What operations work on: the hubs and the store of one companion."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from pageside.hubs.claims import LiveClaims
from pageside.hubs.leases import Leases
from pageside.hubs.pages import Pages
from pageside.hubs.picks import Picks
from pageside.hubs.sessions import Sessions
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
    neighbours: Callable[[], Awaitable[list[str]]]
