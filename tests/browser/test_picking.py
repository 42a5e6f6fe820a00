"""Picking, with real mouse, keys, wheel and fingers; and nothing on the page reacts."""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, FloatRect, Locator, expect

from support.agents import agent, call, fails
from support.app import DevServer, copy_example, dev_server
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = Path(__file__).parent / "pages" / "picking.html"
KEPT = "inspector-inspection-items"
# For each kind the box around its bands, as far as these are to be seen; and how many those are.
RINGS = """() => {
  const rings = {}
  for (const ring of document.querySelector('pageside-overlay').shadowRoot.querySelectorAll('.ring')) {
    const { left, top, right, bottom } = ring.getBoundingClientRect()
    if (right <= left || bottom <= top) continue
    const one = rings[ring.classList[1]] ??= { count: 0, sides: [left, top, right, bottom] }
    const [x, y, x2, y2] = one.sides
    one.count += 1
    one.sides = [Math.min(x, left), Math.min(y, top), Math.max(x2, right), Math.max(y2, bottom)]
  }
  return rings
}"""
BANDS = ("margin", "edge", "padding", "content")

OWN_FRAMES = """async (frames) => {
  const { requestAnimationFrame: frame } = globalThis[Symbol.for('pageside.time')]
  for (let count = 0; count < frames; count += 1) await new Promise((done) => frame(done))
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def one_app() -> AsyncIterator[DevServer]:
    """The React example with the page in it from the start: Vite reloads all pages when one changes."""
    project = copy_example("vite-react")
    shutil.copy(PAGE, project)
    async with dev_server(project) as server:
        yield server


async def _open(context: BrowserContext, server: DevServer) -> Overlay:
    overlay = await Overlay.open(context, server, "picking.html")
    await expect(overlay.page.locator("#ticks")).not_to_have_text("0")
    return overlay


async def _start(overlay: Overlay) -> None:
    """Picking, with all that makes it comfortable loaded, and the page's memory of events empty."""
    await overlay.page.keyboard.press("Alt+i")
    await expect(overlay.root.locator(".banner")).to_contain_text("Shift+click")
    await overlay.page.evaluate("window.seen.length = 0")


async def _middle(target: Locator) -> tuple[float, float]:
    box = await target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def _hover(overlay: Overlay, target: Locator) -> None:
    await overlay.page.mouse.move(*await _middle(target))


async def _noted(overlay: Overlay, note: str) -> dict[str, Any]:
    """Write the note; the inspection as the page then keeps it."""
    await overlay.write(note)
    async with asyncio.timeout(15):
        while True:
            items = await overlay.page.evaluate(f"JSON.parse(localStorage[{KEPT!r}] ?? '[]')")
            found = [item for item in items if item["description"] == note]
            if found:
                inspection: dict[str, Any] = found[0]
                return inspection


async def _picked(overlay: Overlay) -> str:
    """The id or tag of what the open note is about; the panel is closed afterwards."""
    await expect(overlay.root.get_by_role("dialog", name="What should change here?")).to_be_visible()
    element = (await _noted(overlay, f"Mine {secrets.token_hex(4)}"))["sourceInfo"]["elementInfo"]
    await overlay.root.get_by_role("button", name="Close", exact=True).click()
    return str(element["id"] or element["tagName"])


async def _expect_box(overlay: Overlay, target: Locator) -> None:
    """The hover box lies around `target`."""
    box = await overlay.root.locator(".box").first.bounding_box()
    assert box == pytest.approx(await target.bounding_box(), abs=1)


