"""What the user picked, as a picture: drawn by the page itself, for no debugger is connected here."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from mcp.shared.exceptions import MCPError
from playwright.async_api import BrowserContext, Locator, expect

from support.agents import agent, call
from support.app import DevServer, copy_example, dev_server
from support.overlay import Overlay
from support.pictures import screenshot
from support.pixels import Colour, Pixels, decoded, pixels

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGES = Path(__file__).parent / "pages"
GREY: Colour = (138, 138, 138)
PAPER: Colour = (250, 240, 200)
STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
STRICT_CONFIG = f"""
import {{ pageside }} from 'vite-plugin-pageside'
export default {{
  plugins: [pageside()],
  server: {{ headers: {{ 'Content-Security-Policy': "{STRICT}" }} }},
}}
"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def one_app() -> AsyncIterator[DevServer]:
    """The example with the pages to picture beside it."""
    project = copy_example("vite-react")
    (project / "public").mkdir(exist_ok=True)
    for name in ("picture.html", "policy.html", "public/policy.css", "public/violations.js"):
        shutil.copy(PAGES / Path(name).name, project / name)
    async with dev_server(project) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def pages(shared_app: DevServer) -> DevServer:
    """With an empty queue."""
    return shared_app


async def noted(overlay: Overlay, server: DevServer, target: Locator) -> str:
    """The user picks `target` and leaves a note; the inspection's id."""
    await overlay.pick(target)
    await overlay.write("Look at this")
    return await newest(server)


async def newest(server: DevServer) -> str:
    async with agent(await server.mcp_url()) as client:
        waiting = await call(client, "wait_for_inspection")
        inspection: str = waiting["inspections"][0]["id"]
        await call(
            client, "update_inspection_status", inspectionId=inspection, status="completed", message="Seen"
        )
    return inspection


async def picture_of(
    context: BrowserContext, overlay: Overlay, server: DevServer, target: Locator
) -> tuple[Pixels, dict[str, Any]]:
    """What the resource shows after the user picked `target`, and what it tells of itself."""
    inspection = await noted(overlay, server, target)
    async with agent(await server.mcp_url()) as client:
        content = await screenshot(client, inspection)
        seen = (await call(client, "get_inspection", inspectionId=inspection))["inspection"]
        assert seen["screenshot"] == f"pageside://screenshots/{inspection}"
    told = {key.removeprefix("pageside/"): value for key, value in (content.meta or {}).items()}
    assert told["source"] == "page"
    return await pixels(context, content), {**told, "mime": content.mime_type}


@pytest.mark.parametrize(
    ("selector", "size", "colour", "share"),
    [
        ("#buy", (180, 60), (214, 51, 132), 0.85),
        ("#turned", (200, 50), (0, 120, 60), 0.85),
        ("#cell", None, (0, 160, 160), 0.6),
        ("#shape", (40, 40), (200, 100, 0), 0.95),
        ("#drawing", (60, 60), (10, 140, 70), 0.99),
        ("#shade", (150, 50), (160, 20, 20), 0.85),
        ("#light", None, (20, 30, 40), 0.5),
        ("#box", (120, 40), (90, 0, 160), 0.99),
    ],
)
async def test_the_picture_shows_what_was_picked(
    context: BrowserContext,
    pages: DevServer,
    selector: str,
    size: tuple[int, int] | None,
    colour: Colour,
    share: float,
) -> None:
    overlay = await Overlay.open(context, pages, "picture.html")
    target = overlay.page.locator(selector)
    box = await target.bounding_box()
    assert box is not None
    shown, told = await picture_of(context, overlay, pages, target)
    width, height = size or (round(box["width"]), round(box["height"]))
    assert (abs(shown.width - width) <= 1, abs(shown.height - height) <= 1) == (True, True)
    assert (round(told["width"]), round(told["height"]), told["scale"]) == (width, height, 1)
    assert told["mime"] == "image/png"
    assert shown.share(colour) > share


async def test_an_element_of_a_frame_has_a_picture(context: BrowserContext, pages: DevServer) -> None:
    overlay = await Overlay.open(context, pages, "picture.html")
    inner = overlay.page.frame_locator("#frame").locator("#inner")
    shown, _ = await picture_of(context, overlay, pages, inner)
    assert (shown.width, shown.height) == (100, 40)
    assert shown.share((0, 90, 200)) > 0.85


async def test_a_react_component_has_a_picture(context: BrowserContext, app: DevServer) -> None:
    overlay = await Overlay.open(context, app)
    card = overlay.page.get_by_role("heading", name=re.compile("."), level=1)
    real = await decoded(context, "image/png", await card.screenshot())
    shown, _ = await picture_of(context, overlay, app, card)
    assert (abs(shown.width - real.width) <= 1, abs(shown.height - real.height) <= 1) == (True, True)
    ground = real.dominant
    assert abs(shown.share(ground) - real.share(ground)) < 0.03
    assert shown.share(ground) < 0.98


