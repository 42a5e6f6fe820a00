"""Every transport gives the same tools, progress, cancellation and errors, on every protocol revision."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import mcp_types as t
import pytest
from mcp.shared.exceptions import MCPError

from pageside.toolsets.every import TOOLSETS
from pageside.web.app import Companion
from support.agents import DEFAULT_TOOLS, TRANSPORTS, Transport, agent, agent_over, call, fails
from support.page import WirePage

ELEMENT = {"sourceInfo": {"file": "src/App.tsx", "line": 12, "column": 7}, "selector": "#buy"}
REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> Transport:
    chosen: Transport = request.param
    return chosen


async def test_the_tools_and_prompts_are_the_same(companion: Companion, transport: Transport) -> None:
    async with agent_over(transport, companion) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == DEFAULT_TOOLS
        assert len((await client.list_prompts()).prompts) == 5


async def test_a_pick_reports_progress_and_is_answered(companion: Companion, transport: Transport) -> None:
    seen: asyncio.Queue[str | None] = asyncio.Queue()

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        seen.put_nowait(message)

    async with WirePage(companion) as page, agent_over(transport, companion) as client:
        pick = asyncio.create_task(
            client.call_tool("capture_element_context", {}, progress_callback=progress)
        )
        assert "Waiting for the user" in (await asyncio.wait_for(seen.get(), 5) or "")
        await page.answer(await page.next_call(), ELEMENT)
        assert not (await pick).is_error


async def test_a_cancelled_call_is_taken_back_from_the_page(
    companion: Companion, transport: Transport
) -> None:
    async with WirePage(companion) as page, agent_over(transport, companion) as client:
        pick = asyncio.create_task(client.call_tool("capture_element_context", {}))
        asked = await page.next_call()
        pick.cancel()
        assert (await page.next_cancel())["id"] == asked["id"]
        assert (await call(client, "list_inspections"))["total"] == 0


async def test_errors_have_codes_and_the_session_lives_on(companion: Companion, transport: Transport) -> None:
    async with agent_over(transport, companion) as client:
        assert (await fails(client, "get_page_info"))["code"] == "PAGE_NOT_CONNECTED"
        assert (await fails(client, "get_inspection", inspectionId=3))["code"] == "INVALID_ARGUMENTS"
        with pytest.raises(MCPError):
            await client.call_tool("nothing", {})
        assert (await call(client, "list_inspections"))["total"] == 0


async def test_the_watcher_is_gone_when_the_session_is(companion: Companion, transport: Transport) -> None:
    sessions = companion.world.sessions
    gone = asyncio.Event()
    sessions.closed.listen(lambda _key: gone.set())
    async with WirePage(companion) as page:
        async with agent_over(transport, companion) as client:
            await call(client, "capture_element_context", wait=0)
            assert list(sessions.bindings().values()) == [page.id]
        await asyncio.wait_for(gone.wait(), 5)
        assert (sessions.bindings(), len(sessions)) == ({}, 0)


async def test_a_newer_session_of_a_client_closes_the_older_one(
    companion: Companion, transport: Transport
) -> None:
    gone = asyncio.Event()
    companion.world.sessions.closed.listen(lambda _key: gone.set())
    async with agent(companion.mcp_url, "other", query="?clientId=acp") as other:
        async with agent_over(transport, companion, "old", client_id="vscode") as old:
            await call(old, "list_inspections")
            async with agent_over(transport, companion, "new", client_id="vscode") as new:
                await asyncio.wait_for(gone.wait(), 5)
                assert (await call(new, "list_inspections"))["total"] == 0
                with pytest.raises(MCPError):
                    await asyncio.wait_for(old.call_tool("list_inspections", {}), 5)
        assert (await call(other, "list_inspections"))["total"] == 0


@pytest.mark.parametrize("path", ["/__mcp__", "/mcp"])
@pytest.mark.parametrize("revision", REVISIONS)
async def test_every_handshake_revision_is_spoken(companion: Companion, revision: str, path: str) -> None:
    async with aiohttp.ClientSession(companion.url) as http:
        status, session, answer = await _post(http, path, _initialize(revision))
        assert (status, answer["result"]["protocolVersion"]) == (200, revision)
        headers = {"mcp-session-id": session, "mcp-protocol-version": revision}
        initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        assert (await _post(http, path, initialized, headers))[0] == 202
        asked = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
        _, _, listed = await _post(http, path, asked, headers)
        assert [tool["name"] for tool in listed["result"]["tools"]] == DEFAULT_TOOLS
        async with http.delete(path, headers=headers) as response:
            assert response.status == 200


def _initialize(revision: str) -> dict[str, Any]:
    info = {"name": "raw", "version": "1"}
    params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": info}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


async def _post(
    http: aiohttp.ClientSession, path: str, body: Any, headers: dict[str, str] | None = None
) -> tuple[int, str, Any]:
    accept = {"accept": "application/json, text/event-stream", **(headers or {})}
    async with http.post(path, json=body, headers=accept) as response:
        text = await response.text()
        data = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {")]
        answer = t.jsonrpc_message_adapter.validate_json(data[-1] if data else text) if text else None
        dumped = answer.model_dump(by_alias=True) if answer is not None else None
        return response.status, response.headers.get("mcp-session-id", ""), dumped


async def test_an_unknown_session_is_404_and_the_answer_says_what_to_do(companion: Companion) -> None:
    async with aiohttp.ClientSession(companion.url) as http:
        headers = {"mcp-session-id": "0" * 32}
        status, _, answer = await _post(
            http, "/__mcp__", {"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers
        )
        assert status == 404
        assert "Initialize a new session" in answer["error"]["message"]


async def test_a_session_that_was_closed_from_here_is_told_why(companion: Companion) -> None:
    async with aiohttp.ClientSession(companion.url) as http:
        path = "/__mcp__?clientId=vscode"
        sessions = []
        for _ in range(2):
            _, session, _ = await _post(http, path, _initialize("2025-06-18"))
            initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            await _post(http, path, initialized, {"mcp-session-id": session})
            sessions.append(session)
        asked = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        async with asyncio.timeout(5):
            while (answer := await _post(http, path, asked, {"mcp-session-id": sessions[0]}))[0] != 404:
                continue
        assert "clientId=vscode" in answer[2]["error"]["message"]
        assert (await _post(http, path, asked, {"mcp-session-id": sessions[1]}))[0] == 200


async def test_a_lost_stream_is_resumed_with_its_last_event_id(companion: Companion) -> None:
    async with WirePage(companion) as page, aiohttp.ClientSession(companion.url) as http:
        _, session, _ = await _post(http, "/__mcp__", _initialize("2025-11-25"))
        headers = {
            "mcp-session-id": session,
            "mcp-protocol-version": "2025-11-25",
            "accept": "application/json, text/event-stream",
        }
        initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await _post(http, "/__mcp__", initialized, headers)
        params = {"name": "execute_page_script", "arguments": {"code": "1"}}
        asked = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
        async with http.post("/__mcp__", json=asked, headers=headers) as response:
            first = await _next_event_id(response)
        await page.answer(await page.next_call(), {"value": 1, "type": "number"})
        resumed = {**headers, "last-event-id": first}
        async with asyncio.timeout(10), http.get("/__mcp__", headers=resumed) as response:
            async for raw in response.content:
                if raw.startswith(b'data: {"jsonrpc"'):
                    assert b'"id":7' in raw
                    return
        pytest.fail("the answer did not come on the resumed stream")


async def _next_event_id(response: aiohttp.ClientResponse) -> str:
    async for raw in response.content:
        if raw.startswith(b"id: "):
            return raw.decode().removeprefix("id: ").strip()
    raise AssertionError("the stream had no event id")


async def test_unknown_toolsets_are_refused_with_the_known_ones(companion: Companion) -> None:
    async with aiohttp.ClientSession(companion.url) as http:
        status, _, _ = await _post(http, "/__mcp__?toolsets=inspector", _initialize("2025-06-18"))
        assert status == 200
        headers = {"accept": "application/json, text/event-stream"}
        url = "/__mcp__?toolsets=inspector,everything"
        async with http.post(url, json=_initialize("2025-06-18"), headers=headers) as response:
            error = (await response.json())["error"]
        assert (response.status, error["code"]) == (400, "INVALID_ARGUMENTS")
        assert "'everything'" in error["message"]
        assert f"{', '.join(each.name for each in TOOLSETS)}, all" in error["message"]


async def test_tools_list_of_the_default_set_stays_under_3000_tokens(companion: Companion) -> None:
    async with agent(companion.mcp_url) as client:
        result = await client.list_tools()
        size = len(result.model_dump_json(by_alias=True, exclude_none=True))
        assert size / 4 < 3000


async def test_a_flood_of_new_sessions_is_slowed_down_and_others_go_on(companion: Companion) -> None:
    async with agent(companion.mcp_url) as client, aiohttp.ClientSession(companion.url) as http:
        statuses = set()
        for _ in range(150):
            headers = {"accept": "application/json, text/event-stream"}
            async with http.post("/__mcp__", json=_initialize("2025-06-18"), headers=headers) as response:
                statuses.add(response.status)
                await response.read()
            if 429 in statuses:
                break
        assert statuses == {200, 429}
        assert (await call(client, "list_inspections"))["total"] == 0
