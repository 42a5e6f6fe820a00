"""From the pick to the picture of its inspection. No picture ever holds up or fails the queue."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Sequence
from typing import Any

from pageside.core.inspections import Item
from pageside.core.pictures import MAX_EDGE_PX, MAX_PICTURE_BYTES, MAX_SIDE_PX, Margins, Picture, from_page
from pageside.core.remarks import told_sketch
from pageside.errors import InspectionNotFound, PagesideError
from pageside.hubs.page import Page
from pageside.operations.sketched import fits, room_for, sketched
from pageside.operations.world import World

log = logging.getLogger(__name__)

SCREENSHOTS = "pageside://screenshots/"
_EVEN_PX = 2.0
_SKETCHED = "CSS px from the element's top left corner; the screenshot shows it"


def picked(world: World, page: Page, element: str) -> None:
    """The user has just picked: take the picture now, whatever becomes of the pick."""
    _ = world.pictures.take(page.id, element, _taken(world, page, element))


def attach(world: World, page: Page, items: Iterable[Item]) -> None:
    """Notes arrived from `page`: each gets the picture of its element as soon as that is there."""
    for item in items:
        element = item.get("elementId")
        if element is None or world.inspections.pictures.is_settled(item["id"]):
            continue
        task = world.pictures.find(page.id, element)
        if task is None:
            task = world.pictures.take(page.id, element, _taken(world, page, element))
        if "sketch" in item:
            task = world.pictures.take(page.id, element, _with_room(world, page, item, task))
        world.pictures.run(_attached(world, item["id"], task))


def keep_pictures(world: World) -> None:
    """Wire the pictures to pages and queue, for as long as the world lives."""

    def changed(items: Sequence[Item]) -> None:
        deleted = [item["id"] for item in items if item["status"] == "deleted"]
        known = [inspection for inspection in deleted if world.inspections.pictures.is_settled(inspection)]
        if known:
            world.pictures.run(_forgotten(world, known))

    world.pages.connected.listen(world.pictures.page_connected)
    world.inspections.listen(changed)


async def read(world: World, name: str) -> Picture:
    """The picture of an inspection, of what an agent had picked in the last minutes, or one that was kept whole.

    With what the user drew on it. Waits for one that is on its way. Raises NOT_FOUND with the reason when there is
    none, and `InspectionNotFound`.
    """
    picture = await _read(world, name)
    sketch = next((item.get("sketch") for item in world.inspections.living() if item["id"] == name), None)
    return picture if sketch is None else await asyncio.to_thread(sketched, picture, sketch)


async def _read(world: World, name: str) -> Picture:
    pictures = world.inspections.pictures
    kept = world.whole_pictures.get(name) or await pictures.get(name)
    if kept is not None:
        return kept
    recent = world.pictures.named(name)
    why = pictures.failure(name)
    if recent is None and why is None:
        element = world.inspections.get(name).get("elementId")
        recent = world.pictures.named(element) if element is not None else None
        why = _never(element)
    if recent is None:
        raise _missing(name, why or "")
    try:
        return await asyncio.shield(recent)
    except PagesideError as error:
        raise _missing(name, error.message) from None


def shown(world: World, item: Item) -> dict[str, Any]:
    """The item as agents see it: its sketch in few words, and the address of its picture where it has one."""
    if "sketch" in item:
        item = {**item, "sketch": {"in": _SKETCHED, "shapes": told_sketch(item["sketch"])}}
    if not world.inspections.pictures.has(item["id"]) and not _is_ready(world, item.get("elementId")):
        return item
    return {**item, "screenshot": SCREENSHOTS + item["id"]}


def _is_ready(world: World, element: str | None) -> bool:
    """It was taken, though perhaps not yet written."""
    task = world.pictures.named(element) if element is not None else None
    return task is not None and task.done() and not task.cancelled() and task.exception() is None


def address(world: World, context: object) -> dict[str, str]:
    """`{"screenshot"}`: where the picture of what an agent had picked can be read for some minutes; or nothing."""
    element = context.get("elementId") if isinstance(context, dict) else None
    if not isinstance(element, str) or world.pictures.named(element) is None:
        return {}
    return {"screenshot": SCREENSHOTS + element}


def _missing(name: str, why: str) -> PagesideError:
    return PagesideError(
        f"There is no screenshot of {name}: {why}",
        code="NOT_FOUND",
        fix="Use the element's box and styles in the inspection, or ask the user.",
    )


def _never(element: str | None) -> str:
    if element is None:
        return "its client did not say which element it is about."
    return "the companion was restarted before it was taken."


async def _taken(world: World, page: Page, element: str, around: Margins | None = None) -> Picture:
    seen = await _from_camera(world, page, element, around)
    if seen is not None:
        return seen
    args: dict[str, Any] = {"element": element, "maxWidth": MAX_SIDE_PX, "maxHeight": MAX_SIDE_PX}
    if around is not None:
        args["around"] = around._asdict()
    answer = await world.pages.calls.call(page.id, "picture", args)
    return from_page(answer, int(time.time() * 1000))


async def _with_room(world: World, page: Page, item: Item, task: asyncio.Task[Picture]) -> Picture:
    """The picture; taken anew, with more around the element, where the user drew beyond it or on what was turned."""
    picture = await asyncio.shield(task)
    size = _size_of(item)
    if size is None or (fits(picture, item["sketch"]) and not _is_turned(picture, size)):
        return picture
    try:
        around = room_for(item["sketch"], *size)
        return await _taken(world, page, item["elementId"], around)
    except PagesideError as error:
        log.info("the sketch of %s goes beyond its picture: %s", item["id"], error.message)
        return picture


def _is_turned(picture: Picture, size: tuple[float, float]) -> bool:
    """Drawn alone, an element is without its transformations; among what lies around it, it has them."""
    differs = max(abs(picture.width - size[0]), abs(picture.height - size[1])) > _EVEN_PX
    return picture.source == "page" and differs


def _size_of(item: Item) -> tuple[float, float] | None:
    """Of its element, in CSS px; as the page told it, so it may be anything."""
    at: Any = item["sourceInfo"]
    for name in ("elementInfo", "boundingBox"):
        at = at.get(name) if isinstance(at, dict) else None
    size = (at.get("width"), at.get("height")) if isinstance(at, dict) else ()
    numbers = [float(each) for each in size if isinstance(each, int | float) and 0 <= each < MAX_EDGE_PX]
    return (numbers[0], numbers[1]) if len(numbers) == len(size) == 2 else None


async def _from_camera(world: World, page: Page, element: str, around: Margins | None) -> Picture | None:
    try:
        seen = await world.camera.picture(page, element, around)
    except PagesideError as error:
        log.info("Chrome took no picture of %s, so the page is asked: %s", element, error.message)
        return None
    if seen is not None and len(seen.data) > MAX_PICTURE_BYTES:
        log.info("Chrome's picture of %s has %d bytes, so the page is asked", element, len(seen.data))
        return None
    return seen


async def _attached(world: World, inspection: str, task: asyncio.Task[Picture]) -> None:
    try:
        await _settle(world, inspection, task)
    except PagesideError as error:
        log.warning("the picture of inspection %s is lost: %s", inspection, error.message)


async def _settle(world: World, inspection: str, task: asyncio.Task[Picture]) -> None:
    pictures = world.inspections.pictures
    try:
        picture = await asyncio.shield(task)
    except PagesideError as error:
        if _is_living(world, inspection):
            log.info("no picture of inspection %s: %s", inspection, error.message)
            await pictures.fail(inspection, error.message, int(time.time() * 1000))
        return
    if _is_living(world, inspection):
        await pictures.keep(inspection, picture)
    if not _is_living(world, inspection):
        # Deleted while the picture was written, when there was nothing to forget yet.
        await pictures.forget([inspection])


def _is_living(world: World, inspection: str) -> bool:
    try:
        world.inspections.get(inspection)
    except InspectionNotFound:
        return False
    return True


async def _forgotten(world: World, inspections: Sequence[str]) -> None:
    try:
        await world.inspections.pictures.forget(inspections)
    except PagesideError as error:
        log.warning("pictures of deleted inspections stay until the next start: %s", error.message)
