"""Which page each watcher (an MCP session) drives: a table and functions that return what changes.

Invariants, property-tested: a watcher has at most one binding; after `rebind_watchers(old, new)` nobody
points to `old`; unbinding twice is harmless. The hub applies the changes; nothing is patched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Bindings = Mapping[str, str]
"""watcher → page"""


@dataclass(frozen=True, slots=True)
class Rebind:
    """One row that changes; `page` is None where the binding ends."""

    watcher: str
    page: str | None


def bind_puppet(bindings: Bindings, watcher: str, page: str) -> list[Rebind]:
    """Bind `watcher` to `page`, instead of whatever it was bound to."""
    return [] if bindings.get(watcher) == page else [Rebind(watcher, page)]


def unbind_puppet(bindings: Bindings, watcher: str) -> list[Rebind]:
    """End the watcher's binding, if it has one."""
    return [Rebind(watcher, None)] if watcher in bindings else []


def rebind_watchers(bindings: Bindings, old: str, new: str | None) -> list[Rebind]:
    """Move all watchers of `old` to its successor `new`; None: nobody took its place."""
    return [Rebind(watcher, new) for watcher, page in bindings.items() if page == old != new]


def follow_user(bindings: Bindings, watchers: Iterable[str], page: str) -> list[Rebind]:
    """The user now works in `page`: all `watchers` drive it from here on."""
    return [change for w in watchers for change in bind_puppet(bindings, w, page)]


def apply(bindings: dict[str, str], changes: Iterable[Rebind]) -> None:
    """Write the changes into the hub's table."""
    for change in changes:
        if change.page is None:
            bindings.pop(change.watcher, None)
        else:
            bindings[change.watcher] = change.page
