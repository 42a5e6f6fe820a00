"""Clients that break the rules of the wire: a clear answer, bounded cost, and others go on."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import aiohttp
import pytest

from pageside.web import mcp_sse
from pageside.web.app import Companion
from support.agents import agent, call

HEADERS = {"accept": "application/json, text/event-stream"}


def _request(method: str, request_id: Any = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def _initialize() -> dict[str, Any]:
    info = {"name": "raw", "version": "1"}
    return _request("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=info)


async def _session(http: aiohttp.ClientSession) -> dict[str, str]:
    """The headers of a session that was just opened."""
    async with http.post("/__mcp__", json=_initialize(), headers=HEADERS) as response:
        session = response.headers["mcp-session-id"]
        await response.read()
    opened = {**HEADERS, "mcp-session-id": session, "mcp-protocol-version": "2025-11-25"}
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    async with http.post("/__mcp__", json=note, headers=opened) as response:
        assert response.status == 202
    return opened


BROKEN: list[tuple[str, str]] = [
    ("a batch", json.dumps([_request("ping", n) for n in range(50)])),
    ("no JSON", "{"),
    ("no request", json.dumps({"hello": "world"})),
    ("a number", "7"),
]


@pytest.mark.parametrize(("what", "body"), BROKEN, ids=[what for what, _ in BROKEN])
async def test_a_body_that_is_no_request_is_400_and_the_session_lives_on(
    companion: Companion, what: str, body: str
) -> None:
    async with aiohttp.ClientSession(companion.url) as http:
        headers = {**await _session(http), "content-type": "application/json"}
        async with http.post("/__mcp__", data=body, headers=headers) as response:
            answer = await response.json()
            assert (response.status, "error" in answer) == (400, True), what
        async with http.post("/__mcp__", json=_request("ping", 2), headers=headers) as response:
            assert response.status == 200


async def test_a_wrong_protocol_version_is_refused_by_name(companion: Companion) -> None:
    async with aiohttp.ClientSession(companion.url) as http:
        headers = {**await _session(http), "mcp-protocol-version": "1999-01-01"}
        async with http.post("/__mcp__", json=_request("ping"), headers=headers) as response:
            assert response.status == 400
            assert "1999-01-01" in await response.text() or "version" in (await response.text()).lower()


async def test_of_two_calls_with_one_id_one_is_answered_and_the_session_lives_on(
    companion: Companion,
) -> None:
    async with aiohttp.ClientSession(companion.url) as http:
        headers = await _session(http)
        asked = _request("tools/call", 5, name="wait_for_inspection", arguments={"timeout": 0.5})

        async def post() -> int:
            async with http.post("/__mcp__", json=asked, headers=headers) as response:
                await response.read()
                return response.status

        calls = {asyncio.create_task(post()) for _ in range(2)}
        answered, open_still = await asyncio.wait(calls, timeout=10, return_when=asyncio.FIRST_COMPLETED)
        assert [task.result() for task in answered] == [200]
        for task in open_still:
            task.cancel()
        async with http.post("/__mcp__", json=_request("ping", 6), headers=headers) as response:
            assert response.status == 200


async def test_sse_sessions_are_limited(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_sse, "MAX_SESSIONS", 2)
    async with aiohttp.ClientSession(companion.url) as http:
        first, second = await http.get("/__mcp__/sse"), await http.get("/__mcp__/sse")
        assert (first.status, second.status) == (200, 200)
        async with http.get("/__mcp__/sse") as third:
            assert (third.status, (await third.json())["error"]["code"]) == (503, "TOO_MANY")
        first.close()
        second.close()


async def test_an_idle_sse_session_ends_and_a_used_one_stays(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    sse = companion._mcp._sse  # noqa: SLF001
    monkeypatch.setattr(sse, "_idle_seconds", 0.5)
    async with (
        aiohttp.ClientSession(companion.url) as http,
        agent(companion.mcp_url, transport="sse") as used,
    ):
        idle = await http.get("/__mcp__/sse")
        ended = asyncio.create_task(idle.read())
        while not ended.done():
            assert (await call(used, "list_inspections"))["total"] == 0
        assert b"endpoint" in await ended
        assert (await call(used, "list_inspections"))["total"] == 0
