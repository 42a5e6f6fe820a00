"""Calls and events: in order, a limit for each, and whatever Chrome answers."""

from __future__ import annotations

import asyncio
import time

import pytest

from pageside.chrome import wire
from pageside.chrome.session import CommandFailed
from pageside.chrome.wire import Connection
from pageside.errors import CommandTimeout, InvalidArguments
from support.connections import failure
from support.fake_chrome import FakeChrome, Message


async def test_answers_find_their_calls_in_whatever_order_they_come(
    fake: FakeChrome, connection: Connection
) -> None:
    calls = [asyncio.ensure_future(connection.root("A.b", n=n)) for n in range(50)]
    asked = [await fake.call("A.b") for _ in calls]
    for each in reversed(asked):
        await fake.answer(each, n=each["params"]["n"])
    assert [answer["n"] for answer in await asyncio.gather(*calls)] == list(range(50))
    assert connection.open_calls == 0


async def test_answers_and_events_keep_their_order(fake: FakeChrome, connection: Connection) -> None:
    seen: list[object] = []
    connection.root.on("A.event", lambda params: seen.append(params["n"]))

    async def answer(call: Message) -> None:
        for n in range(500):
            await fake.event("A.event", n=n)
        await fake.answer(call)
        await fake.event("A.event", n="after")

    fake.handlers["A.b"] = answer
    await connection.root("A.b")
    assert seen[:500] == list(range(500))


async def test_sessions_hear_their_own_events_and_ids_of_none_are_nobodys(
    fake: FakeChrome, connection: Connection
) -> None:
    seen: list[str] = []
    one, two = connection.root.child("1"), connection.root.child("2")
    one.on("A.event", lambda _params: seen.append("one"))
    two.on("A.event", lambda _params: seen.append("two"))
    connection.root.on("A.event", lambda _params: seen.append("root"))
    two.close()
    for session in ("2", "3", "1", None):
        await fake.event("A.event", session)
    await connection.root("Browser.getVersion")
    assert seen == ["one", "root"]
    call = asyncio.ensure_future(one("A.b"))
    assert (await fake.call("A.b"))["sessionId"] == "1"
    call.cancel()


async def test_a_call_that_gets_no_answer_ends_in_time_and_others_go_on(
    fake: FakeChrome, connection: Connection
) -> None:
    begun = time.monotonic()
    error = await failure(connection.root("A.silent", seconds=0.1))
    assert isinstance(error, CommandTimeout)
    assert time.monotonic() - begun < 8
    await fake.answer(await fake.call("A.silent"), too="late")
    assert (await connection.root("Browser.getVersion"))["product"] == "Fake/1"
    assert connection.open_calls == 0


async def test_a_cancelled_call_leaves_nothing(fake: FakeChrome, connection: Connection) -> None:
    call = asyncio.ensure_future(connection.root("A.silent"))
    await fake.call("A.silent")
    call.cancel()
    await asyncio.wait([call])
    assert connection.open_calls == 0


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ({"code": -32000, "message": "no such node", "data": "7"}, "A.b: no such node (7)"),
        ("just text", "A.b: just text"),
        (["x"], "A.b: ['x']"),
        ({}, "A.b: "),
        ({"message": {"a": 1}}, "A.b: {'a': 1}"),
    ],
)
async def test_errors_of_any_shape_are_told(
    fake: FakeChrome, connection: Connection, error: object, said: str
) -> None:
    fake.handlers["A.b"] = lambda call: fake.refuse(call, error)
    caught = await failure(connection.root("A.b"))
    assert isinstance(caught, CommandFailed)
    assert caught.message == said


@pytest.mark.parametrize("result", [None, 1, "x", [], True])
async def test_results_of_a_wrong_type_are_errors(
    fake: FakeChrome, connection: Connection, result: object
) -> None:
    fake.handlers["A.b"] = lambda call: fake.say({"id": call["id"], "result": result})
    assert isinstance(await failure(connection.root("A.b")), CommandFailed)


async def test_messages_of_wrong_types_are_passed_over(fake: FakeChrome, connection: Connection) -> None:
    for message in (
        {"id": [1], "result": {}},
        {"id": {"a": 1}},
        {"id": None, "method": "A.event"},
        {"id": 10**400, "result": {}},
        {"method": 5, "params": {}},
        {"method": "A.event", "params": 7},
        {"method": "A.event", "sessionId": ["x"]},
        {"method": "A.event", "sessionId": 3},
        {"error": {"code": -32700, "message": "JSON: no"}},
        {},
    ):
        await fake.say(message)
    assert (await connection.root("Browser.getVersion"))["product"] == "Fake/1"


async def test_a_listener_that_fails_does_not_stop_the_others(
    fake: FakeChrome, connection: Connection
) -> None:
    seen: list[str] = []
    connection.root.on("A.event", lambda params: params["missing"])
    connection.root.on("A.event", lambda _params: seen.append("second"))
    await fake.event("A.event")
    await connection.root("Browser.getVersion")
    assert seen == ["second"]


async def test_an_answer_that_is_nested_too_deeply_fails_its_call_only(
    fake: FakeChrome, connection: Connection
) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    fake.handlers["A.b"] = lambda call: fake.say(f'{{"id": {call["id"]}, "result": {{"value": {deep}}}}}')
    error = await failure(connection.root("A.b"), 5)
    assert isinstance(error, CommandFailed)
    assert "nested too deeply" in error.message
    await fake.say(f'{{"method": "A.event", "params": {deep}}}')
    assert await connection.root("Browser.getVersion")


async def test_lone_surrogates_go_both_ways(fake: FakeChrome, connection: Connection) -> None:
    fake.handlers["A.b"] = lambda call: fake.answer(call, text=call["params"]["text"])
    assert (await connection.root("A.b", text="a\ud800b"))["text"] == "a\ud800b"


async def test_large_messages_go_both_ways(fake: FakeChrome, connection: Connection) -> None:
    text = "ü" * 2_000_000
    fake.handlers["A.b"] = lambda call: fake.answer(call, text=call["params"]["text"])
    assert (await connection.root("A.b", text=text))["text"] == text


async def test_what_chrome_would_choke_on_is_refused(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(await failure(connection.root("A.b", x=float("nan"))), InvalidArguments)
    monkeypatch.setattr(wire, "MAX_SENT_BYTES", 1_000)
    error = await failure(connection.root("A.b", text="x" * 1_000))
    assert isinstance(error, InvalidArguments)
    assert connection.open_calls == 0


async def test_pings_are_answered_between_frames(fake: FakeChrome, connection: Connection) -> None:
    fake.handlers["A.b"] = lambda call: fake.answer(call, size=len(call["params"]["text"]))
    calls = [asyncio.ensure_future(connection.root("A.b", text="x" * 300_000)) for _ in range(10)]
    for _ in range(200):
        fake.write(b"\x89\x04ping")
    assert [answer["size"] for answer in await asyncio.gather(*calls)] == [300_000] * 10
