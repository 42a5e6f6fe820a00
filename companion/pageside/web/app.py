"""One companion from its settings, started and stopped as a whole."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from filelock import FileLock

from pageside import __version__
from pageside.agents.server import AgentServer
from pageside.contract import LIMITS
from pageside.core.origins import own_origins
from pageside.errors import AlreadyRunning
from pageside.operations import brakes
from pageside.operations.overview import About
from pageside.operations.world import World
from pageside.processes import registry
from pageside.processes.ownership import own
from pageside.processes.project import project_id
from pageside.processes.state import agent_token, project_state, read_json, write_private
from pageside.settings import Settings
from pageside.store.inspections import Inspections
from pageside.toolsets.every import TOOLSETS
from pageside.web import assets, console_pages, health, page_brakes, page_channel, page_report, plugin_tell
from pageside.web.composition import compose
from pageside.web.console_events import ConsoleEvents
from pageside.web.console_pages import console_link
from pageside.web.guard import guard, private_headers
from pageside.web.keys import RUN, SECRETS, WORLD, Run, Secrets
from pageside.web.listening import listen
from pageside.web.mcp import Mcp
from pageside.web.plugin_lease import PluginLeases
from pageside.web.routes import MCP, register
from pageside.web.tab_port import TabOptions, TabPort
from pageside.web.tab_sharing import TabSharing

log = logging.getLogger(__name__)

server_log = logging.getLogger("pageside.web.server")
server_log.addFilter(lambda record: not _is_malformed_request(record) or log.isEnabledFor(logging.DEBUG))

KEEPALIVE_SECONDS = 15.0
"""Also the limit on half-sent headers."""
SHUTDOWN_SECONDS = 2.0
LAST_PORT = "last-port.json"


@dataclass(slots=True)
class Companion:
    """One running companion. `await Companion.start(settings)`, then `await stop()`."""

    settings: Settings
    world: World
    secrets: Secrets
    port: int
    _folder: Path
    _lock: FileLock
    _runner: web.AppRunner
    _mcp: Mcp
    _tabs: TabPort

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def page_token(self) -> str:
        return self.secrets.page

    @property
    def agents(self) -> AgentServer:
        """What speaks MCP, for a client in this process."""
        return self._mcp.server

    @property
    def mcp_url(self) -> str:
        return self.url + MCP

    @property
    def tab_port(self) -> int | None:
        """Where tabs connect, to this companion or to the one that shares them; None: nowhere."""
        state = self.world.extension_tabs.state
        return None if state.kind == "off" else state.port

    def console_link(self) -> str:
        """A link that opens the web console once, within ten minutes."""
        return console_link(self.secrets, self.port)

    @classmethod
    async def start(cls, settings: Settings) -> Companion:
        """Listen, then publish the registry entry. Raises `StoreFailed` when the state folder refuses."""
        folder = await asyncio.to_thread(project_state, settings.state, settings.project)
        lock = await asyncio.to_thread(own, folder)
        if lock is None:
            raise AlreadyRunning(f"Another companion has the queue of {settings.project}.")
        try:
            return await cls._start(settings, folder, lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    async def _start(cls, settings: Settings, folder: Path, lock: FileLock) -> Companion:
        keys = Secrets(await asyncio.to_thread(agent_token, folder))
        inspections = await Inspections.open(folder / "inspections.sqlite3")
        world = compose(settings, inspections, folder)
        await asyncio.to_thread(brakes.load, world, folder / brakes.FILE)
        sockets = listen(settings.port, await asyncio.to_thread(_last_port, folder, settings))
        port = sockets[0].getsockname()[1]
        world.own_origins.update(own_origins(port))
        mcp = Mcp(AgentServer(world, TOOLSETS, settings.toolsets))
        start_time = await asyncio.to_thread(registry.own_start_time)
        run = Run(secrets.token_urlsafe(9), project_id(settings.project), port, start_time)
        runner = web.AppRunner(
            _application(world, keys, run, mcp),
            handler_cancellation=True,
            keepalive_timeout=KEEPALIVE_SECONDS,
            shutdown_timeout=SHUTDOWN_SECONDS,
            access_log=None,
            auto_decompress=False,
            logger=server_log,
        )
        await runner.setup()
        await mcp.start(port)
        for sock in sockets:
            await web.SockSite(runner, sock).start()
        options = TabOptions(settings.tab_port, settings.state, settings.tab_origins)
        tabs = TabPort(world.extension_tabs, options, run)
        companion = cls(settings, world, keys, port, folder, lock, runner, mcp, tabs)
        await asyncio.to_thread(registry.publish, folder, companion._entry(start_time))
        await asyncio.to_thread(write_private, folder / LAST_PORT, {"port": port})
        await tabs.start()
        return companion

    def _entry(self, start_time: float) -> registry.Entry:
        return registry.Entry(
            pid=os.getpid(),
            start_time=start_time,
            port=self.port,
            project=str(self.settings.project),
            page_token=self.secrets.page,
            plugin_token=self.secrets.plugin,
            agent_token=self.secrets.agent,
        )

    async def stop(self) -> None:
        """Withdraw the entry, end calls and streams with an error each, close the queue."""
        await asyncio.to_thread(registry.withdraw, self._folder)
        await self._tabs.stop()
        await asyncio.gather(self._runner.cleanup(), self.world.servers.close())
        await self.world.chromes.close()
        await self.world.inspections.close()
        self._lock.release()

    async def idle(self, seconds: float) -> None:
        """Return when for `seconds` no dev server held a lease and no agent was connected."""
        loop = asyncio.get_running_loop()
        busy_at = loop.time()
        while loop.time() - max(busy_at, self._mcp.requests.last) < seconds:
            held = len(self.world.leases) > self.world.servers.held_by_own
            if held or self._mcp.server.open_sessions or len(self._mcp.requests):
                busy_at = loop.time()
            await asyncio.sleep(min(1.0, seconds / 4))


def _is_malformed_request(record: logging.LogRecord) -> bool:
    """aiohttp answers these itself, and would log a traceback for each."""
    return record.exc_info is not None and isinstance(record.exc_info[1], HttpProcessingError)


def _application(world: World, keys: Secrets, run: Run, mcp: Mcp) -> web.Application:
    app = web.Application(middlewares=[guard], client_max_size=LIMITS["bodyBytes"])
    app[WORLD], app[SECRETS], app[RUN] = world, keys, run
    leases = PluginLeases()
    page_routes = [
        *page_channel.routes(),
        *page_report.routes(),
        *page_brakes.routes(),
        *assets.routes(),
    ]
    sharing = TabSharing()
    console = ConsoleEvents(world, _about(run))
    console_routes = [*console_pages.routes(), *console.routes()]
    register(
        app,
        [
            *health.routes(),
            *page_routes,
            *console_routes,
            *leases.routes(),
            *plugin_tell.routes(leases),
            *sharing.routes(),
            *mcp.routes(),
        ],
    )
    app.on_response_prepare.append(private_headers)

    async def stop(_app: web.Application) -> None:
        console.stop()
        world.activity.stop()
        world.tickets.stop()
        world.claims.stop()
        world.pictures.stop()
        world.pages.stop()
        leases.stop()
        await sharing.stop()
        await mcp.stop()

    app.on_shutdown.append(stop)
    return app


def _about(run: Run) -> About:
    return About(
        version=__version__,
        pid=os.getpid(),
        port=run.port,
        mcp_url=f"http://127.0.0.1:{run.port}{MCP}",
        started_at=time.time() * 1000,
    )


def _last_port(folder: Path, settings: Settings) -> list[int]:
    """The port that agents of this project know already, unless another was asked for."""
    last = (read_json(folder / LAST_PORT) or {}).get("port")
    if settings.port_is_asked or type(last) is not int or not 1024 <= last <= 65535:
        return []
    return [last]
