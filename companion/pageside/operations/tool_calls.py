"""One call of a tool from begin to end: told to the timeline and to pages, and stopped when the user wants it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from pageside.core import permissions
from pageside.core.timeline import Level
from pageside.core.untrusted import clean_text
from pageside.errors import CancelledByUser, PagesideError
from pageside.hubs.activity import Call
from pageside.hubs.page import find
from pageside.hubs.sessions import Watcher
from pageside.operations.inspections import current
from pageside.operations.passage import Passage, passing
from pageside.operations.world import Report, World

SILENT = ("get_timeline",)
"""Who reads the timeline should not find only that in it."""
OK = "ok"


@asynccontextmanager
async def tool_call(
    world: World,
    watcher: Watcher,
    tool: str,
    args: Mapping[str, Any],
    report: Report,
    asking: type[Exception],
) -> AsyncIterator[None]:
    """What is done in this block is one call of `watcher`'s.

    `asking` is what ends a call that asks the user first, and comes again with the answer. Raises `CancelledByUser`
    when the user stops it.
    """
    call = world.activity.begin(tool, permissions.group_of(tool), clean_text(watcher.name), "")
    watcher.call = call
    with passing(Passage(world, watcher, report, call)), _told(world, watcher, call, args, asking):
        async with _stoppable(call):
            yield


@asynccontextmanager
async def _stoppable(call: Call) -> AsyncIterator[None]:
    scope = asyncio.timeout(None)
    try:
        async with scope:
            call.stop = lambda: scope.reschedule(asyncio.get_running_loop().time())
            yield
    except TimeoutError:
        if not scope.expired():
            raise
        raise CancelledByUser(
            f"The user stopped {call.tool}, and paused agents in this page.",
            fix="Do not start it again: ask what the user wants instead, or call wait_for_inspection.",
        ) from None


@contextmanager
def _told(
    world: World, watcher: Watcher, call: Call, args: Mapping[str, Any], asking: type[Exception]
) -> Iterator[None]:
    """Tell when the block is left: how long it took or how it failed."""
    loop = asyncio.get_running_loop()
    start, before = loop.time(), current(world, watcher)
    outcome, level = OK, "info"
    try:
        yield
    except PagesideError as error:
        outcome, level = error.error_code, "warning"
        raise
    except asyncio.CancelledError:
        outcome = "cancelled"
        raise
    except asking:
        outcome = "asks the user"
        raise
    except Exception:
        outcome, level = PagesideError.code, "warning"
        raise
    finally:
        took = round((loop.time() - start) * 1000)
        world.activity.end(call, outcome, took, silent=call.group == permissions.FREE)
        if call.tool not in SILENT:
            said = f"{took} ms" if outcome == OK else outcome
            tab = f" in the tab {call.tab!r}" if call.tab else ""
            _tell(world, watcher, call, f"{call.tool} by {watcher.name}{tab}: {said}", level, args, before)


def _tell(
    world: World,
    watcher: Watcher,
    call: Call,
    text: str,
    level: str,
    args: Mapping[str, Any],
    before: str | None,
) -> None:
    # An agent that claims or ends an inspection works on it during that call too.
    inspection = current(world, watcher) or before
    graver: Level = "warning" if level == "warning" else "info"
    page = call.page or _page(world, watcher, args)
    world.timeline.add("call", text, level=graver, page=page, inspection=inspection)


def _page(world: World, watcher: Watcher, args: Mapping[str, Any]) -> str | None:
    """The page that was named, if it is one, else the one that the agent is bound to."""
    wanted = args.get("page")
    named = find(world.pages.all(), wanted) if isinstance(wanted, str) and wanted else []
    return named[0].id if len(named) == 1 else world.sessions.bound_page(watcher.key)
