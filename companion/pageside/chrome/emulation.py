"""Keeps what a tab pretends: over navigations, in new frames and workers, and after a connection that was lost."""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from pageside.chrome.emulated import COMMANDS, Command, Emulated, Viewport, check
from pageside.chrome.session import CALL_SECONDS, CommandFailed, Session

if TYPE_CHECKING:
    from pageside.chrome.tab import Tab

log = logging.getLogger(__name__)

_RESIZE_MS = 1_000


@dataclass(slots=True)
class Kept:
    """What a tab shall pretend, also after it was attached anew."""

    wanted: Emulated = field(default_factory=Emulated)


class Emulation:
    """One for a tab; what it keeps outlives the connection (`kept` belongs to the browser)."""

    def __init__(self, tab: Tab, kept: Kept) -> None:
        self._tab = tab
        self._kept = kept

    @property
    def now(self) -> Emulated:
        """What the tab pretends now."""
        return self._kept.wanted

    async def change(self, **changes: Any) -> Emulated:
        """Change these fields of `Emulated`; raises `InvalidArguments`, or `ChromeError` for what Chrome refuses.

        What is refused leaves everything as it was.
        """
        before = self._kept.wanted
        wanted = replace(before, **changes)
        check(wanted)
        changed = _different(wanted, before)
        try:
            for method, params in _commands(wanted, changed):
                await self._tab.session(method, **params)
        except CommandFailed:
            await self._try(self._tab.session, before, changed)
            raise
        self._kept.wanted = wanted
        others = self._tab.children()
        await asyncio.gather(*(self._try(session, wanted, changed) for session in others))
        return wanted

    async def reset(self) -> None:
        """Pretend nothing any more."""
        neutral = Emulated()
        await self.change(**{each.name: getattr(neutral, each.name) for each in fields(Emulated)})

    async def resize(self, width: int, height: int) -> tuple[int, int]:
        """Give the viewport that size in CSS px: by the window's, else by emulation; returns the size it has then."""
        view = self.now.viewport
        wanted = Viewport(width, height, device_scale_factor=0)
        check(replace(self.now, viewport=wanted))
        # A dialog is met before anything is changed.
        zoom = await self._zoom()
        if view is not None:
            await self.change(viewport=_sized(view, wanted, zoom))
        elif not _fits(await self._resize_window(wanted, zoom), wanted, zoom):
            await self.change(viewport=_sized(wanted, wanted, zoom))
        return await self._inner_size(wanted, zoom)

    async def _zoom(self) -> float:
        """DIPs for one CSS px, which windows and what a device has are measured in."""
        return float((await self._tab.session("Page.getLayoutMetrics"))["cssVisualViewport"].get("zoom", 1.0))

    async def _resize_window(self, wanted: Viewport, zoom: float) -> tuple[int, int] | None:
        session = self._tab.session
        try:
            window = await session("Browser.getWindowForTarget")
            number = window["windowId"]
            if window["bounds"].get("windowState", "normal") != "normal":
                await session("Browser.setWindowBounds", windowId=number, bounds={"windowState": "normal"})
            await session("Browser.setContentsSize", windowId=number, **_in_dips(wanted, zoom))
        except CommandFailed as error:
            log.debug("the window keeps its size: %s", error)
            return None
        return await self._inner_size(wanted, zoom)

    async def _inner_size(self, wanted: Viewport, zoom: float) -> tuple[int, int]:
        """The viewport's size, as soon as it is the wanted one, or after a second."""
        given = [wanted.width, wanted.height, _slack(zoom), _RESIZE_MS]
        size = await self._tab.evaluate(f"({_INNER_SIZE})({json.dumps(given)})")
        return round(size[0]), round(size[1])

    # Again

    def applying(self, session: Session, seconds: float = CALL_SECONDS) -> list[Coroutine[Any, Any, None]]:
        """The commands that have a session (of the tab, a new frame or worker) pretend the same."""
        wanted, neutral = self._kept.wanted, Emulated()
        return self._telling(session, wanted, _different(wanted, neutral), seconds)

    async def _try(self, session: Session, wanted: Emulated, names: set[str]) -> None:
        await asyncio.gather(*self._telling(session, wanted, names))

    def _telling(
        self, session: Session, wanted: Emulated, names: set[str], seconds: float = CALL_SECONDS
    ) -> list[Coroutine[Any, Any, None]]:
        return [_tell(session, command, seconds) for command in _commands(wanted, names)]


def _different(one: Emulated, other: Emulated) -> set[str]:
    return {each.name for each in fields(Emulated) if getattr(one, each.name) != getattr(other, each.name)}


def _commands(wanted: Emulated, names: set[str]) -> list[Command]:
    todo: dict[Callable[[Emulated], list[Command]], None] = {COMMANDS[name]: None for name in sorted(names)}
    return [command for commands in todo for command in commands(wanted)]


def _in_dips(size: Viewport, zoom: float) -> dict[str, int]:
    sized = _sized(size, size, zoom)
    return {"width": sized.width, "height": sized.height}


def _sized(view: Viewport, size: Viewport, zoom: float) -> Viewport:
    return replace(view, width=round(size.width * zoom), height=round(size.height * zoom))


def _slack(zoom: float) -> int:
    """CSS px by which a side may differ: zoomed out, one DIP is more than one of them."""
    return 0 if zoom >= 1 else math.ceil(0.5 / zoom)


def _fits(size: tuple[int, int] | None, wanted: Viewport, zoom: float) -> bool:
    if size is None:
        return False
    off = max(abs(size[0] - wanted.width), abs(size[1] - wanted.height))
    return off <= _slack(zoom)


async def _tell(session: Session, command: Command, seconds: float) -> None:
    """Frames and workers follow their tab in some of it, and refuse to be told."""
    method, params = command
    try:
        await session(method, seconds=seconds, **params)
    except CommandFailed as error:
        log.debug("%s", error)


_INNER_SIZE = """([width, height, slack, ms]) => new Promise((done) => {
  const size = () => [innerWidth, innerHeight];
  const look = () => {
    if (Math.abs(innerWidth - width) <= slack && Math.abs(innerHeight - height) <= slack) end();
  };
  const end = () => { removeEventListener('resize', look); done(size()); };
  addEventListener('resize', look);
  setTimeout(end, ms);
  look();
})"""
