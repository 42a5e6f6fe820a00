"""Who has the tab port: this companion, or another one of the same user, whose tabs are shared then.

Whoever loses sight of it tries to take it; the system gives it to one of them, and the others share.
"""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import random
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp

from pageside.contract import CHANNEL
from pageside.hubs.tabs import STARTING, Tabs, TabSocketState
from pageside.processes import registry
from pageside.processes.peers import same_user_listens
from pageside.web.keys import Run
from pageside.web.listening import listen_on
from pageside.web.routes import PREFIX
from pageside.web.shared_tabs import SharedTabs
from pageside.web.tab_connection import Times
from pageside.web.tab_socket import TabSocket

log = logging.getLogger(__name__)

HEALTH: str = CHANNEL["routes"]["health"]
ROUTE: str = PREFIX + CHANNEL["routes"]["tabs"]
SYSTEM_KNOWS_USERS = sys.platform == "linux"
"""It says whose socket one is."""
SETTLE_SECONDS = 3.0
"""A companion does not wait longer with its start until it is clear who has the port."""
ASK_SECONDS = 1.0
TELL_SECONDS = 1.5
"""Whoever asks how it stands waits 2 s at most."""
TAB_PORT = "--tab-port, PAGESIDE_TAB_PORT"
MAX_HEALTH = 4096
STEADY_SECONDS = 1.0
"""A connection that lasted so long was a good one."""
FIRST_SECONDS, LAST_SECONDS = 0.2, 30.0
"""Between tries to take the port, while nobody shares."""


@dataclass(frozen=True, slots=True)
class TabOptions:
    """`port` None: off, 0: any free one. `origins` may connect besides the extension."""

    port: int | None
    state: Path
    origins: Sequence[str] = ()


