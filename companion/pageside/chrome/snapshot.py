"""What a tab shows, as text: the toolkit's lines of every document, put together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from pageside.chrome.activity import activity_of
from pageside.chrome.documents import Document, Handle, call, handle, unwrap
from pageside.chrome.find import Target, find, fresh, in_frame
from pageside.chrome.tab import Tab
from pageside.errors import ChromeError, CommandTimeout, InvalidArguments, ScriptFailed

log = logging.getLogger(__name__)

FRAME_SECONDS = 3.0
"""A frame that takes longer is left out, with a line that says so."""
YOUNG_MS = 3000
"""So long after it began, a document that shows nothing may be about to."""
FIRST_SECONDS = 1.0
"""How long that is waited for."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`text` has one line for each thing; `next` is the line to go on with, if there are more."""

    text: str
    next: int | None


async def snapshot(
    tab: Tab,
    *,
    root: Target | None = None,
    interactive: bool = False,
    max_chars: int = 40_000,
    start: int = 0,
    tool: str = "take_snapshot",
) -> Snapshot:
    """The lines of the tab's document, or of the element `root`, with those of all frames in their places.

    `tool` is the one that the last line tells to go on with, should there be more.
    """
    element = await find(tab, root) if root is not None else None
    options = {"interactive": interactive, "maxChars": max_chars, "from": start, "tool": tool}

    async def take(document: Document) -> dict[str, Any]:
        return await _taken(tab, document, element, options)

    taken = await (take(element.document) if element is not None else _of_page(tab, take))
    if start and start >= taken["nodes"]:
        raise past_end(start, taken["nodes"])
    return Snapshot(taken["text"] or _nothing(interactive), taken["next"])


def _nothing(interactive: bool) -> str:
    return "(nothing that can be operated)" if interactive else "(nothing is shown)"


async def _of_page(tab: Tab, take: Callable[[Document], Awaitable[dict[str, Any]]]) -> dict[str, Any]:
    """Of a document that has only begun, as after a reload by the user just now, nobody wants to know."""
    taken, activity = await in_frame(tab, tab.id, take), activity_of(tab)
    if taken["nodes"] or not (activity.is_loading or await in_frame(tab, tab.id, _is_young)):
        return taken
    await activity.loaded()

    async def later(document: Document) -> dict[str, Any]:
        await call(document, "nextChange", round(FIRST_SECONDS * 1000))
        return await take(document)

    # Frameworks draw after the load.
    deadline = asyncio.get_running_loop().time() + FIRST_SECONDS
    taken = await in_frame(tab, tab.id, take)
    while not taken["nodes"] and asyncio.get_running_loop().time() < deadline:
        taken = await in_frame(tab, tab.id, later)
    return taken


async def _is_young(document: Document) -> bool:
    expression = f"performance.now() < {YOUNG_MS}"
    answer = await document.session("Runtime.evaluate", expression=expression, contextId=document.context)
    return unwrap(answer) is True


async def _taken(
    tab: Tab, document: Document, root: Handle | None, options: dict[str, Any]
) -> dict[str, Any]:
    """The toolkit's answer, with the lines of other documents put where their frames are."""
    taken: dict[str, Any] = await call(document, "snapshotOf", root, options)
    frames = taken["frames"]
    if not frames:
        return taken
    left = {
        "interactive": options["interactive"],
        "tool": options["tool"],
        "maxChars": max(500, options["maxChars"] - len(taken["text"])),
    }
    inner = await asyncio.gather(*(_inner(tab, document, frame["uid"], left) for frame in frames))
    lines = taken["text"].split("\n")
    for frame, text in reversed(list(zip(frames, inner, strict=True))):
        indent = " " * (frame["depth"] + 1)
        at = frame["line"] + 1
        lines[at:at] = [indent + line for line in text.split("\n") if line]
    return {**taken, "text": "\n".join(lines)}


def past_end(start: int, lines: int) -> InvalidArguments:
    """There is no line to go on with; `lines` is how many there are."""
    return InvalidArguments(
        f"'from': there are {lines} lines, numbered from 0, so none to begin with {start}.",
        data={"argument": "from", "lines": lines},
        fix="Take the snapshot from its beginning: the page may have changed.",
    )


async def _inner(tab: Tab, outer: Document, uid: str, options: dict[str, Any]) -> str:
    """The lines of a frame's own document; nested frames are in them."""
    try:
        async with asyncio.timeout(FRAME_SECONDS):
            frame_id = await _frame_of(outer, uid)
            if frame_id is None:
                return "(the frame shows no document)"
            taken = await _taken(tab, await fresh(tab, frame_id), None, options)
    except (ChromeError, CommandTimeout, ScriptFailed, TimeoutError) as error:
        log.debug("a frame could not be read: %s", error)
        return "(the frame could not be read)"
    text: str = taken["text"]
    return text


async def _frame_of(document: Document, uid: str) -> str | None:
    owner: Handle | None = await handle(document, "element", uid, label=uid)
    if owner is None:
        return None
    node = (await owner.session("DOM.describeNode", objectId=owner.object_id))["node"]
    frame_id: str | None = node.get("frameId")
    return frame_id
