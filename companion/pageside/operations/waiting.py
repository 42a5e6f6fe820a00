"""Waiting for a person without letting the agent believe that nothing happens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from pageside.operations.world import Report

PROGRESS_SECONDS = 10.0
"""No client waits longer than this without a sign of life."""


async def wait_with_progress(
    wait: Callable[[float], Awaitable[bool]], seconds: float, report: Report, message: str
) -> bool:
    """Call `wait(slice)` until it is True or `seconds` are over; progress at once and every 10 s."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    while True:
        passed = loop.time() - start
        await report(round(passed, 1), seconds, message)
        left = seconds - passed
        if await wait(max(0.0, min(PROGRESS_SECONDS, left))):
            return True
        if loop.time() - start >= seconds:
            return False
