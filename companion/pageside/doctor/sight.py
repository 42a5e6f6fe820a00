"""The project's companion as it is found: the first thing that every check asks about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pageside.contract import CHANNEL
from pageside.doctor.asking import Answer, aside, get
from pageside.processes import registry
from pageside.processes.peers import same_user_listens
from pageside.processes.project import project_id
from pageside.settings import Settings

HEALTH: str = CHANNEL["routes"]["health"]
OVERVIEW: str = CHANNEL["prefix"] + CHANNEL["console"]["overview"]

State = Literal["none", "stale", "closed", "silent", "foreign", "alive"]
"""No entry; one of a process that ended; a process without an open port; one that does not answer; another's port."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What the registry says, and what the companion itself does, if it answers."""

    folder: Path
    """The project's state folder, whether it is there or not."""
    state: State
    entry: Mapping[str, Any] = field(default_factory=dict)
    health: Mapping[str, Any] = field(default_factory=dict)
    overview: Mapping[str, Any] = field(default_factory=dict)
    """Empty if it tells none, as one of an older version."""

    @property
    def port(self) -> int | None:
        """Where it listens; None if it does not live."""
        return self.entry["port"] if self.state == "alive" else None


@dataclass(frozen=True, slots=True)
class Case:
    """What a check is given: the settings that a companion would have, the variables that are set, what was seen."""

    settings: Settings
    given: Mapping[str, str]
    sight: Sight


async def look(settings: Settings) -> Sight:
    """At most two questions to the companion, each within its time; nothing is made or changed."""
    folder = settings.state / project_id(settings.project)
    file = folder / registry.FILE
    if not await aside(file.is_file):
        return Sight(folder, "none")
    entry = await aside(registry.living, folder)
    if entry is None:
        return Sight(folder, "stale")
    if not await aside(same_user_listens, entry["port"]):
        return Sight(folder, "foreign", entry)
    try:
        answer = await get(entry["port"], HEALTH)
    except TimeoutError:
        return Sight(folder, "silent", entry)
    except (OSError, OverflowError):
        return Sight(folder, "closed", entry)
    health = answer.object() if answer else {}
    if (health.get("service"), health.get("pid")) != (CHANNEL["service"], entry["pid"]):
        return Sight(folder, "foreign", entry)
    return Sight(folder, "alive", entry, health, await _overview(entry))


async def _overview(entry: Mapping[str, Any]) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {entry.get('agentToken')}"}
    try:
        answer = await get(entry["port"], OVERVIEW, headers)
    except (OSError, TimeoutError):
        return {}
    return answer.object() if isinstance(answer, Answer) and answer.status == 200 else {}
