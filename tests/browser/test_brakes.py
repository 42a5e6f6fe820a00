"""What agents do in the user's own page, and the brakes: in the overlay, with a real Vite and a real Chrome."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from mcp import Client
from playwright.async_api import Error, Locator, async_playwright, expect

from support import chromium
from support.agents import agent, call, fails, text
from support.app import DevServer, copy_example, dev_server
from support.overlay import Overlay
from support.sockets import free_ports

pytestmark = pytest.mark.asyncio(loop_scope="session")
SECONDS = 20_000
PICTURES = os.environ.get("BRAKES_PICTURES")


class Stand:
    """The user's Chrome with a debugging port, the app in it, and its overlay."""

    def __init__(self, overlay: Overlay, server: DevServer) -> None:
        self.overlay, self.server = overlay, server
        self.root = overlay.root

    async def view(self) -> Locator:
        """The panel's activity."""
        panel = await self.overlay.show_panel()
        await panel.get_by_role("tab", name="Activity").click()
        return panel.get_by_role("tabpanel", name="Activity")

    async def shows(self, *words: str) -> None:
        """The newest entry of the log has these words."""
        first = (await self.view()).get_by_role("listitem").first
        for word in words:
            await expect(first).to_contain_text(word, timeout=SECONDS)

    async def choose(self, name: str, option: str) -> None:
        """In a list of the activity, by the keyboard: only what a user does counts."""
        choice = (await self.view()).get_by_label(name, exact=True)
        await choice.focus()
        names = await choice.locator("option").all_text_contents()
        for key in ("Home", *["ArrowDown"] * names.index(option)):
            await self.overlay.page.keyboard.press(key)
        await expect(choice.locator("option:checked")).to_have_text(option)
        await self.in_force()

    async def in_force(self) -> None:
        """What was chosen holds for agents, too."""
        await expect(self.root.locator(".permissions[aria-busy]")).to_have_count(0, timeout=SECONDS)

    async def release(self) -> None:
        """Nothing is held back any more, whatever a test has left; the page is a new one."""
        await self.overlay.page.reload()
        await self.overlay.connected()
        await self.press(self.root.get_by_role("toolbar").get_by_role("button", name="Let agents go on"))
        view = await self.view()
        await view.get_by_text("Permissions").click()
        await self.press(view.get_by_role("button", name="Treat execute_page_script as its group"))
        if await view.get_by_label("Run scripts", exact=True).input_value() != "allow":
            await self.choose("Run scripts", "Allow")

    async def press(self, button: Locator) -> None:
        """Until it is gone: right after an agent's click nobody can tell whose press it was."""
        async with asyncio.timeout(20):
            while await button.count():
                # It may go while it is looked for.
                with suppress(Error):
                    await button.click(timeout=1000)
                await asyncio.sleep(0.3)

    async def picture(self, name: str) -> None:
        if PICTURES:
            for scheme in ("light", "dark"):
                await self.overlay.page.emulate_media(color_scheme="light" if scheme == "light" else "dark")
                await self.overlay.page.screenshot(path=Path(PICTURES, f"{name}-{scheme}.png"))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def one_stand() -> AsyncIterator[Stand]:
    """Playwright plays the user; the companion uses the same Chrome over its port."""
    (port,) = free_ports(1)
    environment = {"PAGESIDE_CHROME": "on", "CHROME_DEBUG_PORT": str(port), "CHROME_AUTO_LAUNCH": "false"}
    async with (
        async_playwright() as playwright,
        dev_server(copy_example("vite-react"), environment=environment) as app,
    ):
        browser = await playwright.chromium.launch(
            executable_path=chromium.find(),
            args=[*chromium.test_flags(), "--headless=new", f"--remote-debugging-port={port}"],
        )
        # Chrome tells of the tabs of its first profile only.
        context = await browser.new_context(viewport={"width": 1100, "height": 760})
        yield Stand(await Overlay.open(context, app), app)
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def stand(one_stand: Stand) -> Stand:
    """With nothing held back: a test that failed half-way leaves no brake on for the next, or its own second run."""
    await one_stand.release()
    return one_stand


@asynccontextmanager
async def ada(stand: Stand) -> AsyncIterator[Client]:
    async with agent(await stand.server.mcp_url(), "Ada", query="?toolsets=all") as client:
        yield client


async def clicks(client: Client, **args: Any) -> str:
    """`chrome_devtools click`; the text of its answer."""
    return text(await client.call_tool("chrome_devtools", {"tool": "click", "args": args}))


async def test_the_log_shows_who_did_what_and_survives_a_reload(stand: Stand) -> None:
    async with ada(stand) as client:
        await call(client, "execute_page_script", code="document.title")
        await stand.shows("execute_page_script", "document.title", "Ada", "ms")
        assert "PAUSED" not in await clicks(client, selector="h1")
        await stand.shows("chrome_click", "h1", "Ada")
        running = asyncio.create_task(
            call(client, "execute_page_script", code="new Promise((done) => setTimeout(done, 4000))")
        )
        await stand.shows("new Promise", "running 1 s")
        await expect(stand.root.get_by_role("button", name="Ada", exact=True)).to_be_visible()
        await stand.picture("running")
        await running
        told = await (await stand.view()).get_by_role("listitem").count()
        await stand.overlay.page.reload()
        await stand.overlay.connected()
        await stand.shows("new Promise", "Ada")
        await expect((await stand.view()).get_by_role("listitem")).to_have_count(told)
        await stand.choose("Tool", "chrome_click")
        await expect((await stand.view()).get_by_role("listitem").filter(has_text="script")).to_have_count(0)
        await stand.choose("Tool", "All tools")
        await (await stand.view()).get_by_role("button", name="Clear").click()
        await expect((await stand.view()).get_by_text("No agent has done anything")).to_be_visible()


