"""The operations as bare CDP commands: no MCP, no checks, nothing waited for that is not needed."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bench.cdp import Page
from bench.pages import FIELDS

Values = Mapping[str, str]
Way = Callable[[Page, Values], Awaitable[str | None]]
"""What raw does; the base64 of a picture, if it takes one."""


def navigate(value: str) -> Way:
    async def way(page: Page, values: Values) -> None:
        async with page.expecting("Page.loadEventFired"):
            await page("Page.navigate", url=values[value])

    return way


async def evaluate(page: Page, _values: Values) -> None:
    await page.value("1 + 1")


async def tree(page: Page, _values: Values) -> None:
    await page("Accessibility.getFullAXTree")


async def _point(page: Page, selector: str) -> dict[str, float]:
    found: dict[str, float] = await page.value(
        f"(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
        " return { x: r.x + r.width / 2, y: r.y + r.height / 2 } })()"
    )
    return found


async def click(page: Page, _values: Values) -> None:
    at = await _point(page, "#go")
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        await page("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)


async def hover(page: Page, _values: Values) -> None:
    await page("Input.dispatchMouseEvent", type="mouseMoved", **await _point(page, "#menu"))


async def away(page: Page, _values: Values) -> None:
    await page("Input.dispatchMouseEvent", type="mouseMoved", **await _point(page, "#card"))


async def fill(page: Page, values: Values) -> None:
    await page.value("document.getElementById('name').select()")
    await page("Input.insertText", text=values["text"])


async def fill_form(page: Page, _values: Values) -> None:
    for number, (role, _, value) in enumerate(FIELDS):
        field = f"document.querySelectorAll('.f')[{number}]"
        if role == "textbox":
            await page.value(f"{field}.focus()")
            await page("Input.insertText", text=value)
        elif role == "checkbox":
            await page.value(f"{field}.click()")
        else:
            await page.value(f"{field}.value = {value!r}, {field}.dispatchEvent(new Event('change'))")


def press(key: str, code: int, text: str) -> Way:
    async def way(page: Page, _values: Values) -> None:
        named: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": code}
        await page("Input.dispatchKeyEvent", type="keyDown", text=text, **named)
        await page("Input.dispatchKeyEvent", type="keyUp", **named)

    return way


async def wait_for(page: Page, _values: Values) -> None:
    await page.value(
        "new Promise((done) => { const look = () => late.textContent === 'here' ? done() :"
        " requestAnimationFrame(look); look() })"
    )


def picture(mime: str, what: str = "viewport") -> Way:
    async def way(page: Page, _values: Values) -> str:
        more: dict[str, Any] = {"quality": 80} if mime == "jpeg" else {}
        if what == "element":
            clip = await page.value(
                "(() => { const r = card.getBoundingClientRect();"
                " return { x: r.x, y: r.y, width: r.width, height: r.height, scale: 1 } })()"
            )
            more["clip"] = clip
        elif what == "page":
            size = (await page("Page.getLayoutMetrics"))["cssContentSize"]
            more |= {"clip": {**size, "scale": 1}, "captureBeyondViewport": True}
        data: str = (await page("Page.captureScreenshot", format=mime, **more))["data"]
        return data

    return way


async def console(page: Page, _values: Values) -> None:
    """Chrome tells again what was logged."""
    told = itertools.count(1)
    async with page.expecting("Runtime.consoleAPICalled", lambda _params: next(told) >= 1000):
        await page("Runtime.disable")
        await page("Runtime.enable")


async def new_tab(page: Page, values: Values) -> None:
    wire = page.wire
    made = (await wire.send("Target.createTarget", url="about:blank"))["targetId"]
    session = (await wire.send("Target.attachToTarget", targetId=made, flatten=True))["sessionId"]
    tab = Page(wire, made, session)
    await tab("Page.enable")
    await navigate("second")(tab, values)
    gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def take(_session: str, event: str, params: dict[str, Any]) -> None:
        if event == "Target.detachedFromTarget" and params.get("targetId") == made and not gone.done():
            gone.set_result(None)

    stop = wire.listen(take)
    await wire.send("Target.closeTarget", targetId=made)
    await gone
    stop()
