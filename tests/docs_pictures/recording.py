"""The loop as the README shows it: a developer points and notes, an agent works, the page tells how far it is."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser, expect

from docs_pictures.film import Film
from docs_pictures.stage import AGENT, PICTURES, SCHEMES, noon, progress
from support.agents import PythonAgent, python_agent
from support.app import DevServer, edit
from support.overlay import Overlay

NAME = "loop"
SIZE = (860, 540)
NOTE = "Solid green, and 44 px high for thumbs. On every card."
STEPS = ("Find what draws the button", "Change its rule", "Measure it on the page")
RULE = """  padding: 0.4rem 1.05rem;
  color: var(--accent);
  font: inherit;
  font-size: 0.95rem;
  font-weight: 600;
  background: none;
"""
CHANGED = """  min-height: 44px;
  padding: 0.4rem 1.05rem;
  color: var(--on-accent);
  font: inherit;
  font-size: 0.95rem;
  font-weight: 600;
  background: var(--accent);
"""
MEASURE = """[...document.querySelectorAll('.dish .button')].map(
  (each) => [each.offsetHeight, getComputedStyle(each).backgroundColor])"""


async def play(browser: Browser, only: str) -> list[str]:
    """Record it light and dark; the name of the recording. `only`: nothing is done unless the name holds that."""
    if only in NAME:
        for scheme in SCHEMES:
            await _record(browser, scheme)
    return [NAME]


async def _record(browser: Browser, scheme: str) -> None:
    context = await browser.new_context(
        viewport={"width": SIZE[0], "height": SIZE[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        locale="en-GB",
    )
    async with noon() as server:
        overlay = await Overlay.open(context, server)
        async with python_agent(await server.mcp_url(), AGENT) as agent:
            film = Film(overlay)
            await overlay.page.evaluate("scrollTo(0, document.querySelector('.menu').offsetTop - 20)")
            await film.start((SIZE[0] * 0.6, SIZE[1] * 0.35))
            await _point_and_note(film, overlay)
            await _work(film, overlay, agent, server)
            await _accept(film, overlay)
    await context.close()
    print(f"  {NAME}-{scheme}: {film.save(PICTURES / f'{NAME}-{scheme}.webp')}", flush=True)


async def _point_and_note(film: Film, overlay: Overlay) -> None:
    page, button = overlay.page, overlay.page.locator(".dish .button").first
    await film.say("Your app, in development")
    await film.hold(900)
    await page.keyboard.press("Alt+i")
    await overlay.crosshair()
    await film.say("Alt+I, and point at what is wrong")
    await film.hold(400)
    await film.move(button, overlay.root.locator(".tip"))
    await expect(overlay.root.locator(".tip")).to_contain_text("DishCard.tsx")
    await film.hold(1100)
    await film.click()
    note = overlay.root.get_by_role("dialog", name="What should change here?")
    await expect(note.get_by_role("button", name="mark them")).to_be_visible()
    await film.say("Say what should change")
    await film.type(NOTE)
    await film.hold(500)
    await page.keyboard.press("Enter")
    await expect(overlay.item(NOTE)).to_contain_text("Pending")
    await film.move(page.locator(".dish p").first)
    await film.hold(400)


async def _work(film: Film, overlay: Overlay, agent: PythonAgent, server: DevServer) -> None:
    (item,) = (await agent.call("wait_for_inspection"))["inspections"]
    place = f"{Path(item['file']).name}:{item['line']}:{item['column']}"
    await film.say(f"Your agent gets note, element and {place}")
    await _report(film, overlay, agent, item["id"], 1)
    await film.say("It edits the file, and your dev server updates the page")
    edit(server.project / "src" / "style.css", RULE, CHANGED)
    await expect(overlay.page.locator(".dish .button").first).to_have_css(
        "min-height", "44px", timeout=20_000
    )
    update = await agent.call("wait_for_update")
    assert update["status"] == "updated", update
    await _report(film, overlay, agent, item["id"], 2)
    buttons = (await agent.call("execute_page_script", code=MEASURE))["value"]
    (height, colour), *others = buttons
    assert others.count([height, colour]) == len(others), buttons
    assert height == 44, buttons
    assert colour.startswith("rgb("), buttons
    await film.say("It looks at the page, and shows you what it did")
    await _report(film, overlay, agent, item["id"], 3)
    done = f"All {len(buttons)} buttons are solid green; each measures {height} px."
    await agent.call("update_inspection_status", status="completed", message=done)
    await expect(overlay.item(NOTE)).to_contain_text("Completed")
    await film.hold(1500)


async def _report(film: Film, overlay: Overlay, agent: PythonAgent, inspection: str, done: int) -> None:
    await agent.call("update_inspection_status", inspectionId=inspection, **progress(STEPS, done))
    marks = overlay.item(NOTE).get_by_role("img", name="Completed", exact=True)
    await expect(marks).to_have_count(done)
    await film.hold(900)


async def _accept(film: Film, overlay: Overlay) -> None:
    await expect(overlay.root.locator(".toast:visible")).to_have_count(0, timeout=15_000)
    accept = overlay.item(NOTE).get_by_role("button", name="Accept")
    await film.move(accept)
    await film.say("You accept it, or say what is missing")
    await film.hold(500)
    await film.click()
    await expect(accept).to_be_hidden()
    panel = overlay.root.get_by_role("region", name="Inspections")
    await film.move(panel.get_by_role("button", name="Close"))
    await film.click()
    await expect(panel).to_be_hidden()
    await film.move(overlay.page.locator(".dish p").first)
    await film.hold(1800)
