"""The call that runs here, as the door between agents' calls and pages knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from pageside.core import permissions
from pageside.hubs.activity import Call
from pageside.hubs.sessions import Watcher
from pageside.operations.world import Report, World


@dataclass(slots=True)
class Passage:
    """One call on its way through the door."""

    world: World
    watcher: Watcher
    report: Report
    call: Call
    args: Mapping[str, Any] = field(default_factory=dict)
    is_settled: bool = False
    """The user was asked, and allowed it."""
    agreed: set[str] = field(default_factory=set)
    """Origins that the question named, where scripts are not allowed otherwise."""


_passing_now: ContextVar[Passage | None] = ContextVar("the call that passes the door", default=None)


@contextmanager
def passing(passage: Passage) -> Iterator[None]:
    """What is done in this block, is done by that call."""
    token = _passing_now.set(passage)
    try:
        yield
    finally:
        _passing_now.reset(token)


def current_passage() -> Passage | None:
    """The call that runs here, unless it has to do with no page, or has ended and left a task behind."""
    found = _passing_now.get()
    if found is None or found.call.outcome or found.call.group == permissions.FREE:
        return None
    return found


def any_passage() -> Passage | None:
    """The call that runs here, whatever it has to do with; None for what no agent calls."""
    return _passing_now.get()
