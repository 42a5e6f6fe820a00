"""No secret survives in bodies, in JSON that stands in a text, nor in headers."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.headers import redact_headers
from pageside.core.redaction import REDACTED, redact, redact_body, redact_text
from support.text import json_values, page_text

SECRET = "hunter2-5f0a9c"
FIELDS = st.sampled_from(
    ["password", "token", "access_token", "csrfToken", "apiKey", "client_secret", "Authorization", "cookie"]
)
any_case = st.sampled_from([str.lower, str.upper, str.title, str])
around = st.text(st.characters(codec="utf-8", exclude_characters="\\\"'"), max_size=20)
nested = st.recursive(
    st.just(SECRET),
    lambda inner: st.lists(inner, min_size=1, max_size=3) | st.fixed_dictionaries({"a": inner}),
)


@given(FIELDS, any_case, nested, json_values, around, st.integers(0, 2), st.booleans())
def test_a_secret_in_json_is_gone_however_often_it_was_quoted(
    name: str, case: Any, secret: Any, other: Any, before: str, times: int, ascii_only: bool
) -> None:
    text = json.dumps({"other": other, case(name): secret, "last": 1}, ensure_ascii=ascii_only)
    for _ in range(times):
        text = json.dumps(text, ensure_ascii=ascii_only)
    told = redact_text(f"{before} {text}")
    assert SECRET not in told
    assert redact_text(told) == told


@given(FIELDS, st.integers(0, 40))
def test_json_that_was_cut_tells_nothing_either(name: str, length: int) -> None:
    text = json.dumps({"user": "ada", name: ["x", {"deep": SECRET * 3}]})
    start = text.index(SECRET)
    assert SECRET[:6] not in redact_text(text[: start + length])


@given(FIELDS)
def test_keys_with_escapes_are_read(name: str) -> None:
    spelled = "".join(f"\\u{ord(char):04x}" for char in name)
    assert redact_body(f'{{"{spelled}": "{SECRET}"}}') == f'{{"{spelled}": "{REDACTED}"}}'


def test_numbers_of_secret_fields_are_hidden_and_emptiness_is_shown() -> None:
    text = '{"password": 4711, "token": null, "cookie": "", "apiKey": true, "tokens": 3}'
    assert redact_body(text) == text.replace("4711", f'"{REDACTED}"')


@given(FIELDS, page_text)
def test_the_first_field_of_a_form_is_hidden_too(name: str, value: str) -> None:
    fields = {name: SECRET, "note": value.encode("utf-8", "replace").decode()}
    assert redact_body(urlencode(fields)).startswith(f"{name}={REDACTED}&note=")
    assert SECRET not in redact_body(f"{quote(name)}={SECRET}")


def test_multipart_fields_are_hidden_by_name() -> None:
    part = '--b\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    body = part.format("user", "ada") + part.format("password", f"{SECRET}\r\nsecond line") + "--b--\r\n"
    told = redact_body(body)
    assert SECRET not in told
    assert "second line" not in told
    assert told == part.format("user", "ada") + part.format("password", REDACTED) + "--b--\r\n"


@given(json_values)
def test_what_holds_no_secret_stays_as_it_is(value: Any) -> None:
    text = json.dumps({"list": [1, 2], "name": "x", "message": "the password is wrong"})
    assert redact_body(text) == text
    assert isinstance(redact_body(json.dumps(value)), str)


def test_whole_values_under_a_secret_name_are_blanked_and_keep_their_shape() -> None:
    value = {"token": {"kind": "csrf", "parts": [SECRET, 3]}}
    assert redact(value) == {"token": {"kind": REDACTED, "parts": [REDACTED, 3]}}


@given(
    st.sampled_from(["Authorization", "X-Api-Key", "X-Auth", "Proxy-Authorization", "x-anything", "Cookie"])
)
def test_only_known_headers_show_their_value(name: str) -> None:
    assert SECRET not in redact_headers({name: f"a={SECRET}; b={SECRET}"})[name.lower()]


def test_headers_keep_what_helps() -> None:
    told = redact_headers(
        {
            "Content-Type": "text/html",
            "Set-Cookie": f"sid={SECRET}; Path=/; HttpOnly\nlang={SECRET}",
            "Cookie": f"sid={SECRET}; {SECRET}",
            "Location": f"https://ada:{SECRET}@shop.test/?token={SECRET}&page=2",
            ":path": f"/x?code={SECRET}",
        }
    )
    assert told == {
        "content-type": "text/html",
        "set-cookie": f"sid={REDACTED}; Path=/; HttpOnly\nlang={REDACTED}",
        "cookie": f"sid={REDACTED}; {REDACTED}",
        "location": f"https://shop.test/?token={REDACTED}&page=2",
        ":path": f"/x?code={REDACTED}",
    }


@pytest.mark.parametrize(
    "text", ["\\" * 20_000, '"' * 20_000, '{"token":[' * 3_000, '\\"' * 10_000, "eyJ-" * 4_000]
)
def test_hostile_texts_cost_little(text: str) -> None:
    told = redact_text(text)
    assert redact_text(told) == told