async def test_secrets_are_covered(context: BrowserContext, pages: DevServer) -> None:
    overlay = await Overlay.open(context, pages, "picture.html")
    await overlay.page.locator("#password").fill("another secret")
    await overlay.page.locator("#password").blur()
    for secret in ("#password", "#card", "#code"):
        shown, _ = await picture_of(context, overlay, pages, overlay.page.locator(secret))
        assert (shown.width, shown.height, shown.share(GREY, 0)) == (300, 30, 1)
    for private in ("#private", "#inside"):
        shown, _ = await picture_of(context, overlay, pages, overlay.page.locator(private))
        assert shown.share(GREY, 0) == 1
    # The form, by its padding.
    await overlay.page.keyboard.press("Alt+i")
    box = await overlay.page.locator("#pay").bounding_box()
    assert box is not None
    await overlay.page.mouse.move(box["x"] + 4, box["y"] + 4)
    await overlay.page.mouse.click(box["x"] + 4, box["y"] + 4)
    await overlay.write("The whole form")
    async with agent(await pages.mcp_url()) as client:
        form = await pixels(context, await screenshot(client, await newest(pages)))
    covered = (3 * 300 * 30 + 300 * 40) / (form.width * form.height)
    assert abs(form.share(GREY, 0) - covered) < 0.01
    assert form.share((0, 0, 255)) == 0
    assert form.share((255, 255, 255)) > 0.05


async def test_typed_text_shows(context: BrowserContext, pages: DevServer) -> None:
    overlay = await Overlay.open(context, pages, "picture.html")
    area = overlay.page.locator("#area")
    empty, _ = await picture_of(context, overlay, pages, area)
    await area.fill("████████")
    await area.blur()
    typed, _ = await picture_of(context, overlay, pages, area)
    assert typed.share((0, 0, 0), 60) > empty.share((0, 0, 0), 60) + 0.1


async def test_the_overlay_is_in_no_picture(context: BrowserContext, pages: DevServer) -> None:
    overlay = await Overlay.open(context, pages, "picture.html")
    await overlay.page.evaluate("document.getElementById('huge').remove()")
    await overlay.page.evaluate(
        """() => {
          document.querySelector('pageside-overlay').style.background = 'rgb(1, 255, 1)'
          document.querySelector('pageside-overlay').style.cssText += ';position:fixed;inset:0;opacity:1'
        }"""
    )
    await overlay.page.keyboard.press("Alt+i")
    await overlay.page.mouse.move(800, 300)
    await overlay.page.mouse.click(800, 300)
    await overlay.write("All of it")
    inspection = await newest(pages)
    async with agent(await pages.mcp_url()) as client:
        seen = (await call(client, "get_inspection", inspectionId=inspection))["inspection"]
        assert seen["sourceInfo"]["elementInfo"]["tagName"] in ("html", "body")
        shown = await pixels(context, await screenshot(client, inspection))
    assert shown.share((1, 255, 1), 0) == 0
    assert shown.share(PAPER) > 0.3


async def test_drawing_leaves_the_page_as_it_is(context: BrowserContext, pages: DevServer) -> None:
    overlay = await Overlay.open(context, pages, "picture.html")
    said: list[str] = []
    overlay.page.on("console", lambda message: said.append(message.text))
    await overlay.page.evaluate(
        """() => {
          window.seen = []
          new MutationObserver((records) => window.seen.push(...records.map((one) => one.target.nodeName)))
            .observe(document, { childList: true, subtree: true, characterData: true })
        }"""
    )
    await picture_of(context, overlay, pages, overlay.page.locator("#dark"))
    assert await overlay.page.evaluate("window.seen") == []
    assert await overlay.root.locator("iframe").count() == 0
    assert said == []


async def test_a_large_element_becomes_a_small_picture(context: BrowserContext, pages: DevServer) -> None:
    overlay = await Overlay.open(context, pages, "picture.html")
    shown, told = await picture_of(context, overlay, pages, overlay.page.locator("#huge"))
    assert max(shown.width, shown.height) <= 1280
    assert abs(shown.width / shown.height - 4) < 0.02
    assert (told["width"], told["height"]) == (2400, 600)
    assert abs(told["scale"] - shown.width / 2400) < 0.01


async def test_too_much_to_draw_is_said(context: BrowserContext, pages: DevServer) -> None:
    overlay = await Overlay.open(context, pages, "picture.html")
    await overlay.page.evaluate(
        """() => {
          document.getElementById('huge').remove()
          const many = document.getElementById('many')
          many.style.cssText = 'height:100px;overflow:hidden;padding:30px'
          for (let n = 0; n < 3001; n++) many.append(document.createElement('li'))
        }"""
    )
    target = overlay.page.locator("#many")
    await target.scroll_into_view_if_needed()
    box = await target.bounding_box()
    assert box is not None
    await overlay.page.keyboard.press("Alt+i")
    await overlay.page.mouse.move(box["x"] + 5, box["y"] + 5)
    await overlay.page.mouse.click(box["x"] + 5, box["y"] + 5)
    await overlay.write("So many")
    inspection = await newest(pages)
    async with agent(await pages.mcp_url()) as client:
        with pytest.raises(MCPError, match=r"NOT_FOUND: .*3001 elements inside"):
            await screenshot(client, inspection)


