"""One element, two views: what the user picks in the page is what Chrome's tools see, act on and picture."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import psutil
import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, async_playwright

from support import chromium
from support.agents import agent, call, text
from support.app import DevServer, copy_example, dev_server, save
from support.overlay import Overlay
from support.pictures import screenshot
from support.pixels import pixels
from support.sockets import free_ports

pytestmark = pytest.mark.asyncio(loop_scope="session")

PORT = free_ports(1)[0]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def debuggable() -> AsyncIterator[Browser]:
    """The user's Chrome, with remote debugging."""
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(
            executable_path=chromium.find(),
            args=[*chromium.test_flags(), "--headless=new", f"--remote-debugging-port={PORT}"],
        )
        yield running
        await running.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def one_app() -> AsyncIterator[DevServer]:
    """The example, whose companion uses that Chrome."""
    environment = {"PAGESIDE_CHROME": "on", "CHROME_DEBUG_PORT": str(PORT), "CHROME_AUTO_LAUNCH": "false"}
    async with dev_server(copy_example("vite-react"), environment=environment) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def seen(shared_app: DevServer) -> DevServer:
    """With an empty queue."""
    return shared_app


@pytest_asyncio.fixture(loop_scope="session")
async def window(debuggable: Browser) -> AsyncIterator[BrowserContext]:
    context = await debuggable.new_context(viewport={"width": 1280, "height": 800})
    yield context
    await context.close()


async def test_a_pick_is_pictured_inspected_and_clicked_by_chrome(
    window: BrowserContext, seen: DevServer
) -> None:
    overlay = await Overlay.open(window, seen)
    elsewhere = await window.new_page()
    await elsewhere.goto("about:blank")
    await overlay.page.bring_to_front()
    button = overlay.page.locator("article button").first
    await overlay.pick(button)
    await overlay.write("Make it larger")
    async with agent(await seen.mcp_url()) as client:
        (item,) = (await call(client, "wait_for_inspection"))["inspections"]
        inspection = (await call(client, "get_inspection", inspectionId=item["id"]))["inspection"]
        content = await screenshot(client, item["id"])
        assert (content.meta or {})["pageside/source"] == "chrome"
        taken = await pixels(window, content)
        box = await button.bounding_box()
        assert box is not None
        assert abs(taken.width - box["width"] - 40) <= 2
        found = await client.call_tool("inspect_element", {"inspection_id": item["id"]})
        assert not found.is_error, text(found)
        data = found.structured_content or {}
        assert data["found_by"] == "id"
        assert data["box_model"]["border"]["width"] == pytest.approx(box["width"], abs=1)
        assert any(".css:" in rule["source"] for rule in data["cascade_rules"]), data["cascade_rules"]
        assert found.content[-1].type == "image"
        snapshot = await client.call_tool("chrome_devtools", {"tool": "take_snapshot"})
        uid = inspection["chrome"]["uid"]
        assert f"uid={uid} button" in text(snapshot)
        clicked = {"tool": "click", "args": {"uid": uid, "includeSnapshot": True}}
        assert text(await client.call_tool("chrome_devtools", clicked)).startswith("Clicked.")


async def test_chrome_takes_as_much_of_the_page_as_was_drawn_on(
    window: BrowserContext, seen: DevServer
) -> None:
    overlay = await Overlay.open(window, seen)
    button = overlay.page.locator("article button").first
    await overlay.pick(button)
    await overlay.root.get_by_role("button", name="Sketch on the page").click()
    box = await button.bounding_box()
    assert box is not None
    mouse = overlay.page.mouse
    await mouse.move(box["x"] - 60, box["y"] + 10)
    await mouse.down()
    await mouse.move(box["x"] + 20, box["y"] + 10, steps=3)
    await mouse.up()
    await overlay.page.keyboard.press("Escape")
    await overlay.write("Further to the left")
    async with agent(await seen.mcp_url()) as client:
        items = (await call(client, "list_inspections"))["inspections"]
        newest = max(items, key=lambda item: item["timestamp"])
        content = await screenshot(client, newest["id"])
    assert (content.meta or {})["pageside/source"] == "chrome"
    taken = await pixels(window, content)
    assert taken.width >= box["width"] + 60
    assert taken.share((224, 36, 60), tolerance=12) > 0.01
    # What lies there is the page itself, not a grey margin.
    assert taken.share((232, 232, 232)) < 0.05