class TabPort:
    """`await start()` once, `await stop()` once; `tabs.state` says how it stands."""

    def __init__(self, tabs: Tabs, options: TabOptions, run: Run, times: Times | None = None) -> None:
        self._tabs, self._options, self._run = tabs, options, run
        self._socket = TabSocket(tabs, run, options.origins, times)
        self._task: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()
        self._why_not = ""

    async def start(self) -> None:
        """Take the port, or share with the companion that has it; goes on with that until `stop`."""
        port = self._options.port
        if port is None:
            self._tabs.state = TabSocketState("off", None, "It is switched off (--tab-port off).")
        elif not await self._listen(port):
            self._task = asyncio.create_task(self._hold(port), name="tab-port")
            with suppress(TimeoutError):
                async with asyncio.timeout(SETTLE_SECONDS):
                    await self._settled.wait()

    async def stop(self) -> None:
        """Let go of the port, and of every tab."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._tabs.stop()
        await self._socket.stop()

    async def _listen(self, port: int) -> bool:
        """Serve tabs, if nobody else has the port."""
        try:
            sockets = listen_on(port)
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            self._why_not = "is used by another program" if taken else f"cannot be used: {error.strerror}"
            return False
        await self._socket.start(sockets)
        self._tabs.state = TabSocketState("listening", self._socket.port)
        log.info("tabs connect to port %d", self._socket.port)
        self._settled.set()
        return True

    async def _hold(self, port: int) -> None:
        """Share as long as another companion has the port, and take it when it is free."""
        loop = asyncio.get_running_loop()
        tries = 0
        async with aiohttp.ClientSession() as http:
            while True:
                began = loop.time()
                was_shared = await self._share(http, port)
                is_steady = was_shared and loop.time() - began > STEADY_SECONDS
                tries = 0 if is_steady else tries + 1
                await asyncio.sleep(pause(tries))
                if await self._listen(port):
                    return

    async def _share(self, http: aiohttp.ClientSession, port: int) -> bool:
        """Use the tabs of the companion that has the port until it ends; False where there is none to share with."""
        owner = await self._owner(http, port)
        if owner is None:
            return False
        token = await asyncio.to_thread(registry.token_at, self._options.state, owner)
        if not await asyncio.to_thread(_is_ours, owner, token):
            self._off(
                port, f"The companion on port {owner} has port {port}, and is not known to be this user's."
            )
            return False
        shared = SharedTabs(self._tabs, lambda: self._is_shared(port, owner))
        why = "says nothing that is understood"
        try:
            await shared.follow(http, f"http://127.0.0.1:{owner}{ROUTE}", token)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            status = getattr(error, "status", None)
            why = f"answered {status}" if status else "does not answer"
        if not shared.was_told:
            self._off(port, f"The companion on port {owner} has port {port} and {why}.")
        return shared.was_told

    def _is_shared(self, port: int, owner: int) -> None:
        why = f"The companion on port {owner} has it; its tabs are shared."
        self._tabs.state = TabSocketState("shared", port, why)
        log.info("tabs are shared with the companion on port %d", owner)
        self._settled.set()

    async def _owner(self, http: aiohttp.ClientSession, port: int) -> int | None:
        """The main port of the companion that has the tab port; None, with the reason told, if there is none."""
        if not await asyncio.to_thread(same_user_listens, port):
            self._off(port, f"Port {port} is used by a program of another user.")
            return None
        told = await _health(http, port)
        if told is None:
            self._off(
                port, f"The program that uses port {port} does not answer; it may be a suspended companion."
            )
            return None
        owner = told.get("port")
        if told.get("service") == CHANNEL["service"] and type(owner) is int and 0 < owner < 65536:
            return owner
        self._off(port, f"Port {port} {self._why_not}.")
        return None

    def _off(self, port: int, why: str) -> None:
        if self._tabs.state != TabSocketState("off", port, why):
            self._tabs.state = TabSocketState("off", port, why)
            log.warning("the tab socket is off: %s It is tried again by itself.", why)
        self._settled.set()


def _is_ours(owner: int, token: str | None) -> bool:
    """Whoever tells tabs to agents must be of this user: the system says so, or the registry that only he can write."""
    return same_user_listens(owner) if SYSTEM_KNOWS_USERS else token is not None


async def _health(http: aiohttp.ClientSession, port: int) -> dict[str, Any] | None:
    """What a companion says of itself at its tab port; empty for everything else that says something, else None."""
    try:
        async with (
            asyncio.timeout(ASK_SECONDS),
            http.get(f"http://127.0.0.1:{port}{HEALTH}", allow_redirects=False) as response,
        ):
            length = response.content_length or 0
            told = json.loads(await response.content.readexactly(length)) if length < MAX_HEALTH else {}
    except TimeoutError:
        return None
    except (aiohttp.ClientError, OSError, ValueError, RecursionError, EOFError):
        return {}
    return told if isinstance(told, dict) else {}


def pause(tries: int) -> float:
    """Seconds until the next try: at once after a good connection, then later and later, never all at the same time."""
    if tries == 0:
        return random.uniform(0, 0.05)
    longest = min(FIRST_SECONDS * 2.0 ** min(tries - 1, 10), LAST_SECONDS)
    return random.uniform(longest / 2, longest)


async def settled(tabs: Tabs) -> TabSocketState:
    """How it stands, as soon as that is clear; or still that it is starting, after some seconds."""
    changed = asyncio.Event()
    end = tabs.listen(changed.set)
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(TELL_SECONDS):
                while tabs.state == STARTING:
                    changed.clear()
                    await changed.wait()
    finally:
        end()
    return tabs.state


def told(state: TabSocketState) -> str:
    """How it stands, for people, in one line; empty where it was switched off."""
    match state.kind:
        case "listening":
            return f"ws://127.0.0.1:{state.port}"
        case "shared":
            return f"ws://127.0.0.1:{state.port}, shared: {state.why}"
        case "off" if state.port is not None:
            return f"off: {state.why} Stop what uses it, or choose another one, or 'off' ({TAB_PORT})."
        case _:
            return ""
