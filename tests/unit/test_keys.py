"""Keys by name become what a keyboard would send; what is no key is said to be none."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.keys import MODIFIERS, key_of, parse_keys
from pageside.errors import InvalidArguments

MODIFIER_SETS = st.lists(st.sampled_from(list(MODIFIERS)), unique=True)
NAMES = ("Enter", "Tab", "Escape", "Backspace", "Delete", "ArrowLeft", "PageDown", "F1", "F12", "Space")
PRINTABLE = st.characters(codec="utf-8", categories=("L", "N", "P", "S"))


def bits(modifiers: list[str]) -> int:
    return sum(MODIFIERS[each] for each in modifiers)


@pytest.mark.parametrize(
    ("text", "modifiers", "key", "code", "number", "typed"),
    [
        ("Enter", [], "Enter", "Enter", 13, "\r"),
        ("a", [], "a", "KeyA", 65, "a"),
        ("A", [], "A", "KeyA", 65, "A"),
        ("7", [], "7", "Digit7", 55, "7"),
        ("&", [], "&", "Digit7", 55, "&"),
        ("+", [], "+", "Equal", 187, "+"),
        ("-", [], "-", "Minus", 189, "-"),
        ("Space", [], " ", "Space", 32, " "),
        (" ", [], " ", "Space", 32, " "),
        ("\n", [], "Enter", "Enter", 13, "\r"),
        ("\t", [], "Tab", "Tab", 9, ""),
        ("é", [], "é", "", 0, "é"),
        ("😀", [], "😀", "", 0, "😀"),
        ("F5", [], "F5", "F5", 116, ""),
        ("Esc", [], "Escape", "Escape", 27, ""),
        ("Control+A", ["Control"], "a", "KeyA", 65, ""),
        ("Ctrl+a", ["Control"], "a", "KeyA", 65, ""),
        ("ctrl+a", ["Control"], "a", "KeyA", 65, ""),
        ("CONTROL+shift+r", ["Control", "Shift"], "R", "KeyR", 82, ""),
        ("Control++", ["Control"], "+", "Equal", 187, ""),
        ("Control+Shift++", ["Control", "Shift"], "+", "Equal", 187, ""),
        ("Shift+a", ["Shift"], "A", "KeyA", 65, "A"),
        ("Shift+1", ["Shift"], "!", "Digit1", 49, "!"),
        ("Shift+/", ["Shift"], "?", "Slash", 191, "?"),
        ("Shift+Tab", ["Shift"], "Tab", "Tab", 9, ""),
        ("Control+Shift+r", ["Control", "Shift"], "R", "KeyR", 82, ""),
        ("Alt+Shift+ArrowUp", ["Alt", "Shift"], "ArrowUp", "ArrowUp", 38, ""),
        ("Cmd+Option+Up", ["Meta", "Alt"], "ArrowUp", "ArrowUp", 38, ""),
        ("Control+Control+c", ["Control"], "c", "KeyC", 67, ""),
        ("Control+Enter", ["Control"], "Enter", "Enter", 13, ""),
        ("Shift", [], "Shift", "ShiftLeft", 16, ""),
    ],
)
def test_keys_report_themselves_as_a_keyboard_would(
    text: str, modifiers: list[str], key: str, code: str, number: int, typed: str
) -> None:
    held, pressed = parse_keys(text)
    assert [each.key for each in held] == modifiers
    event = pressed.event(bits(modifiers))
    assert (event["key"], event["code"], event["windowsVirtualKeyCode"]) == (key, code, number)
    assert event.get("text", "") == typed
    assert event["modifiers"] == bits(modifiers)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "enter",
        "Kontrol+A",
        "A+B",
        "Enter+A",
        "Control+",
        "+A",
        "++",
        "Control+++",
        "ab",
        "F13",
        "a+",
        "+" * 9,
    ],
)
def test_what_is_no_key_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        parse_keys(text)
    assert caught.value.data == {"argument": "key"}


def test_a_refusal_stays_short() -> None:
    for text in ("x" * 100_000, "x" * 100_000 + "+a"):
        with pytest.raises(InvalidArguments) as caught:
            parse_keys(text)
        assert len(caught.value.message) < 400


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("Control+A", ["selectAll"]),
        ("Meta+c", ["copy"]),
        ("Control+Shift+v", ["paste"]),
        ("Control+Alt+a", []),
        ("a", []),
        ("Shift+a", []),
        ("Control+Enter", []),
    ],
)
def test_editing_commands_come_with_the_keys_that_mean_them(text: str, commands: list[str]) -> None:
    held, key = parse_keys(text)
    assert key.commands(bits([each.key for each in held])) == commands


@given(MODIFIER_SETS, st.one_of(st.sampled_from(NAMES), PRINTABLE))
def test_every_combination_of_known_names_is_read(modifiers: list[str], name: str) -> None:
    held, key = parse_keys("+".join([*modifiers, name]))
    assert [each.key for each in held] == modifiers
    plain = key_of(name)
    assert (key.code, key.number) == (plain.code, plain.number)
    event = key.event(bits(modifiers))
    if {"Alt", "Control", "Meta"} & set(modifiers):
        assert "text" not in event


@given(st.text(max_size=30))
def test_any_text_is_a_key_or_a_clear_refusal(text: str) -> None:
    try:
        held, key = parse_keys(text)
    except InvalidArguments as error:
        assert error.data == {"argument": "key"}  # noqa: PT017
    else:
        assert all(each.key in MODIFIERS for each in held)
        assert len({each.key for each in held}) == len(held)
        assert key.event(0)["key"]


@given(st.sampled_from(string.printable.strip()))
def test_every_sign_of_a_us_keyboard_types_itself_by_a_real_key(sign: str) -> None:
    key = key_of(sign)
    assert key.event(0)["text"] == sign
    assert key.code
    assert key.number


@given(st.sampled_from(string.ascii_letters))
def test_shift_makes_capitals_and_other_modifiers_small_letters(letter: str) -> None:
    assert parse_keys(f"Shift+{letter}")[1].key == letter.upper()
    assert parse_keys(f"Control+{letter}")[1].key == letter.lower()
    assert parse_keys(letter)[1].key == letter
