"""An agent asks, the user points: clicks, Esc, tickets, reloads, two tabs, two agents."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import BrowserContext, expect

from support.agents import agent, call, fails, python_agent
from support.app import DevServer
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_click_answers_the_agent_and_the_page_notices_nothing(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    join = overlay.page.get_by_role("button", name="Join").first
    await overlay.page.evaluate(
        """() => {
          window.seen = []
          for (const type of ['click', 'pointerdown', 'pointerup', 'mousedown', 'mouseup', 'focusin', 'keydown'])
            document.addEventListener(type, (event) => window.seen.push(event.type), true)
        }"""
    )
    async with agent(await shared_app.mcp_url(), "Ada's agent") as client:
        pick = asyncio.create_task(call(client, "capture_element_context", reason="Which one is broken?"))
        await overlay.crosshair()
        await expect(overlay.root).to_contain_text("Ada's agent")
        await expect(overlay.root).to_contain_text("Which one is broken?")
        await overlay.click(join)
        picked = await pick
    info = picked["element"]["sourceInfo"]["elementInfo"]
    assert (info["tagName"].lower(), info["textContent"]) == ("button", "Join")
    assert picked["element"]["sourceInfo"]["component"] == "DishCard"
    assert await overlay.page.evaluate("window.seen") == []
    await expect(join).to_have_attribute("aria-pressed", "false")


async def test_esc_tells_the_agent_that_the_user_cancelled(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    async with agent(await shared_app.mcp_url()) as client:
        pick = asyncio.create_task(fails(client, "capture_element_context"))
        await overlay.crosshair()
        await overlay.page.keyboard.press("Escape")
        assert (await pick)["code"] == "CANCELLED_BY_USER"
        assert (await call(client, "get_page_info"))["page"]["url"] == shared_app.url


async def test_a_ticket_is_continued_until_the_user_clicks(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    async with agent(await shared_app.mcp_url()) as client:
        ticket = (await call(client, "capture_element_context", wait=0.1))["ticket"]
        await overlay.crosshair()
        await overlay.click(overlay.page.get_by_role("heading", level=1))
        picked = await call(client, "capture_element_context", ticket=ticket)
        assert picked["element"]["sourceInfo"]["elementInfo"]["tagName"].lower() == "h1"


async def test_a_pick_survives_a_reload_of_the_page(context: BrowserContext, shared_app: DevServer) -> None:
    overlay = await Overlay.open(context, shared_app)
    async with agent(await shared_app.mcp_url()) as client:
        pick = asyncio.create_task(call(client, "capture_element_context"))
        await overlay.crosshair()
        await overlay.page.reload()
        await overlay.crosshair()
        await overlay.click(overlay.page.get_by_role("heading", level=1))
        assert (await pick)["status"] == "picked"


async def test_a_script_that_a_reload_interrupts_fails_and_is_not_run_again(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    async with agent(await shared_app.mcp_url()) as client:
        script = "localStorage.runs = Number(localStorage.runs ?? 0) + 1; await new Promise(() => undefined)"
        running = asyncio.create_task(fails(client, "execute_page_script", code=script))
        await overlay.page.wait_for_function("localStorage.runs === '1'")
        await overlay.page.reload()
        assert (await running)["code"] == "PAGE_DISCONNECTED"
        await overlay.connected()
        assert await overlay.page.evaluate("localStorage.runs") == "1"


async def test_a_closed_tab_ends_the_pick_with_an_error(context: BrowserContext, app: DevServer) -> None:
    overlay = await Overlay.open(context, app)
    async with agent(await app.mcp_url()) as client:
        pick = asyncio.create_task(fails(client, "capture_element_context"))
        await overlay.crosshair()
        await overlay.page.close()
        assert (await pick)["code"] == "PAGE_DISCONNECTED"
        assert app.url in (await fails(client, "get_page_info"))["message"]


async def test_the_crosshair_goes_when_the_agent_gives_up(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    async with agent(await shared_app.mcp_url()) as client:
        pick = asyncio.create_task(client.call_tool("capture_element_context", {}))
        await overlay.crosshair()
        pick.cancel()
        await expect(overlay.root.locator(".banner")).to_be_hidden()


async def test_the_agent_follows_the_user_from_tab_to_tab(context: BrowserContext, app: DevServer) -> None:
    first = await Overlay.open(context, app, "?tab=first")
    async with agent(await app.mcp_url()) as client:
        assert (await call(client, "get_page_info"))["page"]["url"].endswith("?tab=first")
        second = await Overlay.open(context, app, "?tab=second")
        await second.page.mouse.click(5, 5)
        await _until_bound(client, "?tab=second")
        await first.page.bring_to_front()
        await first.page.mouse.click(5, 5)
        await _until_bound(client, "?tab=first")
        named = await call(client, "execute_page_script", code="location.search", page="tab=second")
        assert named["value"] == "?tab=second"
        both = await fails(client, "execute_page_script", code="1", page="localhost")
        assert (both["code"], len(both["data"]["pages"])) == ("PAGE_AMBIGUOUS", 2)


async def _until_bound(client: object, part: str) -> None:
    async with asyncio.timeout(10):
        while True:
            info = await call(client, "get_page_info")  # type: ignore[arg-type]
            if info["page"]["url"].endswith(part):
                return


async def test_two_agents_ask_one_after_the_other(context: BrowserContext, shared_app: DevServer) -> None:
    overlay = await Overlay.open(context, shared_app)
    url = await shared_app.mcp_url()
    async with python_agent(url, "First") as one, python_agent(url, "Second") as two:
        first = asyncio.create_task(one.call("capture_element_context"))
        await expect(overlay.root.locator(".banner")).to_contain_text("First")
        second = asyncio.create_task(two.call("capture_element_context"))
        await overlay.click(overlay.page.get_by_role("heading", level=1))
        answer = await first
        assert answer["element"]["sourceInfo"]["elementInfo"]["tagName"].lower() == "h1"
        await expect(overlay.root.locator(".banner")).to_contain_text("Second")
        await overlay.click(overlay.page.get_by_role("button", name="Join").first)
        other = await second
        assert other["element"]["sourceInfo"]["elementInfo"]["tagName"].lower() == "button"


async def test_an_area_is_dragged_or_named(context: BrowserContext, shared_app: DevServer) -> None:
    overlay = await Overlay.open(context, shared_app)
    async with agent(await shared_app.mcp_url()) as client:
        pick = asyncio.create_task(call(client, "capture_area_context"))
        await overlay.crosshair()
        mouse = overlay.page.mouse
        await mouse.move(40, 80)
        await mouse.down()
        await mouse.move(900, 500, steps=4)
        await mouse.up()
        dragged = (await pick)["area"]
        assert 1 < len(dragged["elements"]) <= 50
        assert dragged["bounds"]["width"] == pytest.approx(860, abs=2)
        named = await call(client, "capture_area_context", containerSelector=".menu")
        assert named["area"]["total"] >= len(named["area"]["elements"]) > 1
        missing = await fails(client, "capture_area_context", containerSelector="#nowhere")
        assert missing["code"] == "ELEMENT_NOT_FOUND"
