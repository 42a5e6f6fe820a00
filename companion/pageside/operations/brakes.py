"""The user's brakes, as pages set them: pause, stop, and what tools may do. No tool of an agent comes here."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pageside.core.fields import Fields
from pageside.core.permissions import DECISIONS, NAMES, Decision, changed, loosens, read
from pageside.errors import Refused
from pageside.hubs.page import Page
from pageside.operations.world import World
from pageside.processes.state import read_json

log = logging.getLogger(__name__)

FILE = "brakes.json"
STOPPED = "the user stopped it"
_MAX_CHANGES = 200


@dataclass(frozen=True, slots=True)
class Change:
    """What a page wants changed; None: it stays."""

    paused: bool | None = None
    everywhere: bool | None = None
    stop: bool = False
    policy: dict[str, Decision | None] = field(default_factory=dict)


def parse(body: Mapping[str, Any]) -> Change:
    """Raises `Refused` 400, which names the field."""
    policy = body.get("policy", {})
    if not isinstance(policy, dict) or len(policy) > _MAX_CHANGES:
        raise Refused(400, "BAD_REQUEST", f"'policy' must be an object of at most {_MAX_CHANGES} tools.")
    unknown = next((name for name in policy if name not in NAMES), None)
    if unknown is not None:
        raise Refused(400, "BAD_REQUEST", f"'policy.{str(unknown)[:100]}' is no tool and no group of tools.")
    words = Fields(policy, "policy")
    decided: dict[str, Decision | None] = {}
    for name, word in policy.items():
        decided[name] = None if word is None else _decision(words.choice(name, DECISIONS))
    return Change(
        _switch(body, "paused"), _switch(body, "everywhere"), _switch(body, "stop") is True, decided
    )


def _decision(word: str) -> Decision:
    return next(each for each in DECISIONS if each == word)


def _switch(body: Mapping[str, Any], name: str) -> bool | None:
    value = body.get(name)
    if value is not None and not isinstance(value, bool):
        raise Refused(400, "BAD_REQUEST", f"'{name}' must be true or false.")
    return value


async def apply(world: World, page: Page, change: Change) -> dict[str, Any]:
    """Do what the user wants in that page; the state afterwards. Brakes hold at once, also if they cannot be kept.

    Raises `Refused` 409 when it releases something while an agent clicks in the page: it may have pressed the button.
    """
    brakes = world.brakes
    if _releases(world, change):
        _check_nobody_presses(world, page)
    if change.stop:
        brakes.pause(page.id, True)
        stop(world, page)
    elif change.paused is not None:
        brakes.pause(page.id, change.paused)
    kept = change.everywhere is not None or bool(change.policy)
    if change.everywhere is not None:
        brakes.everywhere = change.everywhere
    brakes.policy = changed(brakes.policy, change.policy)
    brakes.changed()
    if kept:
        await _keep(world)
    return brakes.state(page.id)


def _releases(world: World, change: Change) -> bool:
    off = change.paused is False or change.everywhere is False
    return off or loosens(world.brakes.policy, change.policy)


def _check_nobody_presses(world: World, page: Page) -> None:
    acting = world.activity.presses_in(page.id)
    if acting is not None:
        raise Refused(
            409,
            "FORBIDDEN",
            f"{acting.agent} clicks or types in this page right now ({acting.tool}).",
            "Pause or stop it, wait a second, and try again.",
        )


def stop(world: World, page: Page) -> None:
    """End what agents do in that page now, and withdraw what they ask there."""
    for call in world.activity.running(page.id):
        call.stop()
    world.tickets.cancel_page(page.id, STOPPED)


async def set_policy(world: World, changes: Mapping[str, Decision | None]) -> None:
    """As the user answered a question."""
    world.brakes.policy = changed(world.brakes.policy, changes)
    world.brakes.changed()
    await _keep(world)


async def _keep(world: World) -> None:
    await world.keep_brakes({"everywhere": world.brakes.everywhere, "policy": world.brakes.policy})


def load(world: World, file: Path) -> None:
    """What was kept of them. A file that cannot be read pauses all agents: nobody knows what it forbade. Blocks."""
    if not file.exists():
        return
    stored = read_json(file) or {}
    everywhere, policy = stored.get("everywhere"), read(stored.get("policy"))
    if not isinstance(everywhere, bool) or policy is None:
        log.warning("%s cannot be read: agents are paused in all pages until the user releases them", file)
        world.brakes.everywhere = True
        return
    world.brakes.everywhere, world.brakes.policy = everywhere, policy
