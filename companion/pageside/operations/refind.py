"""Finds the element of an inspection again in an open page, though that may be another document now."""

from __future__ import annotations

import logging
from typing import Any

from pageside.core.ids import is_item_id
from pageside.core.inspections import Item
from pageside.errors import PagesideError
from pageside.hubs.page import Page
from pageside.operations.gate import may_look
from pageside.operations.world import World

log = logging.getLogger(__name__)

SECONDS = 2.0
_MAX_TEXT = 2000


def pages_of(world: World, item: Item) -> list[Page]:
    """The connected pages that show the inspection's URL: to the letter first, then but for query and fragment."""
    url = str(item.get("url", ""))
    likely = [page for page in world.pages.all() if url and _path(page.url) == _path(url)]
    return sorted(likely, key=lambda page: page.url != url)


def _path(url: str) -> str:
    return url.partition("#")[0].partition("?")[0]


async def find_again(world: World, item: Item) -> dict[str, Any]:
    """`{"found": "placed" | "approximate" | "lost", "by"?, "selector"?, "page", "elementId"?, "source"?}`.

    {} when no page shows it, or the page is paused or does not answer within 2 s.
    """
    pages = [page for page in pages_of(world, item) if may_look(world, page)]
    if not pages:
        return {}
    try:
        answer = await world.pages.calls.call(pages[0].id, "find_element", _wanted(item), seconds=SECONDS)
    except PagesideError as error:
        log.info("the element of %s was not looked for: %s", item["id"], error.message)
        return {}
    found = _checked(answer)
    return {**found, "page": pages[0].id} if found else {}


def _wanted(item: Item) -> dict[str, Any]:
    info = item["sourceInfo"].get("elementInfo")
    about = info if isinstance(info, dict) else {}
    fields = {
        "elementId": item.get("elementId"),
        "selector": item.get("selector"),
        "tag": about.get("tagName"),
        "text": about.get("textContent"),
        "role": about.get("role"),
        "name": about.get("name"),
    }
    return {name: value for name, value in fields.items() if isinstance(value, str) and value}


def _checked(answer: object) -> dict[str, Any]:
    """What a page answers, as far as it is of the agreed form."""
    if not isinstance(answer, dict) or answer.get("found") not in ("placed", "approximate", "lost"):
        return {}
    found: dict[str, Any] = {"found": answer["found"]}
    if answer.get("by") in ("id", "selector", "text"):
        found["by"] = answer["by"]
    if isinstance(answer.get("selector"), str):
        found["selector"] = answer["selector"][:_MAX_TEXT]
    if is_item_id(answer.get("elementId")):
        found["elementId"] = answer["elementId"]
    return {**found, **_place(answer.get("source"))}


def _place(source: object) -> dict[str, Any]:
    """`{"source": {"file", "line", "column", "exact"}}`: where the element comes from now."""
    if not isinstance(source, dict) or not isinstance(source.get("file"), str):
        return {}
    numbers = {name: source[name] for name in ("line", "column") if type(source.get(name)) is int}
    return {"source": {"file": source["file"][:_MAX_TEXT], **numbers, "exact": source.get("exact") is True}}
