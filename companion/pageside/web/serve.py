"""`pageside serve`: one companion in the foreground, until a signal or until nobody needs it."""

from __future__ import annotations

import asyncio
import logging
import sys

from pageside import __version__
from pageside.errors import AlreadyRunning
from pageside.processes import registry
from pageside.processes.state import project_state
from pageside.settings import Settings
from pageside.web.app import Companion
from pageside.web.routes import MCP
from pageside.web.stop_signals import stop_on_signals
from pageside.web.tab_port import told

log = logging.getLogger(__name__)

STARTING_POLLS = 50
"""A companion that has the queue and is not in the registry after 5 s is stuck."""


async def serve(settings: Settings) -> int:
    """Run until SIGINT, SIGTERM or SIGHUP, or until idle; the exit code."""
    stop = asyncio.Event()
    stop_on_signals(stop)
    try:
        companion = await Companion.start(settings)
    except AlreadyRunning as error:
        print(await _running(settings, error), flush=True)
        return 0
    try:
        print(_greeting(companion), flush=True)
        await _until(stop, companion)
    finally:
        await companion.stop()
    return 0


async def _running(settings: Settings, error: AlreadyRunning) -> str:
    """Where the companion is that has the project's queue; it may just be starting."""
    folder = await asyncio.to_thread(project_state, settings.state, settings.project)
    for _ in range(STARTING_POLLS):
        entry = await asyncio.to_thread(registry.living, folder)
        if entry is not None:
            url = f"http://127.0.0.1:{entry['port']}{MCP}"
            line = paste_line(url, str(entry.get("agentToken", "")))
            return (
                f"A companion for {settings.project} runs already: {url}\n"
                "  Console       `pageside console` prints a link\n"
                f"  Claude Code   {line}"
            )
        await asyncio.sleep(0.1)
    raise error


async def _until(stop: asyncio.Event, companion: Companion) -> None:
    limit = companion.settings.exit_when_idle
    waits: list[asyncio.Future[object]] = [asyncio.ensure_future(stop.wait())]
    if limit is not None:
        waits.append(asyncio.ensure_future(companion.idle(limit)))
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
    log.info("stopping" if stop.is_set() else "nobody needs this companion any more: stopping")


def _greeting(companion: Companion) -> str:
    damaged = companion.world.inspections.damaged
    state = told(companion.world.extension_tabs.state)
    tabs = f"  Tab socket    {state}\n" if state else ""
    kept = f"\n  The queue was damaged; it is kept as {damaged}" if damaged else ""
    return (
        f"Pageside {__version__} for {companion.settings.project}\n"
        f"  MCP endpoint  {companion.mcp_url}\n"
        f"  Console       {companion.console_link()}\n"
        f"{tabs}"
        f"  Claude Code   {paste_line(companion.mcp_url, companion.secrets.agent)}{kept}"
    )


def paste_line(mcp_url: str, token: str) -> str:
    """The command that connects Claude Code. On Linux the companion knows its user's processes by itself."""
    header = "" if sys.platform == "linux" else f' --header "Authorization: Bearer {token}"'
    return f"claude mcp add --transport http pageside {mcp_url}{header}"
