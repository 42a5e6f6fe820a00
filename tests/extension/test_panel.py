"""What people see of the extension: the panel and the popup, with the real worker, companion and agents."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from mcp import Client
from playwright.async_api import expect

from pageside.web.app import Companion
from support.agents import agent, call, fails
from support.extension import Extension, UserTab, connected
from support.panel import Panel
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

KAPTURE = "?toolsets=kapture"
ALL_MOVED = (
    "Promise.all(document.getAnimations().map((each) => each.finished.catch(() => null))).then(() => null)"
)
SHOP = """<title>Shop</title><h1>Shop</h1>
<input id=name aria-label=Name><select id=size aria-label=Size><option>S</option><option>M</option></select>
<button id=go onclick="console.warn('went for', document.querySelector('#name').value)">Go</button>
<script>console.log('hello'); console.info('ready'); console.error('no <b>price</b>')</script>"""


@pytest_asyncio.fixture(loop_scope="session")
async def shop(extension: Extension, site: Site) -> AsyncIterator[UserTab]:
    tab = await extension.open(site.page(SHOP))
    yield tab
    await tab.page.close()


@pytest_asyncio.fixture(loop_scope="session")
async def panel(extension: Extension, shop: UserTab, running: Companion) -> AsyncIterator[Panel]:
    """Not connected yet; its port is the companion's."""
    opened = await Panel.open(extension, shop)
    wrong: list[str] = []
    opened.page.on("console", lambda m: wrong.append(m.text) if m.type in ("warning", "error") else None)
    opened.page.on("pageerror", lambda error: wrong.append(str(error)))
    assert running.tab_port
    await opened.use_port(running.tab_port)
    yield opened
    await opened.page.close()
    assert wrong == []


async def _tab_id(client: Client, tab: UserTab) -> str:
    tabs = (await call(client, "kapturemcp_list_tabs"))["tabs"]
    return str(next(each["tabId"] for each in tabs if each["url"] == tab.page.url))


async def test_a_tab_is_connected_by_keyboard_and_the_user_sees_what_an_agent_does(
    panel: Panel, shop: UserTab, running: Companion
) -> None:
    connect = panel.button("Connect")
    await connect.focus()
    await panel.page.keyboard.press("Enter")
    await expect(panel.status).to_have_text("Connected")
    await expect(panel.button("Disconnect")).to_be_focused()
    about = panel.part("This tab")
    await expect(about).to_contain_text("Shop")
    await expect(about).to_contain_text(shop.page.url)
    async with agent(running.mcp_url, query=KAPTURE) as client:
        tab_id = await _tab_id(client, shop)
        await expect(about.get_by_text(tab_id)).to_be_visible()
        await call(client, "kapturemcp_click", tabId=tab_id, selector="#go")
        await expect(panel.part("Response")).to_contain_text("by an agent")
        await expect(panel.part("Response")).to_contain_text("Done")
        error = await fails(client, "kapturemcp_click", tabId=tab_id, selector="#nowhere")
        await expect(panel.part("Response")).to_contain_text(error["code"])
        await expect(panel.part("Response")).to_contain_text("Nothing on the page fits now.")
        await expect(panel.part("History").get_by_role("listitem")).to_have_count(2)
        await panel.button("Disconnect").press("Enter")
        await expect(panel.status).to_have_text("Not connected")
        await connected(running, 0)
    await expect(panel.button("Run again: click").first).to_be_disabled()
    await expect(panel.button("Connect")).to_be_focused()


async def test_an_agent_that_wants_to_run_a_script_waits_for_the_users_leave(
    panel: Panel, shop: UserTab, running: Companion
) -> None:
    await panel.connect()
    request, switch = panel.page.locator(".request:visible"), panel.page.get_by_role("switch")
    async with agent(running.mcp_url, query=KAPTURE) as client:
        tab_id = await _tab_id(client, shop)
        error = await fails(client, "kapturemcp_evaluate", tabId=tab_id, code="1 + 1")
        assert error["code"] == "SCRIPT_NOT_ALLOWED"
        await expect(request).to_contain_text("An agent wants to run a script")
        await panel.button("Dismiss").click()
        await expect(request).to_have_count(0)
        await expect(switch).not_to_be_checked()
        await fails(client, "kapturemcp_evaluate", tabId=tab_id, code="1 + 1")
        await panel.button("Allow").click()
        await expect(switch).to_be_checked()
        await expect(switch).to_be_focused()
        code = "new Promise(done => { globalThis.release = done })"
        script = asyncio.create_task(call(client, "kapturemcp_evaluate", tabId=tab_id, code=code))
        await expect(panel.status).to_have_text("Running")
        await expect(panel.page.locator(".running")).to_have_text("evaluateby an agent")
        assert await panel.page.evaluate("document.getAnimations().length > 0")
        await panel.page.emulate_media(reduced_motion="reduce")
        async with asyncio.timeout(10):
            await panel.page.evaluate(ALL_MOVED)
        await shop.page.evaluate("release('done')")
        assert (await script)["result"] == "done"
        await expect(panel.page.locator(".running")).to_be_hidden()
        await expect(panel.status).to_have_text("Connected")


