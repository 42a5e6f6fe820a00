"""The user's brakes over real sockets: agents over MCP, the page a wire."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from pageside.hubs.activity import JUST_NOW_SECONDS
from pageside.processes.project import project_id
from pageside.settings import Settings
from pageside.web.app import Companion
from support.agents import agent, call, fails
from support.page import WirePage
from support.plugin import wire_plugin


@asynccontextmanager
async def both(companion: Companion, name: str = "Ada") -> AsyncIterator[tuple[WirePage, Client]]:
    async with AsyncExitStack() as stack:
        page = await stack.enter_async_context(WirePage(companion))
        page.tools["run_script"] = _runs
        page.tools["page_info"] = _info
        yield page, await stack.enter_async_context(agent(companion.mcp_url, name))


async def _runs(args: dict[str, Any]) -> dict[str, Any]:
    return {"value": args["code"], "type": "string"}


async def _info(_args: dict[str, Any]) -> dict[str, Any]:
    return {"readyState": "complete"}


async def brake(page: WirePage, **change: Any) -> dict[str, Any]:
    status, answer = await page.send("brakes", **change)
    assert status == 200, answer
    state: dict[str, Any] = answer
    return state


async def told(page: WirePage, outcome: str) -> dict[str, Any]:
    """The next entry with that outcome that the page is told."""
    async with asyncio.timeout(5):
        while True:
            for entry in await page.activity.get():
                if entry.get("outcome", "") == outcome:
                    return entry


# The log


async def test_a_page_is_told_what_agents_do_in_it_and_no_other_page_is(companion: Companion) -> None:
    async with both(companion) as (page, ada), WirePage(companion, title="Admin") as admin:
        await call(ada, "execute_page_script", code="\nlocation.href", page=page.id)
        entry = await told(page, "ok")
        assert entry["tookMs"] >= 0
        expected = {
            "tool": "execute_page_script",
            "group": "scripts",
            "agent": "Ada",
            "about": "location.href",
        }
        assert {key: entry[key] for key in expected} == expected
        await fails(ada, "execute_page_script", code="1", page=admin.id, timeout=999)
        refused = await told(admin, "INVALID_ARGUMENTS")
        assert refused["id"] > entry["id"]
        assert [each["id"] for each in companion.world.activity.entries(admin.id)] == [refused["id"]]
        await call(ada, "list_inspections")
        assert len(companion.world.activity.entries(page.id)) == 2, "the queue is no page"


async def test_the_log_is_there_again_after_a_reload(companion: Companion) -> None:
    async with both(companion) as (page, ada):
        await call(ada, "execute_page_script", code="1")
        async with WirePage(companion, joins=False) as successor:
            answer = await successor.open(replaces=page.id)
            assert [each["about"] for each in answer["activity"]] == ["1"]
            assert answer["brakes"] == {"paused": False, "everywhere": False, "policy": {}}


async def test_a_running_call_is_told_before_it_ends(companion: Companion) -> None:
    async with both(companion) as (page, ada):
        del page.tools["run_script"]
        running = asyncio.create_task(call(ada, "execute_page_script", code="wait()"))
        asked = await page.next_call()
        entry = await told(page, "")
        await page.answer(asked, {"value": 1, "type": "number"})
        await running
        assert (await told(page, "ok"))["id"] == entry["id"]


# Pause and stop


async def test_while_paused_nothing_reaches_the_page_but_the_queue_goes_on(companion: Companion) -> None:
    async with (
        both(companion) as (page, ada),
        WirePage(companion, "http://localhost:5173/admin", "Admin") as admin,
    ):
        admin.tools["page_info"] = _info
        picked = await page.note("Make it green")
        assert await brake(page, paused=True) == {"paused": True, "everywhere": False, "policy": {}}
        for tool, args in (
            ("execute_page_script", {"code": "1"}),
            ("get_page_info", {}),
            ("capture_element_context", {"selector": "#buy"}),
            ("capture_element_context", {"wait": 1}),
        ):
            error = await fails(ada, tool, **args, page=page.id)
            assert error["code"] == "PAUSED_BY_USER"
            assert "wait_for_inspection" in error["fix"]
        assert page.calls.empty()
        await call(ada, "get_page_info", page=admin.id)
        assert (await call(ada, "list_inspections"))["total"] == 1
        shown = (await call(ada, "get_inspection", inspectionId=picked))["inspection"]
        assert "element" not in shown, "nobody looked for it in the page"
        await call(ada, "update_inspection_status", inspectionId=picked, status="in-progress")
        await brake(page, paused=False)
        await call(ada, "get_page_info", page=page.id)


async def test_a_pause_holds_for_the_next_document_of_the_tab_however_late(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with both(companion) as (page, ada):
        await brake(page, paused=True)
        async with WirePage(companion, joins=False) as successor:
            answer = await successor.open(replaces=page.id)
            assert answer["brakes"]["paused"] is True
            assert (await fails(ada, "get_page_info"))["code"] == "PAUSED_BY_USER"
            # Longer than anybody waits for it: the page is gone, and forgotten as a page.
            gone = companion.world.pages.get(successor.id)
            assert gone is not None
            companion.world.pages._gone(gone)  # noqa: SLF001
            async with WirePage(companion, joins=False) as late:
                answer = await late.open(replaces=successor.id)
                assert answer["brakes"]["paused"] is True


async def test_pause_everywhere_holds_every_page_and_survives_the_companion(settings: Settings) -> None:
    first = await Companion.start(settings)
    async with both(first) as (page, ada), WirePage(first, title="Admin") as admin:
        await brake(page, everywhere=True, policy={"scripts": "ask"})
        state = await asyncio.wait_for(admin.brakes.get(), 5)
        assert state == {"page": admin.id, "paused": False, "everywhere": True, "policy": {"scripts": "ask"}}
        assert (await fails(ada, "get_page_info", page=admin.id))["code"] == "PAUSED_BY_USER"
    await first.stop()
    second = await Companion.start(settings)
    async with WirePage(second, joins=False) as page:
        answer = await page.open()
        assert answer["brakes"] == {"paused": False, "everywhere": True, "policy": {"scripts": "ask"}}
        await brake(page, everywhere=False, policy={"scripts": None})
    await second.stop()


@pytest.mark.parametrize(
    "damaged",
    [
        "{damaged",
        "[]",
        "",
        '{"everywhere": "yes", "policy": {}}',
        '{"everywhere": false, "policy": {"scripts": "denied"}}',
        '{"everywhere": false}',
    ],
)
async def test_a_file_of_brakes_that_cannot_be_read_pauses(settings: Settings, damaged: str) -> None:
    first = await Companion.start(settings)
    await first.stop()
    file = Path(settings.state, project_id(settings.project), "brakes.json")
    await asyncio.to_thread(file.write_text, damaged)
    second = await Companion.start(settings)
    async with both(second) as (page, ada):
        assert (await fails(ada, "get_page_info"))["code"] == "PAUSED_BY_USER"
        await brake(page, everywhere=False)
        await call(ada, "get_page_info")
        kept = json.loads(await asyncio.to_thread(file.read_text))
        assert kept == {"everywhere": False, "policy": {}}
    await second.stop()


async def test_stop_ends_what_runs_and_withdraws_what_is_asked(companion: Companion) -> None:
    async with both(companion) as (page, ada), agent(companion.mcp_url, "Bob") as bob:
        del page.tools["run_script"]
        running = asyncio.create_task(fails(ada, "execute_page_script", code="wait()"))
        script = await page.next_call()
        asking = asyncio.create_task(fails(bob, "capture_element_context"))
        pick = await page.next_call()
        assert (await brake(page, stop=True))["paused"] is True
        assert (await running)["code"] == (await asking)["code"] == "CANCELLED_BY_USER"
        assert {(await page.next_cancel())["id"] for _ in range(2)} == {script["id"], pick["id"]}
        assert (await fails(ada, "execute_page_script", code="1"))["code"] == "PAUSED_BY_USER"
        assert companion.world.activity.running(None) == []


async def test_brakes_are_not_released_while_an_agent_clicks(companion: Companion) -> None:
    """It may have pressed the button."""
    async with both(companion) as (page, _):
        await brake(page, policy={"navigation": "deny"})
        click = companion.world.activity.begin("chrome_click", "input", "Ada", "#allow")
        companion.world.activity.reached(click, page.id)
        click.is_let_in = True
        for change in ({"paused": False}, {"everywhere": False}, {"policy": {"navigation": "allow"}}):
            status, answer = await page.send("brakes", **change)
            assert (status, answer["error"]["code"]) == (409, "FORBIDDEN")
            assert "Ada clicks or types in this page" in answer["error"]["message"]
        await brake(page, policy={"scripts": "ask"}, paused=True)
        assert companion.world.brakes.policy == {"navigation": "deny", "scripts": "ask"}
        companion.world.activity.end(click, "ok", 3)
        click.ended -= JUST_NOW_SECONDS
        assert await brake(page, policy={"navigation": None, "scripts": None}, paused=False) == {
            "paused": False,
            "everywhere": False,
            "policy": {},
        }


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"paused": "yes"}, "'paused'"),
        ({"everywhere": 1}, "'everywhere'"),
        ({"stop": "now"}, "'stop'"),
        ({"policy": []}, "'policy'"),
        ({"policy": {"chrome_click": "perhaps"}}, "'policy.chrome_click'"),
        ({"policy": {"no_such_tool": "deny"}}, "'policy.no_such_tool'"),
    ],
)
async def test_nonsense_changes_nothing(companion: Companion, change: dict[str, Any], named: str) -> None:
    async with WirePage(companion) as page:
        status, answer = await page.send("brakes", **{"policy": {"scripts": "deny"}, **change})
        assert (status, answer["error"]["code"]) == (400, "BAD_REQUEST")
        assert named in answer["error"]["message"]
        assert companion.world.brakes.policy == {}
        assert (await page.post("brakes", {"page": page.id, "key": "wrong", "paused": True}))[0] == 410


# Ask first


async def asked(page: WirePage, answer: str) -> dict[str, Any]:
    question = await page.next_call()
    assert question["tool"] == "allow_call"
    assert await page.answer(question, {"answer": answer}) == 204
    args: dict[str, Any] = question["args"]
    return args


async def test_the_user_is_asked_and_once_is_once(companion: Companion) -> None:
    async with both(companion) as (page, ada):
        await brake(page, policy={"scripts": "ask"})
        for _ in range(2):
            running = asyncio.create_task(call(ada, "execute_page_script", code="a()\nb()"))
            question = await asked(page, "once")
            assert question == {
                "agent": "Ada",
                "tool": "execute_page_script",
                "what": "a()\nb()",
                "origin": "",
                "elsewhere": False,
                "always": True,
            }
            assert (await running)["value"] == "a()\nb()"
        await call(ada, "get_page_info")


async def test_always_is_kept_and_no_is_no(companion: Companion) -> None:
    async with both(companion) as (page, ada):
        await brake(page, policy={"acting": "ask"})
        running = asyncio.create_task(fails(ada, "execute_page_script", code="1"))
        await asked(page, "deny")
        assert (await running)["code"] == "DENIED_BY_USER"
        again = asyncio.create_task(call(ada, "execute_page_script", code="1"))
        await asked(page, "always")
        await again
        await call(ada, "execute_page_script", code="2")
        assert companion.world.brakes.policy == {"acting": "ask", "execute_page_script": "allow"}
        await brake(page, policy={"execute_page_script": "deny"})
        error = await fails(ada, "execute_page_script", code="3")
        assert (error["code"], "execute_page_script" in error["message"]) == ("DENIED_BY_USER", True)


async def test_a_question_moves_on_with_the_page_and_the_call_too(companion: Companion) -> None:
    async with both(companion) as (page, ada):
        await brake(page, policy={"scripts": "ask"})
        running = asyncio.create_task(call(ada, "execute_page_script", code="1"))
        await page.next_call()
        async with WirePage(companion, joins=False) as successor:
            successor.tools["run_script"] = _runs
            await successor.open(replaces=page.id)
            await asked(successor, "once")
            assert (await running)["page"]["id"] == successor.id


async def test_whoever_pauses_while_he_is_asked_is_obeyed(companion: Companion) -> None:
    async with both(companion) as (page, ada):
        await brake(page, policy={"scripts": "ask"})
        running = asyncio.create_task(fails(ada, "execute_page_script", code="1"))
        question = await page.next_call()
        await brake(page, paused=True)
        await page.answer(question, {"answer": "once"})
        assert (await running)["code"] == "PAUSED_BY_USER"
        await brake(page, paused=False)
        stopped = asyncio.create_task(fails(ada, "execute_page_script", code="1"))
        question = await page.next_call()
        await brake(page, stop=True)
        assert (await stopped)["code"] == "CANCELLED_BY_USER"
        assert (await page.next_cancel())["id"] == question["id"]


async def test_nothing_acts_in_a_page_while_the_user_is_asked_there(companion: Companion) -> None:
    """It might press the buttons of the question."""
    async with both(companion) as (page, ada), agent(companion.mcp_url, "Bob") as bob:
        await brake(page, policy={"capture_area_context": "ask"})
        waiting = asyncio.create_task(
            call(ada, "capture_area_context", bounds={"x": 0, "y": 0, "width": 9, "height": 9})
        )
        question = await page.next_call()
        other = asyncio.create_task(call(bob, "execute_page_script", code="press()"))
        await call(bob, "get_page_info")
        assert not other.done()
        await page.answer(question, {"answer": "once"})
        looked = await page.next_call()
        await page.answer(looked, {"elements": [], "total": 0, "bounds": {}, "url": "", "title": ""})
        await other
        await waiting


async def test_with_nobody_to_ask_it_says_what_to_do(companion: Companion) -> None:
    companion.world.brakes.policy = {"servers": "ask"}
    async with agent(companion.mcp_url, query="?toolsets=all") as client:
        error = await fails(client, "start_server", id="web", command="npm", args=["run", "dev"])
        assert error["code"] == "PAGE_NOT_CONNECTED"
        assert "open the app" in error["fix"]
        assert (await call(client, "list_servers"))["servers"] == []


async def test_no_tool_of_an_agent_has_to_do_with_the_brakes(companion: Companion) -> None:
    async with agent(companion.mcp_url, query="?toolsets=all") as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert not {name for name in names if "brake" in name or "pause" in name or "polic" in name}


# Origins


async def test_scripts_run_on_registered_origins_only(settings: Settings) -> None:
    companion = await Companion.start(replace(settings, script_origins=()))
    try:
        async with both(companion) as (page, ada):
            error = await fails(ada, "execute_page_script", code="1")
            assert (error["code"], error["data"]) == (
                "SCRIPT_NOT_ALLOWED",
                {"origin": "http://localhost:5173"},
            )
            assert "PAGESIDE_SCRIPT_ORIGINS" in error["fix"]
            await call(ada, "get_page_info")
            await brake(page, policy={"scripts": "ask"})
            running = asyncio.create_task(call(ada, "execute_page_script", code="1"))
            question = await asked(page, "always")
            assert (question["origin"], question["always"]) == ("http://localhost:5173", False)
            await running
            assert companion.world.brakes.policy == {"scripts": "ask"}, "an origin is not allowed for ever"
            companion.world.brakes.policy = {}
            async with wire_plugin(companion):
                await call(ada, "execute_page_script", code="1")
    finally:
        await companion.stop()
