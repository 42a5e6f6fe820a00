"""The moment between a document's request to connect and its answer: agents call in it, users leave in it."""

from __future__ import annotations

import json

import pytest
from playwright.async_api import BrowserContext, Page

from pageside.contract import CHANNEL
from support.agents import agent, call, fails
from support.app import DevServer
from support.overlay import Overlay

ANSWERED_LATE = """
  const send = window.fetch
  const read = new Promise((resolve) => { window.readAnswer = resolve })
  window.fetch = async (url, options) => {
    const answer = await send(url, options)
    if (!String(url).endsWith(ROUTE)) return answer
    window.isAnswered = true
    await read
    return answer
  }
""".replace("ROUTE", json.dumps(CHANNEL["routes"]["connect"]))
"""The companion answers, but the page does not read it before `readAnswer()`."""

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def answered(page: Page) -> None:
    await page.wait_for_function("window.isAnswered")


async def test_a_page_answers_agents_before_it_knows_itself_connected(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    async with agent(await shared_app.mcp_url()) as client:
        await overlay.page.add_init_script(ANSWERED_LATE)
        await overlay.page.reload()
        await answered(overlay.page)
        seen = await call(client, "capture_element_context", selector="h1")
        assert seen["element"]["selector"] == "h1"
        assert (await call(client, "execute_page_script", code="return 40 + 2"))["value"] == 42
        await overlay.page.evaluate("readAnswer()")
        await overlay.connected()


async def test_a_tab_that_is_closed_so_early_leaves_no_page_behind(
    context: BrowserContext, shared_app: DevServer
) -> None:
    # Another tab keeps the stream that both share.
    await Overlay.open(context, shared_app)
    page = await context.new_page()
    await page.add_init_script(ANSWERED_LATE)
    await page.goto(shared_app.url + "?early")
    await answered(page)
    await page.close()
    async with agent(await shared_app.mcp_url()) as client:
        gone = await fails(client, "get_page_info", page="?early")
        assert gone["code"] in ("PAGE_DISCONNECTED", "PAGE_NOT_CONNECTED"), gone
