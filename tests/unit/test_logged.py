"""Messages are formatted as DevTools does it, bounded, and no secret survives in them."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.chrome.console import Console
from pageside.chrome.logged import MAX_TEXT, message, stack_head
from pageside.chrome.network import Network
from pageside.chrome.requests import initiator_of
from pageside.chrome.session import Session
from pageside.chrome.stacks import Frame, Place, frames_in, frames_of
from support.text import page_text

SECRET = "hunter2-5f0a9c"
FIELDS = st.sampled_from(
    ["password", "accessToken", "api_key", "Authorization", "set-cookie", "clientSecret"]
)


class Wires:
    """A session without Chrome: `emit` says what Chrome would."""

    async def send(self, *_given: object) -> dict[str, Any]:
        raise AssertionError("nothing is sent")

    def end_calls(self, *_given: object) -> None:
        raise AssertionError("nothing is sent")

    def add(self, session: Session) -> None:
        self.session = session

    def drop(self, session: Session) -> None:
        raise AssertionError("nothing is dropped")


def session() -> Session:
    return Session(Wires(), "1")


def text(value: str) -> dict[str, Any]:
    return {"type": "string", "value": value}


def previewed(name: str, value: Any) -> dict[str, Any]:
    """An object with one field, as Chrome previews it."""
    item = {"name": name, "type": "string", "value": value}
    preview = {"type": "object", "description": "Object", "overflow": False, "properties": [item]}
    return {"type": "object", "className": "Object", "description": "Object", "preview": preview}


def nested(name: str, value: Any) -> dict[str, Any]:
    outer = previewed("outer", "Object")
    inner = outer["preview"]["properties"][0]
    inner.update({"type": "object", "valuePreview": previewed(name, value)["preview"]})
    return outer


def entries(name: str, value: Any) -> dict[str, Any]:
    key, item = {"type": "string", "description": name}, {"type": "string", "description": value}
    preview = {
        "type": "object",
        "subtype": "map",
        "description": "Map(1)",
        "entries": [{"key": key, "value": item}],
    }
    return {"type": "object", "subtype": "map", "description": "Map(1)", "preview": preview}


@given(
    FIELDS,
    st.sampled_from([previewed, nested, entries]),
    st.lists(page_text, max_size=3),
    st.sampled_from(["", "%s ", "%o ", "%d%c", "%O %s"]),
)
def test_no_secret_field_survives_formatting(name: str, make: Any, others: list[str], pattern: str) -> None:
    arguments = [text(pattern), make(name, SECRET), *map(text, others)]
    assert SECRET not in message(arguments)


@given(FIELDS, page_text, st.integers(0, 13_000))
def test_no_secret_in_json_survives_wherever_the_message_is_cut(name: str, before: str, shift: int) -> None:
    said = before.replace('"', "'").replace("\\", "/") + "x" * shift + json.dumps({name: SECRET})
    assert SECRET[:8] not in message([text(said)])


@given(st.lists(st.builds(text, page_text) | st.builds(previewed, page_text, page_text), max_size=5))
def test_every_message_has_a_text_of_bounded_length(arguments: list[dict[str, Any]]) -> None:
    assert len(message(arguments)) <= MAX_TEXT + 60


def test_a_cut_message_says_so() -> None:
    assert message([text("x" * 9_000)]) == "x" * 8_000 + "… [1000 more characters]"
    assert message([text("x" * 8_000)]) == "x" * 8_000


def test_errors_keep_the_head_of_their_stack() -> None:
    stack = "Error: one\ntwo\n" + "\n".join(f"    at f{n} (http://localhost/a.js:{n}:1)" for n in range(1, 9))
    assert stack_head(stack).split("\n")[-2:] == ["    at f3 (http://localhost/a.js:3:1)", "    … 5 more"]
    assert frames_in(stack)[0] == Frame("f1", Place("http://localhost/a.js", 1, 1))
    assert len(frames_in(stack)) == 8


@pytest.mark.parametrize(
    ("line", "frame"),
    [
        (
            "    at http://localhost/a.js?t=1:3:7",
            Frame("(anonymous)", Place("http://localhost/a.js?t=1", 3, 7)),
        ),
        (
            "    at async load (http://localhost/a.js:3:7)",
            Frame("load", Place("http://localhost/a.js", 3, 7)),
        ),
        (
            "    at new Shop (http://[::1]:80/a.js:3:7)",
            Frame("new Shop", Place("http://[::1]:80/a.js", 3, 7)),
        ),
        ("    at Array.map (<anonymous>)", None),
    ],
)
def test_lines_of_stacks_are_read(line: str, frame: Frame | None) -> None:
    assert frames_in(f"Error: x\n{line}") == ((frame,) if frame else ())


def test_asynchronous_frames_are_marked() -> None:
    def call(name: str) -> dict[str, Any]:
        return {"functionName": name, "url": "http://x/a.js", "lineNumber": 0, "columnNumber": 4}

    trace = {"callFrames": [call("a"), call("")], "parent": {"callFrames": [call("b"), call("c")]}}
    told = [(frame.function, frame.asynchronous) for frame in frames_of(trace)]
    assert told == [("a", False), ("(anonymous)", False), ("b", True), ("c", False)]
    assert frames_of(trace)[0].place == Place("http://x/a.js", 1, 5)


def test_a_stack_begins_with_the_first_call_that_has_a_file() -> None:
    def call(name: str, url: str) -> dict[str, Any]:
        return {"functionName": name, "url": url, "lineNumber": 0, "columnNumber": 4}

    calls = [call("wrapper", ""), call("load", "http://x/a.js"), call("map", ""), call("b", "http://x/b.js")]
    assert [frame.function for frame in frames_of({"callFrames": calls})] == ["load", "map", "b"]
    assert frames_of({"callFrames": calls[:1], "parent": {"callFrames": calls[1:2]}})[0].function == "load"
    initiator = initiator_of({"type": "script", "stack": {"callFrames": calls}})
    assert initiator.place == Place("http://x/a.js", 1, 5)
    assert initiator_of({"type": "script", "stack": {"callFrames": calls[:1]}}).place is None


def called(value: str, at: float = 1.0) -> dict[str, Any]:
    return {"type": "log", "args": [text(value)], "timestamp": at}


@given(st.lists(st.sampled_from("aab"), max_size=40), st.integers(1, 6))
def test_the_newest_are_kept_in_order_and_repeats_are_counted(values: list[str], size: int) -> None:
    console, source = Console(size), session()
    console.watch(source, "page")
    for value in values:
        source.emit("Runtime.consoleAPICalled", called(value))
    groups: list[list[str]] = []
    for value in values:
        if groups and groups[-1][0] == value:
            groups[-1].append(value)
        else:
            groups.append([value])
    kept = console.entries()
    assert [(entry.text, entry.count) for entry in kept] == [(each[0], len(each)) for each in groups[-size:]]
    assert [entry.id for entry in kept] == list(range(len(groups) - len(kept) + 1, len(groups) + 1))
    assert console.dropped == len(groups) - len(kept)
    assert all(console.entry(entry.id) is entry for entry in kept)


def test_messages_of_workers_are_not_told_by_their_page() -> None:
    console, source = Console(5), session()
    console.watch(source, "page")
    entry = {"source": "worker", "level": "error", "text": "twice", "timestamp": 1.0}
    source.emit("Log.entryAdded", {"entry": entry})
    assert console.entries() == []
    source.emit(
        "Log.entryAdded", {"entry": {**entry, "source": "network", "url": f"http://x/?token={SECRET}"}}
    )
    assert str(console.entries()[0].source) == "http://x/?token=<redacted>"


def test_a_cleared_console_goes_on_counting() -> None:
    console, source = Console(5), session()
    console.watch(source, "page")
    source.emit("Runtime.consoleAPICalled", called("a"))
    console.clear()
    source.emit("Runtime.consoleAPICalled", called("b"))
    assert [entry.id for entry in console.entries()] == [2]
    assert console.dropped == 0


# The headers that really went over the network come in events of their own, at any time


SENDING = {
    "requestId": "r",
    "loaderId": "l",
    "timestamp": 1.0,
    "wallTime": 1_000.0,
    "type": "Fetch",
    "request": {"url": "http://x/", "method": "GET", "headers": {"Accept": "plain"}},
    "initiator": {"type": "script"},
}
REDIRECT = {**SENDING, "redirectResponse": {"status": 302, "headers": {}}, "redirectHasExtraInfo": True}
ANSWER = {"requestId": "r", "type": "Fetch", "hasExtraInfo": True, "response": {"status": 200, "headers": {}}}


def sent(number: int) -> tuple[str, dict[str, Any]]:
    return "Network.requestWillBeSentExtraInfo", {
        "requestId": "r",
        "headers": {"Accept": f"sent {number}", "Cookie": f"a={SECRET}"},
        "associatedCookies": [],
    }


def received(number: int, status: int) -> tuple[str, dict[str, Any]]:
    return "Network.responseReceivedExtraInfo", {
        "requestId": "r",
        "headers": {"Server": f"received {number}"},
        "statusCode": status,
        "blockedCookies": [],
    }


@given(st.data())
def test_extra_headers_find_their_hop_in_whatever_order_they_come(data: st.DataObject) -> None:
    lanes = [
        [
            ("Network.requestWillBeSent", SENDING),
            ("Network.requestWillBeSent", REDIRECT),
            ("Network.responseReceived", ANSWER),
        ],
        [sent(1), sent(2)],
        [received(1, 302), received(2, 304)],
    ]
    network, source = Network(10, lambda work: work.close()), session()
    network.watch(source, "page")
    while any(lanes):
        lane = data.draw(st.sampled_from([lane for lane in lanes if lane]))
        event, params = lane.pop(0)
        source.emit(event, cast("dict[str, Any]", json.loads(json.dumps(params))))
    first, second = network.requests()
    assert first.request_headers == {"accept": "sent 1", "cookie": "a=<redacted>"}
    assert second.request_headers["accept"] == "sent 2"
    assert (first.response_headers["server"], second.response_headers["server"]) == (
        "received 1",
        "received 2",
    )
    assert (first.status, second.status) == (302, 304)
    assert (first.redirected_to, second.redirected_from) == (second.id, first.id)
