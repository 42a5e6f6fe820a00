"""The in-page toolkit, in a real page as the companion has it: in an isolated world, by its handle."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Page, async_playwright

from support import chromium

PAGES = Path(__file__).parent / "pages"
_SCRIPT = Path(__file__).parents[2] / "companion/pageside/chrome/static/toolkit.js"


class Toolkit:
    """One toolkit in one document."""

    def __init__(self, session: CDPSession, context: int, handle: str) -> None:
        self.session = session
        self._context = context
        self._handle = handle

    async def call(self, function: str, *arguments: Any) -> Any:
        """What a JavaScript function with the toolkit as `this` answers, by value."""
        given = [{"objectId": it.id} if isinstance(it, Node) else {"value": it} for it in arguments]
        reply = await self._call(function, given, by_value=True)
        return reply["result"].get("value")

    async def snapshot(
        self, root: str | None = None, *, max_chars: int = 1_000_000, start: int = 0, **options: bool
    ) -> Any:
        """A snapshot; `root` is a CSS selector."""
        function = (
            "function(root, options) {"
            " return this.snapshot({...options, root: root && document.querySelector(root)}) }"
        )
        return await self.call(function, root, {"maxChars": max_chars, "from": start, **options})

    async def text(self, root: str | None = None, **options: bool) -> str:
        """A snapshot's text."""
        return str((await self.snapshot(root, **options))["text"])

    async def node(self, backend_id: int) -> Node:
        """A DOM node in the toolkit's world."""
        reply = await self.session.send(
            "DOM.resolveNode", {"backendNodeId": backend_id, "executionContextId": self._context}
        )
        return Node(reply["object"]["objectId"])

    async def _call(self, function: str, given: list[dict[str, Any]], *, by_value: bool) -> Any:
        reply = await self.session.send(
            "Runtime.callFunctionOn",
            {
                "objectId": self._handle,
                "functionDeclaration": function,
                "arguments": given,
                "returnByValue": by_value,
            },
        )
        assert "exceptionDetails" not in reply, reply["exceptionDetails"]
        return reply


class Node:
    """A handle of a DOM node."""

    def __init__(self, object_id: str) -> None:
        self.id = object_id


async def install(page: Page, doc: int = 1) -> Toolkit:
    """A toolkit in the main frame's document."""
    session = await page.context.new_cdp_session(page)
    tree = await session.send("Page.getFrameTree")
    world = await session.send(
        "Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "toolkit"}
    )
    context = world["executionContextId"]
    factory = await session.send(
        "Runtime.evaluate", {"expression": _SCRIPT.read_text(), "contextId": context}
    )
    made = await session.send(
        "Runtime.callFunctionOn",
        {
            "objectId": factory["result"]["objectId"],
            "functionDeclaration": "function(doc) { return this(doc) }",
            "arguments": [{"value": doc}],
        },
    )
    return Toolkit(session, context, made["result"]["objectId"])


@asynccontextmanager
async def chromium_page() -> AsyncIterator[Page]:
    """A page of a browser of its own."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium.find(), args=[*chromium.test_flags(), "--headless=new"]
        )
        yield await browser.new_page()
        await browser.close()


async def show(page: Page, body: str) -> Toolkit:
    """Load a document with this body, as a parser reads it from the wire."""
    address = "http://snippet.test/"
    await page.unroute_all()
    await page.route(
        address,
        lambda route: route.fulfill(
            body=f"<!doctype html><title>Snippet</title><body>{body}", content_type="text/html; charset=utf-8"
        ),
    )
    await page.goto(address, wait_until="domcontentloaded")
    return await install(page)
