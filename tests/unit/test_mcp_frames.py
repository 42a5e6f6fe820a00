"""An answer is one JSON body where nothing comes before it; no event is larger than clients take."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from pageside.agents.room import FRAMES, MAX_EVENT_BYTES
from pageside.web import mcp_frames
from pageside.web.asgi_bridge import Message, Receive, Send
from pageside.web.mcp_frames import fitting, framed

PRIMING = b"id: 1\r\ndata: \r\nretry: 1000\r\n\r\n"
PING = b": ping\r\n\r\n"
ANSWER = b'id: 3\r\nevent: message\r\ndata: {"jsonrpc":"2.0","id":7,"result":{"n":1}}\r\n\r\n'
PROGRESS = b'id: 2\r\nevent: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\r\n\r\n'
HEAD: Message = {
    "type": "http.response.start",
    "status": 200,
    "headers": [(b"content-type", b"text/event-stream"), (b"mcp-session-id", b"s1")],
}


class Client:
    """What arrives at one."""

    def __init__(self) -> None:
        self.headers: dict[bytes, bytes] = {}
        self.body = b""
        self.came = asyncio.Event()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.headers = dict(message["headers"])
            self.came.set()
        self.body += message.get("body", b"")


async def nothing() -> Message:
    return {"type": "http.disconnect"}


async def asked(*chunks: bytes, method: str = "POST", keeps: bool = False) -> Client:
    """What a client gets of an application that sends these chunks."""
    client = Client()

    async def app(scope: Message, _receive: Receive, send: Send) -> None:
        assert not keeps or scope["state"][FRAMES].keep_whole()
        await send(HEAD)
        for chunk in chunks:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    await framed(app)({"method": method, "state": {}}, nothing, client.send)
    return client


async def test_an_answer_alone_is_one_json_body() -> None:
    client = await asked(PRIMING, PING, ANSWER)
    assert json.loads(client.body) == {"jsonrpc": "2.0", "id": 7, "result": {"n": 1}}
    length = str(len(client.body)).encode()
    wanted = {b"content-type": b"application/json", b"mcp-session-id": b"s1", b"content-length": length}
    assert client.headers == wanted


@pytest.mark.parametrize("request_id", [-1, 'a"b', "x" * 250])
@pytest.mark.parametrize("keeps", [True, False])
async def test_an_answer_is_known_by_any_id(request_id: int | str, keeps: bool) -> None:
    answer = ANSWER.replace(b"7", json.dumps(request_id).encode())
    client = await asked(PRIMING, answer, keeps=keeps)
    assert json.loads(client.body)["id"] == request_id


async def test_nothing_is_lost_where_the_answer_is_not_known_as_one() -> None:
    strange = ANSWER.replace(b"7", b'"%s"' % (b"x" * 1000))
    client = await asked(PRIMING, PROGRESS, strange, keeps=True)
    assert client.body == PRIMING + PROGRESS + strange


@pytest.mark.parametrize(
    ("chunks", "how"),
    [((PRIMING, PROGRESS, ANSWER), {}), ((PRIMING,), {}), ((PRIMING, ANSWER), {"method": "GET"})],
    ids=["something is told before", "no answer", "a stream that was asked for"],
)
async def test_all_else_is_a_stream_as_it_was(chunks: tuple[bytes, ...], how: Mapping[str, Any]) -> None:
    client = await asked(*chunks, **how)
    assert (client.headers, client.body) == (dict(HEAD["headers"]), b"".join(chunks))


async def test_what_is_promised_to_be_whole_is_a_body_whatever_came_before() -> None:
    client = await asked(PRIMING, PROGRESS, ANSWER, keeps=True)
    assert json.loads(client.body)["result"] == {"n": 1}


@pytest.mark.parametrize("is_early", [True, False])
async def test_what_fits_into_an_event_is_not_held_back(is_early: bool) -> None:
    client = Client()

    async def app(scope: Message, _receive: Receive, send: Send) -> None:
        if is_early:
            await scope["state"][FRAMES].let_go()
        await send(HEAD)
        await send({"type": "http.response.body", "body": PRIMING, "more_body": True})
        if not is_early:
            assert client.body == b""
            await scope["state"][FRAMES].let_go()
        assert (client.headers, client.body) == (dict(HEAD["headers"]), PRIMING)
        await send({"type": "http.response.body", "body": ANSWER, "more_body": False})

    await framed(app)({"method": "POST", "state": {}}, nothing, client.send)
    assert client.body == PRIMING + ANSWER


async def test_a_stream_that_waits_long_begins_and_can_promise_nothing_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mcp_frames, "HOLD_SECONDS", 0.01)
    client = Client()

    async def app(scope: Message, _receive: Receive, send: Send) -> None:
        await send(HEAD)
        await send({"type": "http.response.body", "body": PRIMING, "more_body": True})
        await asyncio.wait_for(client.came.wait(), 5)
        assert not scope["state"][FRAMES].keep_whole()
        await send({"type": "http.response.body", "body": ANSWER, "more_body": False})

    await framed(app)({"method": "POST", "state": {}}, nothing, client.send)
    assert client.body == PRIMING + ANSWER


def test_an_event_that_no_client_takes_is_an_error_with_its_id() -> None:
    assert fitting(ANSWER) == ANSWER
    large = ANSWER.replace(b'"n":1', b'"n":"' + b"x" * MAX_EVENT_BYTES + b'"')
    event = fitting(large)
    assert event.startswith(b"id: 3\r\nevent: message\r\ndata: ")
    assert event.endswith(b"\r\n\r\n")
    told = json.loads(event.partition(b"data: ")[2])
    assert told["id"] == 7
    assert told["error"]["message"].startswith("RESULT_TOO_LARGE")
