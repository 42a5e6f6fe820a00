"""What tabs say: every text is one message or one refusal that names the field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.contract import TABS
from pageside.core.tab_messages import (
    Executing,
    Pong,
    Register,
    Response,
    TabError,
    Update,
    is_tab_id,
    parse,
)
from pageside.errors import Refused

LIMITS = TABS["limits"]
TYPES = ["register", "update", "pong", "executing", "response", "command", "", "REGISTER"]
NAMES = [
    "type",
    "tabId",
    "url",
    "title",
    "scriptsAllowed",
    "id",
    "success",
    "result",
    "error",
    "code",
    "data",
]

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=150) | st.sampled_from(TYPES)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=10,
)
messages = st.fixed_dictionaries({"type": st.sampled_from(TYPES)}, optional=dict.fromkeys(NAMES[1:], values))


def said(**message: Any) -> str:
    return json.dumps(message)


@given(st.text() | values.map(json.dumps) | messages.map(json.dumps))
def test_any_text_is_a_message_or_is_refused_once(frame: str) -> None:
    message: object = None
    refusal: Refused | None = None
    try:
        message = parse(frame)
    except Refused as error:
        refusal = error
    if refusal is not None:
        assert (refusal.status, refusal.error_code) == (400, "BAD_REQUEST")
        assert refusal.message
        assert refusal.fix
    else:
        assert isinstance(message, Register | Update | Pong | Executing | Response)
    if isinstance(message, Register):
        assert is_tab_id(message.tab)
        assert len(message.url) <= LIMITS["urlChars"]
        assert len(message.title) <= LIMITS["titleChars"]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (said(type="register", tabId="a"), Register("a")),
        (
            said(type="register", tabId="a.b:c_d-1", url="u", title="t", targetId="T", client="x/1", more=1),
            Register("a.b:c_d-1", "u", "t", "T", "x/1"),
        ),
        (said(type="update", title="new"), Update(None, "new", None)),
        (said(type="update", url=None, scriptsAllowed=False), Update(None, None, False)),
        (said(type="pong"), Pong()),
        (said(type="executing", id="1"), Executing("1")),
    ],
)
def test_the_messages_of_a_tab(frame: str, message: object) -> None:
    assert parse(frame) == message


def test_a_response_has_a_result_or_an_error() -> None:
    frame = said(type="response", id="1", success=True, result={"url": "u"}, error=None)
    assert parse(frame) == Response("1", {"url": "u"}, None, len(frame))
    frame = said(type="response", id="1", success=True)
    assert parse(frame) == Response("1", {}, None, len(frame))
    error = {"message": "none there", "code": "ELEMENT_NOT_FOUND", "data": {"selector": "#a"}}
    frame = said(type="response", id="1", success=False, result=None, error=error)
    told = TabError("ELEMENT_NOT_FOUND", "none there", {"selector": "#a"})
    assert parse(frame) == Response("1", {}, told, len(frame))
    frame = said(type="response", id="1", success=False, error={"message": "x"})
    assert parse(frame) == Response("1", {}, TabError("EXECUTION_ERROR", "x"), len(frame))


@pytest.mark.parametrize(
    ("frame", "names"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ('{"type": "pong", "at": NaN}', "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "JSON object"),
        ("{}", "'type'"),
        (said(type=1), "'type'"),
        (said(type="command", id="1"), "'type'"),
        (said(type="register"), "'tabId'"),
        (said(type="register", tabId=7), "'tabId'"),
        (said(type="register", tabId=""), "'tabId'"),
        (said(type="register", tabId="a b"), "'tabId'"),
        (said(type="register", tabId="ä"), "'tabId'"),
        (said(type="register", tabId="a\n"), "'tabId'"),
        (said(type="register", tabId="a" * 101), "'tabId'"),
        (said(type="register", tabId="a", url=[]), "'url'"),
        (said(type="register", tabId="a", targetId=1), "'targetId'"),
        (said(type="update", title={}), "'title'"),
        (said(type="update", scriptsAllowed="yes"), "'scriptsAllowed'"),
        (said(type="executing"), "'id'"),
        (said(type="executing", id=1), "'id'"),
        (said(type="response", id="1"), "'success'"),
        (said(type="response", success=True), "'id'"),
        (said(type="response", id="1", success=True, result=[1]), "'result'"),
        (said(type="response", id="1", success=False), "'error'"),
        (said(type="response", id="1", success=False, error={}), "'error.message'"),
        (said(type="response", id="1", success=False, error={"message": "x", "code": 4}), "'error.code'"),
        (said(type="response", id="1", success=False, error={"message": "x", "data": []}), "'error.data'"),
    ],
)
def test_what_is_wrong_is_named(frame: str, names: str) -> None:
    with pytest.raises(Refused, match=names):
        parse(frame)


def test_of_an_error_s_data_what_is_large_or_deep_is_dropped() -> None:
    deep: object = 1
    for _ in range(900):
        deep = [deep]
    data = {"deep": deep, "map": {"a": [{"b": 1}]}} | {f"n{number}": number for number in range(100)}
    message = parse(said(type="response", id="1", success=False, error={"message": "x", "data": data}))
    assert isinstance(message, Response)
    assert message.error is not None
    assert message.error.data == {"map": {"a": [{"b": 1}]}} | {f"n{number}": number for number in range(14)}


def test_long_texts_are_cut() -> None:
    message = parse(said(type="register", tabId="a", url="u" * 9000, title="t" * 9000))
    assert isinstance(message, Register)
    assert (len(message.url), len(message.title)) == (LIMITS["urlChars"], LIMITS["titleChars"])


def test_a_result_of_too_many_values_is_not_read_and_counts_as_too_large() -> None:
    many = json.dumps([1] * LIMITS["resultBytes"])
    for frame in (
        f'{{"id": "7", "type": "response", "success": true, "result": {{"result": {many}}}}}',
        f' {{"type":"response","success":true,"id":"7","result":{{"result":{many}}}}}',
    ):
        assert parse(frame) == Response("7", {}, None, len(frame))
        assert len(frame) > LIMITS["resultBytes"]
    for frame in (many, f'{{"type": "pong", "more": {many}}}', f'{{"more": {many}, "id": "7"}}'):
        with pytest.raises(Refused, match="values"):
            parse(frame)
    picture = parse(
        said(type="response", id="7", success=True, result={"data": "A" * LIMITS["pictureChars"]})
    )
    assert isinstance(picture, Response)
    assert len(picture.result["data"]) == LIMITS["pictureChars"]
