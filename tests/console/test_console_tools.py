"""The test client in the console, with real tools: a form each, calls, pictures, errors, history."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, expect

from pageside.settings import ChromeSettings, ServerSettings, Settings
from pageside.toolsets.every import TOOLSETS
from pageside.web.app import Companion
from support.agents import agent, call
from support.console_page import ConsolePage
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

FORMS = """async () => {
  const found = {}
  for (const tool of document.querySelectorAll('.tool')) {
    tool.click()
    const fields = [...document.querySelectorAll('.fields > .field')]
    const isUsable = (field) => {
      const control = field.querySelector('input, select, textarea, button')
      const named = field.matches('fieldset') ? field.querySelector('legend') : control?.labels[0]
      return Boolean(control?.checkVisibility() && named?.textContent)
    }
    const nameOf = (field) => field.querySelector('label, legend').firstChild.textContent
    found[tool.dataset.tool] = fields.filter(isUsable).map(nameOf).sort()
  }
  return found
}"""


@pytest_asyncio.fixture(loop_scope="session")
async def shop(running: Companion, browser: Browser, site: Site) -> AsyncIterator[str]:
    """The id of a real tab that shows `support/pages/any-tab.html`, in a window of its own."""
    page = await browser.new_page()
    await page.goto(site.url("any-tab.html"))
    async with agent(running.mcp_url, query="?toolsets=kapture") as client:
        tabs = (await call(client, "kapturemcp_list_tabs"))["tabs"]
    yield next(tab["tabId"] for tab in tabs if tab["title"] == "Any tab")
    await page.close()


@pytest_asyncio.fixture(loop_scope="session")
async def alone(settings: Settings, tmp_path: Path) -> AsyncIterator[Companion]:
    """A companion of a test's own, without a Chrome, that asks before it starts what the project does not list."""
    careful = replace(settings, state=tmp_path / "state", servers=ServerSettings(policy="ask"))
    companion = await Companion.start(replace(careful, chrome=ChromeSettings(enabled=False)))
    yield companion
    await companion.stop()


async def test_every_tool_of_every_toolset_has_a_form_with_all_its_arguments(
    console: ConsolePage, running: Companion
) -> None:
    await console.enter_tools(running)
    forms: dict[str, list[str]] = await console.page.evaluate(FORMS)
    expected = {
        tool.name: sorted(tool.definition["inputSchema"].get("properties", {}))
        for toolset in TOOLSETS
        for tool in toolset.tools
    }
    assert forms == expected


async def test_the_form_and_its_json_say_the_same(console: ConsolePage, running: Companion) -> None:
    await console.enter_tools(running)
    page = console.page
    await console.choose("get_timeline")
    limit = page.get_by_role("textbox", name="limit")
    await limit.fill("7")
    await page.get_by_text("JSON", exact=True).click()
    editor = page.get_by_role("textbox", name="Arguments as JSON")
    await expect(editor).to_contain_text('"limit": 7')
    await console.write_json('{"limit": 9, "level": "error"}')
    await page.get_by_text("Form", exact=True).click()
    await expect(limit).to_have_value("9")
    await expect(page.get_by_role("combobox", name="level", exact=True).last).to_have_value("3")
    await page.get_by_text("JSON", exact=True).click()
    await editor.press("Control+End")
    await page.keyboard.insert_text(",")
    await expect(page.get_by_role("alert")).to_contain_text("No valid JSON at line 1, column 31")
    await page.get_by_role("button", name="Execute", exact=True).click()
    await page.get_by_text("Form", exact=True).click()
    await expect(limit).to_have_value("9")
    await expect(console.history).to_have_count(0)


async def test_what_is_wrong_is_said_and_can_be_sent_anyway(console: ConsolePage, running: Companion) -> None:
    await console.enter_tools(running)
    page = console.page
    await console.choose("kapturemcp_logs")
    await page.get_by_role("textbox", name="max").fill("many")
    await page.get_by_role("button", name="Execute", exact=True).click()
    await expect(page.get_by_text("2 arguments are not right.")).to_be_visible()
    await expect(page.get_by_role("combobox", name="tabId")).to_be_focused()
    await page.get_by_role("button", name="Run anyway").click()
    await expect(console.ended).to_contain_text("Failed")
    await expect(console.response).to_contain_text("INVALID_ARGUMENTS")
    await expect(console.response).to_contain_text("What to do:")
    await expect(console.history.first).to_contain_text("failed")


async def test_a_call_that_takes_long_shows_so_and_can_be_cancelled(
    console: ConsolePage, running: Companion
) -> None:
    await console.enter_tools(running)
    await console.choose("wait_for_inspection")
    page = console.page
    await page.get_by_role("button", name="Execute", exact=True).click()
    await expect(page.locator(".elapsed", has_text="Running wait_for_inspection…")).to_be_visible()
    await expect(page.locator(".progress-message")).not_to_be_empty()
    await console.show("Overview")
    own = console.card("Agents").get_by_role("listitem").first
    await expect(own).to_contain_text("wait_for_inspection")
    await expect(own.get_by_text("running", exact=True)).to_be_visible()
    await console.show("Tools")
    await page.get_by_role("button", name="Cancel", exact=True).click()
    await expect(console.ended).to_contain_text("Cancelled")
    await expect(page.locator(".elapsed", has_text="Running wait_for_inspection…")).to_be_hidden()
    await console.show("Overview")
    await expect(own.get_by_text("cancelled", exact=True)).to_be_visible()


