"""Chrome's own DevTools, open beside a tab, and the extension's panel in them."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from support.extension import ORIGIN, Extension

_SHOW = f"""(async () => {{
  const {{ ViewManager }} = await import('devtools://devtools/bundled/ui/legacy/legacy.js')
  await ViewManager.ViewManager.instance().showView('{ORIGIN}Pageside')
}})()"""
_UNTIL = """(text) => new Promise((done) => {
  const look = () => { if (document.body?.innerText.includes(text)) { watching.disconnect(); done() } }
  const watching = new MutationObserver(look)
  watching.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  look()
})"""


class Target:
    """One page or frame over its own debugging socket."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket, self._ids = socket, itertools.count(1)

    async def evaluate(self, code: str) -> Any:
        """The value of an expression, awaited."""
        number = next(self._ids)
        params = {"expression": code, "awaitPromise": True, "returnByValue": True, "userGesture": True}
        await self._socket.send_json({"id": number, "method": "Runtime.evaluate", "params": params})
        while (answer := await self._socket.receive_json())["id"] != number:
            pass
        assert "exceptionDetails" not in answer["result"], answer
        return answer["result"]["result"].get("value")

    async def until(self, text: str) -> None:
        """Wait for that text."""
        async with asyncio.timeout(20):
            await self.evaluate(f"({_UNTIL})({json.dumps(text)})")

    async def press(self, selector: str) -> None:
        """Click what a selector finds."""
        await self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")


class DevTools:
    """The DevTools of a browser that opens them with every tab; `port` is its debugging port."""

    def __init__(self, http: aiohttp.ClientSession, port: int) -> None:
        self._http, self._list = http, f"http://127.0.0.1:{port}/json/list"

    async def _target(self, **wanted: str) -> dict[str, str]:
        """The first whose fields contain these texts, as soon as there is one."""
        async with asyncio.timeout(20):
            while True:
                async with self._http.get(self._list) as answer:
                    all_of_them: list[dict[str, str]] = await answer.json()
                for each in all_of_them:
                    if all(text in each.get(name, "") for name, text in wanted.items()):
                        return each
                # Chrome tells of no new target here; it has to be asked again.
                await asyncio.sleep(0.1)

    @asynccontextmanager
    async def _attached(self, target: dict[str, str]) -> AsyncIterator[Target]:
        async with self._http.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as socket:
            yield Target(socket)

    @asynccontextmanager
    async def panel(self, page: str) -> AsyncIterator[Target]:
        """Pageside's panel, shown in the DevTools of the page whose URL holds that."""
        tools = await self._target(url="devtools://", title=page)
        # The panel is there to be shown once the extension's own page in DevTools has run.
        await self._target(url="/devtools.html", parentId=tools["id"])
        async with self._attached(tools) as front:
            await front.evaluate(_SHOW)
        frame = await self._target(url="/panel.html", parentId=tools["id"])
        async with self._attached(frame) as panel:
            yield panel

    @asynccontextmanager
    async def popup(self, extension: Extension) -> AsyncIterator[Target]:
        """The popup of the toolbar's button, over the tab in front."""
        await extension.worker.evaluate("() => chrome.action.openPopup()")
        async with self._attached(await self._target(url="/popup.html")) as popup:
            yield popup
