"""The page channel: SSE down, POST up (`docs/protocol.md`)."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from aiohttp import web

from pageside.contract import LIMITS, TIMING
from pageside.core.calls import Verdict
from pageside.core.fields import Fields
from pageside.core.ids import is_item_id
from pageside.core.inspections import Item
from pageside.errors import PagesideError, Refused, ReportedByPage
from pageside.hubs.channel import EVENTS, Channel
from pageside.hubs.page import Page
from pageside.operations import drift, page_reports, pictures
from pageside.operations.own_entries import writing
from pageside.operations.reports import MAX_AGO
from pageside.operations.world import World
from pageside.web.bodies import read_object
from pageside.web.event_stream import stream_events
from pageside.web.keys import RUN, WORLD
from pageside.web.routes import Route, Scope, channel_route

_PING = b": still here\n\n"
_PING_SECONDS = TIMING["pingMs"] / 1000
_WRITE_SECONDS = 10.0
"""A browser that takes nothing for so long is not there any more, whatever its socket says."""
_MAX_CHANGES = 500
_MAX_ID = 100
"""Of ids that are only compared: one that is longer is nobody's."""


def routes() -> list[Route]:
    return [
        channel_route("stream", "GET", stream, Scope.PAGE),
        channel_route("connect", "POST", connect, Scope.PAGE),
        channel_route("update", "POST", update, Scope.PAGE),
        channel_route("changes", "POST", changes, Scope.PAGE),
        channel_route("picked", "POST", picked, Scope.PAGE),
        channel_route("answer", "POST", answer, Scope.PAGE),
        channel_route("close", "POST", close, Scope.PAGE),
    ]


async def stream(request: web.Request) -> web.StreamResponse:
    """One SSE stream for all pages of a browser and origin; ends with the socket or the companion."""
    channel_id = Fields(request.query).channel_id("channel")
    pages = request.app[WORLD].pages
    channel = pages.open_channel(channel_id, request.app[RUN].id)
    try:
        return await stream_events(request, partial(_pump, channel))
    finally:
        pages.channel_closed(channel)


async def _pump(channel: Channel, response: web.StreamResponse) -> None:
    while True:
        try:
            async with asyncio.timeout(_PING_SECONDS):
                block = await channel.next()
        except TimeoutError:
            block = _PING
        async with asyncio.timeout(_WRITE_SECONDS):
            if block is None:
                return await response.write_eof()
            await response.write(block)


async def connect(request: web.Request) -> web.Response:
    """A document joins, or comes back: the queue as far as it does not know it."""
    body = await read_object(request)
    world, run = request.app[WORLD], request.app[RUN]
    fields = Fields(body)
    page_id, replaces = fields.channel_id("page"), _replaces(fields)
    known = fields.object("known") if "known" in body else {}
    # First: if there is no room for them, the page is not connected either, and may try again.
    replaced = world.pages.replaced(replaces)
    with writing(replaced or page_id):
        results = await drift.apply(world, _changes(body)) if "changes" in body else []
    is_new = world.pages.get(page_id) is None
    age = fields.optional_number("age", 0, MAX_AGO)
    before = world.pages.get(replaced or "")
    page = world.pages.connect(
        page_id,
        fields.channel_id("key"),
        fields.channel_id("channel"),
        replaces,
        fields.object("info"),
        fields.channel_id("secret") if "secret" in body else "",
    )
    if is_new:
        page_reports.loaded(world, page, before, age)
        _follow(world, replaces, page)
    items = world.inspections.all()
    if "changes" in body:
        _attach_pictures(world, page, _changes(body))
    ids = {item["id"] for item in items}
    return web.json_response(
        {
            "companion": run.id,
            "project": {"id": run.project_id, "name": world.project.name},
            "items": [drift.shown(item) for item in items if _is_news(item, known)],
            "missing": [inspection for inspection in known if inspection not in ids],
            "results": results,
            "activity": world.activity.entries(page.id),
            "brakes": world.brakes.state(page.id),
        }
    )


def _replaces(fields: Fields) -> list[str]:
    return fields.texts("replaces", LIMITS["replaced"], _MAX_ID) if "replaces" in fields.values else []


