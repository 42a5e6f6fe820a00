"""The overlay works on pages that do their worst."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, expect

from support.agents import agent, call, delete_inspections, fails
from support.app import DevServer, copy_example, dev_server
from support.overlay import OVERLAY, Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGES = Path(__file__).parent / "pages"
STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
STRICT_CONFIG = f"""
import {{ pageside }} from 'vite-plugin-pageside'
export default {{
  plugins: [pageside()],
  server: {{ headers: {{ 'Content-Security-Policy': "{STRICT}" }} }},
}}
"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def one_app() -> AsyncIterator[DevServer]:
    """The example with the hostile pages beside it."""
    project = copy_example("vite-react")
    for page in PAGES.iterdir():
        shutil.copy(page, project)
    async with dev_server(project) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def pages(shared_app: DevServer) -> DevServer:
    """With an empty queue."""
    return shared_app


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def strict_app() -> AsyncIterator[DevServer]:
    """A dev server that sends the strictest policy under which scripts of its own still run."""
    project = copy_example("vite-react")
    (project / "vite.config.ts").write_text(STRICT_CONFIG, "utf-8")
    (project / "public").mkdir(exist_ok=True)
    shutil.copy(PAGES / "violations.js", project / "public")
    shutil.copy(PAGES / "strict.html", project)
    async with dev_server(project) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def strict(strict_app: DevServer) -> AsyncIterator[DevServer]:
    """With an empty queue."""
    yield strict_app
    await delete_inspections(await strict_app.mcp_url())


async def _whole_loop(overlay: Overlay, server: DevServer, note: str) -> None:
    """Pick the heading, write a note, see it in the panel and at the agent."""
    await overlay.pick(overlay.page.locator("h1"))
    await overlay.write(note)
    await expect(await overlay.show_panel()).to_contain_text(note)
    async with agent(await server.mcp_url()) as client:
        (item,) = (await call(client, "wait_for_inspection"))["inspections"]
        whole = (await call(client, "get_inspection", inspectionId=item["id"]))["inspection"]
        await call(client, "update_inspection_status", inspectionId=item["id"], status="in-progress")
    assert whole["description"] == note
    assert whole["sourceInfo"]["elementInfo"]["tagName"].lower() == "h1"
    assert whole["sourceInfo"]["elementInfo"]["textContent"] == "Target"


HOSTILE = ["hostile", "dialog", "cover", "inert", "shadow", "trap", "nested", "zoomed", "many"]


@pytest.mark.parametrize("name", HOSTILE)
async def test_the_whole_loop_works(context: BrowserContext, pages: DevServer, name: str) -> None:
    overlay = await Overlay.open(context, pages, f"{name}.html")
    await _whole_loop(overlay, pages, f"Works on {name}")


async def test_strict_csp_and_trusted_types_see_no_violation(
    context: BrowserContext, strict: DevServer
) -> None:
    overlay = await Overlay.open(context, strict, "strict.html")
    await _whole_loop(overlay, strict, "Works here too")
    ours = [v for v in await overlay.page.evaluate("window.violations") if "vite/client" not in v]
    assert ours == []


async def test_a_script_under_a_policy_that_forbids_it_says_so(
    context: BrowserContext, strict: DevServer
) -> None:
    await Overlay.open(context, strict, "strict.html")
    async with agent(await strict.mcp_url()) as client:
        error = await fails(client, "execute_page_script", code="1 + 1")
    assert (error["code"], "policy" in error["message"].lower()) == ("EXECUTION_ERROR", True)


async def test_a_focus_trap_does_not_take_the_note_field_away(
    context: BrowserContext, pages: DevServer
) -> None:
    overlay = await Overlay.open(context, pages, "dialog.html")
    await overlay.pick(overlay.page.locator("h1"))
    await overlay.page.keyboard.type("typed, not filled")
    await expect(overlay.root.get_by_role("textbox")).to_have_value("typed, not filled")
    assert await overlay.page.evaluate("window.steals") == 0


async def test_a_popover_that_opens_later_does_not_bury_the_overlay(
    context: BrowserContext, pages: DevServer
) -> None:
    overlay = await Overlay.open(context, pages, "cover.html")
    await overlay.page.evaluate("document.getElementById('late').showPopover()")
    button = overlay.root.get_by_role("button", name="Inspections")
    await button.click(timeout=3000)
    await expect(overlay.root.get_by_role("region", name="Inspections")).to_be_visible()


NEW_BODY = "Object.assign(document.createElement('body'), { innerHTML: '<h1>Target</h1>' })"
THROWS = {
    "the overlay": f"document.querySelector('{OVERLAY}').remove()",
    "the body": f"document.body.replaceWith({NEW_BODY})",
    "all": "document.documentElement.replaceWith(document.createElement('html'));"
    f"document.documentElement.append({NEW_BODY})",
    "the document": "document.open(); document.write('<h1>Target</h1>'); document.close()",
}
"""What a page may do to its document."""


async def test_it_comes_back_when_the_page_throws_it_out(context: BrowserContext, pages: DevServer) -> None:
    overlay = await Overlay.open(context, pages, "shadow.html")
    for what, script in THROWS.items():
        await overlay.page.evaluate(f"() => {{ {script} }}")
        await overlay.connected()
        await overlay.pick(overlay.page.locator("h1"))
        await overlay.write(f"After {what}")


async def test_a_client_loaded_twice_mounts_once(context: BrowserContext, pages: DevServer) -> None:
    overlay = await Overlay.open(context, pages)
    await overlay.page.evaluate("import('/__pageside__/client.js?again=1')")
    await expect(overlay.page.locator(OVERLAY)).to_have_count(1)
    await expect(overlay.root.get_by_role("toolbar")).to_have_count(1)