async def test_the_box_shows_content_padding_border_and_margin(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await _open(context, shared_app)
    await _start(overlay)
    for zoom in (1, 2):
        await overlay.page.evaluate(f"document.body.style.zoom = {zoom}")
        box = overlay.page.locator("#box")
        await _hover(overlay, box)
        outer = await box.bounding_box()
        assert outer is not None
        expected = [
            _grown(outer, 20 * zoom, 10 * zoom),
            _grown(outer, 0, 0),
            _grown(outer, -3 * zoom, -3 * zoom),
            _grown(outer, -18 * zoom, -8 * zoom),
        ]
        await expect(overlay.root.locator(".tip")).to_contain_text(f"{200 * zoom} × {40 * zoom}")
        rings = await overlay.page.evaluate(RINGS)
        assert [rings[name]["sides"] for name in BANDS] == [
            pytest.approx(_sides(ring), abs=0.6) for ring in expected
        ]
    await expect(overlay.root.locator(".tip")).to_contain_text("picking.html:22")
    await expect(overlay.root.locator(".tip")).to_contain_text("html › body")
    await overlay.page.evaluate("document.body.style.zoom = 1")
    # An element in several lines has a box for each, and its ends only where they are.
    x, y, lines = await overlay.page.evaluate(
        """() => {
          const lines = document.getElementById('inline').getClientRects()
          return [lines[0].x + 9, lines[0].y + 9, lines.length]
        }"""
    )
    await overlay.page.mouse.move(x, y)
    await expect(overlay.root.locator(".tip b")).to_have_text("span")
    assert (await overlay.page.evaluate(RINGS))["content"]["count"] == lines
    assert lines > 1
    # What is turned has no bands that would lie beside it.
    await overlay.page.evaluate("document.getElementById('box').style.transform = 'rotate(20deg)'")
    await _hover(overlay, overlay.page.locator("#box"))
    await expect(overlay.root.locator(".tip b")).to_have_text("div")
    assert set(await overlay.page.evaluate(RINGS)) == {"outline"}


def _grown(box: FloatRect, x: float, y: float) -> dict[str, float]:
    width, height = box["width"] + 2 * x, box["height"] + 2 * y
    return {"x": box["x"] - x, "y": box["y"] - y, "width": width, "height": height}


def _sides(box: dict[str, float]) -> list[float]:
    return [box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]]


