"""`pageside stdio`: an agent's stdin and stdout, bridged to the project's companion, until one of them ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping

import aiohttp

from pageside.settings import Settings
from pageside.web.companions import Companions
from pageside.web.stdio_bridge import Bridge
from pageside.web.stdio_lines import StdioLines
from pageside.web.stop_signals import stop_on_signals

log = logging.getLogger(__name__)

CONNECT_SECONDS = 5.0
STOP_SECONDS = 4.0


async def stdio(settings: Settings, query: Mapping[str, str]) -> int:
    """Run until stdin ends or a signal comes; the exit code. `query`: `clientId`, `toolsets`."""
    stop = asyncio.Event()
    stop_on_signals(stop)
    lines = StdioLines()
    # A connection of its own for each request: one that was kept may have been closed just now.
    connector = aiohttp.TCPConnector(limit=0, force_close=True)
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as http:
        companions = Companions(settings, http)
        bridge = Bridge(lines.write, companions, query)
        try:
            await _first(_serve(bridge, lines), stop.wait(), lines.broken.wait())
        finally:
            await _stop(bridge, companions)
    return 0


async def _serve(bridge: Bridge, lines: StdioLines) -> None:
    """Until there are no more lines; raises `PagesideError` if there is no companion at the beginning."""
    attaching = asyncio.create_task(bridge.start(), name="stdio-start")
    reading = asyncio.create_task(_read(bridge, lines), name="stdio-read")
    try:
        await asyncio.wait({attaching, reading}, return_when=asyncio.FIRST_COMPLETED)
        if attaching.done():
            attaching.result()
        await reading
    finally:
        attaching.cancel()
        reading.cancel()
        await asyncio.gather(attaching, reading, return_exceptions=True)


async def _read(bridge: Bridge, lines: StdioLines) -> None:
    while (line := await lines.next()) is not None:
        await bridge.take(line)
    await bridge.drain()


async def _first(*works: Coroutine[object, object, object]) -> None:
    """Run them until one ends, and raise what it raised."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _stop(bridge: Bridge, companions: Companions) -> None:
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await bridge.stop()
            await companions.stop()
    except TimeoutError:
        log.warning("stopped without waiting for everything to end")