async def test_pause_by_keyboard_holds_scripts_and_chrome_and_survives_a_reload(stand: Stand) -> None:
    async with ada(stand) as client:
        await call(client, "execute_page_script", code="1")
        pause = stand.root.get_by_role("toolbar").get_by_role("button", name="Pause agents in this page")
        await pause.focus()
        await stand.overlay.page.keyboard.press("Enter")
        resume = stand.root.get_by_role("toolbar").get_by_role("button", name="Let agents go on")
        await expect(resume).to_be_visible(timeout=SECONDS)
        assert (await fails(client, "execute_page_script", code="1"))["code"] == "PAUSED_BY_USER"
        assert (await clicks(client, selector="h1")).startswith("PAUSED_BY_USER")
        await stand.view()
        await stand.picture("paused")
        await stand.overlay.page.reload()
        await stand.overlay.connected()
        assert (await clicks(client, selector="h1")).startswith("PAUSED_BY_USER")
        assert (await call(client, "list_inspections"))["total"] == 0
        await expect(resume).to_be_visible(timeout=SECONDS)
        await resume.click()
        await expect(resume).to_have_count(0, timeout=SECONDS)
        await call(client, "execute_page_script", code="1")


async def test_stop_ends_a_script_that_runs(stand: Stand) -> None:
    async with ada(stand) as client:
        code = "globalThis.begun = true; await new Promise(() => {}); return 1"
        running = asyncio.create_task(fails(client, "execute_page_script", code=code, timeout=60))
        await stand.overlay.page.wait_for_function("globalThis.begun")
        stop = stand.root.get_by_role("toolbar").get_by_role("button", name="Stop agents in this page")
        await stop.click(timeout=SECONDS)
        error = await running
        assert error["code"] == "CANCELLED_BY_USER"
        assert "Do not start it again" in error["fix"]
        assert (await fails(client, "execute_page_script", code="1"))["code"] == "PAUSED_BY_USER"
        await stand.root.get_by_role("toolbar").get_by_role("button", name="Let agents go on").click()
        await expect(stop).to_be_hidden()
        await expect(stand.root.get_by_role("button", name="Pause agents in this page")).to_be_visible(
            timeout=SECONDS
        )


async def allow_always(stand: Stand, client: Client) -> None:
    """Where scripts are asked for: the next one, and from then on the tool without a question."""
    always = asyncio.create_task(call(client, "execute_page_script", code="1"))
    card = stand.root.get_by_role("dialog", name="May it run execute_page_script?")
    await card.get_by_role("button", name="Always allow this tool").click(timeout=SECONDS)
    await always


async def test_ask_first_shows_the_script_and_the_user_decides(stand: Stand) -> None:
    async with ada(stand) as client:
        view = await stand.view()
        await stand.choose("Run scripts", "Ask first")
        await stand.picture("permissions")
        lines = [f"step({number})" for number in range(60)]
        code = "\n".join(["globalThis.step = (n) => { globalThis.last = n }", *lines, "return last"])
        running = asyncio.create_task(call(client, "execute_page_script", code=code))
        card = stand.root.get_by_role("dialog", name="May it run execute_page_script?")
        await expect(card).to_contain_text("Ada asks", timeout=SECONDS)
        await expect(card.get_by_label("What it would do")).to_have_text(code, use_inner_text=True)
        await stand.picture("asked")
        await card.get_by_role("button", name="Allow once").click()
        assert (await running)["value"] == 59
        denied = asyncio.create_task(fails(client, "execute_page_script", code="globalThis.last = 'denied'"))
        await card.get_by_role("button", name="Deny").click(timeout=SECONDS)
        assert (await denied)["code"] == "DENIED_BY_USER"
        assert await stand.overlay.page.evaluate("last") == 59
        await allow_always(stand, client)
        await call(client, "execute_page_script", code="2")
        await expect(view.get_by_label("execute_page_script", exact=True)).to_have_value(
            "allow", timeout=SECONDS
        )


async def test_an_agent_that_clicks_cannot_release_the_brakes(stand: Stand) -> None:
    async with ada(stand) as client:
        await stand.choose("Run scripts", "Ask first")
        await allow_always(stand, client)
        await stand.choose("Run scripts", "Allow")
        await stand.choose("execute_page_script", "Deny")
        back = (await stand.view()).get_by_role("button", name="Treat execute_page_script as its group")
        box = await back.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        assert "only the user may use" in await clicks(client, x=x, y=y)
        await expect(back).to_be_visible()
        assert (await fails(client, "execute_page_script", code="1"))["code"] == "DENIED_BY_USER"
        # The user who presses while an agent clicks elsewhere has to press again: nobody can tell whose press it was.
        await clicks(client, selector="h1")
        await back.click()
        await expect(stand.root.get_by_text("Ada clicks or types in this page right now")).to_be_visible()
        await stand.press(back)
        await call(client, "execute_page_script", code="1")
