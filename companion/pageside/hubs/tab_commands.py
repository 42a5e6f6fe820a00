"""The commands of one tab, which runs them one after the other: who waits for which, and how long."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from typing import Any

from pageside.contract import TABS
from pageside.core.tab_messages import Response
from pageside.errors import (
    CommandTimeout,
    PagesideError,
    Refused,
    ReportedByPage,
    ResultTooLarge,
    TabDisconnected,
    TooMany,
)

LIMITS: dict[str, int] = TABS["limits"]
REMEMBERED = 64
"""Ended commands whose late answers are nobody's fault."""

Send = Callable[[dict[str, Any]], None]
"""Puts one message on its way; never waits."""


class _Command:
    """One on its way. `moved` is when its clock began: sent, taken from the queue, or an earlier one answered."""

    def __init__(self, name: str, seconds: float, now: float) -> None:
        self.id = secrets.token_urlsafe(12)
        self.name, self.seconds, self.moved = name, seconds, now
        self.answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self.has_begun = False
        self.is_withdrawn = False
        """Nobody waits for it; the tab may still be at it, with others behind it."""


class Commands:
    """Those of the tab `tab_id`; `grace` in seconds, added to each command's own time limit."""

    def __init__(self, tab_id: str, send: Send, grace: float) -> None:
        self._tab, self._send, self._grace = tab_id, send, grace
        self._open: dict[str, _Command] = {}
        """In the order in which they were sent."""
        self._ended: deque[str] = deque(maxlen=REMEMBERED)
        self._withdrawn: deque[str] = deque(maxlen=REMEMBERED)
        self._why_gone = ""
        self._moving: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when time limits count anew."""

    async def run(self, name: str, params: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send it and wait for its result; see `Tabs.command`."""
        if self._why_gone:
            raise self._lost(name)
        self._forget(lambda each: self._due(each) <= _now())
        if sum(not each.is_withdrawn for each in self._open.values()) >= LIMITS["commandsPerTab"]:
            raise TooMany(f"{LIMITS['commandsPerTab']} commands wait for this tab already.")
        command = _Command(name, seconds, _now())
        self._open[command.id] = command
        message = {"id": command.id, "type": "command", "command": name, "params": params}
        self._send({**message, "timeoutMs": round(seconds * 1000)})
        try:
            return await self._answered(command)
        except (TimeoutError, asyncio.CancelledError) as ended:
            self._withdraw(command)
            if isinstance(ended, asyncio.CancelledError):
                raise
            raise CommandTimeout(f"The tab did not answer {name} within {seconds:g} s.") from None

    async def _answered(self, command: _Command) -> dict[str, Any]:
        """The result, however often the tab moves the time limit by moving on; raises `TimeoutError`."""
        while not command.answer.done():
            left = self._due(command) - _now()
            if left <= 0:
                raise TimeoutError
            waits = (command.answer, self._moving)
            await asyncio.wait(waits, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        return command.answer.result()

    def _due(self, command: _Command) -> float:
        """When its time is over: never before that of one that it waits behind."""
        due = 0.0
        for each in self._open.values():
            due = max(due, each.moved + each.seconds + self._grace)
            if each is command:
                break
        return due

    def executing(self, command_id: str) -> None:
        """The tab took it from its queue: whatever was sent earlier is over."""
        command = self._known(command_id)
        if command is not None and not command.has_begun:
            command.has_begun, command.moved = True, _now()
            self._forget(lambda each: each is not command and each.has_begun)
            self._move()

    def answer(self, told: Response) -> None:
        """The tab is done with it. Raises `Refused` where it is not open: answered already, or not this tab's."""
        command = self._known(told.id)
        if command is None:
            return
        self._close(command)
        now = _now()
        for each in self._open.values():
            each.moved = now
        self._move()
        if command.is_withdrawn:
            return
        try:
            command.answer.set_result(_result(told))
        except PagesideError as error:
            command.answer.set_exception(error)

    def end(self, why: str) -> None:
        """The tab is gone."""
        self._why_gone = why
        for command in list(self._open.values()):
            if not command.is_withdrawn:
                command.answer.set_exception(self._lost(command.name))
        self._open.clear()

    def _move(self) -> None:
        self._moving.set_result(None)
        self._moving = asyncio.get_running_loop().create_future()

    def _known(self, command_id: str) -> _Command | None:
        """The open command; None for one that was withdrawn, whose messages may have crossed."""
        command = self._open.get(command_id)
        if command is None and command_id not in self._withdrawn:
            answered = command_id in self._ended
            why = "is answered already" if answered else "was not sent to this tab"
            raise Refused(409 if answered else 404, "NOT_FOUND", f"That command {why}.", "Drop the message.")
        return command

    def _close(self, command: _Command) -> None:
        if self._open.pop(command.id, None) is not None:
            self._ended.append(command.id)

    def _withdraw(self, command: _Command) -> None:
        """Its caller waits no longer."""
        if command.id not in self._open:
            # The answer came just then, and nobody will ask what it was.
            command.answer.exception()
            return
        command.is_withdrawn = True
        self._withdrawn.append(command.id)
        # What the tab is at goes on, and what was sent later waits for it.
        if not command.has_begun or self._due(command) <= _now():
            del self._open[command.id]
        self._move()
        self._send({"type": "cancel", "id": command.id})

    def _forget(self, is_over: Callable[[_Command], bool]) -> None:
        """Of those that nobody waits for, the ones that the tab is no longer at."""
        for command in [each for each in self._open.values() if each.is_withdrawn and is_over(each)]:
            del self._open[command.id]

    def _lost(self, name: str) -> TabDisconnected:
        return TabDisconnected(
            f"The tab {self._tab} went during {name}: {self._why_gone}. Whether it took effect is unknown.",
            fix="Call kapturemcp_list_tabs for the tabs there are now, and look at the page before calling again.",
            data={"call": name},
        )


def _result(told: Response) -> dict[str, Any]:
    """The result, small enough to be passed on; raises what the tab reports."""
    if told.error is not None:
        raise ReportedByPage(told.error.code, told.error.message, told.error.data)
    picture = told.result.get("data")
    drawn = len(picture) if isinstance(picture, str) else 0
    if drawn > LIMITS["pictureChars"]:
        raise ResultTooLarge(
            f"The picture has {drawn} characters of base64; {LIMITS['pictureChars']} is the limit."
        )
    if told.chars - drawn > LIMITS["resultBytes"]:
        raise ResultTooLarge(f"The result has {told.chars} characters; {LIMITS['resultBytes']} is the limit.")
    return told.result


def _now() -> float:
    return asyncio.get_running_loop().time()
