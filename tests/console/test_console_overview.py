"""The web console in a real browser, with a real companion: entering, the live overview, and what it looks like."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, Error, expect

from pageside.settings import ChromeSettings, Settings
from pageside.web.app import Companion
from support.agents import agent, call
from support.app import REPOSITORY
from support.console_page import CONNECTED_MS, ConsolePage
from support.tabs import wire_tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

AXE = REPOSITORY / "node_modules" / "axe-core" / "axe.min.js"
AUDIT = """async (rules) => {
  const { violations } = await axe.run({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`))
}"""
DEPENDS_ON_LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
"""The rules that may say something else in another width and scheme."""
OUTSIDE = """() => [...document.querySelectorAll('main *, header *')].flatMap((element) => {
  if (!element.checkVisibility() || element.closest('.unseen, .log, pre, .content')) return []
  const { left, right, width } = element.getBoundingClientRect()
  return width && (left < 0 || right > innerWidth + 0.5) ? [element.outerHTML.slice(0, 120)] : []
})"""


async def _audit(console: ConsolePage, state: str) -> list[str]:
    """What axe finds in both schemes, and what is not on the screen at 320 px."""
    page, found = console.page, []
    for width, rules in ((1280, None), (320, DEPENDS_ON_LOOKS)):
        await page.set_viewport_size({"width": width, "height": 700})
        found += [f"{state}: off the screen: {each}" for each in await page.evaluate(OUTSIDE)]
        await page.emulate_media(color_scheme="dark" if width == 320 else "light")
        found += [f"{state}, {width} px: {each}" for each in await page.evaluate(AUDIT, rules)]
    await page.set_viewport_size({"width": 1280, "height": 900})
    return found


async def test_a_link_opens_the_console_once_and_its_tab_keeps_it(
    console: ConsolePage, context: BrowserContext, running: Companion
) -> None:
    link = running.console_link()
    await console.page.goto(link)
    await expect(console.card("Companion")).to_contain_text(running.mcp_url, timeout=CONNECTED_MS)
    assert "#" not in console.page.url
    await console.page.reload()
    await expect(console.card("Companion")).to_contain_text(running.mcp_url, timeout=CONNECTED_MS)

    other = await context.new_page()
    for address, why in ((link, "was used already"), (link.partition("#")[0], "opens by a link")):
        await other.goto("about:blank")
        await other.goto(address)
        await expect(other.get_by_role("alert")).to_contain_text(why)
        await expect(other.get_by_text("pageside console --open")).to_be_visible()
        await expect(other.get_by_role("navigation")).to_be_hidden()


async def test_its_page_takes_no_markup_and_no_style_from_texts(
    console: ConsolePage, running: Companion
) -> None:
    await console.enter(running)
    with pytest.raises(Error, match="TrustedHTML"):
        await console.page.evaluate("() => { document.body.innerHTML = '<b>x</b>' }")
    await console.page.evaluate("() => document.body.setAttribute('style', 'color: red')")
    assert await console.page.evaluate("() => getComputedStyle(document.body).color") != "rgb(255, 0, 0)"
    # So the watch that the other tests rely on sees it.
    assert any(each.startswith("CSP: require-trusted-types-for") for each in console.complaints)
    assert any(each.startswith("CSP: style-src-attr") for each in console.complaints)
    console.complaints.clear()


async def test_the_overview_lives_and_disturbs_nobody(console: ConsolePage, running: Companion) -> None:
    await console.enter(running)
    tabs, agents = console.card("Tabs"), console.card("Agents")
    async with (
        wire_tab(running.tab_port, "one", title="First", url="https://one.test/") as one,
        wire_tab(running.tab_port, "two", title="Second", url="https://two.test/") as two,
        agent(running.mcp_url, "Ada’s agent") as client,
    ):
        link = tabs.get_by_role("link", name="https://two.test/")
        await link.focus()
        await one.say(type="update", title="First, renamed")
        await expect(tabs).to_contain_text("First, renamed")
        await two.say(type="update", title="Second, renamed")
        await expect(tabs).to_contain_text("Second, renamed")
        await expect(link).to_be_focused()
        await call(client, "list_inspections")
        await expect(agents.get_by_role("listitem").filter(has_text="Ada’s agent")).to_contain_text(
            "list_inspections"
        )
        log = console.page.get_by_role("log")
        await expect(log.get_by_role("listitem").last).to_contain_text("list_inspections by Ada’s agent")
        await console.page.get_by_role("combobox", name="Level").select_option("error")
        await expect(log).to_contain_text("Nothing of this level yet.")
    await expect(tabs.get_by_text("renamed")).to_have_count(0)
    await expect(agents.get_by_text("Ada’s agent")).to_have_count(0)


async def test_the_timeline_stays_at_its_end_until_somebody_scrolls_up(
    console: ConsolePage, running: Companion
) -> None:
    page = console.page
    await console.enter(running)
    log, follow = page.get_by_role("log"), page.get_by_role("checkbox", name="Follow")
    story = secrets.token_hex(4)

    def add(number: int) -> None:
        running.world.timeline.add("server", f"entry {number} of story {story} that needs a line or two")

    for number in range(60):
        add(number)
    newest = log.get_by_text(f"entry 59 of story {story}")
    await expect(newest).to_be_in_viewport()
    for width in (320, 1280):
        await page.set_viewport_size({"width": width, "height": 2500})
        await expect(newest).to_be_in_viewport()
    await console.show("Tools")
    await console.show("Overview")
    await expect(newest).to_be_in_viewport()
    await expect(follow).to_be_checked()
    await log.hover()
    # Entries that come meanwhile do not take a slow scroll back.
    for number in range(60, 63):
        await page.mouse.wheel(0, -10)
        add(number)
        await expect(log.get_by_text(f"entry {number} of story {story}")).to_be_attached()
    await expect(follow).not_to_be_checked()
    await expect(log.get_by_text(f"entry 62 of story {story}")).not_to_be_in_viewport()
    await page.mouse.wheel(0, 5000)
    await expect(follow).to_be_checked()
    add(63)
    await expect(log.get_by_text(f"entry 63 of story {story}")).to_be_in_viewport()


async def test_a_companion_that_is_gone_is_said_and_found_again(
    console: ConsolePage, settings: Settings, tmp_path: Path
) -> None:
    own = replace(settings, state=tmp_path / "state", chrome=ChromeSettings(enabled=False))
    companion = await Companion.start(own)
    await console.enter(companion)
    await companion.stop()
    banner = console.page.get_by_text("The companion does not answer.")
    await expect(banner).to_be_visible(timeout=CONNECTED_MS)
    await expect(console.card("Companion")).to_be_visible()
    companion = await Companion.start(replace(own, port=companion.port))
    try:
        # Tokens end with the companion: what is left is to say how to get a new one.
        await expect(console.page.get_by_role("alert")).to_contain_text("was started anew", timeout=40_000)
        await expect(banner).to_be_hidden()
        await console.page.goto("about:blank")
        await console.page.goto(companion.console_link())
        await expect(console.card("Companion")).to_contain_text(companion.mcp_url, timeout=CONNECTED_MS)
    finally:
        await companion.stop()
    # Of the connection that was refused meanwhile, and of the token that was good no more.
    console.complaints[:] = [each for each in console.complaints if "Failed to load resource" not in each]


async def test_everybody_can_use_it_in_any_width_and_scheme(console: ConsolePage, running: Companion) -> None:
    page = console.page
    await page.goto(running.console_link().partition("#")[0])
    # The CSP lets no script in but its own; one of a test's comes over CDP.
    axe = AXE.read_text()
    await page.evaluate(axe)
    found = await _audit(console, "door")
    await page.goto("about:blank")
    await console.enter_tools(running)
    await page.evaluate(axe)
    async with wire_tab(running.tab_port, title="A shop", url="https://shop.test/" + "long/" * 30):
        await console.show("Overview")
        await expect(console.card("Tabs")).to_contain_text("A shop")
        found += await _audit(console, "overview")
        await console.show_tools()
        await page.get_by_role("radio", name="A shop").check()
        await console.choose("chrome_emulate")
        found += await _audit(console, "a large form")
        await console.choose("kapturemcp_navigate")
        await page.get_by_role("button", name="Execute", exact=True).click()
        await expect(page.get_by_text("One argument is not right.")).to_be_visible()
        found += await _audit(console, "wrong")
        await page.get_by_text("JSON", exact=True).click()
        await console.write_json("{half")
        found += await _audit(console, "editor")
        await console.write_json("{}")
        await console.choose("list_inspections")
        assert await console.execute() == "Success"
        found += await _audit(console, "answer")
        await page.get_by_role("button", name="Clear", exact=True).last.click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        found += await _audit(console, "dialog")
    assert not found, "\n".join(found)


async def test_it_is_used_by_keyboard_alone(console: ConsolePage, running: Companion) -> None:
    await console.enter_tools(running)
    page = console.page
    await page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0) }")
    await page.get_by_role("searchbox").focus()
    await page.keyboard.type("list inspections")
    await page.keyboard.press("ArrowDown")
    tool = console.tools.get_by_role("button", name="list_inspections")
    await expect(tool).to_be_focused()
    await page.keyboard.press("End")
    await page.keyboard.press("Home")
    await expect(tool).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="list_inspections")).to_be_focused()
    await page.keyboard.press("Control+Enter")
    await expect(console.ended).to_contain_text("Success")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("radio", name="Form", exact=True)).to_be_focused()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("textbox", name="Arguments as JSON")).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="Execute", exact=True)).to_be_focused()
