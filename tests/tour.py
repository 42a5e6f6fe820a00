"""`make tour`: one whole loop on real parts, headless, with a screenshot of each stage in `tour/`.

The user points; the agent (a real MCP client) reads, edits the file, reports its steps and completes; the page shows
it. Nothing is scripted output: what is printed is what the tools answered, what is saved is what the page showed.
"""

from __future__ import annotations

import asyncio
import sys

from playwright.async_api import Browser, Page, async_playwright, expect

from support import chromium
from support.agents import PythonAgent, python_agent
from support.app import REPOSITORY, DevServer, copy_example, dev_server, edit
from support.overlay import Overlay

PICTURES = REPOSITORY / "tour"
WISH = "Say it to the whole team: What are we having?"
STEPS = ["Read the source", "Change the heading", "Check the page"]


class Tour:
    """One play in one colour scheme."""

    def __init__(self, overlay: Overlay, server: DevServer, agent: PythonAgent, scheme: str) -> None:
        self._overlay, self._server, self._agent = overlay, server, agent
        self._page: Page = overlay.page
        self._scheme = scheme
        self._shots = 0

    async def play(self) -> None:
        """The whole loop; raises if any stage does not show what it should."""
        heading = self._page.get_by_role("heading", level=1)
        await self._shot("the app")
        await self._page.keyboard.press("Alt+i")
        await heading.hover(force=True)
        await expect(self._overlay.root).to_contain_text("App.tsx")
        await self._shot("pointing")
        await self._overlay.click(heading)
        await self._overlay.root.get_by_role("textbox").fill(WISH)
        await self._shot("note")
        await self._overlay.write(WISH)
        await self._overlay.show_panel()
        await self._shot("queued")
        await self._work()

    async def _work(self) -> None:
        (item,) = (await self._agent.call("wait_for_inspection"))["inspections"]
        place = f"{item['file']}:{item['line']}:{item['column']}"
        print(f"  agent reads  {place} in {item['component']}: {item['description']!r}")
        await self._report(item["id"], 0)
        source = self._server.project / item["file"]
        line = source.read_text("utf-8").splitlines()[item["line"] - 1]
        await self._report(item["id"], 1)
        edit(source, line, line.replace("What’s for lunch?", "What are we having?"))
        print(f"  agent edits  {item['file']}")
        await expect(self._page.get_by_role("heading", level=1)).to_have_text(
            "What are we having?", timeout=20_000
        )
        await self._report(item["id"], 2)
        await self._shot("working")
        script = "document.querySelector('h1').textContent"
        proof = await self._agent.call("execute_page_script", code=script)
        print(f"  agent checks {proof['value']!r}")
        await self._report(item["id"], 3)
        message = f"The heading now says: {proof['value']}"
        done = await self._agent.call("update_inspection_status", status="completed", message=message)
        print(f"  agent ends   {done['status']}, revision {done['revision']}")
        await expect(self._overlay.root).to_contain_text("Completed")
        await self._shot("completed")

    async def _report(self, inspection: str, done: int) -> None:
        status = ["completed"] * done + ["in-progress"] * (done < len(STEPS))
        status += ["pending"] * (len(STEPS) - len(status))
        steps = [{"id": n, "title": STEPS[n], "status": status[n]} for n in range(len(STEPS))]
        await self._agent.call(
            "update_inspection_status",
            inspectionId=inspection,
            status="in-progress",
            progress={"steps": steps},
        )
        panel = await self._overlay.show_panel()
        await expect(panel.get_by_role("img", name="Completed", exact=True)).to_have_count(done)

    async def _shot(self, stage: str) -> None:
        self._shots += 1
        path = PICTURES / f"{self._scheme}-{self._shots}-{stage.replace(' ', '-')}.png"
        await self._page.screenshot(path=path, animations="disabled")
        print(f"  {path.relative_to(REPOSITORY)}")


async def _play(browser: Browser, scheme: str, width: int) -> None:
    context = await browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme="dark" if scheme.startswith("dark") else "light",
    )
    async with dev_server(copy_example("vite-react")) as server:
        url = await server.mcp_url()
        print(f"{scheme}: app {server.url}, MCP {url}")
        overlay = await Overlay.open(context, server)
        async with python_agent(url, "Tour agent") as agent:
            await Tour(overlay, server, agent, scheme).play()
    await context.close()


async def main() -> int:
    """Play the loop light and wide, dark and wide, light and narrow."""
    PICTURES.mkdir(exist_ok=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium.find(), args=[*chromium.flags(), "--headless=new"]
        )
        for scheme, width in (("light", 1280), ("dark", 1280), ("narrow", 390)):
            await _play(browser, scheme, width)
        await browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
