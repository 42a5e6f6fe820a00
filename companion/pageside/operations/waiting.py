"""Waiting for a person without letting the agent believe that nothing happens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pageside.operations.world import Report

T = TypeVar("T")

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


def done_within(task: asyncio.Future[Any]) -> Callable[[float], Awaitable[bool]]:
    """For `wait_with_progress`: whether the task is done after so many seconds, whatever came of it."""

    async def wait(seconds: float) -> bool:
        done, _ = await asyncio.wait({task}, timeout=seconds)
        return bool(done)

    return wait


async def with_progress(work: Awaitable[T], report: Report, message: str) -> T:
    """What comes of `work`, which has a time limit of its own; progress every 10 s while it takes so long.

    It is cancelled with its caller, and is over before the caller goes on.
    """
    loop = asyncio.get_running_loop()
    start = loop.time()
    task = asyncio.ensure_future(work)
    try:
        while True:
            done, _ = await asyncio.wait((task,), timeout=PROGRESS_SECONDS)
            if done:
                return task.result()
            await report(round(loop.time() - start, 1), None, message)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
