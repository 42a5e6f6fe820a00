"""Clients that behave badly, for a bounded time: `python -m bench.attack PORT SECONDS`."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress

import aiohttp

SESSIONS = 300
HALF_BODIES = 50
FLOODERS = 4
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


def _initialize() -> dict[str, object]:
    info = {"name": "attack", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


async def _sessions(http: aiohttp.ClientSession) -> None:
    """More sessions than the companion keeps."""
    for _ in range(SESSIONS):
        async with http.post("/__mcp__", json=_initialize(), headers=HEADERS) as response:
            await response.read()


async def _half_body(port: int) -> None:
    """Promises a body and never sends it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"POST /__mcp__ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    writer.write(head.encode() + b"Content-Length: 100000\r\n\r\n{")
    with suppress(ConnectionError):
        await reader.read()
    writer.close()


async def _flood(http: aiohttp.ClientSession) -> None:
    """Calls as fast as they are answered."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    while True:
        async with http.post("/__mcp__", data=body, headers=HEADERS) as response:
            await response.read()


async def attack(port: int, seconds: float) -> None:
    """All of it at once; prints a line when it has begun."""
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as http:
        work = [_sessions(http), *(_half_body(port) for _ in range(HALF_BODIES))]
        work += [_flood(http) for _ in range(FLOODERS)]
        tasks = [asyncio.ensure_future(each) for each in work]
        print("attacking", flush=True)
        await asyncio.wait(tasks, timeout=seconds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(attack(int(sys.argv[1]), float(sys.argv[2])))
