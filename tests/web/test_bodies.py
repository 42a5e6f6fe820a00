"""Bodies: JSON of a bounded size, depth and time, whatever is sent and however slowly."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import zlib
from typing import Any

import pytest

from pageside.contract import CHANNEL, LIMITS
from pageside.settings import Settings
from pageside.web import app, bodies
from pageside.web.app import Companion
from support.changes import create
from support.door import Door
from support.page import WirePage
from support.raw import Reply, exchange, head

CONNECT, CHANGES = (CHANNEL["prefix"] + CHANNEL["routes"][name] for name in ("connect", "changes"))
LEASE = CHANNEL["prefix"] + CHANNEL["routes"]["lease"]
MCP = CHANNEL["mcp"]
EVERYWHERE = [CONNECT, LEASE, MCP]
LIMIT = LIMITS["bodyBytes"]


def headers(companion: Companion, **more: str) -> dict[str, str]:
    """All credentials at once: what is tested here comes after them."""
    names = CHANNEL["headers"]
    return {
        "Host": f"localhost:{companion.port}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "Authorization": f"Bearer {companion.secrets.agent}",
        names["pageToken"]: companion.secrets.page,
        names["pluginToken"]: companion.secrets.plugin,
        **{name.replace("_", "-"): value for name, value in more.items()},
    }


async def post(companion: Companion, path: str, body: bytes, **more: str) -> Reply:
    more = {"Content_Length": str(len(body)), **more}
    reply = await exchange(companion.port, head("POST", path, headers(companion, **more)) + body)
    assert reply is not None
    return reply


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.1)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("path", EVERYWHERE)
async def test_a_body_that_does_not_come_is_given_up(companion: Companion, path: str) -> None:
    reply = await post(companion, path, b'{"half":', Content_Length="100")
    assert (reply.status, reply.code) == (408, "BAD_REQUEST")


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("path", EVERYWHERE)
async def test_a_body_that_drips_is_given_up(companion: Companion, path: str) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", companion.port)
    writer.write(head("POST", path, headers(companion, Transfer_Encoding="chunked")))

    async def drip() -> None:
        while True:
            writer.write(b"1\r\n \r\n")
            await asyncio.sleep(0.01)

    dripping = asyncio.create_task(drip())
    status = await asyncio.wait_for(reader.readline(), 5)
    dripping.cancel()
    writer.close()
    assert status.startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("sent", [b"", b"POST /he", b"POST /health HTTP/1.1\r\nHost: loc"])
async def test_a_head_that_does_not_come_is_given_up(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(app, "KEEPALIVE_SECONDS", 0.1)
    companion = await Companion.start(settings)
    reader, writer = await asyncio.open_connection("127.0.0.1", companion.port)
    writer.write(sent)
    assert b"200" not in await asyncio.wait_for(reader.read(), 5)
    writer.close()
    await companion.stop()


@pytest.mark.parametrize("path", EVERYWHERE)
async def test_a_client_that_goes_in_the_middle_of_its_body_leaves_no_trace(
    companion: Companion, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    for half_close in (True, False):
        reader, writer = await asyncio.open_connection("127.0.0.1", companion.port)
        writer.write(head("POST", path, headers(companion, Content_Length="100")) + b'{"half":')
        await writer.drain()
        if half_close:
            writer.write_eof()
            await asyncio.wait_for(reader.read(), 5)
        writer.close()
        await writer.wait_closed()
    assert (await post(companion, CONNECT, b"{}")).status == 400
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert len(companion.world.leases) == 0


@pytest.mark.parametrize("path", EVERYWHERE)
async def test_a_body_over_the_limit_is_refused_before_it_is_sent(
    companion: Companion, path: str, door: Door
) -> None:
    reply = await post(companion, path, b"", Content_Length=str(LIMIT + 1))
    assert (reply.status, reply.code, door.handled) == (413, "TOO_LARGE", [])


@pytest.mark.parametrize("path", EVERYWHERE)
async def test_a_body_over_the_limit_is_refused_without_a_length_too(companion: Companion, path: str) -> None:
    chunk = b"x" * 65536
    chunks = b"10000\r\n" + chunk + b"\r\n"
    data = head("POST", path, headers(companion, Transfer_Encoding="chunked"))
    reply = await exchange(companion.port, data + chunks * (LIMIT // 65536 + 1) + b"0\r\n\r\n")
    assert reply is not None
    assert (reply.status, reply.code) == (413, "TOO_LARGE")


async def test_a_body_of_just_the_limit_is_read(companion: Companion) -> None:
    body = b'{"x": "' + b"x" * (LIMIT - 9) + b'"}'
    assert len(body) == LIMIT
    assert (await post(companion, CONNECT, body)).status == 400
    assert (await post(companion, CONNECT, body + b" ")).status == 413


@pytest.mark.parametrize("path", EVERYWHERE)
@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "identity", "gzip, gzip"])
async def test_a_compressed_body_is_refused(
    companion: Companion, door: Door, path: str, encoding: str
) -> None:
    packed = {"gzip": gzip.compress(b"{}"), "deflate": zlib.compress(b"{}")}.get(encoding, b"{}")
    reply = await post(companion, path, packed, Content_Encoding=encoding)
    assert (reply.status, reply.code, door.handled) == (415, "BAD_REQUEST", [])


@pytest.mark.parametrize("path", EVERYWHERE)
@pytest.mark.parametrize(
    "content_type", ["text/plain", "", "application/x-www-form-urlencoded", "application/json, text/plain"]
)
async def test_a_body_of_another_type_is_refused(
    companion: Companion, door: Door, path: str, content_type: str
) -> None:
    reply = await post(companion, path, b"{}", Content_Type=content_type)
    assert (reply.status, reply.code, door.handled) == (415, "BAD_REQUEST", [])


async def test_two_content_types_are_refused(companion: Companion, door: Door) -> None:
    pairs = [*headers(companion, Content_Length="2").items(), ("Content-Type", "application/json")]
    reply = await exchange(companion.port, head("POST", CONNECT, pairs) + b"{}")
    assert reply is not None
    assert (reply.status in (400, 415), door.handled) == (True, [])


DEEP = 100_000
NO_OBJECTS = [
    b"",
    b" ",
    b"{",
    b"{]",
    b"nul",
    b"{'a': 1}",
    b'{"a": 1,}',
    b"\xff\xfe",
    b"{} {}",
]
NO_JSON = [b'{"a": NaN}', b'{"a": Infinity}', b'{"a": -Infinity}', b'{"a": ' + b"1" * 5000 + b"}"]
TOO_DEEP = [b"[" * DEEP, b'{"a":' * DEEP, b'{"a": ' + b"[" * 150 + b"]" * 150 + b"}"]
OTHERS = [b"[]", b"1", b'"text"', b"null", b"true"]


@pytest.mark.parametrize(
    "body", [*NO_OBJECTS, *NO_JSON, *TOO_DEEP, *OTHERS], ids=lambda body: repr(body[:12])
)
async def test_what_is_no_json_object_is_a_bad_request(companion: Companion, body: bytes) -> None:
    for path in (CONNECT, LEASE):
        reply = await post(companion, path, body)
        assert (reply.status, reply.code) == (400, "BAD_REQUEST")
        assert len(reply.message) < 300


@pytest.mark.parametrize(
    "body", [*NO_OBJECTS, *NO_JSON, *TOO_DEEP, *OTHERS], ids=lambda body: repr(body[:12])
)
async def test_an_agent_s_bad_body_is_answered_in_its_protocol(companion: Companion, body: bytes) -> None:
    reply = await post(companion, MCP, body)
    assert 400 <= reply.status < 500
    assert reply.json()["error"]["code"] in (-32700, -32600, -32602)


async def test_the_connection_goes_on_after_a_bad_body(companion: Companion) -> None:
    async with WirePage(companion) as page:
        assert (await page.send("update", info=[]))[0] == 400
        assert (await page.send("update", used=True))[0] == 204


def nested(levels: int) -> Any:
    value: Any = "core"
    for _ in range(levels):
        value = {"in": [value]}
    return value


@pytest.mark.parametrize("levels", [10, 40, 60, 200, 300])
async def test_nested_values_are_kept_or_refused_but_break_nothing(companion: Companion, levels: int) -> None:
    async with WirePage(companion) as page:
        change = create("deep", sourceInfo=nested(levels))
        status, answer = await page.send("changes", changes=[change])
        if levels <= 40:
            assert (status, answer["results"][0]["ok"]) == (200, True)
            assert companion.world.inspections.get("deep")["sourceInfo"] == nested(levels)
        else:
            assert (status, answer["error"]["code"]) == (400, "BAD_REQUEST")
            assert companion.world.inspections.all() == []


ODD_VALUES: list[Any] = [None, True, 0, -1, 1.5, 10**400, "", "x" * 200, "\ud800", [], [[]], {}, {"a": {}}]


async def test_no_value_in_any_field_breaks_anything(
    companion: Companion, caplog: pytest.LogCaptureFixture
) -> None:
    async with WirePage(companion) as page:
        fields = {
            "connect": ["page", "key", "channel", "replaces", "info", "changes", "known"],
            "update": ["page", "key", "info", "used"],
            "changes": ["page", "key", "changes"],
            "answer": ["page", "key", "id", "result", "error"],
            "close": ["page", "key"],
        }
        good: dict[str, Any] = {
            "page": page.id,
            "key": page.key,
            "channel": page.channel,
            "info": {},
            "changes": [],
        }
        for route, names in fields.items():
            for name in names:
                for value in ODD_VALUES:
                    status, _ = await page.post(route, {**good, name: value})
                    assert status < 500, (route, name, value)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


CHANGE_FIELDS = ["change", "at", "kind", "item", "inspection", "status", "description", "message", "restore"]


async def test_no_value_in_any_field_of_a_change_breaks_anything(companion: Companion) -> None:
    async with WirePage(companion) as page:
        await page.note("Here", id="here")
        for kind in ("create", "edit", "status"):
            good = {
                "kind": kind,
                "inspection": "here",
                "item": {"id": "new"},
                "description": "x",
                "status": "pending",
            }
            for n, (name, value) in enumerate(
                (name, value) for name in CHANGE_FIELDS for value in ODD_VALUES
            ):
                change = {"change": f"{kind}-{n}", **good, name: value}
                status, answer = await page.send("changes", changes=[change])
                assert (status, len(answer["results"])) == (200, 1), change
        for name in ("id", "status", "rev", "timestamp", "sourceInfo", "message", "progress", "agent", "url"):
            for n, value in enumerate(ODD_VALUES):
                item = {"id": f"{name}-{n}", "status": "failed", "rev": 1, name: value}
                change = {"change": f"{name}-{n}", "kind": "create", "item": item, "restore": True}
                status, answer = await page.send("changes", changes=[change])
                assert (status, len(answer["results"])) == (200, 1), change
        assert json.loads(json.dumps(companion.world.inspections.all()))
