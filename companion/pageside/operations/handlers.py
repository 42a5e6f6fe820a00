"""The event handlers of a picked element: what its page tells, and what only Chrome knows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from pageside.chrome.listeners import Listener, listeners_of
from pageside.chrome.sources import sources_of
from pageside.core.redaction import redact_text
from pageside.errors import PagesideError
from pageside.operations.picked_element import Picked

log = logging.getLogger(__name__)

SECONDS = 1.5
"""An answer does not wait longer for what it is complete without."""
MAX_HANDLERS = 30

Handler = dict[str, Any]


async def with_listeners(context: Any, shown: Picked | None, project: PurePath) -> Any:
    """`context` with the listeners that Chrome knows of besides; as it is where no Chrome shows the element."""
    source = context.get("sourceInfo") if isinstance(context, dict) else None
    if shown is None or not isinstance(source, dict):
        return context
    try:
        async with asyncio.timeout(SECONDS):
            sources = await sources_of(shown.tab, project)
            listeners = await listeners_of(shown.tab, shown.element, sources)
    except (PagesideError, TimeoutError) as error:
        log.info("Chrome does not tell of listeners: %s", error)
        return context
    told = source.get("handlers")
    handlers = merged(told if isinstance(told, list) else [], listeners)
    return {**context, "sourceInfo": {**source, "handlers": handlers}} if handlers else context


def merged(told: Sequence[Any], listeners: Sequence[Listener]) -> list[Handler]:
    """What the page told, with the places that it did not know, and then what it did not know of at all."""
    handlers: list[Handler] = [dict(each) for each in told if isinstance(each, Mapping)]
    for listener in listeners:
        new = _handler(listener)
        if any(_is_same(known, new) for known in handlers):
            continue
        nameless = next((known for known in handlers if _lacks_place(known, new)), None)
        if nameless is None:
            handlers.append(new)
        else:
            nameless.update({key: new[key] for key in ("file", "line", "column")})
    return handlers[:MAX_HANDLERS]


def _handler(listener: Listener) -> Handler:
    file, line, column = _split(listener.at)
    on = {"on": listener.on} if listener.on else {}
    name = redact_text(listener.name)
    return {
        "event": listener.event,
        "name": name,
        "file": file,
        "line": line,
        "column": column,
        "via": "chrome",
        **on,
    }


def _split(at: str) -> tuple[str, int, int]:
    """`src/App.tsx:12:5`."""
    file, *rest = at.rsplit(":", 2)
    if len(rest) == 2 and all(part.isdecimal() for part in rest):
        return file, int(rest[0]), int(rest[1])
    return at, 0, 0


def _is_same(known: Handler, new: Handler) -> bool:
    """Columns may differ: a framework counts from the attribute's value, Chrome from the function's parameters."""
    return all(known.get(key) == new[key] for key in ("event", "file", "line"))


def _lacks_place(known: Handler, new: Handler) -> bool:
    """`element.onclick = …`: the page sees the function, Chrome where it is."""
    is_it = all(known.get(key) == new.get(key) for key in ("event", "name", "on"))
    return is_it and known.get("via") == "dom" and not known.get("file")
