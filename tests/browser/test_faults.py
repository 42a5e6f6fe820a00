"""What bad input and bad luck get: clear errors, and nothing lost."""

from __future__ import annotations

import json
import os
import signal

import pytest
from playwright.async_api import BrowserContext, Page, expect

from support.agents import agent, call, fails
from support.app import DevServer
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")

ITEMS = "inspector-inspection-items"

SCRIPTS = [
    ("throw new Error('no such order')", "EXECUTION_ERROR", "no such order"),
    ("await new Promise(() => undefined)", "COMMAND_TIMEOUT", "1000 ms"),
    ("if (", "EXECUTION_ERROR", "Unexpected"),
    ("'x'.repeat(3e6)", "RESULT_TOO_LARGE", "3"),
    # The page does not come back from this one.
    ("for (;;);", "COMMAND_TIMEOUT", "did not answer"),
]


async def test_a_script_that_goes_wrong_says_how(context: BrowserContext, shared_app: DevServer) -> None:
    await Overlay.open(context, shared_app)
    async with agent(await shared_app.mcp_url()) as client:
        for code, error, words in SCRIPTS:
            failed = await fails(client, "execute_page_script", code=code, timeout=1)
            assert failed["code"] == error, code
            assert words in failed["message"], code
        assert (await call(client, "list_inspections"))["total"] == 0


async def test_scripts_return_json_of_whatever_they_return(
    context: BrowserContext, shared_app: DevServer
) -> None:
    await Overlay.open(context, shared_app)
    async with agent(await shared_app.mcp_url()) as client:

        async def value(code: str) -> object:
            return (await call(client, "execute_page_script", code=code))["value"]

        assert await value("1 + 1") == 2
        assert await value("const a = await Promise.resolve([1, null]); return a") == [1, None]
        assert "h1" in json.dumps(await value("document.querySelector('h1')"))
        assert await value("({ big: 12n, gone: undefined })") is not None
        assert "[Circular]" in json.dumps(await value("const o = {}; o.self = o; return o"))


async def test_selectors_that_name_nothing_say_so(context: BrowserContext, shared_app: DevServer) -> None:
    await Overlay.open(context, shared_app)
    nothing = {"#nowhere": "ELEMENT_NOT_FOUND", "div[": "INVALID_SELECTOR", "//h1": "INVALID_SELECTOR"}
    async with agent(await shared_app.mcp_url()) as client:
        for selector, error in nothing.items():
            failed = await fails(client, "capture_element_context", selector=selector)
            assert failed["code"] == error, selector
            assert selector in failed["message"]


async def test_a_selector_needs_no_user(context: BrowserContext, shared_app: DevServer) -> None:
    await Overlay.open(context, shared_app)
    async with agent(await shared_app.mcp_url()) as client:
        seen = await call(client, "capture_element_context", selector="h1")
        element = seen["element"]["sourceInfo"]["elementInfo"]
        assert element["textContent"] == "What’s for lunch?"
        assert set(element["computedStyles"]) == {
            "layout",
            "typography",
            "spacing",
            "background",
            "border",
            "effects",
        }
        assert element["boundingBox"]["width"] > 0


async def test_the_queue_survives_kill_9_of_the_companion_and_pages_reconnect(
    context: BrowserContext, app: DevServer
) -> None:
    overlay = await Overlay.open(context, app)
    await overlay.pick(overlay.page.get_by_role("heading", level=1))
    await overlay.write("Keep me")
    before = await app.companion()
    async with agent(await app.mcp_url()) as client:
        (item,) = (await call(client, "wait_for_inspection"))["inspections"]
        await call(client, "update_inspection_status", inspectionId=item["id"], status="in-progress")
    panel = await overlay.show_panel()
    await expect(panel).to_contain_text("In progress")

    os.kill(before["pid"], signal.SIGKILL)
    await expect(overlay.root.get_by_role("img", name="Connected to")).to_be_hidden()
    await overlay.pick(overlay.page.get_by_role("button", name="Join").first)
    await overlay.write("Noted while it was down")
    await expect(panel).to_contain_text("Noted while it was down")
    await overlay.connected()

    after = await app.companion()
    assert after["pid"] != before["pid"]
    async with agent(f"http://127.0.0.1:{after['port']}/__mcp__") as client:
        found = await call(client, "wait_for_inspection")
        assert [i["description"] for i in found["inspections"]] == ["Noted while it was down"]
        kept = (await call(client, "get_inspection", inspectionId=item["id"]))["inspection"]
        assert (kept["status"], kept["description"]) == ("in-progress", "Keep me")


