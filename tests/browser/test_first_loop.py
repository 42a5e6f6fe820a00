"""The main job on real parts: the user points, the agent reads, its progress shows on the page."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest
from playwright.async_api import BrowserContext, expect

from support.agents import PythonAgent, TypeScriptAgent, python_agent, typescript_agent
from support.app import DevServer, place
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")

Connect = Callable[[str, str], AbstractAsyncContextManager[PythonAgent | TypeScriptAgent]]


@pytest.mark.parametrize("connect", [python_agent, typescript_agent])
async def test_user_picks_agent_claims_reports_three_steps_and_completes(
    context: BrowserContext, as_installed: DevServer, connect: Connect
) -> None:
    app = as_installed
    overlay = await Overlay.open(context, app)
    await overlay.pick(overlay.page.get_by_role("heading", level=1))
    await overlay.write("Ask a friendlier question")
    panel = await overlay.show_panel()
    await expect(panel).to_contain_text("Ask a friendlier question")
    await expect(panel).to_contain_text("Pending")

    async with connect(await app.mcp_url(), "Ada's agent") as agent:
        listed = await agent.call("list_inspections")
        (item,) = listed["inspections"]
        line, column = place(app.project / "src" / "App.tsx", "What’s for lunch?")
        assert (item["file"], item["line"], item["column"]) == ("src/App.tsx", line, column)
        assert (item["component"], item["status"]) == ("App", "pending")

        await agent.call("update_inspection_status", inspectionId=item["id"], status="in-progress")
        await expect(panel).to_contain_text("In progress")
        await expect(panel).to_contain_text("Ada's agent")

        titles = ["Find the heading", "Change the words", "Look at the page"]
        for done in range(1, 4):
            steps = [
                {"id": n, "title": title, "status": "completed" if n <= done else "pending"}
                for n, title in enumerate(titles, 1)
            ]
            await agent.call("update_inspection_status", status="in-progress", progress={"steps": steps})
            await expect(panel.get_by_role("img", name="Completed", exact=True)).to_have_count(done)
            await expect(panel).to_contain_text(titles[done - 1])

        await agent.call("update_inspection_status", status="completed", message="It asks nicely now.")
        await expect(panel).to_contain_text("Completed")
        await expect(panel).to_contain_text("It asks nicely now.")
