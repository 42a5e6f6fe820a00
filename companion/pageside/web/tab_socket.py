"""The tab socket: a listener with a door of its own, on which each tab has one WebSocket (`docs/tabs.md`)."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Collection

from aiohttp import HttpVersion11, hdrs, web

from pageside.contract import CHANNEL, TABS
from pageside.core.origins import host_ok, own_hosts
from pageside.core.rate import Bucket
from pageside.core.tab_messages import LIMITS, Register, parse
from pageside.errors import PagesideError, Refused, ShuttingDown, TooMany
from pageside.hubs.tabs import LiveTab, Tabs
from pageside.processes.peers import Peer, same_user
from pageside.web.guard import error_response, private_headers
from pageside.web.keys import Run
from pageside.web.tab_connection import CLOSE, Ended, TabConnection, Times

log = logging.getLogger(__name__)

HEALTH: str = CHANNEL["routes"]["health"]
EXTENSION = f"chrome-extension://{TABS['extension']}"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class TabSocket:
    """`start(sockets)` once, `await stop()` once. `origins`: who may connect besides Pageside's own extension."""

    def __init__(
        self, tabs: Tabs, run: Run, origins: Collection[str] = (), times: Times | None = None
    ) -> None:
        self._tabs, self._run, self._times = tabs, run, times or Times()
        self._origins = frozenset((EXTENSION, *origins))
        self._connections: set[TabConnection] = set()
        self._said = Bucket(5, 0.2)
        self._runner: web.AppRunner | None = None
        self.port = 0

    async def start(self, sockets: list[socket.socket]) -> None:
        """Serve on these."""
        self.port = sockets[0].getsockname()[1]
        app = web.Application(middlewares=[self._guard])
        app.router.add_get("/", self._tab)
        app.router.add_get(HEALTH, self._health)
        app.on_response_prepare.append(private_headers)
        app.on_shutdown.append(self._end_all)
        self._runner = web.AppRunner(
            app,
            handler_cancellation=True,
            keepalive_timeout=5.0,
            shutdown_timeout=self._times.close,
            access_log=None,
            auto_decompress=False,
            logger=logging.getLogger("pageside.web.server"),
        )
        await self._runner.setup()
        for each in sockets:
            await web.SockSite(self._runner, each).start()

    async def stop(self) -> None:
        """Tell every tab that the companion stops, and stop listening."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    async def _end_all(self, _app: web.Application) -> None:
        for connection in self._connections:
            connection.end(Ended(CLOSE["stopping"]))

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """In this order: target → Host → Origin → peer. The first check that fails answers."""
        try:
            self._check_address(request)
            await self._check_peer(request)
            return await handler(request)
        except Refused as error:
            if self._said.take(time.monotonic()):
                log.warning("tab socket: refused a connection: %s", error.message)
            return error_response(error, error.status)
        except web.HTTPException as error:
            return error_response(Refused(error.status, "NOT_FOUND", f"{error.reason}."), error.status)

    def _check_address(self, request: web.Request) -> None:
        if request.raw_path not in ("/", HEALTH) or request.version != HttpVersion11:
            raise Refused(404, "NOT_FOUND", "Only / is served here, a WebSocket for each tab.")
        if not host_ok(request.headers.getall(hdrs.HOST, []), own_hosts(self.port)):
            raise Refused(421, "FORBIDDEN", f"This Host is not served; use 127.0.0.1:{self.port}.")
        origins = request.headers.getall(hdrs.ORIGIN, [])
        if not origins and request.raw_path == HEALTH and "Sec-Fetch-Site" not in request.headers:
            return
        # Browsers always say where a WebSocket comes from: who does not is no tab.
        if len(origins) != 1 or origins[0] not in self._origins:
            raise Refused(
                403,
                "FORBIDDEN",
                "This Origin may not connect tabs.",
                "Use Pageside's own extension, or allow the exact Origin with --tab-origins (PAGESIDE_TAB_ORIGINS).",
            )

    async def _check_peer(self, request: web.Request) -> None:
        """Where the system says whose socket it is, tabs are of the user's own browser."""
        if sys.platform != "linux" or request.raw_path == HEALTH:
            return
        client, own = (request.get_extra_info(name) for name in ("peername", "sockname"))
        if not client or not own or not await asyncio.to_thread(same_user, Peer(*client[:2], *own[:2])):
            raise Refused(403, "FORBIDDEN", "The browser belongs to another user of this machine.")

    async def _health(self, _request: web.Request) -> web.Response:
        run = self._run
        return web.json_response(
            {"service": CHANNEL["service"], "port": run.port, "projectId": run.project_id}
        )

    async def _tab(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(
            timeout=self._times.close,
            autoping=False,
            compress=False,
            max_msg_size=LIMITS["messageBytes"],
        )
        if not socket.can_prepare(request):
            raise Refused(426, "BAD_REQUEST", "This is the tab socket.", "Open it as a WebSocket.")
        await socket.prepare(request)
        connection = TabConnection(socket, request.transport, self._times)
        if len(self._connections) >= LIMITS["tabs"]:
            many = TooMany(f"{LIMITS['tabs']} tabs are connected already.")
            connection.end(Ended(CLOSE["tooMany"], many))
        self._connections.add(connection)
        try:
            await _Tab(self._tabs, connection, self._times).run()
        except Exception:
            log.exception("a connection of the tab socket failed")
        finally:
            self._connections.discard(connection)
        return socket


class _Tab:
    """What one connection says, until it ends."""

    def __init__(self, tabs: Tabs, connection: TabConnection, times: Times) -> None:
        self._tabs, self._connection, self._times = tabs, connection, times
        self._live: LiveTab | None = None

    async def run(self) -> None:
        late = Refused(408, "BAD_REQUEST", f"No tab was registered within {self._times.register:g} s.")
        timer = asyncio.get_running_loop().call_later(
            self._times.register, self._end_if_unknown, Ended(CLOSE["notRegistered"], late)
        )
        try:
            await self._connection.talk(self._hear)
        finally:
            timer.cancel()
            if self._live is not None:
                self._tabs.disconnect(self._live, "its connection ended")
                log.debug("a tab disconnected")
            await self._connection.goodbye()

    def _end_if_unknown(self, ended: Ended) -> None:
        if self._live is None:
            self._connection.end(ended)

    def _hear(self, frame: str) -> None:
        """Raises `Ended` for what is no message; what is one and does not fit is answered with an error."""
        try:
            message = parse(frame)
            if self._live is None or isinstance(message, Register):
                self._register(message)
                return
        except Refused as error:
            raise Ended(CLOSE["badMessage"], error) from None
        try:
            self._tabs.take(self._live, message)
        except PagesideError as error:
            self._connection.refuse(error)

    def _register(self, message: object) -> None:
        if self._live is not None:
            raise Refused(400, "BAD_REQUEST", "This connection has registered already.", "Send 'update'.")
        if not isinstance(message, Register):
            raise Refused(400, "BAD_REQUEST", "The first message must be of the type 'register'.")
        try:
            self._live = self._tabs.register(message, self._connection.send)
        except Refused as error:
            raise Ended(CLOSE["tabIdInUse"], error) from None
        except ShuttingDown:
            raise Ended(CLOSE["stopping"]) from None
        heartbeat = round(self._times.heartbeat * 1000)
        self._connection.send({"type": "registered", "tabId": message.tab, "heartbeatMs": heartbeat})
        self._connection.beat()
        log.debug("a tab connected")
