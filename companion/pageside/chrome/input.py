"""Input events as a person makes them: the mouse, keys, text (CDP domain Input)."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from pageside.chrome.session import Session
from pageside.core.keys import MODIFIERS, Key, parse_keys
from pageside.errors import ChromeError

BUTTON_BITS = {"left": 1, "right": 2, "middle": 4}


async def _mouse(session: Session, kind: str, x: float, y: float, **more: Any) -> None:
    await session("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)


async def move(session: Session, x: float, y: float) -> None:
    """Move the mouse there (CSS px of the session's viewport)."""
    await _mouse(session, "mouseMoved", x, y)


async def click(
    session: Session, x: float, y: float, *, count: int = 1, button: str = "left", modifiers: int = 0
) -> None:
    """Move there, press and release; `count` 2 is a double click."""
    # In one go: Chrome keeps their order, and each waits for the page by itself.
    events = [_mouse(session, "mouseMoved", x, y, modifiers=modifiers)]
    for n in range(1, count + 1):
        how: dict[str, Any] = {"button": button, "clickCount": n, "modifiers": modifiers}
        events.append(_mouse(session, "mousePressed", x, y, buttons=BUTTON_BITS[button], **how))
        events.append(_mouse(session, "mouseReleased", x, y, **how))
    await in_order(*events)


async def in_order(*events: Any) -> None:
    """Send all at once and wait for every one; the first failure is raised."""
    results = await asyncio.gather(*events, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result


async def press(session: Session, keys: str) -> None:
    """Press and release a key or a combination such as `Control+A`."""
    modifiers, key = parse_keys(keys)
    bits, downs, ups = 0, [], []
    for modifier in modifiers:
        ups.append(_key(session, "keyUp", modifier, bits))
        bits |= MODIFIERS[modifier.key]
        downs.append(_key(session, "rawKeyDown", modifier, bits))
    down = "keyDown" if "text" in key.event(bits) else "rawKeyDown"
    own = [_key(session, down, key, bits, commands=key.commands(bits)), _key(session, "keyUp", key, bits)]
    await in_order(*downs, *own, *reversed(ups))


async def _key(session: Session, kind: str, key: Key, bits: int, **more: Any) -> None:
    event = key.event(bits)
    if kind == "keyUp":
        event = {name: value for name, value in event.items() if name not in ("text", "unmodifiedText")}
    await session("Input.dispatchKeyEvent", type=kind, **event, **more)


async def insert_text(session: Session, text: str) -> None:
    """Put text in the place of what is selected, as an input method would: one trusted `input` event, no keys."""
    await session("Input.insertText", text=text)


async def drag(
    session: Session, start: tuple[float, float], end: tuple[float, float], *, steps: int = 10
) -> None:
    """Press at `start`, move to `end`, release; HTML drag and drop is played by hand, as Chrome asks for it."""
    taken: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    stop = session.on(
        "Input.dragIntercepted", lambda params: None if taken.done() else taken.set_result(params["data"])
    )
    await session("Input.setInterceptDrags", enabled=True)
    held: dict[str, Any] = {"button": "left", "buttons": 1}
    try:
        await _mouse(session, "mouseMoved", *start)
        await _mouse(session, "mousePressed", *start, clickCount=1, **held)
        # Some 8 px make a drag of it, if it is one.
        for n in range(1, 4):
            await _mouse(session, "mouseMoved", start[0] + 3 * n, start[1] + 3 * n, **held)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(taken), 0.15)
        if taken.done():
            for kind in ("dragEnter", "dragOver", "drop"):
                await session("Input.dispatchDragEvent", type=kind, x=end[0], y=end[1], data=taken.result())
        else:
            for n in range(1, steps + 1):
                x, y = (a + (b - a) * n / steps for a, b in zip(start, end, strict=True))
                await _mouse(session, "mouseMoved", x, y, **held)
    finally:
        stop()
        with contextlib.suppress(ChromeError):
            await _mouse(session, "mouseReleased", *end, button="left", clickCount=1)
            await session("Input.setInterceptDrags", enabled=False)
