"""Resources: the queue and the pages as MCP resources, with templates; read fresh at every request."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import mcp_types as t

from pageside.core.pictures import MAX_PICTURE_BYTES, WHOLE_PICTURE_BYTES, Picture
from pageside.core.redaction import redact
from pageside.core.untrusted import clean
from pageside.errors import PagesideError, ResultTooLarge
from pageside.operations import drift, pictures, whole_pictures
from pageside.operations.choose_page import connected_page
from pageside.operations.read_page import network_entries
from pageside.operations.read_timeline import page_timeline
from pageside.operations.world import World

SCHEME = "pageside://"
INSPECTIONS = f"{SCHEME}inspections"
PAGES = f"{SCHEME}pages"
JSON = "application/json"
BYTES = "application/octet-stream"
TIMELINE_ENTRIES = 200

Read = Callable[[World, str], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Kind:
    """One resource, or one template with `{id}`; `complete` lists the ids there are."""

    uri: str
    name: str
    title: str
    description: str
    read: Read
    complete: Callable[[World], list[str]] | None = None
    mime: str | None = JSON

    def match(self, uri: str) -> str | None:
        """The id in `uri` ('' where there is none; `id/part` where both are), or None if it is not of this kind."""
        pattern = re.escape(self.uri).replace(re.escape("{id}"), "([A-Za-z0-9_.:-]{1,100})")
        found = re.fullmatch(pattern.replace(re.escape("{part}"), "([0-9]{1,6})"), uri)
        return None if found is None else "/".join(found.groups())


async def _inspections(world: World, _id: str) -> Any:
    return await drift.summaries(world, world.inspections.living())


async def _inspection(world: World, inspection: str) -> Any:
    return pictures.shown(world, await drift.with_drift(world, world.inspections.get(inspection)))


async def _pages(world: World, _id: str) -> Any:
    return [page.summary() for page in world.pages.all()]


async def _console(world: World, page: str) -> Any:
    connected_page(world, page)
    info = await world.pages.calls.call(page, "page_info", {})
    return {key: info.get(key, []) for key in ("errors", "console")}


async def _network(world: World, page: str) -> Any:
    connected_page(world, page)
    return await network_entries(world, page)


async def _timeline(world: World, page: str) -> Any:
    if not world.timeline.knows(page):
        connected_page(world, page)
    return page_timeline(world, page, TIMELINE_ENTRIES)


async def _screenshot(world: World, name: str) -> Picture:
    return await pictures.read(world, name)


async def _part(world: World, name: str) -> bytes:
    picture, _, number = name.partition("/")
    return await whole_pictures.read_part(world, picture, int(number))


def _inspection_ids(world: World) -> list[str]:
    return [item["id"] for item in world.inspections.living()]


def _picture_ids(world: World) -> list[str]:
    # Not those of `whole_pictures`: who asked for one was told its name.
    return world.inspections.pictures.ids()


def _page_ids(world: World) -> list[str]:
    return [page.id for page in world.pages.all()]


KINDS = (
    Kind(
        INSPECTIONS, "inspections", "Inspections", "The queue of the user's notes, oldest first", _inspections
    ),
    Kind(
        f"{INSPECTIONS}/{{id}}",
        "inspection",
        "Inspection",
        "One inspection whole",
        _inspection,
        _inspection_ids,
    ),
    Kind(PAGES, "pages", "Pages", "The connected pages, the one last used first", _pages),
    Kind(
        f"{PAGES}/{{id}}/console",
        "console",
        "Console",
        "A page's recent messages and errors",
        _console,
        _page_ids,
    ),
    Kind(
        f"{PAGES}/{{id}}/network",
        "network",
        "Network",
        "A page's resource timings, without headers and bodies; ms and bytes",
        _network,
        _page_ids,
    ),
    Kind(
        f"{PAGES}/{{id}}/timeline",
        "timeline",
        "Timeline",
        "What happened on a page, its last 200 entries, oldest first; times in ms since 1970",
        _timeline,
        _page_ids,
    ),
    Kind(
        f"{SCHEME}screenshots/{{id}}",
        "screenshot",
        "Screenshot",
        "The element of an inspection (or of an agent's pick, by elementId) when it was picked; or a tab's picture "
        "that was too large for an answer",
        _screenshot,
        _picture_ids,
        None,
    ),
    Kind(
        f"{SCHEME}screenshots/{{id}}/parts/{{part}}",
        "screenshot-part",
        "Part of a screenshot",
        f"{MAX_PICTURE_BYTES} bytes of it, counted from 1, for wires that cannot carry it whole",
        _part,
        _picture_ids,
        BYTES,
    ),
)


def list_resources() -> list[t.Resource]:
    """Those that have no id."""
    return [
        t.Resource(
            uri=kind.uri, name=kind.name, title=kind.title, description=kind.description, mime_type=JSON
        )
        for kind in KINDS
        if kind.complete is None
    ]


def list_templates() -> list[t.ResourceTemplate]:
    """Those that have one."""
    return [
        t.ResourceTemplate(
            uri_template=kind.uri,
            name=kind.name,
            title=kind.title,
            description=kind.description,
            mime_type=kind.mime,
        )
        for kind in KINDS
        if kind.complete is not None
    ]


def _contents(uri: str, value: Any) -> t.TextResourceContents | t.BlobResourceContents:
    if isinstance(value, Picture):
        return t.BlobResourceContents(
            uri=uri, mime_type=value.mime, blob=_base64(value.data), _meta=_about(value)
        )
    if isinstance(value, bytes):
        return t.BlobResourceContents(uri=uri, mime_type=BYTES, blob=_base64(value))
    text = json.dumps({"untrusted": True, "data": clean(redact(value))}, ensure_ascii=False)
    return t.TextResourceContents(uri=uri, mime_type=JSON, text=text)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _about(picture: Picture) -> dict[str, Any]:
    """Sizes in CSS px, scale in px of the image per CSS px, time in ms since 1970."""
    names = ("width", "height", "scale", "source", "taken_at")
    return {f"pageside/{name}": getattr(picture, name) for name in names}


async def read_resource(world: World, uri: str, room: Callable[[], int]) -> t.ReadResourceResult:
    """A picture as it is, all else as JSON `{"untrusted": true, "data": …}`. `room()`: how large a picture may be.

    Raises NOT_FOUND, RESULT_TOO_LARGE and what reading raises.
    """
    for kind in KINDS:
        found = kind.match(uri)
        if found is not None:
            value = await kind.read(world, found)
            if isinstance(value, Picture):
                _check_room(uri, value, room())
            return t.ReadResourceResult(contents=[_contents(uri, value)])
    raise PagesideError(
        f"There is no resource {uri!r}.",
        code="NOT_FOUND",
        fix="Call resources/list and resources/templates/list.",
    )


def _check_room(uri: str, picture: Picture, room: int) -> None:
    """A whole body takes any picture; an event does not."""
    if room < WHOLE_PICTURE_BYTES and len(picture.data) > room:
        count = whole_pictures.part_count(picture)
        raise ResultTooLarge(
            f"This {picture.mime} has {len(picture.data)} bytes; an event of this connection carries {room}.",
            fix=f"Read {uri}/parts/1 to {uri}/parts/{count}, and join their bytes.",
        )


def complete_uri(world: World, template: str, value: str) -> list[str]:
    """The ids that begin with `value`."""
    for kind in KINDS:
        if kind.uri == template and kind.complete is not None:
            return [each for each in kind.complete(world) if each.startswith(value)]
    return []