async def test_a_cleared_localstorage_is_filled_again(context: BrowserContext, shared_app: DevServer) -> None:
    overlay = await Overlay.open(context, shared_app)
    await overlay.pick(overlay.page.get_by_role("heading", level=1))
    await overlay.write("Still here")
    await expect(await overlay.show_panel()).to_contain_text("Still here")
    async with agent(await shared_app.mcp_url()) as client:
        await call(client, "wait_for_inspection")
    await overlay.page.evaluate("localStorage.clear()")
    await overlay.page.reload()
    await overlay.connected()
    await expect(await overlay.show_panel()).to_contain_text("Still here")
    stored = await overlay.page.evaluate(f"localStorage.getItem('{ITEMS}')")
    assert [item["description"] for item in json.loads(stored)] == ["Still here"]


@pytest.mark.parametrize(
    "raw", ["{", "null", '"text"', '[{"id": 7}]', '[{"id": "a", "status": "__proto__"}]']
)
async def test_corrupt_localstorage_does_not_stop_new_notes(
    context: BrowserContext, shared_app: DevServer, raw: str
) -> None:
    await context.add_init_script(f"localStorage.setItem('{ITEMS}', {json.dumps(raw)})")
    overlay = await Overlay.open(context, shared_app)
    await overlay.pick(overlay.page.get_by_role("heading", level=1))
    await overlay.write("After the damage")
    async with agent(await shared_app.mcp_url()) as client:
        found = await call(client, "wait_for_inspection")
        assert [item["description"] for item in found["inspections"]] == ["After the damage"]


DENIED = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })"
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"


@pytest.mark.parametrize("fault", [DENIED, FULL], ids=["denied", "full"])
async def test_denied_or_full_storage_is_told_and_notes_still_arrive(
    context: BrowserContext, shared_app: DevServer, fault: str
) -> None:
    await context.add_init_script(fault)
    overlay = await Overlay.open(context, shared_app)
    await overlay.pick(overlay.page.get_by_role("heading", level=1))
    await overlay.write("No room")
    await expect(await overlay.show_panel()).to_contain_text("unsent notes end with it")
    async with agent(await shared_app.mcp_url()) as client:
        found = await call(client, "wait_for_inspection")
        assert [item["description"] for item in found["inspections"]] == ["No room"]


async def test_two_tabs_show_one_queue(context: BrowserContext, shared_app: DevServer) -> None:
    one, two = await Overlay.open(context, shared_app), await Overlay.open(context, shared_app)
    panel = await two.show_panel()
    await one.page.bring_to_front()
    for note in ("first", "second", "third"):
        await one.pick(one.page.get_by_role("heading", level=1))
        await one.write(note)
    for note in ("first", "second", "third"):
        await expect(panel).to_contain_text(note)
    await two.page.bring_to_front()
    await two.page.clock.install()
    await panel.get_by_role("button", name="Delete").first.click()
    await expect((await one.show_panel()).get_by_role("listitem")).to_have_count(2)
    # Nobody undoes it.
    async with two.page.expect_response("**/changes"):
        await two.page.clock.fast_forward(9000)
    async with agent(await shared_app.mcp_url()) as client:
        assert (await call(client, "list_inspections"))["total"] == 2


async def test_ten_tabs_load_and_answer_over_one_stream(
    context: BrowserContext, shared_app: DevServer
) -> None:
    await shared_app.companion()
    pages: list[Page] = []
    for number in range(10):
        page = await context.new_page()
        await page.goto(f"{shared_app.url}?tab={number}", timeout=6000)
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        pages.append(page)
    for page in pages:
        await Overlay(page).connected()
    async with agent(await shared_app.mcp_url()) as client:
        for number in range(10):
            script = {"code": "location.search", "page": f"?tab={number}"}
            assert (await call(client, "execute_page_script", **script))["value"] == f"?tab={number}"