def _follow(world: World, replaces: list[str], page: Page) -> None:
    """What holds for a tab holds for its next document, also if that took longer than anybody waits for it."""
    for document in reversed(replaces):
        world.activity.follow(document, page.id)
        world.brakes.follow(document, page.id)


def _is_news(item: Item, known: dict[str, Any]) -> bool:
    """The page knows another revision, or does not know the item; a deleted one that it does not know is none."""
    if item["id"] in known:
        return bool(known[item["id"]] != item["rev"])
    return bool(item["status"] != "deleted")


async def update(request: web.Request) -> web.Response:
    """Title, URL, visibility; or the user touched the page."""
    body = await read_object(request)
    info = Fields(body).object("info") if "info" in body else None
    request.app[WORLD].pages.update(_page(request, body), info, body.get("used") is True)
    return web.Response(status=204)


async def changes(request: web.Request) -> web.Response:
    """The user's changes to the queue; on disk before this answers."""
    body = await read_object(request)
    world, page = request.app[WORLD], _page(request, body)
    wanted = _changes(body)
    with writing(page.id):
        results = await drift.apply(world, wanted)
    items = _attach_pictures(world, page, wanted)
    return web.json_response({"results": results, "items": [drift.shown(item) for item in items]})


def _attach_pictures(world: World, page: Page, wanted: list[Any]) -> list[Item]:
    """The items that `page` changed, as they are now; their pictures follow when they are ready."""
    touched = _touched(wanted)
    items = [item for item in world.inspections.all() if item["id"] in touched]
    pictures.attach(world, page, items)
    return items


async def picked(request: web.Request) -> web.Response:
    """The user points at an element; what he writes of it may take minutes."""
    body = await read_object(request)
    page, element = _page(request, body), body.get("element")
    if not is_item_id(element):
        raise Refused(400, "BAD_REQUEST", "'element' must be 1–100 plain characters.")
    pictures.picked(request.app[WORLD], page, str(element))
    return web.Response(status=204)


async def answer(request: web.Request) -> web.Response:
    """The result of a call, once, from the page that it was sent to."""
    body = await read_object(request)
    page, error = _page(request, body), body.get("error")
    failure: PagesideError | None = None
    if isinstance(error, dict):
        data = error.get("data")
        failure = ReportedByPage(
            str(error.get("code", "")),
            str(error.get("message", "The page gave no reason."))[:4000],
            data if isinstance(data, dict) else None,
        )
    verdict = request.app[WORLD].pages.calls.answer(page, body.get("id"), body.get("result"), failure)
    if verdict is Verdict.DUPLICATE:
        raise Refused(409, "BAD_REQUEST", "That call was answered already.")
    if verdict is Verdict.UNKNOWN:
        raise Refused(410, "CANCELLED", "No such call of this page is open.")
    return web.Response(status=204)


async def close(request: web.Request) -> web.Response:
    """The document is being unloaded."""
    body = await read_object(request)
    request.app[WORLD].pages.close(Fields(body).channel_id("page"), body.get("key"))
    return web.Response(status=204)


def publish_inspections(world: World) -> None:
    """Send every change of the queue to all pages, from now on."""

    def tell(items: Any) -> None:
        world.pages.broadcast(EVENTS["inspections"], {"items": [drift.shown(item) for item in items]})

    world.inspections.listen(tell)


def _page(request: web.Request, body: dict[str, Any]) -> Page:
    return request.app[WORLD].pages.authorised(body.get("page"), body.get("key"))


def _changes(body: dict[str, Any]) -> list[Any]:
    value = body.get("changes")
    if not isinstance(value, list) or len(value) > _MAX_CHANGES:
        raise Refused(400, "BAD_REQUEST", f"'changes' must be a list of at most {_MAX_CHANGES}.")
    return value


def _touched(wanted: list[Any]) -> set[str]:
    """The ids that the changes name."""
    named: list[object] = []
    for change in wanted:
        if isinstance(change, dict):
            item = change.get("item")
            named += [change.get("inspection"), item.get("id") if isinstance(item, dict) else None]
    return {inspection for inspection in named if isinstance(inspection, str)}
