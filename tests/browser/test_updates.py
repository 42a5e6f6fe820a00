"""The edit loop on real parts: an agent edits a file, and is told what the page in Chromium made of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from mcp import Client
from playwright.async_api import BrowserContext, expect

from pageside.core import verdict as v
from support.agents import agent, call, delete_inspections
from support.app import DevServer, copy_example, dev_server, edit, save
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def server() -> AsyncIterator[DevServer]:
    """One app for all of these."""
    async with dev_server(copy_example("vite-react")) as running:
        yield running


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def as_it_was(server: DevServer) -> AsyncIterator[None]:
    """A test that failed half-way leaves no half-done edit to the next one, or to its own second run."""
    before = texts(server)
    yield
    await put_back(server, before)
    await delete_inspections(await server.mcp_url())


def texts(server: DevServer) -> dict[Path, str]:
    """Of all files that tests edit."""
    files = [*server.project.glob("src/**/*.[tc]s*"), server.project / "index.html"]
    return {file: file.read_text("utf-8") for file in files}


async def put_back(server: DevServer, before: Mapping[Path, str]) -> None:
    """What was edited, and wait until the dev server has taken it: where a page is open, that is soon."""
    changed = [file for file, text in texts(server).items() if text != before[file]]
    if changed:
        async with agent(await server.mcp_url()) as client:
            for file in changed:
                save(file, before[file])
            await update(client, timeout=5)


@asynccontextmanager
async def working(
    context: BrowserContext, server: DevServer, query: str = "", path: str = ""
) -> AsyncIterator[tuple[Overlay, Client]]:
    """A page, and an agent that was told all that is old; edits are taken back when it is done."""
    before = texts(server)
    overlay = await Overlay.open(context, server, path)
    await expect(overlay.page.locator("h1")).to_be_visible()
    async with agent(await server.mcp_url(), query=query) as client:
        yield overlay, client
    await put_back(server, before)
    await overlay.page.close()


def source(server: DevServer, name: str) -> Path:
    return server.project / "src" / name


async def update(client: Client, **args: Any) -> dict[str, Any]:
    return await call(client, "wait_for_update", **args)


async def up_to_date(client: Client) -> int:
    """A cursor after which only news come."""
    return int((await call(client, "get_timeline", limit=1))["next"])


async def test_an_edit_is_on_the_page_when_the_answer_is_there(
    context: BrowserContext, server: DevServer
) -> None:
    async with working(context, server) as (overlay, client):
        await overlay.pick(overlay.page.get_by_role("heading", level=1))
        await overlay.write("Ask a friendlier question")
        await expect(overlay.items).to_have_count(1)
        (item,) = (await call(client, "list_inspections", status=["pending"]))["inspections"]
        await call(client, "update_inspection_status", inspectionId=item["id"], status="in-progress")

        since = await up_to_date(client)
        edit(source(server, "App.tsx"), "What’s for lunch?", "Shall we eat?")
        answer = await update(client, since=since)
        assert answer["status"] == "updated", json.dumps(answer)
        assert await overlay.page.locator("h1").text_content() == "Shall we eat?"
        assert {"path": "/src/App.tsx", "file": "src/App.tsx", "type": "js"} in answer["modules"]
        assert answer["changed"] == ["src/App.tsx"]
        assert answer["inspection"] == {
            "id": item["id"],
            "file": "src/App.tsx",
            "module": "/src/App.tsx",
            "updated": True,
        }
        assert answer["consoleErrors"] == []

        edit(source(server, "components/Stat.tsx"), "<div ", "<div title='a' ")
        other = await update(client)
        assert (other["status"], other["inspection"]["updated"]) == ("updated", False)
        assert [module["file"] for module in other["modules"]] == ["src/components/Stat.tsx"]

        edit(source(server, "style.css"), ":root {", ":root {\n  --new: 1;")
        css = await update(client)
        assert (css["status"], css["changed"]) == ("updated", ["src/style.css"])

        idle = await update(client, timeout=1)
        assert (idle["status"], idle["reason"]) == ("nothing", v.SAW_NOTHING)

        story = await call(client, "get_timeline", inspectionId=item["id"], kinds=["status", "update"])
        texts = [entry["text"] for entry in story["entries"]]
        assert texts[0].startswith('note "Ask a friendlier question": pending')
        assert "src/App.tsx changed" in texts
        assert not any("Stat.tsx" in text for text in texts)
        await call(client, "update_inspection_status", status="completed", message="Done.")


async def test_a_syntax_error_is_told_with_its_place_and_mended_it_is_an_update(
    context: BrowserContext, server: DevServer
) -> None:
    file = source(server, "components/Poll.tsx")
    async with working(context, server) as (overlay, client):
        since = await up_to_date(client)
        text = file.read_text("utf-8")
        save(file, text.replace("return (", "return ((", 1))
        answer = await update(client, since=since)
        assert answer["status"] == "error", json.dumps(answer)
        error = answer["error"]
        assert (error["file"], error["line"] > 0) == ("src/components/Poll.tsx", True)
        assert error["message"]
        assert "Poll" in error["frame"] or "│" in error["frame"] or "|" in error["frame"]
        save(file, text)
        mended = await update(client)
        assert mended["status"] in ("updated", "reloaded"), mended
        await expect(overlay.page.locator("vite-error-overlay")).to_have_count(0)


async def test_new_code_that_throws_and_logs_is_told(context: BrowserContext, server: DevServer) -> None:
    file = source(server, "components/Stat.tsx")
    async with working(context, server) as (_, client):
        since = await up_to_date(client)
        text = file.read_text("utf-8")
        logging = text.replace("  return (", "  console.error('no such stat');\n  return (", 1)
        save(file, logging)
        answer = await update(client, since=since)
        assert answer["status"] == "updated", json.dumps(answer)
        assert "no such stat" in [error["text"] for error in answer["consoleErrors"]]
        save(file, f"{text}\nexport const units = ['g', 'ml'];\n")
        handed_on = await update(client)
        assert handed_on["status"] in ("updated", "reloaded"), handed_on
        assert "src/components/Stat.tsx" in handed_on["changed"]
        save(file, f"{text}\nthrow new Error('no stats today');\n")
        broken = await update(client)
        assert broken["status"] == "error", broken
        assert broken["error"] == {
            "message": "Error: no stats today",
            "file": "src/components/Stat.tsx",
            "line": text.count("\n") + 2,
            "column": 7,
        }
        assert broken["consoleErrors"] == []
        save(file, text)
        assert (await update(client))["status"] in ("updated", "reloaded")
        save(file, text.replace("  return (", "  if (label) throw new Error('No.');\n  return (", 1))
        (thrown,) = [each for each in (await update(client))["consoleErrors"] if each.get("uncaught")]
        row = text[: text.index("  return (")].count("\n") + 1
        assert (thrown["file"], thrown["line"]) == ("src/components/Stat.tsx", row)
        save(file, text)
        assert (await update(client))["status"] in ("updated", "reloaded")


async def test_a_file_outside_the_graph_is_nothing_and_a_document_a_reload(
    context: BrowserContext, server: DevServer
) -> None:
    async with working(context, server) as (overlay, client):
        since = await up_to_date(client)
        save(server.project / "NOTES.md", "# Notes\n")
        answer = await update(client, since=since)
        assert answer["status"] == "nothing", json.dumps(answer)
        assert "NOTES.md" in answer["reason"]
        assert "module graph" in answer["reason"]
        await overlay.page.evaluate("window.before = true")
        edit(server.project / "index.html", "Noon · team lunch", "Noon")
        reloaded = await update(client)
        assert reloaded["status"] == "reloaded", reloaded
        assert "index.html" in reloaded["reason"]
        assert await overlay.page.evaluate("window.before") is None


async def test_a_restart_of_the_dev_server_is_over_when_the_page_is_back(
    context: BrowserContext, server: DevServer
) -> None:
    config = server.project / "vite.config.ts"
    async with working(context, server) as (overlay, client):
        since = await up_to_date(client)
        await overlay.page.evaluate("window.before = true")
        save(config, f"{config.read_text('utf-8')}\n// changed\n")
        answer = await update(client, since=since, timeout=30)
        assert (answer["status"], answer["reason"]) == ("reloaded", "The dev server restarted."), json.dumps(
            answer
        )
        assert await overlay.page.evaluate("window.before") is None


async def test_two_pages_of_one_app_are_told_apart(context: BrowserContext, server: DevServer) -> None:
    async with (
        working(context, server, path="?one") as (first, client),
        working(context, server, path="?two") as (second, other),
    ):
        since = await up_to_date(client)
        await first.page.evaluate("setTimeout(() => { throw new Error('only here') })")
        edit(source(server, "components/Stat.tsx"), "<dd>", "<dd data-new>")
        # Hidden or not, both pages apply it.
        told = await update(client, page="?one", since=since)
        assert (told["status"], told["page"]["url"]) == ("updated", f"{server.url}?one")
        assert [(e["text"], e["uncaught"]) for e in told["consoleErrors"]] == [
            ("Uncaught Error: only here", True)
        ]
        told = await update(other, page="?two", since=since)
        assert (told["status"], told["page"]["url"]) == ("updated", f"{server.url}?two")
        assert told["consoleErrors"] == []
        assert await second.page.locator("dd[data-new]").count() == 3


async def test_wait_and_check_waits_and_carries_the_verdict(
    context: BrowserContext, server: DevServer
) -> None:
    async with working(context, server, "?toolsets=relay") as (overlay, client):
        await call(client, "wait_and_check", seconds=0)
        await overlay.page.evaluate("console.warn('look here')")
        edit(source(server, "components/Panel.tsx"), "return (", "return /* here */ (")
        answer = await call(client, "wait_and_check", seconds=1)
        assert answer["waited"] >= 1
        assert (answer["update"]["status"], answer["update"]["changed"]) == (
            "updated",
            ["src/components/Panel.tsx"],
        )
        assert ("warn", "look here") in [(each["level"], each["text"]) for each in answer["messages"]]


async def test_a_dev_server_that_went_is_named_at_once() -> None:
    async with dev_server(copy_example("vite-react")) as server, agent(await server.mcp_url()) as client:
        await server.stop(companion_too=False)
        answer = await update(client, timeout=20)
        assert (answer["status"], answer["reason"]) == ("nothing", v.DOWN)
        assert answer["waitedMs"] < 20_000
