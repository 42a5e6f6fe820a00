"""What is asked of pages: each call ends once, by its answer, its time limit, a cancellation or the end of its page."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pageside.contract import LIMITS, PAGE_TOOLS
from pageside.core.calls import PendingCall, PendingCalls, Verdict
from pageside.errors import (
    CommandTimeout,
    PageBusy,
    PageDisconnected,
    PageNotConnected,
    PagesideError,
    ShuttingDown,
    TooMany,
)
from pageside.hubs.channel import EVENTS
from pageside.hubs.page import Page
from pageside.hubs.standstill import answered

MAX_CALLS = 256
"""Open at a time on all pages together."""


@dataclass(slots=True)
class _Running:
    message: dict[str, Any]
    answer: asyncio.Future[tuple[Page, Any]]


class PageCalls:
    """The open calls of the pages that are connected: `pages`, by their ids."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self._pages = pages
        self._pending = PendingCalls()
        self._running: dict[str, _Running] = {}
        self._stopped = False

    async def call(
        self, page_id: str, tool: str, args: dict[str, Any], *, seconds: float | None = None
    ) -> Any:
        """Run a page tool and return its result; within `seconds`, the contract's time limit by default.

        Raises what `ask` raises.
        """
        return (await self.ask(page_id, tool, args, seconds=seconds))[1]

    async def ask(
        self, page_id: str, tool: str, args: dict[str, Any], *, seconds: float | None = None
    ) -> tuple[Page, Any]:
        """The page that answered, which may be a successor of the one that was asked, and the tool's result.

        Raises what the page reports, `CommandTimeout`, `PageDisconnected`, `PageBusy`, `PageNotConnected`, `TooMany`.
        Cancelling the awaiting task takes the call back from the page.
        """
        call = self._admit(page_id, tool)
        limit = PAGE_TOOLS[tool]["timeoutMs"] / 1000 if seconds is None else seconds
        message = {"id": call.id, "tool": tool, "args": args, "timeoutMs": round(limit * 1000)}
        running = _Running(message, asyncio.get_running_loop().create_future())
        self._running[call.id] = running
        self._pending.open(call)
        if call.told:
            self._send(call)
        try:
            return await answered(running.answer, limit)
        except TimeoutError:
            raise _late(self._withdraw(call.id, "time limit") or call, limit) from None
        except asyncio.CancelledError:
            self._withdraw(call.id, "cancelled")
            raise
        finally:
            del self._running[call.id]

    def _admit(self, page_id: str, tool: str) -> PendingCall:
        if self._stopped:
            raise ShuttingDown("The companion is stopping.")
        if page_id not in self._pages:
            raise PageNotConnected(f"The page {page_id} is not connected.")
        if len(self._pending) >= MAX_CALLS:
            raise TooMany(f"{MAX_CALLS} calls to pages are open already.")
        if sum(1 for _ in self._pending.of_page(page_id)) >= LIMITS["callsPerPage"]:
            raise PageBusy(f"{LIMITS['callsPerPage']} calls are open on this page.")
        call_id = secrets.token_urlsafe(12)
        page = self._pages[page_id]
        told = not (page.left or page.channel.closed)
        return PendingCall(call_id, page_id, tool, PAGE_TOOLS[tool]["repeatable"], told)

    def answer(self, page: Page, call_id: object, result: Any, error: PagesideError | None) -> Verdict:
        """A page's answer to one of its calls; anything else is left alone."""
        if not isinstance(call_id, str):
            return Verdict.UNKNOWN
        verdict = self._pending.answer(page.id, call_id)
        if verdict is Verdict.ACCEPTED:
            future = self._running[call_id].answer
            if error is not None:
                _reject(future, error)
            elif not future.done():
                future.set_result((page, result))
        return verdict

    # Pages come and go

    def send_again(self, page: Page) -> None:
        """The document is there again: it may have missed what it was sent."""
        for call in self._pending.tell(page.id):
            self._send(call)

    def move(self, old: str, page: Page) -> None:
        """`page` takes the place of `old`: what may move is sent to it, the rest ends."""
        moved, lost = self._pending.move(old, page.id)
        for call in lost:
            self._fail(call.id, _lost(call, "the page was reloaded or left"))
        for call in moved:
            self._send(call)

    def end(self, page: str, why: str, *, only_fixed: bool = False) -> None:
        """Fail the calls of the page; `only_fixed`: but for those that may move."""
        for call in self._pending.drop(page, only_fixed=only_fixed):
            self._fail(call.id, _lost(call, why))

    def stop(self) -> None:
        """End every call; none is accepted afterwards."""
        self._stopped = True
        for page in self._pages:
            for call in self._pending.drop(page):
                self._fail(call.id, ShuttingDown(f"The companion stopped during {call.tool}."))

    def _send(self, call: PendingCall) -> None:
        page = self._pages[call.page]
        page.channel.send(EVENTS["call"], {"page": page.id, **self._running[call.id].message})

    def _withdraw(self, call_id: str, reason: str) -> PendingCall | None:
        call = self._pending.withdraw(call_id)
        page = self._pages.get(call.page) if call is not None else None
        if page is not None:
            cancelled = {"page": page.id, "id": call_id, "reason": reason}
            page.channel.send(EVENTS["cancel"], cancelled)
        return call

    def _fail(self, call_id: str, error: PagesideError) -> None:
        _reject(self._running[call_id].answer, error)


def _late(call: PendingCall, limit: float) -> CommandTimeout:
    if call.told:
        return CommandTimeout(f"The page did not answer {call.tool} within {limit:g} s.")
    why = f"The page was being loaded anew for {limit:g} s, so {call.tool} was not run."
    return CommandTimeout(why, fix="Call again when the page is there.")


def _reject(future: asyncio.Future[Any], error: PagesideError) -> None:
    if not future.done():
        future.set_exception(error)


def _lost(call: PendingCall, why: str) -> PageDisconnected:
    effect = "" if call.may_move else "; whether it took effect is unknown, it was not run again"
    return PageDisconnected(f"{call.tool} ended because {why}{effect}.", data={"call": call.tool})
