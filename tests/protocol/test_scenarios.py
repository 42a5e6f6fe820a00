"""The scenarios of the architecture that Pageside implements, by their names.

Scenario 2, "AI calls chrome_devtools tool", comes with that tool.
"""

from __future__ import annotations

import asyncio
from typing import Any

from pageside.web.app import Companion
from support.agents import TRANSPORTS, agent, agent_over, call, fails
from support.page import WirePage

ELEMENT = {"sourceInfo": {"file": "src/App.tsx", "line": 12, "column": 7}, "selector": "#buy"}
VSCODE, ACP = "?clientId=vscode&puppetId=inspector", "?clientId=acp&puppetId=inspector"


async def test_scenario_1_ai_calls_capture_element_context(companion: Companion) -> None:
    for transport in TRANSPORTS:
        async with (
            WirePage(companion) as page,
            agent_over(transport, companion, client_id="vscode") as client,
        ):
            pick = asyncio.create_task(call(client, "capture_element_context"))
            asked = await page.next_call()
            assert asked["tool"] == "pick_element"
            await page.answer(asked, ELEMENT)
            assert (await pick)["element"] == ELEMENT


async def test_scenario_3_inspector_reconnects_after_refresh(companion: Companion) -> None:
    sessions = companion.world.sessions
    async with WirePage(companion) as old, agent(companion.mcp_url, query=VSCODE) as client:
        pick = asyncio.create_task(call(client, "capture_element_context"))
        await old.next_call()
        (watcher,) = sessions.bindings()
        assert sessions.bindings() == {watcher: old.id}
        await old.send("close")
        fresh = WirePage(companion)
        await fresh.open(replaces=old.id)
        assert sessions.bindings() == {watcher: fresh.id}
        await fresh.answer(await fresh.next_call(), ELEMENT)
        assert (await pick)["page"]["id"] == fresh.id
        await fresh.vanish()


async def test_scenario_4_multiple_watchers_vscode_and_acp_simultaneously(companion: Companion) -> None:
    async def info(_args: dict[str, Any]) -> Any:
        return {}

    async with (
        WirePage(companion) as page,
        agent(companion.mcp_url, "VS Code", query=VSCODE) as vscode,
        agent(companion.mcp_url, "ACP", query=ACP) as acp,
    ):
        page.tools["page_info"] = info
        for client in (vscode, acp):
            assert (await call(client, "get_page_info"))["page"]["id"] == page.id
        assert list(companion.world.sessions.bindings().values()) == [page.id, page.id]
        gone = asyncio.Event()
        companion.world.sessions.closed.listen(lambda _key: gone.set())
        async with agent(companion.mcp_url, "VS Code", query=VSCODE) as again:
            await asyncio.wait_for(gone.wait(), 5)
            for client in (again, acp):
                assert (await call(client, "get_page_info"))["page"]["id"] == page.id
            assert len(companion.world.sessions) == 2


async def test_scenario_5_full_debugging_flow(companion: Companion) -> None:
    async def script(_args: dict[str, Any]) -> Any:
        return {"value": "no handler", "type": "string"}

    async with WirePage(companion) as page, agent(companion.mcp_url, query=VSCODE) as client:
        page.tools["run_script"] = script
        wanted = await page.note("Debug this button")
        pick = asyncio.create_task(call(client, "capture_element_context"))
        await page.answer(await page.next_call(), ELEMENT)
        assert (await pick)["status"] == "picked"
        assert (await call(client, "execute_page_script", code="check()"))["value"] == "no handler"
        update = {"inspectionId": wanted, "status": "completed", "message": "missing handler"}
        await call(client, "update_inspection_status", **update)
        while (shown := (await page.next_items())[0])["status"] != "completed":
            continue
        assert shown["message"] == "missing handler"


async def test_a_watcher_of_another_puppet_drives_no_page_unasked(companion: Companion) -> None:
    async def info(_args: dict[str, Any]) -> Any:
        return {}

    async with WirePage(companion) as one, WirePage(companion, "http://localhost:5174/") as two:
        one.tools["page_info"] = two.tools["page_info"] = info
        async with agent(companion.mcp_url, query="?clientId=x&puppetId=chrome") as client:
            first = (await call(client, "get_page_info"))["page"]["id"]
            await (one if first == two.id else two).send("update", used=True)
            assert (await call(client, "get_page_info"))["page"]["id"] == first
            assert (await fails(client, "get_page_info", page="nowhere"))["code"] == "PAGE_NOT_CONNECTED"
