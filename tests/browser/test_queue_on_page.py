"""The queue where the user works: markers on the page, the panel, two tabs, and agents that hear him."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from playwright.async_api import BrowserContext, expect

from support.agents import agent, call
from support.app import DevServer, edit
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")

HEADING = "What’s for lunch?"
FRAMES = """() => {
    const { requestAnimationFrame: ask, cancelAnimationFrame: cancel } = window;
    window.asked = new Set();
    window.requestAnimationFrame = (action) => {
        const id = ask((time) => { window.asked.delete(id); action(time); });
        window.asked.add(id);
        return id;
    };
    window.cancelAnimationFrame = (id) => { window.asked.delete(id); cancel(id); };
}"""


async def noted(overlay: Overlay, *notes: tuple[str, str]) -> None:
    """A note on each first element of a selector."""
    for selector, note in notes:
        await overlay.pick(overlay.page.locator(selector).first)
        await overlay.write(note)
    await expect(overlay.items).to_have_count(len(notes))


async def test_markers_stay_with_their_elements_through_scrolling_edits_and_reloads(
    context: BrowserContext, app: DevServer
) -> None:
    await context.add_init_script(f"({FRAMES})()")
    overlay = await Overlay.open(context, app)
    page = overlay.page
    heading, join = page.get_by_role("heading", level=1), page.get_by_role("button", name="Join").first
    await noted(overlay, ("h1", "Friendlier"), ("button:text('Join')", "Bigger"))
    await overlay.marked(1, heading)
    await overlay.marked(2, join)
    await page.wait_for_function("window.asked.size === 0", polling=100)
    await page.evaluate("document.body.style.minHeight = '3000px'; scrollTo({top: 120})")
    await overlay.marked(2, join)
    assert await page.evaluate("scrollY") == 120
    # They are out of the way of a pick, and of clicks beside them.
    await page.keyboard.press("Alt+i")
    await expect(overlay.markers).to_have_count(0)
    await page.keyboard.press("Escape")
    await expect(overlay.markers).to_have_count(2)
    await page.evaluate("scrollTo({top: 0})")
    await overlay.marked(1, heading)
    edit(app.project / "src" / "App.tsx", '<p className="eyebrow">', '<p className="eyebrow" hidden>')
    await expect(page.locator(".eyebrow")).to_be_hidden(timeout=15_000)
    await overlay.marked(1, heading)
    # Other words under the same selector may be another element: the badge says so.
    edit(app.project / "src" / "App.tsx", HEADING, "Hungry?")
    await expect(heading).to_have_text("Hungry?", timeout=15_000)
    await page.reload()
    await overlay.marked(1, heading)
    await expect(overlay.root.get_by_role("button", name="perhaps here")).to_have_count(1)
    await overlay.marked(2, join)
    await overlay.root.get_by_role("button", name="Inspection 2: Bigger").click()
    await expect(overlay.item("Bigger")).to_be_focused()
    await page.evaluate("history.pushState(null, '', '/elsewhere'); document.body.append('')")
    await expect(overlay.markers).to_have_count(0)


INSIDE = """() => {
    const host = document.createElement('div');
    host.style.cssText = 'position: fixed; inset: 300px auto auto 20px; z-index: 5';
    const box = document.createElement('div');
    box.style.cssText = 'width: 300px; height: 120px; overflow: auto; background: Canvas';
    box.id = 'box';
    const button = document.createElement('button');
    button.textContent = 'Deep';
    button.style.margin = '60px 30px 400px';
    box.append(button);
    host.attachShadow({ mode: 'open' }).append(box);
    document.body.append(host);
}"""
AGAIN = """box => {
    const one = box.firstChild.cloneNode(true);
    one.style.marginLeft = '90px';
    box.replaceChildren(one);
}"""


async def test_markers_follow_what_moves_inside_a_shadow_root(
    context: BrowserContext, app: DevServer
) -> None:
    overlay = await Overlay.open(context, app)
    page = overlay.page
    await page.evaluate(INSIDE)
    box, deep = page.locator("#box"), page.get_by_role("button", name="Deep", exact=True)
    await overlay.pick(deep)
    await overlay.write("Not so deep")
    await overlay.marked(1, deep)
    await box.evaluate("box => box.scrollTop = 30")
    await overlay.marked(1, deep)
    await box.evaluate(AGAIN)
    await overlay.marked(1, deep)
    await box.evaluate("box => box.scrollTop = 300")
    await expect(overlay.markers).to_have_count(0)
    await page.evaluate("document.body.style.minHeight = '3000px'; scrollTo(0, 900)")
    await overlay.item("Not so deep").hover()
    await expect(overlay.root.locator(".tip")).to_contain_text("Not so deep")
    await overlay.item("Not so deep").get_by_role("button", name="Show on page").click()
    await expect(deep).to_be_in_viewport()
    await overlay.marked(1, deep)
    await overlay.root.get_by_role("button", name="Hide the markers on the page").click()
    await expect(overlay.markers).to_have_count(0)


async def test_a_reply_wakes_the_agent_and_a_reopening_note_reaches_it(
    context: BrowserContext, app: DevServer
) -> None:
    overlay = await Overlay.open(context, app)
    await noted(overlay, ("h1", "Friendlier"))
    panel = await overlay.show_panel()
    async with agent(await app.mcp_url()) as ada:

        async def next_one() -> dict[str, Any]:
            (found,) = (await call(ada, "wait_for_inspection", timeout=30))["inspections"]
            return dict(found)

        item = await next_one()
        working = {"inspectionId": item["id"], "status": "in-progress"}
        await call(ada, "update_inspection_status", **working, message="How short may it be?")
        await expect(panel).to_contain_text("How short may it be?")
        waiting = asyncio.create_task(next_one())
        await panel.get_by_role("button", name="Reply").click()
        field = panel.get_by_role("textbox", name="Reply to the agent")
        await field.fill("Two words")
        # The agent's own edits may load the page anew.
        await overlay.page.reload()
        await expect(field).to_be_focused(timeout=15_000)
        await expect(field).to_have_value("Two words")
        await overlay.page.keyboard.press("Enter")
        heard = await waiting
        assert (heard["id"], [said["text"] for said in heard["replies"]]) == (item["id"], ["Two words"])
        done = await call(ada, "update_inspection_status", status="completed", message="Two words now.")
        assert "replies" not in done, "it has heard them"
        await expect(overlay.root.locator(".marker")).to_have_text("✓")
        await panel.get_by_role("button", name="Reopen").click()
        await panel.get_by_role("textbox", name="What is still to do?").fill("And a question mark")
        await overlay.page.keyboard.press("Enter")
        again = await next_one()
        assert [said["text"] for said in again["replies"]] == ["And a question mark"]
        whole = (await call(ada, "get_inspection", inspectionId=item["id"]))["inspection"]
        assert [(said["from"], said["text"]) for said in whole["replies"]] == [
            ("agent", "How short may it be?"),
            ("user", "Two words"),
            ("agent", "Two words now."),
            ("user", "And a question mark"),
        ]
        ended = {"inspectionId": item["id"], "status": "failed", "message": "No."}
        await call(ada, "update_inspection_status", **ended)
    await panel.get_by_role("button", name="Accept").press("Enter")
    await expect(panel.get_by_role("button", name="Finished (1)")).to_be_focused()
    await expect(overlay.items).to_have_count(0)
    await expect(overlay.markers).to_have_count(0)
    await overlay.page.keyboard.press("Enter")
    await expect(overlay.item("Friendlier")).to_contain_text("And a question mark")
    await panel.get_by_role("button", name="Clear").click()
    await expect(overlay.items).to_have_count(0)
    await overlay.root.get_by_role("button", name="Undo").click()
    await expect(overlay.items).to_have_count(1)


async def test_the_order_is_the_users_by_keys_and_by_dragging(
    context: BrowserContext, app: DevServer
) -> None:
    overlay = await Overlay.open(context, app)
    page = overlay.page
    await noted(overlay, ("h1", "first"), (".lead", "second"), ("button:text('Join')", "third"))
    await overlay.show_panel()
    descriptions = overlay.root.locator(".item > .description")
    await overlay.item("third").focus()
    await page.keyboard.press("Alt+ArrowUp")
    await expect(descriptions).to_have_text(["first", "third", "second"])
    await expect(overlay.item("third")).to_be_focused()
    grip = await overlay.item("second").get_by_role("button", name="Move").bounding_box()
    top = await overlay.item("first").bounding_box()
    assert grip is not None
    assert top is not None
    await page.mouse.move(grip["x"] + 5, grip["y"] + 5)
    await page.mouse.down()
    await page.mouse.move(top["x"] + 5, top["y"] + 60, steps=5)
    async with page.expect_response("**/changes"):
        await page.mouse.move(top["x"] + 5, top["y"] + 2)
        await page.mouse.up()
    await expect(descriptions).to_have_text(["second", "first", "third"])
    numbers = overlay.root.locator(".item .number")
    await expect(numbers).to_have_text(["2", "1", "3"])
    async with (
        agent(await app.mcp_url(), "?clientId=a") as ada,
        agent(await app.mcp_url(), "?clientId=b") as bob,
    ):
        for client, number, note in ((ada, 2, "second"), (bob, 1, "first")):
            (found,) = (await call(client, "wait_for_inspection"))["inspections"]
            assert (found["number"], found["description"]) == (number, note)
    # "Number 3" is the same one tomorrow.
    await overlay.item("first").get_by_role("button", name="Delete").click()
    await expect(numbers).to_have_text(["2", "3"])
    await overlay.marked(3, page.get_by_role("button", name="Join").first)
    search = overlay.root.get_by_role("searchbox", name="Filter")
    for words in ("THIRD", "#3"):
        await search.fill(words)
        await expect(descriptions).to_have_text(["third"])


async def test_a_deletion_is_undone_in_any_tab_and_survives_a_reload_and_being_offline(
    context: BrowserContext, app: DevServer
) -> None:
    one = await Overlay.open(context, app)
    await noted(one, ("h1", "Friendlier"), (".lead", "Shorter"))
    two = await Overlay.open(context, app)
    await two.show_panel()
    await two.item("Shorter").get_by_role("button", name="Delete").click()
    for tab in (one, two):
        await expect(tab.root.get_by_role("button", name="Undo")).to_be_visible()
    await expect(one.item("Shorter")).to_have_count(0)
    await one.page.bring_to_front()
    await one.root.get_by_role("button", name="Undo").click()
    for tab in (one, two):
        await expect(tab.item("Shorter")).to_have_count(1)
        await expect(tab.root.get_by_role("button", name="Undo")).to_have_count(0)
    await context.set_offline(True)
    await one.item("Friendlier").get_by_role("button", name="Reply").click()
    await one.root.get_by_role("textbox", name="Reply to the agent").fill("Written on a train")
    await one.page.keyboard.press("Enter")
    await one.item("Shorter").get_by_role("button", name="Delete").click()
    await expect(two.item("Friendlier")).to_contain_text("Written on a train")
    await context.set_offline(False)
    await one.page.reload()
    await two.page.close()
    await expect(one.root.get_by_role("button", name="Undo")).to_be_visible(timeout=15_000)
    async with agent(await app.mcp_url()) as ada:
        assert (await call(ada, "list_inspections"))["total"] == 2
        await one.page.clock.install()
        await one.page.reload()
        await one.connected()
        async with one.page.expect_response("**/changes"):
            await one.page.clock.fast_forward(9000)
        (left,) = (await call(ada, "list_inspections"))["inspections"]
        whole = (await call(ada, "get_inspection", inspectionId=left["id"]))["inspection"]
        assert [said["text"] for said in whole["replies"]] == ["Written on a train"]
