"""Deadlines that pass while the whole process stands still, as in a laptop's sleep.

What came meanwhile lies in its sockets, but timers fire before anything of it is read.
"""

from __future__ import annotations

import asyncio
from typing import TypeVar

LATE_SECONDS = 2.0
"""A timer that fires so late was not overtaken by others: nothing ran."""
AWAKE_SECONDS = 10.0
"""What a deadline gets on top then."""

Answer = TypeVar("Answer")


def stood_still(due: float) -> bool:
    """Whether a timer fires now that was `due` long ago, on the loop's clock in seconds."""
    return asyncio.get_running_loop().time() - due > LATE_SECONDS


async def answered(answer: asyncio.Future[Answer], seconds: float) -> Answer:
    """What it gives within `seconds` that this process was awake; raises `TimeoutError`."""
    due = asyncio.get_running_loop().time() + seconds
    await asyncio.wait((answer,), timeout=seconds)
    if not answer.done() and stood_still(due):
        await asyncio.wait((answer,), timeout=AWAKE_SECONDS)
    if not answer.done():
        raise TimeoutError
    return answer.result()
