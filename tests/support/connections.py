"""What tests of the connection to Chrome ask again and again."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from pageside.errors import PagesideError

Threads = Callable[[], set[threading.Thread]]


def own_threads() -> set[threading.Thread]:
    return {each for each in threading.enumerate() if each.name.startswith("pageside-chrome")}


async def failure(call: Awaitable[object], seconds: float = 5.0) -> PagesideError:
    """How it ends, long before its own time limit."""
    with pytest.raises(PagesideError) as caught:
        async with asyncio.timeout(seconds):
            await call
    return caught.value


async def until(holds: Callable[[], bool]) -> None:
    """Something that no event tells, within 5 s."""
    async with asyncio.timeout(5):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
