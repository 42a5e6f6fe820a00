"""What the processes and the page hold, every few seconds."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import psutil
from playwright.async_api import CDPSession

from soak.stage import Stage

SECONDS = 5.0
PAGE_EVERY = 3
"""Samples for one of the page, which has to collect its garbage for it."""
MIB = 2**20


class Sampling:
    """`taken`: (seconds since the start, measure → value). `most`: the tasks there were at the last sample."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._companion, self._vite = psutil.Process(stage.served.pid), psutil.Process(stage.server.pid)
        self.taken: list[tuple[float, dict[str, float]]] = []
        self.tasks: dict[str, int] = {}

    async def run(self) -> None:
        """Until cancelled."""
        start, page = time.monotonic(), await self._stage.context.new_cdp_session(self._stage.still)
        while True:
            values = await asyncio.to_thread(self._processes) | await self._loop()
            if len(self.taken) % PAGE_EVERY == 0:
                values |= await _page(page)
            self.taken.append((time.monotonic() - start, values))
            await asyncio.sleep(SECONDS)

    def _processes(self) -> dict[str, float]:
        memory = self._companion.memory_full_info()
        return {
            "RSS, MiB": memory.rss / MIB,
            "USS, MiB": memory.uss / MIB,
            "threads": self._companion.num_threads(),
            "descriptors": self._companion.num_fds(),
            "CPU, %": self._companion.cpu_percent(),
            "Vite RSS, MiB": self._vite.memory_info().rss / MIB,
        }

    async def _loop(self) -> dict[str, float]:
        told: dict[str, Any] = await self._stage.witness.tasks()
        self.tasks = told["tasks"]
        return {"tasks": sum(self.tasks.values()), "timers": told["timers"]}


async def _page(session: CDPSession) -> dict[str, float]:
    """Of the page that is not reloaded."""
    await session.send("HeapProfiler.collectGarbage")
    heap = await session.send("Runtime.getHeapUsage")
    nodes = await session.send("Memory.getDOMCounters")
    return {"page heap, MiB": heap["usedSize"] / MIB, "page nodes": nodes["nodes"]}
