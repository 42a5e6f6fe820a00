"""Page text is shown, hides nothing, and stays inside its fence."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.untrusted import clean, clean_text, fence
from support.text import json_values, page_text

BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
INVISIBLE = set(
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180e\u200b\u200c\u2028\u2029\u2060\u2064\u3164\ufe00\ufeff\uffa0"
)


def hidden(char: str) -> bool:
    code = ord(char)
    return (
        (unicodedata.category(char) in ("Cc", "Co", "Cs") and char not in "\n\t")
        or char in BIDI | INVISIBLE
        or 0xE0000 <= code <= 0xE0FFF
    )


@given(page_text)
def test_nothing_hidden_is_left_in_cleaned_text(text: str) -> None:
    assert [char for char in clean_text(text) if hidden(char)] == []


@pytest.mark.parametrize(
    "code", [0x1B, 0x85, 0x202E, 0x200B, 0x2028, 0x3164, 0xE0000, 0xE0041, 0xE0100, 0xF0000]
)
def test_a_hidden_character_is_spelled_out(code: int) -> None:
    assert clean_text(f"a{chr(code)}b") == f"a\\u{{{code:x}}}b"


@pytest.mark.parametrize(
    "text",
    [
        "Größe",
        "日本語",
        "line\n\tindented",
        "👩\u200d💻 at work",
        "I ❤\ufe0f\u200d🔥 it",
        "क्षि",
        "e\u0301",
        "\\n",
    ],
)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert clean_text(text) == text


@given(st.text(st.sampled_from("\u200d\ufe0e\ufe0f"), min_size=2, max_size=20))
def test_joiners_and_selectors_carry_no_message(smuggled: str) -> None:
    shown = clean_text(f"👍{smuggled}")
    assert sum(char in "\u200d\ufe0e\ufe0f" for char in shown) <= 2


@given(json_values)
def test_cleaning_is_idempotent_and_keeps_numbers(value: Any) -> None:
    assert clean(clean(value)) == clean(value)
    assert clean([1, None, 2.5, True]) == [1, None, 2.5, True]


@given(json_values, st.text("0123456789abcdef", min_size=12, max_size=12))
def test_the_fence_comes_off_and_leaves_the_json(value: Any, nonce: str) -> None:
    data = clean({"untrusted": True, "value": value})
    shown = fence(data, nonce)
    head, _, rest = shown.partition(f"\n[{nonce}]\n")
    body, _, tail = rest.rpartition(f"\n[{nonce}]")
    assert (nonce in head, tail) == (True, "")
    assert json.loads(body) == data


@given(json_values, json_values)
def test_an_earlier_fence_inside_the_data_ends_nothing(value: Any, other: Any) -> None:
    earlier = fence(clean(other), "aaaaaaaaaaaa")
    shown = fence(clean({"text": earlier, "value": value}), "bbbbbbbbbbbb")
    lines = shown.splitlines()
    assert [n for n, line in enumerate(lines) if line == "[bbbbbbbbbbbb]"] == [1, len(lines) - 1]
    assert json.loads("\n".join(lines[2:-1]))["text"] == clean(earlier)
