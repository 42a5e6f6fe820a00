"""What pages report: the console, what the user did, failed requests, navigation, and hot updates as they saw them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from pageside.core.fields import Fields, filled
from pageside.core.redaction import redact_url
from pageside.core.timeline import Level
from pageside.hubs.page import Page
from pageside.hubs.timeline import Timeline
from pageside.operations.reports import (
    MAX_MESSAGE,
    MAX_NAME,
    MAX_UPDATES,
    Reader,
    Reported,
    ago,
    events_of,
    first_line,
    moment,
    named,
    of_update,
    place_of,
    problem,
    tell,
)
from pageside.operations.world import World

MAX_URL = 2000
MAX_STACK = 2000
MAX_LABEL = 80
_DONE = {"click": "clicked", "change": "changed", "submit": "submitted", "key": "pressed"}
_LEVELS: dict[str, Level] = {"debug": "debug", "info": "info", "warning": "warning", "error": "error"}
_WAYS = ("push", "replace", "traverse", "hash")


def take(world: World, page: Page, body: Fields) -> None:
    """Tell all events of the batch, or none: raises `Refused` 400, which names the field."""
    dropped = body.whole("dropped")
    events = [(_read(event, page, str(world.project)), moment(event)) for event in events_of(body)]
    for reported, at in events:
        tell(world, reported, at, page.id)
    if dropped:
        text = f"{dropped} of the page's reports were dropped, it had too many at once"
        world.timeline.add("console", text, level="warning", page=page.id, data={"dropped": dropped})


def loaded(world: World, page: Page, before: Page | None, age: float | None) -> None:
    """A document that nobody knew says hello, `age` ms after it began; `before` is the one that it replaces.

    Without an age it was connected before, to a companion that is gone or gave it up.
    """
    if age is None:
        word = "connected again"
    else:
        word = "reloaded" if before is not None and before.url == page.url else "loaded"
    data = {"event": "loaded" if age is not None else "returned", "url": page.url}
    tell(world, Reported("navigation", f"{word} {page.url}", data), ago(age or 0), page.id)


def closed(timeline: Timeline, page: str) -> None:
    """The page of that id is gone for good."""
    timeline.add("navigation", "closed", page=page, data={"event": "closed"})


def _read(event: Fields, page: Page, project: str) -> Reported:
    name = event.choice("event", (*_READERS, "request", "failed"))
    if name == "request":
        return _request(event, page)
    return _failed(event, project) if name == "failed" else _READERS[name](event)


def _console(event: Fields) -> Reported:
    level = _LEVELS[event.choice("level", _LEVELS)]
    uncaught = True if event.values.get("uncaught") is True else None
    data = filled(
        uncaught=uncaught,
        file=event.optional_text("file", MAX_NAME),
        line=event.optional_whole("line"),
        column=event.optional_whole("column"),
        stack=event.optional_text("stack", MAX_STACK),
    )
    return Reported("console", event.text("text", MAX_MESSAGE), data, level)


def _action(event: Fields) -> Reported:
    action, label = event.choice("action", _DONE), event.optional_text("label", MAX_LABEL)
    key, chars = event.optional_text("key", 20), event.optional_whole("chars")
    words = [_DONE[action], f"{key} in" if key else None, event.optional_text("role", 40) or "element"]
    words += [f'"{label}"' if label else None, f"({chars} characters)" if chars is not None else None]
    data = filled(action=action, selector=event.text("selector", MAX_NAME), key=key, chars=chars)
    return Reported("action", " ".join(word for word in words if word), data)


def _navigated(event: Fields) -> Reported:
    url, way = redact_url(event.text("url", MAX_URL)), event.choice("type", _WAYS)
    return Reported("navigation", f"went to {url}", {"event": "navigated", "url": url, "type": way})


def _request(event: Fields, page: Page) -> Reported:
    url, status = redact_url(event.text("url", MAX_URL)), event.whole("status", 999)
    method, took = event.optional_text("method", 20), event.optional_number("durationMs", 0, 86_400_000)
    shown = [method, _short(url, page.url), str(status) if status else "failed or was aborted"]
    data = filled(url=url, status=status, method=method, durationMs=took)
    # Apps abort requests that they do not need any more; the browser does not tell those from failed ones.
    level: Level = "error" if status else "warning"
    return Reported("request", " ".join(word for word in shown if word), data, level)


def _short(url: str, page: str) -> str:
    """Without the origin, if it is the page's own."""
    asked, own = urlsplit(url), urlsplit(page)
    same = (asked.scheme, asked.netloc) == (own.scheme, own.netloc)
    return url[len(f"{asked.scheme}://{asked.netloc}") :] or "/" if same else url


def _applied(event: Fields) -> Reported:
    data = {"event": "applied", **_updates(event)}
    if not data["updates"]:
        return of_update("an update of what this page has not loaded", data, "debug")
    return of_update(f"applied: {_paths(data)}", data)


def _failed(event: Fields, project: str) -> Reported:
    found = problem(event)
    if "file" in found:
        # Vite tells pages where on the disk it is.
        found["file"] = found["file"].partition("?")[0].removeprefix(f"{project}/")
    where = place_of(found)
    what = f"the update failed{f' in {where}' if where else ''}: {first_line(found['message'])}"
    batch = _updates(event) if "updates" in event.values else {}
    return of_update(what, {"event": "failed", **found, **batch}, "error")


def _updates(event: Fields) -> dict[str, Any]:
    updates = [
        {name: each.text(name, MAX_NAME) for name in ("type", "path", "acceptedPath")}
        for each in event.objects("updates", MAX_UPDATES)
    ]
    return {"stamps": event.numbers("stamps", MAX_UPDATES), "updates": updates}


def _paths(data: Mapping[str, Any]) -> str:
    return named([update["acceptedPath"] for update in data["updates"]])


def _invalidated(event: Fields) -> Reported:
    path, message = event.text("path", MAX_NAME), event.optional_text("message", MAX_MESSAGE)
    return of_update(
        f"{path} could not be updated in place", filled(event="invalidated", path=path, message=message)
    )


def _plain(name: str, text: str, level: Level = "info") -> Reader:
    return lambda _: of_update(text, {"event": name}, level)


_READERS: dict[str, Reader] = {
    "console": _console,
    "action": _action,
    "navigated": _navigated,
    "applied": _applied,
    "invalidated": _invalidated,
    "reloading": _plain("reloading", "the page reloads"),
    "disconnected": _plain("disconnected", "the page lost its dev server", "warning"),
    "connected": _plain("connected", "the page reached its dev server", "debug"),
}
