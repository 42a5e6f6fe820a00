"""Equal browsers: same program, flags and viewport; one for each server."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp

from support import chromium

START_SECONDS = 30.0
FLAGS = (
    "--headless=new",
    "--remote-debugging-port=0",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-default-apps",
    "--window-size=1280,720",
    "--mute-audio",
    # Tabs that no one looks at must not be slowed down for one server and not for another.
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
)


@asynccontextmanager
async def browser() -> AsyncIterator[int]:
    """The debugging port of a fresh Chromium with one blank tab; it is ended at the end."""
    program = chromium.find()
    if program is None:
        raise RuntimeError("No Chrome or Chromium was found: install it, or set CHROME_PATH.")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = await asyncio.create_subprocess_exec(
            program,
            *FLAGS,
            *chromium.flags(),
            f"--user-data-dir={Path(folder, 'profile')}",
            "about:blank",
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        assert process.stderr is not None
        try:
            port = await _port(process.stderr)
            reading = asyncio.create_task(_drain(process.stderr))
            yield port
            reading.cancel()
        finally:
            process.terminate()
            await process.wait()


async def _port(errors: asyncio.StreamReader) -> int:
    async with asyncio.timeout(START_SECONDS):
        async for line in errors:
            found = re.search(rb"DevTools listening on ws://[^:]+:(\d+)/", line)
            if found is not None:
                return int(found[1])
    raise RuntimeError("Chromium ended before it listened.")


async def _drain(errors: asyncio.StreamReader) -> None:
    """Or it would wait for room in the pipe."""
    async for _line in errors:
        pass


async def version_of(http: aiohttp.ClientSession, port: int) -> str:
    """Such as `Chrome/150.0.1.2`."""
    async with http.get(f"http://127.0.0.1:{port}/json/version") as response:
        return str((await response.json())["Browser"])
