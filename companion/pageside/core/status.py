"""The status machine of inspections, one table for Python and TypeScript (`contract/status.json`)."""

from __future__ import annotations

from typing import Literal

from pageside.contract import STATUS
from pageside.errors import BadTransition, InvalidArguments

Status = str
Actor = Literal["user", "agent"]

STATUSES: tuple[Status, ...] = tuple(STATUS["statuses"])
_TRANSITIONS: dict[Status, list[Status]] = STATUS["transitions"]
_USER_ONLY = frozenset(STATUS["userOnly"])
_NEEDS_MESSAGE = frozenset(STATUS["needsMessage"])


def is_status(value: object) -> bool:
    """True for one of the five statuses."""
    return isinstance(value, str) and value in STATUSES


def allowed(current: Status, actor: Actor) -> list[Status]:
    """The statuses that `actor` may choose from `current`, in the contract's order."""
    return [s for s in _TRANSITIONS[current] if actor == "user" or s not in _USER_ONLY]


def check(current: Status, wanted: Status, actor: Actor, message: str | None = None) -> None:
    """Return if the change is legal, else raise `BadTransition` or `InvalidArguments`."""
    choices = allowed(current, actor)
    if wanted not in choices:
        why = "only the user reopens" if wanted in _TRANSITIONS[current] else ""
        raise BadTransition(current, wanted, choices, why)
    if actor == "agent" and wanted in _NEEDS_MESSAGE and not (message or "").strip():
        raise InvalidArguments(
            f"'message' is missing: {wanted} needs a sentence that tells the user what was done.",
            data={"argument": "message"},
        )
