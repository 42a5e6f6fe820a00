"""The states, in the order in which a user meets them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client
from playwright.async_api import Locator, Page, expect

from docs_pictures.stage import AGENT, Stage, progress
from support.agents import agent, call
from support.overlay import Overlay

STEPS = ("Find the heading’s rule", "Change its size", "Look at the page")


async def play(stage: Stage) -> None:
    """All of them."""
    await _picking(stage)
    await _queue(stage)
    await _asked(stage)
    await _brakes(stage)
    await _elsewhere(stage)
    await _offline(stage)


async def _picking(stage: Stage) -> None:
    async with stage.open() as overlay:
        page, titles = overlay.page, overlay.page.locator(".dish h3")
        await stage.take(
            overlay, "idle", "At rest", "The toolbar, in the corner: connected, pick, area, inspections."
        )
        await page.keyboard.press("Alt+i")
        await overlay.crosshair()
        await _over(page, page.locator(".dish-body").first)
        await expect(overlay.root.locator(".tip")).to_contain_text("DishCard.tsx")
        await stage.take(
            overlay,
            "hover",
            "Pointing",
            "`Alt+I`. The box with content, padding, border and margin; tag, component, place in the source, size and "
            "role; where it lies. The page stands still and feels nothing.",
        )
        await page.keyboard.down("Shift")
        for number in range(2):
            await _press(page, titles.nth(number))
        await page.keyboard.up("Shift")
        await expect(overlay.root.locator(".chosen")).to_have_count(2)
        await expect(overlay.root.locator(".tip")).to_contain_text("DishCard.tsx")
        await stage.take(
            overlay, "several", "Several at once", "`Shift` and a click add to the same inspection."
        )
        await page.keyboard.press("Escape")
        await expect(overlay.root.locator(".banner")).to_be_hidden()
        await page.keyboard.press("Alt+s")
        await overlay.crosshair()
        await page.mouse.move(24, 210)
        await page.mouse.down()
        await page.mouse.move(430, 470, steps=5)
        await stage.take(overlay, "area", "An area", "`Alt+S`, or a drag while picking: at most 50 elements.")
        await page.keyboard.press("Escape")
        await page.mouse.up()
        await _note(stage, overlay)


async def _note(stage: Stage, overlay: Overlay) -> None:
    page, note = overlay.page, overlay.root.get_by_role("dialog", name="What should change here?")
    await overlay.pick(page.locator(".dish").first.get_by_role("button"))
    await note.get_by_role("textbox").fill("Too small for a thumb: make it 44 px high, on all cards.")
    await note.get_by_role("radio", name="Fix").click()
    await note.get_by_role("radio", name="High").click()
    await expect(note.get_by_role("button", name="mark them")).to_be_visible()
    await stage.take(
        overlay,
        "note",
        "The note",
        "What is wanted, as which intent and how urgent; how many elements the same line of the source makes.",
    )
    await note.get_by_role("button", name="Sketch on the page").click()
    await overlay.root.get_by_role("radio", name="Arrow").click()
    await _drag(page, (430, 300), (250, 452))
    await overlay.root.get_by_role("radio", name="Box").click()
    await _drag(page, (30, 240), (300, 500))
    await stage.take(
        overlay,
        "sketch",
        "A sketch",
        "Arrow, box and pen. Kept as lines, and drawn into the picture that the agent gets.",
    )
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")


async def _queue(stage: Stage) -> None:
    async with stage.open() as overlay, _agent(stage) as client:
        page = overlay.page
        for target, words in (
            (page.locator("h1"), "Say it to the whole team, and a size smaller."),
            (page.locator(".dish h3").first, "Is this name ours, or the kitchen’s?"),
            (page.locator(".stat").nth(1), "Align the numbers at their decimal points."),
        ):
            await _inspect(overlay, target, words)
        items = await _pending(client, 3)
        first, second, third = (items[each] for each in ("Say", "Is", "Align"))
        await _tell(client, first, **progress(STEPS, 1))
        question = (
            "The menu comes from `menu.ts`; the kitchen’s own name is “Kaze Ramen”. Which one should it be?"
        )
        await _tell(client, second, message=question)
        panel = await overlay.show_panel()
        await expect(panel).to_contain_text("Which one should it be?")
        await _no_toast(overlay)
        await stage.take(
            overlay,
            "panel",
            "The queue",
            "Numbers on the page and in the panel; the agent’s name, its steps and its messages as they come.",
        )
        await _tell(client, first, **progress(STEPS, len(STEPS)))
        await _tell(client, third, message="All numbers of the page, or these three?")
        for each, message in (
            (first, "The heading says it to all, at 40 px."),
            (third, "These three: aligned."),
        ):
            await _tell(client, each, status="completed", message=message)
        await expect(panel.get_by_role("button", name="Accept").first).to_be_visible()
        await panel.get_by_role("button", name="Accept").first.click()
        await expect(panel).to_contain_text("Finished (1)")
        await panel.get_by_role("button", name="Finished (1)").click()
        await panel.evaluate("(panel) => panel.scrollTo(0, panel.scrollHeight)")
        await _no_toast(overlay)
        await stage.take(
            overlay,
            "finished",
            "Done",
            "What is done is accepted, or goes on with a word about what is missing; accepted ones fold away.",
        )


async def _asked(stage: Stage) -> None:
    async with stage.open() as overlay, _agent(stage) as client:
        asked, card = await _ask(
            overlay,
            client,
            "ask_user",
            question="Which green should the buttons have?",
            options=["As it is", "A darker one, for contrast", "Only a green border"],
            reason="Two rules of the style sheet fit the note.",
        )
        await _no_toast(overlay)
        await stage.take(
            overlay,
            "asks",
            "An agent asks",
            "Who, what and why. Answered by a press, a key or own words, or not now.",
        )
        await card.get_by_role("button", name="As it is").click()
        await asked
        chosen, card = await _ask(
            overlay,
            client,
            "ask_user_to_choose",
            question="Which of these is “the number”?",
            candidates=[f".stats .stat:nth-child({number})" for number in (1, 2, 3)],
        )
        await stage.take(
            overlay,
            "choose",
            "An agent asks which",
            "The candidates get letters; none of them is an answer too.",
        )
        await card.get_by_role("button", name="None of these").click()
        await overlay.page.keyboard.press("Enter")
        chosen.cancel()


async def _brakes(stage: Stage) -> None:
    async with stage.open() as overlay, _agent(stage) as client:
        for code in ("document.title", "location.pathname"):
            await call(client, "execute_page_script", code=code)
        await call(client, "get_page_info")
        panel = await overlay.show_panel()
        await panel.get_by_role("tab", name="Activity").click()
        await expect(panel).to_contain_text("get_page_info")
        await _no_toast(overlay)
        await stage.take(
            overlay,
            "activity",
            "What agents did",
            "Each call in this page: who, what, how long. Pause, stop, and what needs asking first.",
        )
        await panel.get_by_text("Permissions").click()
        await stage.take(
            overlay,
            "permissions",
            "What agents may do",
            "Allowed, asked first or denied, by group or by tool.",
        )
        await panel.get_by_role("tab", name="Settings").click()
        await stage.take(
            overlay,
            "settings",
            "Settings",
            "Every shortcut can be changed or taken away; colours, side, freezing.",
        )


async def _elsewhere(stage: Stage) -> None:
    async with stage.open(320, 600) as overlay:
        await overlay.show_panel()
        await _no_toast(overlay)
        await stage.take(overlay, "narrow-panel", "320 px wide", "The panel is a sheet over the whole width.")
        await overlay.root.get_by_role("button", name="Close").click()
        await overlay.pick(overlay.page.locator("h1"))
        await expect(overlay.root.get_by_role("radio", name="Fix")).to_be_visible()
        await expect(overlay.root.get_by_role("dialog")).to_contain_text("on this page")
        await stage.take(overlay, "narrow-note", "320 px wide, the note", "Also what 200 % of 640 px are.")
    async with stage.open() as overlay:
        page = overlay.page
        await page.evaluate("document.documentElement.dir = 'rtl'")
        await _inspect(overlay, page.locator("h1"), "הכותרת ארוכה מדי במסכים צרים")
        panel = await overlay.show_panel()
        await panel.evaluate("(panel) => panel.scrollTo(0, panel.scrollHeight)")
        await _no_toast(overlay)
        await stage.take(
            overlay,
            "rtl",
            "A page from right to left",
            "The overlay stays where it is; a note runs as it is written.",
        )


async def _offline(stage: Stage) -> None:
    async with stage.open() as overlay:
        await overlay.show_panel()
        await overlay.page.context.set_offline(True)
        await stage.server.stop()
        await expect(overlay.root.get_by_role("img", name="Offline")).to_be_visible(timeout=30_000)
        await _inspect(overlay, overlay.page.locator(".lead"), "Say until when, in bold.")
        await overlay.item("Say until when").scroll_into_view_if_needed()
        await stage.take(
            overlay, "offline", "Offline", "Notes are kept, and sent when the companion is back."
        )


@asynccontextmanager
async def _agent(stage: Stage) -> AsyncIterator[Client]:
    async with agent(await stage.server.mcp_url(), AGENT) as client:
        yield client


async def _inspect(overlay: Overlay, target: Locator, words: str) -> None:
    await overlay.pick(target)
    await overlay.write(words)


async def _tell(client: Client, inspection: str, **told: Any) -> None:
    """In progress, unless it says something else."""
    news = {"status": "in-progress"} | told
    await call(client, "update_inspection_status", inspectionId=inspection, **news)


async def _ask(
    overlay: Overlay, client: Client, tool: str, question: str, **asked: Any
) -> tuple[asyncio.Task[dict[str, Any]], Locator]:
    """The call, which ends with the user's answer, and the card where he gives it."""
    task = asyncio.create_task(call(client, tool, question=question, **asked))
    card = overlay.root.get_by_role("dialog", name=question)
    await expect(card).to_be_visible(timeout=20_000)
    await expect(overlay.root.get_by_role("button", name=AGENT)).to_be_visible()
    return task, card


async def _pending(client: Client, count: int) -> dict[str, str]:
    """The ids of the user's notes by their first word, once all have arrived."""
    async with asyncio.timeout(20):
        while True:
            found = (await call(client, "list_inspections", status=["pending"]))["inspections"]
            if len(found) >= count:
                return {each["description"].split()[0]: each["id"] for each in found}
            await asyncio.sleep(0.2)


async def _no_toast(overlay: Overlay) -> None:
    await overlay.page.mouse.move(5, 5)
    await expect(overlay.root.locator(".toast:visible")).to_have_count(0, timeout=15_000)


async def _middle(target: Locator) -> tuple[float, float]:
    box = await target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def _over(page: Page, target: Locator) -> None:
    """At its edge, where no child of it lies."""
    box = await target.bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + 4, box["y"] + 20)
    await page.mouse.move(box["x"] + 5, box["y"] + 20)


async def _press(page: Page, target: Locator) -> None:
    await page.mouse.move(*await _middle(target))
    await page.mouse.click(*await _middle(target))


async def _drag(page: Page, start: tuple[int, int], end: tuple[int, int]) -> None:
    await page.mouse.move(*start)
    await page.mouse.down()
    await page.mouse.move(*end, steps=6)
    await page.mouse.up()
