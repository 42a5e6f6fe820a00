"""The companion's side of pages, for tests that look at both ends of the wire."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from pageside.web.app import Companion
from support.page import WirePage


def ask(companion: Companion, page: str, tool: str = "page_info", **options: Any) -> asyncio.Task[Any]:
    """A call to the page, on its way."""
    call: Coroutine[Any, Any, Any] = companion.world.pages.calls.call(page, tool, {}, **options)
    return asyncio.create_task(call)


def listed(companion: Companion) -> list[str]:
    """The ids of the pages that are connected."""
    return [page.id for page in companion.world.pages.all()]


def joining(who: WirePage, /, **more: Any) -> dict[str, Any]:
    """What this page sends to connect for the first time."""
    return {
        "page": who.id,
        "key": who.key,
        "channel": who.channel,
        "info": {},
        "changes": [],
        "known": {},
        **more,
    }