async def test_what_a_tool_asks_is_asked_in_a_dialog(console: ConsolePage, alone: Companion) -> None:
    await console.enter_tools(alone)
    page = console.page
    await console.choose("start_server")
    await page.get_by_role("textbox", name="id required").fill("waiting")
    await page.get_by_role("textbox", name="command required").fill("sleep")
    await page.get_by_role("button", name="Add to args").click()
    await page.keyboard.type("60")
    await page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog", name="A tool asks you")
    await expect(dialog).to_contain_text("sleep 60")
    await dialog.get_by_role("button", name="Decline").click()
    await expect(console.response).to_contain_text("SERVER_NOT_ALLOWED")
    assert not alone.world.servers.all()


async def test_pictures_open_large_and_are_not_kept(
    console: ConsolePage, running: Companion, shop: str
) -> None:
    await console.enter_tools(running)
    page = console.page
    await page.get_by_role("radio", name="Any tab").check()
    answer = await console.run("kapturemcp_screenshot", name="shop")
    assert answer["name"] == "shop"
    await page.get_by_role("button", name="Picture 1: open large").click()
    image = page.get_by_role("dialog").get_by_role("img", name="Picture 1")
    assert await image.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == answer["width"]
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    kept = await page.evaluate("localStorage.getItem('pageside-console-history')")
    assert '"tool":"kapturemcp_screenshot"' in kept
    assert len(kept) < 2000


async def test_the_history_runs_again_asks_first_and_goes_into_a_file(
    console: ConsolePage, running: Companion, shop: str, tmp_path: Path
) -> None:
    await console.enter_tools(running)
    page = console.page
    await page.get_by_role("radio", name="Any tab").check()
    await console.run("kapturemcp_click", selector="#add")
    await console.run("kapturemcp_list_tabs")
    await page.reload()
    await console.show_tools()
    await expect(console.history).to_have_count(2)

    await page.get_by_role("button", name="Load into the form: kapturemcp_click").click()
    await expect(page.get_by_role("textbox", name="selector")).to_have_value("#add")
    await page.get_by_role("button", name="Run again: kapturemcp_list_tabs").click()
    await expect(console.history).to_have_count(3)
    again = page.get_by_role("button", name="Run again: kapturemcp_click")
    await again.click()
    dialog = page.get_by_role("dialog", name="Run kapturemcp_click again?")
    await expect(dialog).to_contain_text("#add")
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(console.history).to_have_count(3)
    await again.click()
    await dialog.get_by_role("button", name="Run", exact=True).click()
    await expect(console.history).to_have_count(4)

    async with page.expect_download() as download:
        await page.get_by_role("button", name="Export").click()
    await (await download.value).save_as(tmp_path / "history.json")
    told = json.loads((tmp_path / "history.json").read_text())
    tools = [entry["tool"] for entry in told["entries"]]
    assert tools == [f"kapturemcp_{each}" for each in ("click", "list_tabs", "list_tabs", "click")]
    assert told["entries"][0]["args"] == {"tabId": shop, "selector": "#add"}
    await page.get_by_role("button", name="Delete: kapturemcp_click").first.click()
    await expect(console.history).to_have_count(3)
    await page.set_viewport_size({"width": 320, "height": 500})
    await page.get_by_role("region", name="History").get_by_text("kapturemcp_list_tabs").first.click()
    await expect(console.ended).to_be_in_viewport(ratio=1)


async def test_two_consoles_are_two_agents_with_one_history(
    console: ConsolePage, context: BrowserContext, alone: Companion
) -> None:
    await console.enter_tools(alone)
    async with context.expect_page() as opened:
        # With all that its session holds, as a copy of the tab has it.
        await console.page.evaluate("() => { open(location.href) }")
    other = ConsolePage(await opened.value)
    await other.show_tools()
    # Playwright waits for frames, and tabs in the background have few.
    await console.page.bring_to_front()
    await console.run("list_inspections")
    await expect(other.history).to_have_count(1)
    await other.page.bring_to_front()
    await other.run("get_timeline")
    await expect(console.history).to_have_count(2)
    await other.show("Overview")
    agents = other.card("Agents").get_by_role("listitem").filter(has_text="Pageside console")
    await expect(agents).to_have_count(2)
    await console.page.bring_to_front()
    await console.page.get_by_role("button", name="Disconnect").click()
    await expect(console.page.get_by_text("Connect to see the tools.")).to_be_visible()
    await expect(agents).to_have_count(1)
    await console.page.get_by_role("button", name="Connect", exact=True).click()
    await expect(agents).to_have_count(2)
    await console.run("list_inspections")
    await other.page.close()
    await console.show("Overview")
    own = console.card("Agents").get_by_role("listitem").filter(has_text="Pageside console")
    await expect(own).to_have_count(1)
    assert other.complaints == []
