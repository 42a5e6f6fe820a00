"""The toolset `browser`: what its tools are told, and what they say, without a browser."""

from __future__ import annotations

import re

import pytest

from pageside.chrome.find import Target
from pageside.chrome.reader import Reading
from pageside.contract import FIXES, TOOLS
from pageside.errors import InvalidArguments
from pageside.toolsets.browser import BROWSER, _text
from pageside.toolsets.browser_answers import _FIXES, spot, target

NAMES = {tool.name for tool in BROWSER.tools}


def test_what_to_do_names_only_tools_of_this_toolset() -> None:
    assert set(_FIXES) <= set(FIXES)
    for fix in _FIXES.values():
        assert set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", fix)) <= NAMES | {"available_tabs"}


def test_other_tools_are_not_named_in_descriptions() -> None:
    others = {name for name in TOOLS if "_" in name} - NAMES
    for tool in BROWSER.tools:
        assert others.isdisjoint(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", str(tool.definition)))


@pytest.mark.parametrize(
    ("args", "meant"),
    [
        ({"ref": "1_2"}, Target(uid="1_2")),
        ({"uid": "1_2"}, Target(uid="1_2")),
        ({"selector": "a"}, Target(selector="a")),
        ({"text": "Save"}, Target(text="Save")),
        ({"x": 3, "y": 0}, (3.0, 0.0)),
    ],
)
def test_a_place_is_an_element_or_a_point(args: dict[str, object], meant: object) -> None:
    assert spot(args) == meant


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"x": 1},
        {"y": 1},
        {"ref": "1_2", "uid": "1_2"},
        {"text": "a", "selector": "b"},
        {"x": 1, "ref": "1_2"},
    ],
)
def test_no_place_and_two_places_are_refused(args: dict[str, object]) -> None:
    with pytest.raises(InvalidArguments):
        spot(args)


def test_text_is_not_a_name_of_a_field_to_type_into() -> None:
    assert target({"text": "hello"}) is None


def test_long_texts_are_told_in_parts_that_leave_nothing_out() -> None:
    lines = [f"Line {number} of some words." for number in range(100)]
    reading, told, start = Reading(True, "Title", "Ada", lines), [], 0
    while True:
        answer = _text(reading, start, 500)
        told += [line for line in answer.shown.split("\n") if line.startswith("Line")]
        more = re.search(r"from=(\d+)", answer.said)
        if more is None:
            break
        start = int(more[1])
    assert told == lines
    with pytest.raises(InvalidArguments):
        _text(reading, 100, 500)


def test_a_line_that_is_too_long_is_cut() -> None:
    answer = _text(Reading(False, "", "", ["x" * 5000, "y"]), 0, 500)
    assert answer.shown == "x" * 500 + "…"
    assert "1 more lines: from=1" in answer.said
