"""What an inspection is and how it may change."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.contract import LIMITS, STATUS
from pageside.core.inspection_fields import checked_progress
from pageside.core.inspections import created, edited, summary, transitioned
from pageside.core.status import allowed
from pageside.errors import BadTransition, InvalidArguments, PagesideError
from support.text import json_values, page_text

NOW = 1_700_000_000_000
RAW: dict[str, Any] = {
    "id": "note-1",
    "description": "Make it green",
    "sourceInfo": {"file": "src/App.tsx", "line": 12, "column": 7, "component": "App"},
    "selector": "#buy",
    "url": "http://localhost:5173/?token=hunter2",
    "title": "Shop",
    "timestamp": NOW - 5,
}
STEPS = {"steps": [{"id": 1, "title": "Find the rule", "status": "completed"}]}


def item(status: str = "pending", **more: Any) -> dict[str, Any]:
    return created({**RAW, "status": status, "rev": 1, **more}, NOW, restore=True)


def refused(raw: Any, **options: Any) -> str:
    with pytest.raises(InvalidArguments) as error:
        created(raw, NOW, **options)
    return str(error.value.data["argument"])


def test_a_new_item_is_pending_first_revision_and_holds_no_secret() -> None:
    made = created({**RAW, "status": "completed", "rev": 9, "agent": "x", "extra": 1}, NOW)
    assert (made["status"], made["rev"], made["author"], made["updated"]) == ("pending", 1, "user", NOW)
    assert made["timestamp"] == NOW - 5
    assert "hunter2" not in json.dumps(made)
    assert not {"extra", "agent", "progress", "message"} & set(made)


def test_a_restored_item_keeps_what_had_become_of_it() -> None:
    made = item("completed", rev=7, message="It is green.", progress=STEPS, agent="Ada's agent")
    assert (made["status"], made["rev"], made["message"]) == ("completed", 7, "It is green.")
    assert (made["progress"], made["agent"]) == (STEPS, "Ada's agent")


def test_a_restored_tombstone_is_nothing_but_a_tombstone() -> None:
    made = item("deleted", rev=4, message="gone")
    assert (made["status"], made["rev"], made["description"], made["sourceInfo"]) == ("deleted", 4, "", {})
    assert "message" not in made


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", ""),
        ("id", "a b"),
        ("id", "x" * 101),
        ("id", 5),
        ("description", 5),
        ("description", "x" * (LIMITS["descriptionChars"] + 1)),
        ("sourceInfo", []),
        ("selector", None),
        ("title", {}),
        ("url", 1),
    ],
)
def test_a_bad_field_is_refused_by_name(field: str, value: Any) -> None:
    assert refused({**RAW, field: value}) == f"item.{field}"


@pytest.mark.parametrize(
    ("field", "value"),
    [("status", "gone"), ("status", None), ("message", 5), ("agent", []), ("progress", {"steps": 1})],
)
def test_a_bad_field_of_a_restored_item_is_refused(field: str, value: Any) -> None:
    assert field in refused({**RAW, "status": "pending", "rev": 1, field: value}, restore=True)


@pytest.mark.parametrize("raw", [None, [], "note", 3, {}])
def test_what_is_no_item_is_refused(raw: Any) -> None:
    assert refused(raw).startswith("item")


def test_an_item_over_the_size_limit_is_refused() -> None:
    assert refused({**RAW, "sourceInfo": {"html": "x" * LIMITS["itemBytes"]}}) == "item"


@given(st.integers() | st.floats() | st.booleans() | st.none() | st.text() | st.just(10**400))
def test_a_timestamp_is_whole_positive_and_not_in_the_future(value: Any) -> None:
    stamp = created({**RAW, "timestamp": value}, NOW)["timestamp"]
    assert isinstance(stamp, int)
    assert 0 <= stamp <= NOW


@given(st.integers() | st.floats() | st.booleans() | st.none() | st.text() | st.just(2**63))
def test_a_restored_revision_fits_the_database_and_a_javascript_number(value: Any) -> None:
    rev = item(rev=value)["rev"]
    assert type(rev) is int
    assert 1 <= rev < 2**53 - 1_000_000


@given(json_values, st.booleans())
def test_any_json_makes_an_item_or_names_an_argument(value: Any, restore: bool) -> None:
    for raw in (value, {**RAW, "sourceInfo": value}, {**RAW, "progress": value, "status": "failed"}):
        try:
            made = created(raw, NOW, restore=restore)
        except InvalidArguments as error:
            named = error.data["argument"]
        else:
            named = made["id"]
            assert json.loads(json.dumps(made)) == made
        assert named


statuses = st.sampled_from(STATUS["statuses"])
actors = st.sampled_from(["user", "agent"])


@given(statuses, statuses, actors, page_text, st.none() | st.just(STEPS))
def test_a_transition_raises_the_revision_by_one_and_leaves_its_argument_alone(
    before: str, wanted: str, actor: Any, message: str, progress: Any
) -> None:
    given_item = item(before)
    kept = copy.deepcopy(given_item)
    try:
        after = transitioned(
            given_item, wanted, actor=actor, now_ms=NOW + 9, message=message, progress=progress
        )
    except PagesideError:
        assert wanted not in allowed(before, actor) or not message.strip()
    else:
        assert (after["status"], after["rev"], after["updated"]) == (wanted, kept["rev"] + 1, NOW + 9)
        assert wanted == "deleted" or after["message"] == message
    assert given_item == kept


def test_a_message_over_the_limit_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="message"):
        transitioned(item("failed"), "pending", actor="user", now_ms=NOW, message="x" * 10_001)


def test_an_agent_s_report_is_kept_with_its_name() -> None:
    after = transitioned(
        item(), "in-progress", actor="agent", now_ms=NOW, message="Looking", progress=STEPS, agent="Ada's"
    )
    assert (after["message"], after["progress"], after["agent"]) == ("Looking", STEPS, "Ada's")
    later = transitioned(after, "in-progress", actor="agent", now_ms=NOW, agent="Ada's")
    assert (later["message"], later["progress"]) == ("Looking", STEPS)


def test_reopening_forgets_what_was_reported() -> None:
    after = transitioned(
        item("failed", message="No", progress=STEPS, agent="x"), "pending", actor="user", now_ms=NOW
    )
    assert not {"message", "progress", "agent"} & set(after)


@pytest.mark.parametrize("before", ["pending", "in-progress", "completed", "failed"])
def test_deleting_leaves_a_tombstone_that_nothing_changes(before: str) -> None:
    dead = transitioned(item(before, message="m", progress=STEPS), "deleted", actor="user", now_ms=NOW)
    assert (dead["id"], dead["status"], dead["description"], dead["sourceInfo"]) == (
        "note-1",
        "deleted",
        "",
        {},
    )
    assert not {"message", "progress", "agent"} & set(dead)
    for status in STATUS["statuses"]:
        with pytest.raises(BadTransition):
            transitioned(dead, status, actor="user", now_ms=NOW)
    with pytest.raises(BadTransition):
        edited(dead, {"description": "again"}, NOW)


def test_an_edit_changes_the_note_alone() -> None:
    before = item("in-progress", message="Looking")
    after = edited(before, {"description": "Make it blue"}, NOW + 1)
    assert after == {**before, "description": "Make it blue", "rev": 2, "updated": NOW + 1}
    for bad in (None, 7, "x" * (LIMITS["descriptionChars"] + 1)):
        with pytest.raises(InvalidArguments, match="description"):
            edited(before, {"description": bad}, NOW)


@pytest.mark.parametrize(
    ("steps", "argument"),
    [
        ("all", "progress.steps"),
        ([{}] * 101, "progress.steps"),
        ([7], "progress.steps[0]"),
        ([{"id": "a", "title": "t", "status": "pending"}], "progress.steps[0].id"),
        ([{"id": True, "title": "t", "status": "pending"}], "progress.steps[0].id"),
        ([{"id": 1, "title": None, "status": "pending"}], "progress.steps[0].title"),
        ([{"id": 1, "title": "t", "status": "deleted"}], "progress.steps[0].status"),
        ([{"id": 1, "title": "t", "status": []}], "progress.steps[0].status"),
    ],
)
def test_bad_progress_is_refused_by_name(steps: Any, argument: str) -> None:
    with pytest.raises(InvalidArguments) as error:
        checked_progress({"steps": steps})
    assert error.value.data["argument"] == argument


def test_progress_keeps_the_known_fields_of_each_step() -> None:
    step = {"id": 1, "title": "Find", "status": "pending"}
    assert checked_progress({"steps": [{**step, "extra": 1}], "more": 2}) == {"steps": [step]}


def test_a_summary_has_what_an_agent_chooses_by() -> None:
    short = summary(item("in-progress", message="Looking", progress=STEPS, agent="Ada's"))
    assert short == {
        "id": "note-1",
        "status": "in-progress",
        "description": "Make it green",
        "file": "src/App.tsx",
        "line": 12,
        "column": 7,
        "component": "App",
        "selector": "#buy",
        "url": "http://localhost:5173/?token=<redacted>",
        "timestamp": NOW - 5,
        "message": "Looking",
        "progress": STEPS,
        "agent": "Ada's",
    }


def test_a_selected_text_is_kept_cut_and_without_secrets() -> None:
    quote = {
        "exact": "Pay at /cart?token=hunter2 " + "x" * 1000,
        "prefix": "p" * 70,
        "suffix": "s" * 70,
        "more": 1,
    }
    made = created({**RAW, "quote": quote}, NOW)
    assert {part: len(text) for part, text in made["quote"].items()} == {
        "exact": pytest.approx(1000, abs=20),
        "prefix": 64,
        "suffix": 64,
    }
    assert "hunter2" not in json.dumps(made)
    assert summary(made)["quote"].startswith("Pay")


@pytest.mark.parametrize(
    ("quote", "argument"),
    [
        ("words", "item.quote"),
        ({"exact": ""}, "item.quote.exact"),
        ({"exact": "a", "prefix": 1}, "item.quote.prefix"),
    ],
)
def test_a_quote_that_is_none_is_refused_by_name(quote: Any, argument: str) -> None:
    assert refused({**RAW, "quote": quote}) == argument
