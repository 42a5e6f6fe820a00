"""What a note may say besides its text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.contract import NOTE
from pageside.core.inspections import created, edited, summary
from pageside.core.remarks import checked_sketch, told_sketch
from pageside.errors import InvalidArguments
from support.text import json_values

NOW = 1_700_000_000_000
ARROW = {"kind": "arrow", "points": [[-10, 5], [40.25, 30]]}
BOX = {"kind": "box", "points": [[50, 60], [10, 20]]}
PEN = {"kind": "pen", "points": [[0, 0], [5, 9], [12, 3]]}
LIMITS = NOTE["sketch"]


def note(**more: Any) -> dict[str, Any]:
    return created({"id": "one", **more}, NOW)


def refused(**more: Any) -> InvalidArguments:
    with pytest.raises(InvalidArguments) as error:
        note(**more)
    return error.value


def test_a_note_says_what_is_wanted_and_how_much_it_matters() -> None:
    made = note(intent="fix", severity="high")
    assert (made["intent"], made["severity"]) == ("fix", "high")
    short = summary(made)
    assert (short["intent"], short["severity"]) == ("fix", "high")
    assert not {"intent", "severity", "sketch"} & set(note())


@pytest.mark.parametrize("field", ["intent", "severity"])
@pytest.mark.parametrize("value", ["urgent", "Fix", "", None, 3, ["fix"], {}])
def test_an_unknown_word_is_refused_with_those_that_are_allowed(field: str, value: Any) -> None:
    error = refused(**{field: value})
    assert error.data["argument"] == f"item.{field}"
    assert "fix, change, question" in error.message or "low, normal, high" in error.message


def test_an_edit_changes_the_words_that_it_names() -> None:
    before = note(intent="fix", severity="high", sketch={"shapes": [ARROW]})
    after = edited(before, {"description": "Why?", "intent": "question"}, NOW + 1)
    assert (after["description"], after["intent"], after["severity"]) == ("Why?", "question", "high")
    assert after["sketch"] == before["sketch"]
    with pytest.raises(InvalidArguments, match="'severity' must be one of low, normal, high"):
        edited(before, {"description": "Why?", "severity": "huge"}, NOW)


def test_a_sketch_is_kept_as_points_to_a_tenth_of_a_pixel_and_nothing_else() -> None:
    raw = {"shapes": [{**ARROW, "onload": "alert(1)"}, BOX, PEN], "style": "x"}
    made = note(sketch=raw)["sketch"]
    assert made == {"shapes": [{"kind": "arrow", "points": [[-10, 5], [40.2, 30]]}, BOX, PEN]}
    assert summary(note(sketch=raw))["sketch"] == 3


def test_agents_are_told_where_shapes_lie() -> None:
    assert told_sketch({"shapes": [ARROW, BOX, PEN]}) == [
        {"kind": "arrow", "from": [-10, 5], "to": [40, 30]},
        {"kind": "box", "x": 10, "y": 20, "width": 40, "height": 40},
        {"kind": "pen", "x": 0, "y": 0, "width": 12, "height": 9},
    ]


@pytest.mark.parametrize(
    ("sketch", "where"),
    [
        (None, ".shapes"),
        ([], ".shapes"),
        ({"shapes": []}, ".shapes"),
        ({"shapes": [ARROW] * (LIMITS["shapes"] + 1)}, ".shapes"),
        ({"shapes": ["<svg onload=alert(1)>"]}, ".shapes[0].kind"),
        ({"shapes": [{**BOX, "kind": "image"}]}, ".shapes[0].kind"),
        ({"shapes": [BOX, {"kind": "arrow", "points": [[0, 0]]}]}, ".shapes[1].points"),
        ({"shapes": [{"kind": "pen", "points": []}]}, ".shapes[0].points"),
        ({"shapes": [{"kind": "pen", "points": [[0, 0]] * (LIMITS["points"] + 1)}]}, ".shapes[0].points"),
        ({"shapes": [{"kind": "pen", "points": "M0 0"}]}, ".shapes[0].points"),
        *(
            ({"shapes": [{"kind": "pen", "points": [point]}]}, ".shapes[0].points[0]")
            for point in ([1], [1, 2, 3], [1, "2"], [1, None], [True, 1], "12", {"x": 1}, [1e9, 0], [0, -1e9])
        ),
        *(
            ({"shapes": [{"kind": "pen", "points": [[0, 0], [value, 1]]}]}, ".shapes[0].points[1]")
            for value in (float("nan"), float("inf"), -float("inf"), 10**400)
        ),
        ({"shapes": [{"kind": "pen", "points": [[12345.6, -12345.6]] * 200}] * 40}, ""),
    ],
)
def test_what_is_no_sketch_is_refused_by_name(sketch: Any, where: str) -> None:
    with pytest.raises(InvalidArguments) as error:
        checked_sketch(sketch, "item.sketch")
    assert error.value.data["argument"] == f"item.sketch{where}"


@given(json_values)
def test_any_json_is_a_sketch_or_names_an_argument(value: Any) -> None:
    for raw in (value, {"shapes": [value]}, {"shapes": [{"kind": "pen", "points": value}]}):
        try:
            made = checked_sketch(raw, "item.sketch")
        except InvalidArguments as error:
            named = error.data["argument"]
        else:
            json.dumps(made, allow_nan=False)
            named = "item.sketch"
        assert named.startswith("item.sketch")


@given(st.lists(st.tuples(st.floats(), st.floats()).map(list), min_size=1, max_size=5))
def test_no_coordinate_is_beyond_its_limit(points: list[list[float]]) -> None:
    try:
        made = checked_sketch({"shapes": [{"kind": "pen", "points": points}]}, "sketch")
    except InvalidArguments:
        assert any(not abs(each) <= LIMITS["px"] for point in points for each in point)
    else:
        assert all(abs(each) <= LIMITS["px"] for point in made["shapes"][0]["points"] for each in point)
