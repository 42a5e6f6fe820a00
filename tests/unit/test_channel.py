"""The way down to a browser: framed so that no text can break it, bounded so that no reader can fill it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.hubs import channel as module
from pageside.hubs.channel import MAX_BYTES, MAX_EVENTS, Channel
from support.text import json_values


async def drained(channel: Channel) -> list[bytes]:
    """What was queued before the channel was closed."""
    blocks = []
    while (block := await channel.next()) is not None:
        blocks.append(block)
    return blocks


def parsed(stream: bytes) -> list[tuple[str, Any]]:
    """The events of an SSE stream, read as the standard says: any line end, blank line dispatches."""
    events, name, data = list[tuple[str, Any]](), "", list[str]()
    for line in stream.decode().replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif not line and data:
            events.append((name, json.loads("\n".join(data))))
            name, data = "", []
    return events


@given(st.lists(json_values, max_size=8))
def test_every_value_arrives_as_one_event_of_one_ascii_line(values: list[Any]) -> None:
    async def sent() -> bytes:
        channel = Channel("channel")
        for value in values:
            channel.send("call", value)
        return b"".join([await channel.next() or b"" for _ in values])

    stream = asyncio.run(sent())
    assert stream.isascii()
    assert stream.count(b"\n") == 3 * len(values)
    assert parsed(stream) == [("call", value) for value in values]


async def test_the_reader_that_keeps_up_gets_everything_in_order() -> None:
    channel = Channel("channel")
    got = []
    for n in range(3 * MAX_EVENTS):
        channel.send("call", n)
        got.append(parsed(await channel.next() or b"")[0][1])
    assert got == list(range(3 * MAX_EVENTS))
    assert not channel.closed


async def test_one_event_too_many_cuts_the_reader_off() -> None:
    channel = Channel("channel")
    for n in range(MAX_EVENTS):
        channel.send("call", n)
    assert not channel.closed
    channel.send("call", "too much")
    assert channel.closed
    assert await drained(channel) == []


async def test_too_many_bytes_cut_the_reader_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_BYTES <= 4 * 1024 * 1024
    monkeypatch.setattr(module, "MAX_BYTES", 1000)
    channel = Channel("channel")
    for _ in range(10):
        channel.send("call", "x" * 500)
        assert parsed(await channel.next() or b"") == [("call", "x" * 500)]
    channel.send("call", "x" * 500)
    channel.send("call", "x" * 500)
    assert channel.closed
    assert await drained(channel) == []


async def test_closing_wakes_the_reader_and_sending_afterwards_is_harmless() -> None:
    channel = Channel("channel")
    reader = asyncio.create_task(channel.next())
    await asyncio.sleep(0)
    channel.close()
    channel.close()
    channel.send("call", 1)
    assert await asyncio.wait_for(reader, 5) is None
