"""Bytes in any pieces become the same lines, events and messages."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.jsonrpc import Kind, NotJsonRpc, answer, error_answer, parse
from pageside.core.lines import Event, EventDecoder, LineSplitter

CUTS = st.lists(st.integers(min_value=0, max_value=400), max_size=12)


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


@given(st.lists(st.binary(max_size=30).filter(lambda b: b"\n" not in b and not b.endswith(b"\r"))), CUTS)
def test_lines_are_whole_however_they_arrive(lines: list[bytes], cuts: list[int]) -> None:
    for end in (b"\n", b"\r\n"):
        splitter = LineSplitter()
        data = b"".join(line + end for line in lines) + b"rest"
        assert [line for piece in pieces(data, cuts) for line in splitter.feed(piece)] == lines
        assert (splitter.rest(), splitter.rest()) == (b"rest", b"")


STREAM = (
    b": ping\r\n\r\nid: 1\r\ndata: \r\n\r\nevent: message\r\nid: 2\r\ndata: {\r\ndata: }\r\n\r\n"
    b"data:x\n\nretry: 10\n\nevent: message\ndata: never ended\n"
)
EVENTS = [Event("1", b""), Event("2", b"{\n}"), Event("", b"x")]


@given(CUTS)
def test_events_are_whole_however_they_arrive(cuts: list[int]) -> None:
    decoder = EventDecoder()
    assert [event for piece in pieces(STREAM, cuts) for event in decoder.feed(piece)] == EVENTS


def test_messages_are_told_apart_and_kept_on_one_line() -> None:
    asked = parse(b' {"jsonrpc": "2.0",\r\n "id": 1, "method": "ping", "params": {"a": "\\n"}}\n')
    assert (asked.kind, asked.key, asked.method, asked.params) == (Kind.REQUEST, "1", "ping", {"a": "\n"})
    assert b"\n" not in asked.line
    assert json.loads(asked.line)["params"] == {"a": "\n"}
    assert parse(b'{"jsonrpc": "2.0", "id": "1", "method": "ping"}').key != asked.key
    assert parse(b'{"jsonrpc": "2.0", "method": "notifications/x"}').kind is Kind.NOTIFICATION
    assert not parse(answer(1, {})).failed
    refused = parse(error_answer("a", -32600, "No.", {"code": "X"}))
    assert (refused.kind, refused.id, refused.failed) == (Kind.ANSWER, "a", True)


@pytest.mark.parametrize("half", ['"\\ud83d"', '"\\uDE00 \\ud83d\\ude00"'])
def test_half_of_a_surrogate_pair_is_no_json(half: str) -> None:
    with pytest.raises(NotJsonRpc) as refused:
        parse(f'{{"jsonrpc": "2.0", "id": 1, "method": "x", "params": {{"a": {half}}}}}'.encode())
    assert (refused.value.code, refused.value.id) == (-32700, 1)
    whole = parse(b'{"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"a": "\\ud83d\\ude00"}}')
    assert whole.params == {"a": "😀"}


@given(st.binary(max_size=60))
def test_nothing_on_a_line_breaks_the_reader(line: bytes) -> None:
    with pytest.raises(NotJsonRpc):
        parse(line)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


KEYS = dict.fromkeys(("id", "method", "params", "result"), JSON)


def read(line: bytes) -> tuple[object, bytes | None]:
    """The id, and the line of the message if it is one."""
    try:
        message = parse(line)
    except NotJsonRpc as refused:
        return refused.id, None
    return message.id, message.line


@given(st.fixed_dictionaries({"jsonrpc": st.just("2.0")}, optional=KEYS))
def test_an_object_is_a_message_as_it_is_or_is_refused_with_its_id(data: dict[str, object]) -> None:
    known_id, line = read(json.dumps(data).encode())
    assert known_id in (None, data.get("id"))
    assert line is None or json.loads(line) == data
