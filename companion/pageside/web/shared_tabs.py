"""Tabs that another companion of this user has: this end of the connection (`tab_sharing` is the other)."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import aiohttp
from aiohttp import WSMsgType

from pageside.core.fields import Fields
from pageside.core.tab_messages import LIMITS
from pageside.errors import (
    CommandTimeout,
    PagesideError,
    Refused,
    ReportedByPage,
    ResultTooLarge,
    TabDisconnected,
    TabNotFound,
    TooMany,
)
from pageside.hubs.tabs import ExtensionTab, Tabs
from pageside.web.bodies import frame_object

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15.0
FIRST_SECONDS = 5.0
"""Until the other companion has said something."""
CLOSE_SECONDS = 1.0
MAX_FRAME = 2 * int(LIMITS["messageBytes"])
_KINDS: Mapping[str, type[PagesideError]] = {
    kind.code: kind for kind in (TabNotFound, TabDisconnected, CommandTimeout, TooMany, ResultTooLarge)
}


class SharedTabs:
    """One connection: `await follow(…)` puts the tabs of that companion into `tabs` until it ends."""

    def __init__(self, tabs: Tabs, connected: Callable[[], None]) -> None:
        """`connected` is called when the first list of tabs has come."""
        self._tabs, self._connected = tabs, connected
        self._outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._waiting: dict[str, tuple[str, asyncio.Future[dict[str, Any]]]] = {}
        """Commands that wait: their ids → what they are called, and their answers."""
        self._count = itertools.count(1)
        self._is_open = False
        self.was_told = False
        """The other companion has told its tabs."""

    async def follow(self, http: aiohttp.ClientSession, url: str, token: str | None) -> None:
        """Returns when the connection ends; raises `aiohttp.ClientError` or `TimeoutError` where there is none."""
        async with (
            asyncio.timeout(FIRST_SECONDS) as limit,
            http.ws_connect(
                url,
                headers={"Authorization": f"Bearer {token}"} if token else {},
                heartbeat=HEARTBEAT_SECONDS,
                max_msg_size=MAX_FRAME,
                timeout=aiohttp.ClientWSTimeout(ws_close=CLOSE_SECONDS),
            ) as socket,
        ):
            self._is_open = True
            writing = asyncio.create_task(self._write(socket), name="tabs-write")
            try:
                async for message in socket:
                    if message.type is WSMsgType.TEXT:
                        self._take(message.data)
                        limit.reschedule(None)
            except Refused as error:
                log.warning("the companion that has the tab port says something unknown: %s", error.message)
            finally:
                self._end()
                writing.cancel()
                await asyncio.gather(writing, return_exceptions=True)

    async def command(
        self, tab_id: str, command: str, params: dict[str, Any], *, seconds: float
    ) -> dict[str, Any]:
        """As `Tabs.command`; its time is kept where the tab is."""
        if not self._is_open:
            raise _lost(command)
        number = str(next(self._count))
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = command, answer
        message = {"tabId": tab_id, "command": command, "params": params, "seconds": seconds}
        self._outbox.put_nowait({"type": "command", "id": number, **message})
        try:
            return await answer
        except asyncio.CancelledError:
            self._outbox.put_nowait({"type": "cancel", "id": number})
            raise
        finally:
            self._waiting.pop(number, None)

    async def _write(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        with suppress(ConnectionError):
            while True:
                await socket.send_json(await self._outbox.get())

    def _take(self, frame: str) -> None:
        """Raises `Refused` for what this companion does not understand; of unknown types it takes no notice."""
        fields = Fields(frame_object(frame))
        match fields.text("type", 20):
            case "tabs":
                tabs = [_tab(each) for each in fields.objects("tabs", LIMITS["tabs"])]
                self._tabs.share(tabs, self)
                if not self.was_told:
                    self.was_told = True
                    self._connected()
            case "result" | "error":
                self._answer(fields)
            case _:
                log.debug("the companion that has the tab port says something new")

    def _answer(self, fields: Fields) -> None:
        _, answer = self._waiting.get(fields.text("id", 100), ("", None))
        if answer is None or answer.done():
            return
        result, error = fields.values.get("result"), fields.values.get("error")
        if isinstance(result, dict):
            answer.set_result(result)
        else:
            told = Fields(error if isinstance(error, dict) else {}, "error")
            answer.set_exception(_error(told, is_reported=fields.values.get("reported") is True))

    def _end(self) -> None:
        self._is_open = False
        self._tabs.share([], None)
        for command, answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(_lost(command))


def _lost(command: str) -> TabDisconnected:
    return TabDisconnected(
        f"The companion that shared the tab ended during {command}. Whether it took effect is unknown.",
        fix="Wait a moment and call kapturemcp_list_tabs: tabs connect to another companion by themselves.",
        data={"call": command},
    )


def _error(told: Fields, *, is_reported: bool) -> PagesideError:
    code, message = told.text("code", 100), told.text("message", LIMITS["entryChars"])
    data = told.values.get("data")
    more = data if isinstance(data, dict) else {}
    if is_reported:
        return ReportedByPage(code, message, more)
    fix = told.optional_text("fix", 1000)
    return _KINDS.get(code, PagesideError)(message, code=code, fix=fix, data=more)


def _tab(told: Fields) -> ExtensionTab:
    allowed = told.values.get("scriptsAllowed")
    return ExtensionTab(
        told.text("tabId", LIMITS["tabIdChars"]),
        told.text("url", LIMITS["urlChars"]),
        told.text("title", LIMITS["titleChars"]),
        told.whole("connectedAt"),
        told.optional_text("targetId", 100) or "",
        allowed if isinstance(allowed, bool) else None,
        is_shared=True,
    )
