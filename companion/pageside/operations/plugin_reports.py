"""What a dev server reports: files that changed, what it sent to the browsers, errors, and its own output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pageside.core.fields import Fields, filled
from pageside.hubs.leases import Lease
from pageside.operations.reports import (
    MAX_NAME,
    MAX_UPDATES,
    Reader,
    Reported,
    events_of,
    first_line,
    lateness,
    moment,
    named,
    of_update,
    place_of,
    problem,
    tell,
)
from pageside.operations.world import World

MAX_STACK = 4000
MAX_LOG = 8000
LOG = "log"
LOG_LEVELS = ("info", "warn", "error")
_CHANGED = {"update": "changed", "create": "was added", "delete": "was deleted"}

Write = Callable[[str, str], None]
"""Appends to the dev server's log: `write(level, text)`."""


def take(world: World, server: str, body: Fields, write: Write) -> None:
    """Tell all events of the batch, or none: raises `Refused` 400, which names the field."""
    events = events_of(body)
    dropped, late = body.whole("dropped"), lateness(body)
    lines = [_log_line(event) for event in events if _name(event) == LOG]
    told = [(_read(event, server), moment(event, late)) for event in events if _name(event) != LOG]
    for level, text in lines:
        write(level, text)
    for report, at in told:
        tell(world, report, at)
    if dropped:
        data = {"event": "dropped", "server": server, "count": dropped}
        world.timeline.add(
            "update", f"{dropped} reports of the dev server were lost", level="warning", data=data
        )


def connected(world: World, lease: Lease, before: Lease | None) -> None:
    """A dev server came, or tells other addresses than before."""
    if before is not None and before.urls == lease.urls:
        return
    where = f": {', '.join(lease.urls)}" if lease.urls else ""
    data = {"event": "connected", "server": lease.id, "urls": list(lease.urls)}
    world.timeline.add("server", f"dev server connected{where}", data=data)


def gone(world: World, lease: Lease) -> None:
    """A dev server's lease ended, and no other goes on for it."""
    data = {"event": "gone", "server": lease.id}
    world.timeline.add("server", "dev server gone", level="warning", data=data)


def _name(event: Fields) -> str:
    return event.choice("event", (*_READERS, LOG))


def _log_line(event: Fields) -> tuple[str, str]:
    moment(event)
    return event.choice("level", LOG_LEVELS), event.text("text", MAX_LOG)


def _read(event: Fields, server: str) -> Reported:
    report = _READERS[_name(event)](event)
    data = {"event": _name(event), **report.data, "server": server}
    return Reported(report.kind, report.text, data, report.level)


def _change(event: Fields) -> Reported:
    file, how = event.text("file", MAX_NAME), event.choice("type", _CHANGED)
    modules = event.texts("modules", MAX_UPDATES, MAX_NAME)
    return of_update(f"{file} {_CHANGED[how]}", {"file": file, "type": how, "modules": modules})


def _sent(event: Fields) -> Reported:
    updates = [_update(update) for update in event.objects("updates", MAX_UPDATES)]
    text = f"hot update: {named([update.get('file') or update['acceptedPath'] for update in updates])}"
    return of_update(text, {"stamp": event.number("stamp", 0, 2**53), "updates": updates})


def _update(update: Fields) -> dict[str, Any]:
    return filled(
        type=update.choice("type", ("js-update", "css-update")),
        path=update.text("path", MAX_NAME),
        acceptedPath=update.text("acceptedPath", MAX_NAME),
        file=update.optional_text("file", MAX_NAME),
    )


def _full_reload(event: Fields) -> Reported:
    file = event.optional_text("file", MAX_NAME)
    text = f"full reload because of {file}" if file else "full reload"
    stamp, path = event.number("stamp", 0, 2**53), event.optional_text("path", MAX_NAME)
    return of_update(text, filled(path=path, file=file, stamp=stamp))


def _error(event: Fields) -> Reported:
    found = problem(event)
    found |= filled(plugin=event.optional_text("plugin", 100), stack=event.optional_text("stack", MAX_STACK))
    where = place_of(found)
    what = first_line(found["message"])
    return of_update(f"error in {where}: {what}" if where else f"error: {what}", found, "error")


def _mended(event: Fields) -> Reported:
    file = event.text("file", MAX_NAME)
    return of_update(f"{file} is mended", {"file": file})


def _restart(event: Fields) -> Reported:
    return of_update("the dev server restarts", {})


def _restart_failed(_event: Fields) -> Reported:
    return of_update("the dev server could not restart, and goes on as it was", {}, "warning")


_READERS: dict[str, Reader] = {
    "change": _change,
    "sent": _sent,
    "full-reload": _full_reload,
    "error": _error,
    "mended": _mended,
    "restart": _restart,
    "restart-failed": _restart_failed,
}