async def test_each_command_has_a_form_that_runs_it(
    panel: Panel, shop: UserTab, site: Site, extension: Extension
) -> None:
    await panel.connect()
    response = panel.part("Response")
    await panel.choose("navigate")
    await panel.button("Clear").click()
    await panel.button("Run").click()
    await expect(panel.field("url")).to_be_focused()
    await expect(panel.part("Commands")).to_contain_text("This is needed.")
    await panel.run("fill", selector="#name", value="Ada")
    await expect(shop.page.locator("#name")).to_have_value("Ada")
    await panel.run("select", selector="#size", value="M")
    await expect(shop.page.locator("#size")).to_have_value("M")
    await panel.run("hover", selector="#go")
    await panel.run("click", selector="#go")
    await expect(response).to_contain_text('element: "')
    await panel.run("evaluate", code="({ title: document.title, list: [1, null] })")
    await expect(response.locator(".outcome-data")).to_contain_text('title: "Shop"')
    await response.get_by_role("radio", name="Text").check()
    await expect(response.locator("pre")).to_contain_text('"title": "Shop"')
    await response.get_by_role("radio", name="Tree").check()
    await panel.run("logs", max="1")
    await expect(response.locator(".outcome-data")).to_contain_text('message: "went for Ada"')
    before = shop.page.url
    await panel.run("navigate", url=site.page("<title>Next</title>"))
    await expect(panel.part("This tab")).to_contain_text("Next")
    await panel.run("go_back")
    assert shop.page.url == before
    await panel.run("go_forward")
    await expect(panel.part("This tab")).to_contain_text("Next")
    await panel.run("screenshot", name="next page", selector="#nowhere")
    await expect(response).to_contain_text("ELEMENT_NOT_FOUND")
    await panel.field("selector").fill("")
    await panel.field("name").press("Control+Enter")
    await _picture_opens_and_downloads(panel)
    await panel.page.reload()
    await expect(panel.field("name")).to_have_value("next page")
    await panel.button("Run again: fill").click()
    await expect(panel.field("value")).to_have_value("Ada")
    await expect(response).to_contain_text('No element of the page matches "#name"')


async def _picture_opens_and_downloads(panel: Panel) -> None:
    response = panel.part("Response")
    thumbnail = response.get_by_role("link", name="Screenshot “next page”")
    async with panel.page.context.expect_page() as opened:
        await thumbnail.click()
    picture = await opened.value
    image = picture.get_by_role("img", name="Screenshot “next page”")
    await expect(image).to_be_visible()
    assert await image.evaluate("(image) => image.complete && image.naturalWidth > 100")
    await picture.close()
    async with panel.page.expect_download() as saved:
        await response.get_by_role("link", name="Download").click()
    assert (await saved.value).suggested_filename == "next page.png"