async def test_arrows_and_the_wheel_walk_and_the_page_still_scrolls(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await _open(context, shared_app)
    page = overlay.page
    await _start(overlay)
    await _hover(overlay, page.locator("#summary"))
    tip = overlay.root.locator(".tip b")
    await expect(tip).to_have_text("summary")
    for key, tag in (("Up", "details"), ("Left", "div"), ("Right", "details"), ("Down", "summary")):
        await page.keyboard.press(f"Arrow{key}")
        await expect(tip).to_have_text(tag)
    await page.keyboard.down("Alt")
    await page.mouse.wheel(0, -60)
    await expect(tip).to_have_text("details")
    await page.mouse.wheel(0, 60)
    await expect(tip).to_have_text("summary")
    await page.keyboard.up("Alt")
    assert await page.evaluate("scrollY") == 0
    await page.mouse.wheel(0, 120)
    # By its own timers, Playwright would wait for the page to go on.
    await page.evaluate(
        "new Promise((done) => scrollY === 120 ? done() : addEventListener('scrollend', done, { once: true }))"
    )
    assert await page.evaluate("scrollY") == 120
    assert await page.evaluate("window.seen") == []
    # Walked to, then clicked: that one, though the pointer is over another.
    await _hover(overlay, page.locator("#summary"))
    await page.keyboard.press("ArrowUp")
    await expect(tip).to_have_text("details")
    await page.mouse.down()
    await page.mouse.up()
    assert await _picked(overlay) == "fold"
    await expect(page.locator("#fold")).to_have_attribute("open", "")


async def test_shift_puts_elements_together_and_a_drag_frames_an_area(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await _open(context, shared_app)
    page = overlay.page
    await _start(overlay)
    chosen = overlay.root.locator(".box.chosen[data-number]")
    await page.keyboard.down("Shift")
    for target in ("#title", "#box", "#link"):
        await overlay.click(page.locator(target))
    await expect(chosen).to_have_count(3)
    await page.keyboard.press("Space")
    await expect(chosen).to_have_count(2)
    await page.keyboard.press("Enter")
    await expect(chosen).to_have_count(3)
    await overlay.click(page.locator("#link"))
    await expect(chosen).to_have_count(2)
    await page.keyboard.up("Shift")
    await expect(overlay.root.locator(".banner")).to_contain_text("2 chosen")
    await overlay.click(page.locator("#menu"))
    item = await _noted(overlay, "All of these")
    ids = [element["selector"] for element in item["area"]["elements"]]
    assert ids == ["#title", "#box", "#menu"]
    assert [element["line"] for element in item["area"]["elements"]] == [21, 22, 25]
    assert item["sourceInfo"]["elementInfo"]["id"] == "title"
    assert item["area"]["bounds"]["height"] > 100
    assert page.url.endswith("picking.html")
    await overlay.root.get_by_role("button", name="Close", exact=True).click()

    await _start(overlay)
    await page.mouse.move(5, 90)
    await page.mouse.down()
    await page.mouse.move(400, 150, steps=3)
    await page.mouse.up()
    item = await _noted(overlay, "This corner")
    assert [element["selector"] for element in item["area"]["elements"]] == ["#box"]
    assert await page.evaluate("window.seen") == []
    assert await page.evaluate("String(getSelection())") == ""


async def test_selected_text_is_taken_by_enter_and_an_agent_reads_it(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await _open(context, shared_app)
    page = overlay.page
    await page.evaluate(
        """() => {
          const { firstChild } = document.getElementById('words')
          getSelection().setBaseAndExtent(firstChild, 5, document.getElementById('inline').firstChild, 9)
        }"""
    )
    await page.keyboard.press("Alt+i")
    await expect(overlay.root.locator(".banner")).to_contain_text("Enter takes the selected text")
    await page.keyboard.press("Enter")
    item = await _noted(overlay, "Say it better")
    quote = item["quote"]
    assert (quote["exact"], quote["prefix"]) == ("words, and these", "Some ")
    assert quote["suffix"].startswith(" are so many that")
    assert item["sourceInfo"]["elementInfo"]["id"] == "words"
    async with agent(await shared_app.mcp_url()) as client:
        whole = (await call(client, "get_inspection", inspectionId=item["id"]))["inspection"]
    assert whole["quote"] == quote


async def test_the_page_stands_still_while_one_picks_and_goes_on_as_it_was(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await _open(context, shared_app)
    page = overlay.page
    state = """() => ['ticks', 'drawn'].map((id) => document.getElementById(id).textContent)
      .concat(document.getElementById('spin').getAnimations()[0].currentTime)"""
    await _start(overlay)
    await _hover(overlay, page.locator("#menu"))
    await expect(page.locator("#entry")).to_be_visible()
    before = await page.evaluate(state)
    await overlay.click(page.locator("#entry"))
    note = overlay.root.get_by_role("dialog", name="What should change here?")
    await expect(note).to_be_visible()
    ticks, drawn, _ = before
    await page.wait_for_function(f"Number(document.getElementById('ticks').textContent) > {ticks}")
    await page.wait_for_function(f"Number(document.getElementById('drawn').textContent) > {drawn}")
    assert await page.evaluate("document.getElementById('spin').getAnimations()[0].playbackRate") == 1
    assert await _picked(overlay) == "entry"

    await _start(overlay)
    # A frame that the page had asked for before is still drawn.
    await page.evaluate(OWN_FRAMES, 2)
    frozen = await page.evaluate(state)
    # Frames of ours go on: whatever the page had to do between two of them, it did not.
    await page.evaluate(OWN_FRAMES, 12)
    assert await page.evaluate(state) == frozen
    async with agent(await shared_app.mcp_url()) as client:
        code = "new Promise((done) => setTimeout(done, 200))"
        late = await fails(client, "execute_page_script", code=code, timeout=1)
    assert late["code"] == "COMMAND_TIMEOUT"
    assert "The user is picking" in late["message"]
    await page.keyboard.press("f")
    await page.wait_for_function(f"Number(document.getElementById('ticks').textContent) > {frozen[0]}")
    await page.keyboard.press("Escape")


async def test_everything_can_be_picked_and_nothing_reacts(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await _open(context, shared_app)
    page = overlay.page
    await page.focus("#link")
    for target, found in (
        ("#through", "through"),
        ("#off", "off"),
        ("#card em", "em"),
        ("#summary", "summary"),
        ("#link", "link"),
        ("#opener", "opener"),
    ):
        await _start(overlay)
        await overlay.click(page.locator(target))
        assert await _picked(overlay) == found
        assert await page.evaluate("window.seen.filter((type) => type !== 'focusin')") == []
    # A popover stays open while one picks in it and beside it.
    await page.locator("#opener").click()
    for target in ("inner", "title"):
        await _start(overlay)
        await overlay.click(page.locator(f"#{target}"))
        await expect(page.locator("#inner")).to_be_visible()
        note = overlay.root.get_by_role("dialog", name="What should change here?")
        await expect(note).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(note).to_be_hidden()
    await page.evaluate("document.getElementById('bubble').hidePopover()")
    # Inert: by geometry.
    await page.evaluate("document.getElementById('holder').inert = true")
    await _start(overlay)
    await overlay.click(page.locator("#off"))
    assert await _picked(overlay) == "off"
    # One of thousands, where the browser's own hit test finds none of them.
    await page.evaluate(
        """() => {
          const list = document.createElement('ol')
          for (let row = 0; row < 3000; row += 1)
            list.append(Object.assign(document.createElement('li'), { id: `row${row}`, textContent: row }))
          list.inert = true
          document.body.append(list)
          document.getElementById('row1234').scrollIntoView({ block: 'center' })
        }"""
    )
    await _start(overlay)
    await overlay.click(page.locator("#row1234"))
    assert await _picked(overlay) == "row1234"
    await page.evaluate("document.querySelector('ol').remove()")
    # Frames in frames, on a page that is moved and enlarged as a whole.
    await page.evaluate("addFrames()")
    inner = page.frame_locator("iframe >> nth=0").frame_locator("iframe").locator("#innermost")
    await _start(overlay)
    await overlay.click(inner)
    assert await _picked(overlay) == "innermost"
    await page.evaluate(
        "document.documentElement.style.cssText = 'transform: translate(30px, 12px) scale(1.25); transform-origin: 0 0'"
    )
    await _start(overlay)
    await _hover(overlay, page.locator("#title"))
    await expect(overlay.root.locator(".tip b")).to_have_text("h1")
    await _expect_box(overlay, page.locator("#title"))
    await _hover(overlay, inner)
    await expect(overlay.root.locator(".tip b")).to_have_text("b")
    await _expect_box(overlay, inner)
    await page.keyboard.press("Escape")
    await page.evaluate("document.documentElement.style.cssText = 'zoom: 2'")
    await _start(overlay)
    await _hover(overlay, page.locator("#title"))
    await expect(overlay.root.locator(".tip b")).to_have_text("h1")
    await _expect_box(overlay, page.locator("#title"))
    await page.keyboard.press("Escape")
    assert await page.evaluate("location.hash") == ""


async def test_a_finger_picks_and_neither_scrolls_nor_taps(browser: Browser, shared_app: DevServer) -> None:
    context = await browser.new_context(
        viewport={"width": 400, "height": 700}, has_touch=True, device_scale_factor=2
    )
    try:
        overlay = await _open(context, shared_app)
        page = overlay.page
        await _start(overlay)
        await page.touchscreen.tap(*await _middle(page.locator("#link")))
        assert await _picked(overlay) == "link"
        assert await page.evaluate("location.hash + scrollY") == "0"
        await _start(overlay)
        touch = await context.new_cdp_session(page)
        x, y = await _middle(page.locator("#box"))

        async def send(kind: str, *points: dict[str, float]) -> None:
            await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

        await send("touchStart", {"x": x, "y": y + 300})
        for step in range(6):
            await send("touchMove", {"x": x, "y": y + 250 - 50 * step})
        await expect(overlay.root.locator(".tip b")).to_have_text("div")
        await _expect_box(overlay, page.locator("#box"))
        await send("touchEnd")
        assert await _picked(overlay) == "box"
        assert await page.evaluate("scrollY") == 0
        assert await page.evaluate("window.seen.filter((type) => type !== 'focusin')") == []
    finally:
        await context.close()


async def test_shortcuts_are_the_users_own_and_never_taken_from_who_types(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await _open(context, shared_app)
    page = overlay.page
    banner = overlay.root.locator(".banner")
    for field in ("#field", "#role", "#card input"):
        await page.focus(field)
        await page.keyboard.press("Alt+i")
        await expect(banner).to_be_hidden()
    await page.evaluate("document.activeElement.blur()")
    await overlay.show_panel()
    await overlay.root.get_by_role("tab", name="Settings").click()
    keys = overlay.root.get_by_role("textbox", name="Pick an element")
    await keys.focus()
    await page.keyboard.press("Control+Alt+p")
    await expect(keys).to_have_value("Ctrl+Alt+P")
    await expect(overlay.root.get_by_role("button", name="Pick an element (Ctrl+Alt+P)")).to_be_visible()
    await overlay.root.get_by_role("button", name="Pick an area: None").click()
    other = await Overlay.open(context, shared_app, "picking.html")
    for shortcut in ("Alt+i", "Alt+s"):
        await other.page.keyboard.press(shortcut)
        await expect(other.root.locator(".banner")).to_be_hidden()
    await other.page.keyboard.press("Control+Alt+p")
    await expect(other.root.locator(".banner")).to_be_visible()
    await overlay.root.get_by_role("button", name="Back to the project").click()
    await expect(other.root.get_by_role("button", name="Pick an element (Alt+I)")).to_be_visible()
    assert json.loads(await page.evaluate("localStorage['pageside-settings'] ?? 'null'")) is None
