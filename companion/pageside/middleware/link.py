"""The app's connection to its companion: found or started, leased while the app lives, replaced when it dies."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp

from pageside.contract import CHANNEL
from pageside.errors import PagesideError, Refused
from pageside.middleware.companions import Companions, Found, NotStarted, WrongProject
from pageside.middleware.forward import NAMES, absent

log = logging.getLogger("pageside")

LEASE: str = CHANNEL["prefix"] + CHANNEL["routes"]["lease"]
CONSOLE_LINK: str = CHANNEL["prefix"] + CHANNEL["routes"]["consoleLink"]
LINK_SECONDS = 2.0
SILENCE_SECONDS = 20.0
"""The companion writes every 5 s; a stream that is silent for longer is dead."""
RETRY_SECONDS = 0.25
RETRY_CAP_SECONDS = 10.0
SOUND_SECONDS = 5.0
"""A lease that held for so long was a sound one: the next try comes at once."""
LOOK_AGAIN_SECONDS = 1.0
RESTART_TRIES = 3
"""A companion that ran can run again: so many tries before the developer is bothered."""
MAX_URLS = 5


class Link:
    """`start` once, `current` whenever somebody asks, `stop` at the end."""

    def __init__(self, project: Path, companions: Companions, http: aiohttp.ClientSession) -> None:
        self._project, self._companions, self._http = project, companions, http
        self._found: Found | None = None
        self._absence = absent()
        self._task: asyncio.Task[None] | None = None
        self._urls: list[str] = []
        self._new_url = asyncio.Event()
        self._wake = asyncio.Event()
        self._ready = asyncio.Event()
        self._looked = 0.0
        self._looking: asyncio.Task[None] | None = None
        self._lease: str | None = None
        self._is_warned = False
        self._tries, self._failures = 0, 0

    def start(self) -> None:
        """Have a companion, from now on."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="pageside-link")

    async def stop(self) -> None:
        """Let the companion go."""
        tasks = [task for task in (self._task, self._looking) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def companion(self, seconds: float) -> Found:
        """The companion to talk to, waited for a little while it starts; raises `Refused`."""
        if self._found is None and not self._wake_up():
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._ready.wait()
        if self._found is None:
            raise self._absence
        return self._found

    def serves(self, url: str) -> None:
        """The app is reached there: what people are told to open."""
        if url not in self._urls and len(self._urls) < MAX_URLS:
            self._urls.append(url)
            self._new_url.set()

    def _wake_up(self) -> bool:
        """Whether nothing is under way; then somebody looks, now and then, for one that was started by hand."""
        if not self._is_warned:
            return False
        now = time.monotonic()
        if now - self._looked >= LOOK_AGAIN_SECONDS:
            self._looked = now
            self._looking = asyncio.create_task(self._look())
        return True

    async def _look(self) -> None:
        with suppress(PagesideError):
            if await self._companions.find() is not None:
                self._wake.set()

    async def _run(self) -> None:
        while True:
            try:
                await self._connect()
            except (WrongProject, NotStarted) as error:
                await self._recover(error)
            except (PagesideError, aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
                log.debug("the companion is not reached: %r", error)
                await self._back_off()
            finally:
                self._found = None
                self._ready.clear()

    async def _connect(self) -> None:
        found = await self._companions.ensure()
        began = time.monotonic()
        await self._hold(found)
        self._failures = 0 if time.monotonic() - began > SOUND_SECONDS else self._failures
        await self._back_off()

    async def _recover(self, error: NotStarted) -> None:
        self._found = None
        is_wrong = isinstance(error, WrongProject)
        self._absence = Refused(409, "WRONG_PROJECT", error.message, error.fix) if is_wrong else absent()
        if self._tries > 0 and not is_wrong:
            self._tries -= 1
            await self._back_off()
            return
        if not self._is_warned:
            log.warning("Pageside is off. %s %s", error.message, error.fix)
        self._is_warned = True
        await self._wake.wait()
        self._wake.clear()

    async def _back_off(self) -> None:
        self._failures += 1
        if self._failures > 1:
            await asyncio.sleep(min(RETRY_SECONDS * 2**self._failures, RETRY_CAP_SECONDS))

    async def _hold(self, found: Found) -> None:
        """Hold a lease until its stream ends; for each new URL another one that goes on for it."""
        held = await self._open(found)
        try:
            await self._announce(found)
            while await self._has_new_url(held):
                before, held = held, await self._open(found)
                before.close()
        finally:
            held.close()

    async def _has_new_url(self, held: _Lease) -> bool:
        """Wait until there is one; False when the lease ended."""
        url = asyncio.create_task(self._new_url.wait())
        try:
            await asyncio.wait((held.ended, url), return_when=asyncio.FIRST_COMPLETED)
            return not held.ended.done()
        finally:
            url.cancel()

    def _granted(self, found: Found) -> None:
        self._found = found
        self._is_warned, self._tries, self._absence = False, RESTART_TRIES, absent()
        self._ready.set()

    async def _open(self, found: Found) -> _Lease:
        self._new_url.clear()
        body: dict[str, Any] = {"root": str(self._project), "urls": self._urls, "pid": os.getpid()}
        body |= {"server": "python", "command": _command()}
        if self._lease is not None:
            body["renews"] = self._lease
        timeout = aiohttp.ClientTimeout(total=None, sock_read=SILENCE_SECONDS)
        headers = {NAMES["pluginToken"]: found.plugin_token, "Content-Type": "application/json"}
        stream = await self._http.post(found.url + LEASE, json=body, headers=headers, timeout=timeout)
        try:
            self._lease = await _granted_id(stream)
        except BaseException:
            stream.close()
            raise
        self._granted(found)
        return _Lease(stream)

    async def _announce(self, found: Found) -> None:
        if found.url not in _ANNOUNCED:
            _ANNOUNCED.add(found.url)
            announce(found, await self._console_link(found))

    async def _console_link(self, found: Found) -> dict[str, Any]:
        """`url` opens the web console once, within ten minutes; `tabs` says why no tab can connect. Or neither."""
        headers = {NAMES["pluginToken"]: found.plugin_token, "Content-Type": "application/json"}
        timeout = aiohttp.ClientTimeout(total=LINK_SECONDS)
        try:
            async with self._http.post(
                found.url + CONSOLE_LINK, json={}, headers=headers, timeout=timeout, raise_for_status=True
            ) as answer:
                return dict(await answer.json())
        except (aiohttp.ClientError, TimeoutError, ValueError, TypeError) as error:
            log.debug("there is no link to the console: %s", error)
            return {}


class _Lease:
    """It lasts as long as its stream."""

    def __init__(self, stream: aiohttp.ClientResponse) -> None:
        self._stream = stream
        self.ended = asyncio.create_task(_end_of(stream))

    def close(self) -> None:
        self.ended.cancel()
        self._stream.close()


async def _granted_id(stream: aiohttp.ClientResponse) -> str:
    if stream.status == 401:
        raise NotStarted("The companion refused the plugin's token.", fix="Correct PAGESIDE_PLUGIN_TOKEN.")
    if stream.status != 200:
        raise ConnectionError(f"the companion refused the lease with {stream.status}")
    return str(json.loads(await stream.content.readline())["lease"])


async def _end_of(stream: aiohttp.ClientResponse) -> None:
    with suppress(aiohttp.ClientError, OSError, TimeoutError):
        async for _ in stream.content.iter_any():
            """It lives."""


def _command() -> str:
    """How the app was started, for people."""
    return " ".join([Path(sys.argv[0] or "python").name, *sys.argv[1:]])[:200]


def announce(
    found: Found, console: Mapping[str, Any], write: Callable[[str], object] = sys.stderr.write
) -> None:
    """Say where agents connect, how the user gets to the console, and what keeps tabs away."""
    url = found.url + CHANNEL["mcp"]
    header = "" if sys.platform == "linux" else f' --header "Authorization: Bearer {found.agent_token}"'
    link = f"  Console:  {console['url']}\n" if "url" in console else ""
    tabs = f"  Tabs:     {console['tabs']}\n" if "tabs" in console else ""
    write(
        f"  Pageside: {url}\n  Agent:    claude mcp add --transport http pageside {url}{header}\n{link}{tabs}"
    )


_ANNOUNCED: set[str] = set()
"""Once in a process, however many event loops it has."""