async def test_the_console_is_filtered_and_stands_still_while_it_is_read(panel: Panel, shop: UserTab) -> None:
    await panel.connect()
    console = panel.part("Console")
    lines = console.locator(".line:visible .message")
    await expect(lines).to_have_text(["no <b>price</b>", "ready", "hello"])
    await expect(console.get_by_role("img", name="Error")).to_be_visible()
    await console.get_by_role("checkbox", name="Info").uncheck()
    await expect(lines).to_have_text(["no <b>price</b>", "hello"])
    await console.get_by_role("radio", name="Newest last").check()
    await expect(lines).to_have_text(["hello", "no <b>price</b>"])
    await console.get_by_label("Lines", exact=True).fill("1")
    await console.get_by_label("Lines", exact=True).press("Enter")
    await expect(lines).to_have_text(["no <b>price</b>"])
    await console.get_by_label("Lines", exact=True).fill("9999")
    await console.get_by_label("Lines", exact=True).press("Enter")
    await expect(console.get_by_label("Lines", exact=True)).to_have_value("500")
    await shop.page.evaluate("for (let i = 0; i < 700; i += 1) console.log('line', i)")
    await expect(lines.last).to_have_text("line 699")
    scroller = console.get_by_role("region", name="Lines of the console")
    await scroller.evaluate("(element) => element.scrollTo(0, 0)")
    await shop.page.evaluate("console.log('unseen')")
    await expect(panel.button("Show new lines")).to_be_visible()
    await expect(lines.last).to_have_text("line 699")
    assert await scroller.evaluate("(element) => element.scrollTop") == 0
    await panel.button("Show new lines").click()
    await expect(lines.last).to_have_text("unseen")
    await expect(lines.last).to_be_in_viewport()
    await panel.button("Clear the console").click()
    await expect(console).to_contain_text("Nothing was logged")
    await console.get_by_role("checkbox", name="Live").uncheck()
    await shop.page.evaluate("console.log('later')")
    await panel.button("Read now").click()
    await expect(lines).to_have_text(["later"])


async def test_the_popup_says_the_same_and_leads_to_the_panel(
    extension: Extension, panel: Panel, shop: UserTab
) -> None:
    popup = await Panel.open(extension, shop, "popup")
    await expect(popup.page.locator("main")).to_contain_text("No tab is connected.")
    await popup.connect()
    await expect(panel.status).to_have_text("Connected")
    await expect(popup.page.get_by_role("button", name="Shop")).to_be_visible()
    await popup.page.get_by_role("switch").check()
    await expect(panel.page.get_by_role("switch")).to_be_checked()
    async with extension.context.expect_page() as opened:
        await popup.button("Open the panel in a tab").click()
    tab = await opened.value
    await expect(tab.locator(".status")).to_have_text("Connected")
    await tab.close()


async def test_a_panel_that_is_left_open_says_that_its_tab_is_closed(
    extension: Extension, panel: Panel, shop: UserTab
) -> None:
    await panel.connect()
    left = await Panel.open(extension, shop)
    await expect(left.status).to_have_text("Connected")
    # As Chrome tells of a tab that it has put aside to save memory: that one goes on under another number.
    replaced = "tab => chrome.tabs.onReplaced.dispatch(0, tab)"
    await extension.worker.evaluate(replaced, shop.number)
    await expect(left.page.locator("body")).to_have_text("The tab is closed.")
    await left.page.reload()
    await expect(left.status).to_have_text("Not connected")
    await shop.page.close()
    await expect(left.page.locator("body")).to_have_text("The tab is closed.")
    await left.page.reload()
    await expect(left.page.locator("body")).to_have_text("The tab is closed.")
    await left.page.close()


async def test_without_a_companion_the_panel_says_what_to_do(
    extension: Extension, panel: Panel, unused_tcp_port: int
) -> None:
    port = panel.page.get_by_label("Port")
    await port.fill("70000")
    await port.press("Enter")
    await expect(panel.part("This tab")).to_contain_text("from 1 to 65535")
    await expect(port).to_be_focused()
    await panel.use_port(unused_tcp_port)
    await panel.button("Connect").click()
    trouble = panel.page.locator(".trouble")
    await expect(trouble).to_contain_text("NO_COMPANION")
    await expect(trouble).to_contain_text("pageside serve")
    await expect(panel.status).to_have_text("Not connected")


async def test_axe_finds_nothing_and_all_of_it_fits_into_320_px(
    extension: Extension, panel: Panel, shop: UserTab
) -> None:
    await panel.page.set_viewport_size({"width": 320, "height": 600})
    found = await panel.audit("idle")
    await panel.connect()
    await panel.run("click", selector="#nowhere")
    found += await panel.audit("failed")
    await panel.run("screenshot", name="shop")
    await expect(panel.part("Console").locator(".line").first).to_be_visible()
    found += await panel.audit("screenshot and console")
    await panel.page.set_viewport_size({"width": 1200, "height": 600})
    found += await panel.audit("wide")
    popup = await Panel.open(extension, shop, "popup")
    await popup.page.set_viewport_size({"width": 340, "height": 600})
    await expect(popup.page.get_by_role("button", name="Shop")).to_be_visible()
    found += await popup.audit("popup")
    await popup.page.close()
    assert found == [], "\n".join(found)
