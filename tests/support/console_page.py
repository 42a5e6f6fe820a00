"""The web console as a user meets it: by role and name, in a real browser."""

from __future__ import annotations

import json
from typing import Any

from playwright.async_api import Locator, Page, expect

from pageside.web.app import Companion

CONNECTED_MS = 15_000
"""Importing nothing, but on a busy machine."""
_WATCH = """
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  console.error(`CSP: ${violatedDirective} ${blockedURI} ${sample}`))
"""


class ConsolePage:
    """One tab with a console. `complaints`: what the browser had to say of it: CSP, Trusted Types, errors."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.tools = page.locator(".tool-list")
        self.ended = page.locator(".ended")
        self.response = page.get_by_role("region", name="Response")
        self.history = page.get_by_role("region", name="History").get_by_role("listitem")
        page.on("console", lambda m: self._complain(m.text) if m.type in ("warning", "error") else None)
        page.on("pageerror", lambda error: self._complain(str(error)))

    def _complain(self, text: str) -> None:
        self.complaints.append(text)

    async def enter(self, companion: Companion) -> None:
        """By a fresh link, until it shows the overview."""
        await self.follow(companion.console_link())

    async def follow(self, link: str) -> None:
        """The same by a link that is there already."""
        await self.page.add_init_script(_WATCH)
        await self.page.goto(link)
        await expect(self.card("Companion")).to_be_visible(timeout=CONNECTED_MS)

    async def enter_tools(self, companion: Companion) -> None:
        """The same, until its tools are there."""
        await self.enter(companion)
        await self.show_tools()

    async def show(self, view: str) -> None:
        """`Overview` or `Tools`; the console's own tab is among those that have links."""
        await self.page.get_by_role("navigation").get_by_role("link", name=view).click()

    async def show_tools(self) -> None:
        await self.show("Tools")
        await expect(self.page.get_by_text("Connected", exact=True)).to_be_visible(timeout=CONNECTED_MS)

    def card(self, name: str) -> Locator:
        return self.page.get_by_role("region", name=name)

    async def choose(self, tool: str) -> None:
        """Its form, whatever was searched for before."""
        await self.page.get_by_role("searchbox").fill(tool)
        await self.tools.get_by_role("button", name=tool, exact=True).click()
        await expect(self.page.get_by_role("heading", level=2, name=tool, exact=True)).to_be_focused()

    async def write_json(self, text: str) -> None:
        """In the editor, when it is empty: over coloured text Chrome would keep its colours by inline styles."""
        editor = self.page.get_by_role("textbox", name="Arguments as JSON")
        await editor.press("ControlOrMeta+a")
        await editor.press("Delete")
        await editor.fill(text)

    async def execute(self) -> str:
        """Run what the form says; how it ended: `Success`, `Failed` or `Cancelled`."""
        count = await self.history.count()
        await self.page.get_by_role("button", name="Execute", exact=True).click()
        await expect(self.history).to_have_count(count + 1, timeout=20_000)
        await expect(self.ended).to_be_in_viewport()
        return await self.ended.locator("b").inner_text()

    async def run(self, tool: str, **texts: str) -> Any:
        """Fill in the form of a tool, run it, and read the data of its answer; it has to succeed."""
        await self.choose(tool)
        for name, text in texts.items():
            await (
                self.page.get_by_role("textbox", name=name)
                .or_(self.page.get_by_role("combobox", name=name))
                .first.fill(text)
            )
        ended = await self.execute()
        assert ended == "Success", await self.response.inner_text()
        return (await self.answer()).get("structuredContent")

    async def answer(self) -> dict[str, Any]:
        """The whole answer, as the console shows it; pictures left out."""
        await self.response.get_by_text("JSON", exact=True).click()
        answer: dict[str, Any] = json.loads(await self.response.locator("pre").inner_text())
        return answer