async def test_after_a_reload_the_element_is_found_by_its_selector(
    window: BrowserContext, seen: DevServer
) -> None:
    overlay = await Overlay.open(window, seen)
    await overlay.pick(overlay.page.get_by_role("heading").first)
    await overlay.write("Another colour")
    async with agent(await seen.mcp_url()) as client:
        items = (await call(client, "list_inspections"))["inspections"]
        newest = max(items, key=lambda item: item["timestamp"])
        await overlay.page.reload()
        await overlay.connected()
        found = await client.call_tool(
            "inspect_element", {"inspection_id": newest["id"], "screenshot": False}
        )
        assert not found.is_error, text(found)
        assert (found.structured_content or {})["found_by"] == "selector"


async def test_without_chrome_the_error_says_so(window: BrowserContext) -> None:
    async with dev_server(copy_example("vite-react")) as server:
        await Overlay.open(window, server)
        async with agent(await server.mcp_url()) as client:
            found = await client.call_tool("inspect_element", {"css_selector": "h1"})
            assert found.is_error
            assert "CHROME_UNREACHABLE" in text(found)
            assert "switched off" in text(found)


async def test_a_launched_chrome_opens_the_app_and_ends_with_the_companion() -> None:
    environment = {
        "PAGESIDE_CHROME": "on",
        "CHROME_DEBUG_PORT": str(free_ports(1)[0]),
        "CHROME_PATH": chromium.find() or "",
        "PAGESIDE_CHROME_ARGS": " ".join(chromium.QUIET_FLAGS),
    }
    async with dev_server(copy_example("vite-react"), environment=environment) as server:
        async with agent(await server.mcp_url()) as client:
            seen = text(await client.call_tool("chrome_devtools", {"tool": "take_snapshot"}))
            assert "button" in seen
            listed = text(await client.call_tool("chrome_devtools", {"tool": "list_pages"}))
            assert server.url in listed
            told = await call(client, "get_page_info")
            assert told["page"]["url"] == server.url
        found = sorted(server.state.glob("*/chrome/chrome.json"))
        process = psutil.Process(json.loads(found[0].read_text("utf-8"))["pid"])
        assert process.is_running()
    gone, _ = await asyncio.to_thread(psutil.wait_procs, [process], 10)
    assert gone == [process]


LISTENERS = """
export function countClicks(event: Event): void {
  document.title = `${event.type} ${event.timeStamp}`;
}

document.querySelector('#root')?.addEventListener('click', countClicks);
document.addEventListener('keydown', (event) => countClicks(event), { capture: true });
window.addEventListener('resize', countClicks);
document.addEventListener('visibilitychange', countClicks);
"""


async def test_listeners_of_which_only_chrome_knows_are_told_with_their_authored_place(
    window: BrowserContext, seen: DevServer
) -> None:
    main = seen.project / "src" / "main.tsx"
    # Its second run finds them there.
    if LISTENERS not in main.read_text("utf-8"):
        save(main, main.read_text("utf-8") + LISTENERS)
    await Overlay.open(window, seen)
    lines = main.read_text("utf-8").split("\n")
    named = next(n for n, line in enumerate(lines, 1) if "function countClicks" in line)
    inline = next(n for n, line in enumerate(lines, 1) if "'keydown'" in line)
    async with agent(await seen.mcp_url()) as client:
        connected = await client.call_tool("chrome_devtools", {"tool": "list_pages"})
        assert not connected.is_error, text(connected)
        context = await call(client, "capture_element_context", selector="article button")
        source = context["element"]["sourceInfo"]
        told = [
            (each["event"], each["name"], each["file"], each["line"], each.get("on"), each["via"])
            for each in source["handlers"]
        ]
        assert told == [
            ("click", "", "src/components/DishCard.tsx", 38, None, "react"),
            ("click", "countClicks", "src/main.tsx", named, "#root", "chrome"),
            ("keydown", "", "src/main.tsx", inline, "document", "chrome"),
        ]
