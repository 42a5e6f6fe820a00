"""Tabs of the companion that has the tab port, for the other companions of its user (`docs/tabs.md`, Sharing).

Each of them holds a WebSocket: it is told the tabs whenever they change, and has commands run in them. The other end
is `shared_tabs`.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from typing import Any

from aiohttp import WSMsgType, web

from pageside.contract import LIMITS as CHANNEL_LIMITS
from pageside.contract import TABS
from pageside.core.fields import Fields
from pageside.core.tab_messages import LIMITS
from pageside.errors import PagesideError, Refused, ReportedByPage, ResultTooLarge
from pageside.hubs.tabs import ExtensionTab, Tabs
from pageside.web.bodies import frame_object
from pageside.web.keys import WORLD
from pageside.web.routes import Route, Scope, channel_route

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15.0
TELL_SECONDS = 0.25
"""Tabs that change all the time are told so often at most."""
CLOSE_SECONDS = 1.0
MAX_SECONDS = 3600.0


class TabSharing:
    """The end that has the tabs: a route for other companions."""

    def __init__(self) -> None:
        self._clients: set[_Client] = set()

    def routes(self) -> list[Route]:
        return [channel_route("tabs", "GET", self._serve, Scope.AGENT)]

    async def stop(self) -> None:
        """End every connection, so that the others look for the port."""
        await asyncio.gather(*(client.close() for client in self._clients))

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(
            timeout=CLOSE_SECONDS,
            heartbeat=HEARTBEAT_SECONDS,
            compress=False,
            max_msg_size=CHANNEL_LIMITS["bodyBytes"],
        )
        if not socket.can_prepare(request):
            raise Refused(426, "BAD_REQUEST", "Companions share tabs here.", "Open it as a WebSocket.")
        if len(self._clients) >= CHANNEL_LIMITS["pages"]:
            raise Refused(503, "TOO_MANY", f"{len(self._clients)} companions share these tabs already.")
        await socket.prepare(request)
        client = _Client(socket, request.app[WORLD].extension_tabs)
        self._clients.add(client)
        try:
            await client.run()
        finally:
            self._clients.discard(client)
        return socket


class _Client:
    """One companion that uses this one's tabs."""

    def __init__(self, socket: web.WebSocketResponse, tabs: Tabs) -> None:
        self._socket, self._tabs = socket, tabs
        self._running: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        telling = asyncio.create_task(self._tell(), name="tabs-tell")
        try:
            async for message in self._socket:
                if message.type is not WSMsgType.TEXT:
                    break
                self._take(message.data)
        except Refused as error:
            log.warning("a companion that shares these tabs said something unknown: %s", error.message)
        finally:
            for task in (telling, *self._running.values()):
                task.cancel()
            await asyncio.gather(telling, *self._running.values(), return_exceptions=True)
            await self.close()

    async def close(self) -> None:
        await self._socket.close(code=TABS["closeCodes"]["stopping"])

    async def _tell(self) -> None:
        changed = asyncio.Event()
        changed.set()
        stop = self._tabs.listen(changed.set)
        try:
            while await changed.wait():
                changed.clear()
                tabs = [_to_json(tab) for tab in self._tabs.own()]
                await self._socket.send_json({"type": "tabs", "tabs": tabs})
                await asyncio.sleep(TELL_SECONDS)
        finally:
            stop()

    def _take(self, frame: str) -> None:
        fields = Fields(frame_object(frame))
        command_id = fields.text("id", 100)
        if fields.choice("type", ("command", "cancel")) == "cancel":
            task = self._running.get(command_id)
            if task is not None:
                task.cancel()
        elif command_id not in self._running:
            task = asyncio.create_task(self._run(command_id, fields), name="tabs-command")
            self._running[command_id] = task
            task.add_done_callback(lambda _: self._running.pop(command_id, None))

    async def _run(self, command_id: str, fields: Fields) -> None:
        try:
            text = json.dumps({"id": command_id, "type": "result", "result": await self._result(fields)})
        except RecursionError:
            text = _failed(command_id, ResultTooLarge("The result is nested too deep."))
        except PagesideError as error:
            text = _failed(command_id, error)
        with suppress(ConnectionError):
            await self._socket.send_str(text)

    async def _result(self, fields: Fields) -> dict[str, Any]:
        tab, params = fields.text("tabId", LIMITS["tabIdChars"]), fields.values.get("params")
        if not isinstance(params, dict):
            raise Refused(400, "BAD_REQUEST", "'params' must be an object.")
        if tab not in {each.id for each in self._tabs.own()}:
            raise self._tabs.missing(tab)
        command = fields.choice("command", TABS["commands"])
        return await self._tabs.command(
            tab, command, params, seconds=fields.number("seconds", 0, MAX_SECONDS)
        )


def _failed(command_id: str, error: PagesideError) -> str:
    is_reported = isinstance(error, ReportedByPage)
    return json.dumps({"id": command_id, "type": "error", "error": error.to_json(), "reported": is_reported})


def _to_json(tab: ExtensionTab) -> dict[str, Any]:
    return {
        "tabId": tab.id,
        "url": tab.url,
        "title": tab.title,
        "connectedAt": tab.connected_at,
        "targetId": tab.target_id,
        "scriptsAllowed": tab.scripts_allowed,
    }
