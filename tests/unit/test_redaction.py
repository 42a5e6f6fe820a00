"""Secrets do not survive redaction, and nothing else changes."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.redaction import REDACTED, redact, redact_text, redact_url
from support.text import json_values, page_text

SECRET = "hunter2-5f0a9c"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_DEF-123"
CODE = "pVQ_-5x1kHn2k3o4T5y6U7i8O9p0A1s2D3f4G5h6J7k"
QUERY_NAMES = [
    "token",
    "access_token",
    "accessToken",
    "refresh_token",
    "id-token",
    "api_key",
    "apiKey",
    "key",
    "client_secret",
    "password",
    "passwd",
    "pass",
    "code",
    "otp",
    "sig",
    "signature",
    "session",
    "sessionId",
    "auth",
    "user[password]",
]
FIELD_NAMES = ["password", "token", "access_token", "apiKey", "client_secret", "Authorization", "set-cookie"]
PLAIN_NAMES = ["q", "page", "tokens_used", "keyboard", "author", "zipcode", "passage", "sort"]

any_case = st.sampled_from([str.lower, str.upper, str.title, str])


@given(st.sampled_from(QUERY_NAMES), any_case, st.sampled_from("?&#;"), page_text, page_text)
def test_a_secret_in_a_query_is_gone(name: str, case: Any, mark: str, before: str, after: str) -> None:
    for spelled in (case(name), quote(case(name), safe="")):
        text = f"{before}{mark}{spelled}={SECRET}&{after}"
        assert SECRET not in redact_text(text)
        assert f"{mark}{spelled}={REDACTED}&" in redact_text(f"/{mark}{spelled}={SECRET}&n=1")


@given(st.sampled_from(PLAIN_NAMES))
def test_values_of_plain_names_stay(name: str) -> None:
    url = f"http://localhost:5173/list?{name}=2&x=3#{name}=4"
    assert redact_url(url) == url


@given(page_text, page_text)
def test_jwts_and_credentials_are_gone_wherever_they_stand(before: str, after: str) -> None:
    assert JWT not in redact_text(f"{before} {JWT} {after}")
    assert SECRET not in redact_text(f"{before} Bearer {SECRET} {after}")
    assert SECRET not in redact_text(f"{before} basic  {SECRET}= {after}")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("token=abcdef0123456789", "token=<redacted>"),
        ("login ok, access_token=abc.def-123 for ada", "login ok, access_token=<redacted> for ada"),
        ("(password=hunter2)", "(password=<redacted>)"),
        ("db.password=hunter2, db.user=ada", "db.password=<redacted>, db.user=ada"),
        ("user[password]=hunter2", "user[password]=<redacted>"),
        ("API_KEY='hunter2' npm start", "API_KEY='<redacted>' npm start"),
        ('{"got":"password=formSecret1&a=b"}', '{"got":"password=<redacted>&a=b"}'),
        (r'{"got":"say token=\"hunter2\" now"}', r'{"got":"say token=\"<redacted>\" now"}'),
        (r'{"got":"password=hunter2\nnext"}', r'{"got":"password=<redacted>\nnext"}'),
        (r"password=hun\xter2 next", "password=<redacted> next"),
    ],
)
def test_a_secret_behind_its_name_in_a_text_is_gone(text: str, shown: str) -> None:
    assert redact_text(text) == shown


@given(st.sampled_from(FIELD_NAMES), any_case, page_text)
def test_no_pair_in_a_text_tells_a_secret(name: str, case: Any, before: str) -> None:
    for around in ("{}", '{{"text":"{}"}}', "'{}'", "({})", "{}&a=b", "{}; Path=/"):
        assert SECRET not in redact_text(before + " " + around.format(f"{case(name)}={SECRET}"))


@pytest.mark.parametrize(
    "text",
    [
        "the token = is missing",
        "password=required",
        "token=undefined",
        "tokens=120 and tokens_used=120",
        "keyboard=QWERTZ author=lovelace",
        '<input type=password name="password" autocomplete="current-password">',
        "input[type=password] { color: red }",
        "const token=getToken(),secret=e.secret, x=this.password=this.state.password",
        "if(token==='abcdef'||password==other)",
        "token=>token.length",
        "password=`${value}`",
        "placeholder password='Enter your password'",
    ],
)
def test_words_and_code_that_look_like_a_pair_stay(text: str) -> None:
    assert redact_text(text) == text


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://ada:hunter2@localhost:5173/x", "http://localhost:5173/x"),
        ("https://ada:p@ss@shop.test/?q=1#part", "https://shop.test/?q=1#part"),
        ("http://ada:hunter2@[broken/", "http://[broken/"),
        ("//ada@shop.test/", "//shop.test/"),
        ("/relative/@scope/name?x=a@b", "/relative/@scope/name?x=a@b"),
        ("about:blank", "about:blank"),
        ("", ""),
    ],
)
def test_urls_lose_their_user_and_keep_the_rest(url: str, shown: str) -> None:
    assert redact_url(url) == shown


@given(st.sampled_from(FIELD_NAMES), any_case, json_values)
def test_a_secret_in_a_field_of_that_name_is_gone(name: str, case: Any, other: Any) -> None:
    told = redact({"form": [{case(name): SECRET, "other": other}]})
    assert told["form"][0][case(name)] == REDACTED


@pytest.mark.parametrize("name", ["code", "key", "auth", "session", "message", "tokens"])
def test_fields_that_are_seldom_secret_keep_their_value(name: str) -> None:
    assert redact({name: "KeyA"}) == {name: "KeyA"}


@given(json_values)
def test_redaction_keeps_the_structure_and_is_idempotent(value: Any) -> None:
    once = redact(value)
    assert redact(once) == once
    assert shape(once) == shape(value)


@given(page_text | st.from_regex(r"(https?:)?//[a-z:@]{0,8}(/[a-z]*)?([?&#;](token|q)=[a-z<>]{0,4}){0,3}"))
def test_texts_and_urls_are_redacted_once_and_for_all(text: str) -> None:
    assert redact_text(redact_text(text)) == redact_text(text)
    assert redact_url(redact_url(text)) == redact_url(text)


def shape(value: Any) -> Any:
    """The value with every string blanked."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shape(item) for item in value]
    return "" if isinstance(value, str) else value


@pytest.mark.parametrize("around", ["{}", "  ➜  Console:  \x1b[36m{}\x1b[39m", '{{"url": "{}"}}', "{}, {}"])
def test_what_opens_the_console_is_gone(around: str) -> None:
    link = f"http://127.0.0.1:6137/__pageside__/console#{CODE}"
    for cleaned in (redact_text(around.format(link, link)), redact_url(link)):
        assert CODE not in cleaned
        assert f"/console#{REDACTED}" in cleaned
    other = "http://localhost:5173/console#overview"
    assert redact_url(other) == redact_text(other) == other
