"""What the companion sends: private headers on everything, and nothing that helps an attacker."""

from __future__ import annotations

import asyncio
import json
import os
import re
from typing import Any

import pytest

from pageside.contract import CHANNEL, FIXES
from pageside.operations import read_page
from pageside.web import health
from pageside.web.app import Companion
from support.agents import agent, call, fails
from support.door import Door
from support.page import WirePage
from support.raw import Reply, exchange, head, read_reply

PREFIX, NAMES = CHANNEL["prefix"], CHANNEL["headers"]
PRIVATE = {
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


async def every_answer(companion: Companion, door: Door) -> list[Reply]:
    """Each route with and without its credentials, and the ways to be refused."""
    own = {"Host": f"localhost:{companion.port}", "Content-Type": "application/json", "Content-Length": "2"}
    keys = companion.secrets
    right = {
        NAMES["pageToken"]: keys.page,
        NAMES["pluginToken"]: keys.plugin,
        "Authorization": f"Bearer {keys.agent}",
    }
    requests = [
        head(method, route.path, {**own, **more}) + b"{}"
        for route in door.routes
        for method in route.methods
        for more in (
            {},
            right,
            {**right, "Origin": "http://evil.example"},
            {**right, "Content-Type": "text/plain"},
        )
    ]
    channel = "?channel=0123456789abcdef"
    requests += [
        head("GET", f"{PREFIX}{CHANNEL['routes']['stream']}{channel}", {**own, **right}),
        head("GET", "/nothing/here", own),
        head("PUT", "/health", own) + b"{}",
        head("GET", "/health#", own),
        head("GET", "/health", {"Host": "evil.example"}),
        head("GET", "/health", own, "HTTP/1.0"),
        head("POST", f"{PREFIX}/page/update", {**own, **right, "Content-Length": "99999999"}),
        head("POST", f"{PREFIX}/page/update", {**own, **right, "Expect": "the unexpected"}) + b"{}",
    ]
    replies = [await exchange(companion.port, data) for data in requests]
    assert None not in replies
    return [reply for reply in replies if reply is not None]


async def test_every_answer_has_the_private_headers_and_no_permission(
    companion: Companion, door: Door
) -> None:
    replies = await every_answer(companion, door)
    assert {200, 400, 401, 403, 404, 405, 413, 415, 417, 421} <= {reply.status for reply in replies}
    for reply in replies:
        assert {name: reply.headers.get(name) for name in PRIVATE} == PRIVATE
        assert not [name for name in reply.headers if name.startswith(("access-control-", "set-cookie"))]


async def test_no_answer_tells_a_token_a_path_or_a_traceback(companion: Companion, door: Door) -> None:
    keys = companion.secrets
    secret = [
        keys.page,
        keys.plugin,
        keys.agent,
        str(companion.settings.state),
        str(companion.settings.project),
    ]
    for reply in await every_answer(companion, door):
        told = str(reply.headers) + reply.body.decode()
        if reply.body.startswith(b'{"companion": {'):
            # The overview names its project to whoever may have it.
            told = told.replace(json.dumps(str(companion.settings.project)), "", 1)
        assert not [
            word for word in [*secret, "Traceback", 'File "', os.sep + "site-packages"] if word in told
        ]


async def test_refusals_have_a_code_of_the_contract_and_say_what_to_do(
    companion: Companion, door: Door
) -> None:
    for reply in await every_answer(companion, door):
        if reply.status >= 400 and reply.status != 417 and b'"jsonrpc"' not in reply.body:
            error = reply.json()["error"]
            assert set(error) <= {"code", "message", "fix", "data"}
            assert error["code"] in FIXES
            assert error["message"].endswith(".")
            assert error["fix"].endswith(".")


async def test_what_never_reached_the_door_is_answered_without_secrets(companion: Companion) -> None:
    good = f"Host: localhost:{companion.port}\r\nAuthorization: Bearer {companion.secrets.agent}\r\n"
    for data in (
        "GET /health HTTP/9\r\n",
        "GET /a b HTTP/1.1\r\n",
        "\x16\x03\x01\r\n",
        f"GET /{'x' * 9000} HTTP/1.1\r\n",
    ):
        reply = await exchange(companion.port, f"{data}{good}Bad Name: x\r\n\r\n".encode("latin-1"))
        assert reply is not None
        assert reply.status == 400
        assert reply.headers["content-type"].startswith("text/plain")
        assert companion.secrets.agent not in reply.body.decode()
        assert "Traceback" not in reply.body.decode()


async def test_a_defect_is_answered_in_one_line_and_told_in_the_log(
    companion: Companion, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def __getitem__(self, name: str) -> str:
            raise RuntimeError(f"secret {companion.secrets.agent}")

    monkeypatch.setattr(health, "CHANNEL", Broken())
    reply = await exchange(companion.port, head("GET", "/health", {"Host": f"localhost:{companion.port}"}))
    assert reply is not None
    assert (reply.status, reply.code) == (500, "INTERNAL_ERROR")
    assert "secret" not in reply.body.decode()
    assert "RuntimeError: secret" in caplog.text


async def test_a_defect_behind_a_tool_is_told_without_its_details(
    companion: Companion, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_args: Any, **_more: Any) -> None:
        raise RuntimeError("secret details")

    async with WirePage(companion), agent(companion.mcp_url) as client:
        monkeypatch.setattr(read_page, "choose_page", broken)
        error = await fails(client, "get_page_info")
        assert error["code"] == "INTERNAL_ERROR"
        assert "secret" not in json.dumps(error)
        assert "secret details" in caplog.text


async def test_events_are_one_line_of_ascii_whatever_the_page_says(companion: Companion) -> None:
    hostile = "a\n\ndata: {}\r\rid: 7\u2028event: call\u0085\u2029\x00\ud800 end"
    async with WirePage(companion, title=hostile) as page, agent(companion.mcp_url) as client:
        reader, writer = await asyncio.open_connection("127.0.0.1", companion.port)
        path = f"{PREFIX}{CHANNEL['routes']['stream']}?channel=another-channel-1"
        headers = {"Host": f"localhost:{companion.port}", NAMES["pageToken"]: companion.secrets.page}
        writer.write(head("GET", path, headers))
        reply = await read_reply(reader)
        assert reply is not None
        assert reply.headers["content-type"].startswith("text/event-stream")
        await page.note(hostile, id="hostile", title=hostile)
        await call(
            client,
            "update_inspection_status",
            inspectionId="hostile",
            status="in-progress",
            message=hostile[:30],
        )
        stream = b""
        async with asyncio.timeout(5):
            while stream.count(b"event: inspections") < 2:
                size = int(await reader.readline(), 16)
                stream += (await reader.readexactly(size + 2))[:-2]
        writer.close()
    assert stream.isascii()
    for block in stream.decode().removesuffix("\n\n").split("\n\n"):
        assert re.fullmatch(r"event: (hello|inspections)\ndata: [ -~]+", block)
    last = json.loads(stream.decode().removesuffix("\n\n").rpartition("\ndata: ")[2])
    assert last["items"][0]["description"] == hostile
