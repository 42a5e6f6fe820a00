"""Pictures of the web console for docs/console.md: of the companion of the example's dev server, with an agent."""

from __future__ import annotations

from playwright.async_api import Browser, expect

from docs_pictures.stage import AGENT, SCHEMES, picture, progress
from pageside.settings import Settings
from pageside.web.console_link import fresh_link
from support.agents import agent, call
from support.app import DevServer
from support.console_page import ConsolePage
from support.overlay import Overlay

SIZE = (1280, 860)
STEPS = ("Find the heading’s rule", "Change its size", "Look at the page")
# Ports, ids, folders and clocks differ each time.
_STILL = r"""() => {
  const still = (text) => text
    .replace(/\b\d{1,2}:\d\d:\d\d( [AP]M)?\b/g, '10:24:00')
    .replace(/\b\d+(\.\d+)? (ms|s)\b/g, '12 ms')
    .replace(/(?<!ws:\/\/)127\.0\.0\.1:\d+/g, '127.0.0.1:6137')
    .replace(/ws:\/\/127\.0\.0\.1:\d+/g, 'ws://127.0.0.1:61822')
    .replace(/localhost:\d+/g, 'localhost:5173')
    .replace(/port \d+/g, 'port 61822')
    .replace(/\b1[78]\d{11}\b/g, '1790000000000')
    .replace(/pid \d+/g, 'pid 4242')
    .replace(/\/\S*\/(noon|vite-react\S*)/g, '/home/ada/noon')
    .replace(/\bvite-react-\w+/g, 'noon')
    .replace(/\b[\w-]{22}\b/g, 'q3Vn0kT6dJx1sYb8RfZ2uA')
  const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) texts.currentNode.data = still(texts.currentNode.data)
}"""


async def play(browser: Browser, server: DevServer, only: str) -> list[str]:
    """Use the console; the names of its pictures. `only`: nothing is done unless a name holds that."""
    names = ["console-overview", "console-tools"]
    if not any(only in name for name in names):
        return names
    context = await browser.new_context(
        viewport={"width": SIZE[0], "height": SIZE[1]}, reduced_motion="reduce", locale="en-GB"
    )
    overlay = await Overlay.open(context, server)
    await overlay.pick(overlay.page.get_by_role("heading", level=1))
    await overlay.write("Larger, and in the accent colour")
    settings = Settings(project=server.project, port=0, state=server.state)
    async with agent(await server.mcp_url(), AGENT) as client:
        (item, *_) = (await call(client, "wait_for_inspection"))["inspections"]
        await call(
            client, "update_inspection_status", inspectionId=item["id"], message="On it", **progress(STEPS, 1)
        )
        console = ConsolePage(await context.new_page())
        await console.follow(await fresh_link(settings))
        await expect(console.card("Agents")).to_contain_text("Pageside console")
        await expect(console.card("Inspections")).to_contain_text("1 of 3 steps")
        await _take(console, names[0])
        await console.show_tools()
        await console.run("list_inspections")
        await console.response.get_by_text("Tree", exact=True).click()
        await console.page.get_by_role("searchbox").fill("")
        await console.page.get_by_role("heading", name="list_inspections").click()
        await _take(console, names[1])
    await context.close()
    return names


async def _take(console: ConsolePage, name: str) -> None:
    for scheme in SCHEMES:
        await console.page.evaluate(_STILL)
        await picture(console.page, name, scheme)
    print(f"  {name}", flush=True)