async def test_the_picture_is_of_the_moment_of_the_pick(context: BrowserContext, pages: DevServer) -> None:
    overlay = await Overlay.open(context, pages, "picture.html")
    async with overlay.page.expect_response(lambda r: r.url.endswith("/page/answer")):
        await overlay.pick(overlay.page.locator("#buy"))
    await overlay.page.evaluate("document.getElementById('buy').remove()")
    await overlay.write("It was pink")
    async with agent(await pages.mcp_url()) as client:
        shown = await pixels(context, await screenshot(client, await newest(pages)))
    assert shown.share((214, 51, 132)) > 0.85


async def test_what_an_agent_asked_for_has_a_picture(context: BrowserContext, pages: DevServer) -> None:
    overlay = await Overlay.open(context, pages, "picture.html")
    async with agent(await pages.mcp_url()) as client:
        pick = asyncio.create_task(call(client, "capture_element_context"))
        await overlay.crosshair()
        await overlay.click(overlay.page.locator("#buy"))
        seen = await pick
        assert seen["screenshot"] == f"pageside://screenshots/{seen['element']['elementId']}"
        shown = await pixels(context, await screenshot(client, seen["element"]["elementId"]))
    assert shown.share((214, 51, 132)) > 0.85


async def test_under_a_policy_with_data_images_there_is_a_picture_and_no_violation(
    context: BrowserContext, pages: DevServer
) -> None:
    overlay = await Overlay.open(context, pages, "policy.html")
    before = await overlay.page.evaluate("window.violations.length")
    shown, _ = await picture_of(context, overlay, pages, overlay.page.locator("h1"))
    assert shown.share((0, 128, 128)) > 0.6
    assert await overlay.page.evaluate(f"window.violations.slice({before})") == []


async def test_a_picture_that_is_too_much_for_png_is_a_jpeg(
    context: BrowserContext, pages: DevServer
) -> None:
    overlay = await Overlay.open(context, pages, "picture.html")
    await overlay.page.evaluate(
        """() => {
          const canvas = Object.assign(document.createElement('canvas'), { id: 'noise', width: 1200, height: 700 })
          const context = canvas.getContext('2d')
          const image = context.createImageData(1200, 700)
          for (let at = 0; at < image.data.length; at += 65536) {
            crypto.getRandomValues(new Uint8Array(image.data.buffer, at, Math.min(65536, image.data.length - at)))
          }
          for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255
          context.putImageData(image, 0, 0)
          document.body.prepend(canvas)
        }"""
    )
    shown, told = await picture_of(context, overlay, pages, overlay.page.locator("#noise"))
    assert (told["mime"], told["width"], told["height"]) == ("image/jpeg", 1200, 700)
    assert abs(shown.width - 1200 * told["scale"]) <= 1


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def strict() -> AsyncIterator[DevServer]:
    """A dev server whose policy lets nobody draw."""
    project = copy_example("vite-react")
    (project / "vite.config.ts").write_text(STRICT_CONFIG, "utf-8")
    (project / "public").mkdir(exist_ok=True)
    shutil.copy(PAGES / "violations.js", project / "public")
    shutil.copy(PAGES / "strict.html", project)
    async with dev_server(project) as server:
        yield server


async def test_a_policy_that_forbids_pictures_is_told_and_not_violated(
    context: BrowserContext, strict: DevServer
) -> None:
    overlay = await Overlay.open(context, strict, "strict.html")
    async with overlay.page.expect_response(lambda r: r.url.endswith("/page/answer")):
        inspection = await noted(overlay, strict, overlay.page.locator("h1"))
    async with agent(await strict.mcp_url()) as client:
        with pytest.raises(MCPError, match=r"NOT_FOUND: .*policy requires Trusted Types"):
            await screenshot(client, inspection)
    ours = [v for v in await overlay.page.evaluate("window.violations") if "vite/client" not in v]
    assert ours == []


async def test_elements_have_names_for_who_looks_in_from_outside(
    context: BrowserContext, pages: DevServer
) -> None:
    overlay = await Overlay.open(context, pages, "picture.html")
    async with agent(await pages.mcp_url()) as client:
        first, again = [
            (await call(client, "capture_element_context", selector="#buy"))["element"]["elementId"]
            for _ in range(2)
        ]
    assert first == again
    found = await overlay.page.evaluate(
        """(id) => {
          const page = globalThis[Symbol.for('pageside.page')]
          const button = page.element(id)
          return [button.id, page.id(button) === id, page.element('p99'), page.secret.length, Object.keys(globalThis)
            .concat(Object.getOwnPropertySymbols(globalThis).filter((s) => globalThis.propertyIsEnumerable(s)))
            .filter((name) => /pageside/i.test(String(name))).length]
        }""",
        first,
    )
    assert found == ["buy", True, None, 22, 0]
    await overlay.page.evaluate("document.getElementById('buy').remove()")
    await expect(overlay.page.locator("#buy")).to_have_count(0)
