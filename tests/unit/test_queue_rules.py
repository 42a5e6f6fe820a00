"""Replies, acceptance and order: what users do with an inspection besides its status, in any sequence."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.contract import LIMITS
from pageside.core import inspections as rules
from pageside.core import replies as threads
from pageside.errors import BadTransition, InvalidArguments, PagesideError
from pageside.hubs.heard import Heard
from support.text import json_values

NOW = 1_700_000_000_000
Item = dict[str, Any]


def item(status: str = "pending", **more: Any) -> Item:
    raw = {"id": "one", "status": status, "rev": 1, "timestamp": NOW - 9, "url": "http://localhost/"}
    return rules.created({**raw, **more}, NOW, restore=True)


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"from": "user", "text": text, **more}


def texts(inspection: Item) -> list[tuple[str, str, str]]:
    return [(reply["from"], reply["kind"], reply["text"]) for reply in inspection.get("replies", [])]


def working(inspection: Item, message: str | None = None, status: str = "in-progress") -> Item:
    return rules.transitioned(
        inspection, status, actor="agent", now_ms=NOW, message=message, agent="Ada's agent"
    )


def test_what_the_agent_says_with_a_status_stands_in_the_thread_once() -> None:
    one = working(working(item(), "Looking."), "Looking.")
    done = working(one, "It is green.", "completed")
    assert texts(done) == [("agent", "status", "Looking."), ("agent", "status", "It is green.")]
    assert {reply["name"] for reply in done["replies"]} == {"Ada's agent"}
    assert len({reply["id"] for reply in done["replies"]}) == 2


def test_reopening_keeps_the_thread_and_adds_the_users_note_and_ends_the_acceptance() -> None:
    done = rules.accepted(working(item(), "Done.", "completed"), NOW + 5)
    assert done["accepted"] == NOW + 5
    again = rules.transitioned(done, "pending", actor="user", now_ms=NOW, message="Greener!")
    assert texts(again) == [("agent", "status", "Done."), ("user", "reply", "Greener!")]
    assert "accepted" not in again


def test_a_message_without_a_limit_is_cut_for_the_thread_and_whole_in_the_item() -> None:
    long = "x" * LIMITS["descriptionChars"]
    done = working(item(), long, "completed")
    assert done["message"] == long
    assert len(done["replies"][0]["text"]) == LIMITS["replyChars"]


def test_who_abandoned_it_stands_in_the_thread() -> None:
    left = rules.abandoned(working(item()), NOW)
    assert texts(left) == [("agent", "status", left["message"])]
    assert left["replies"][0]["name"] == "Ada's agent"


@pytest.mark.parametrize("status", ["pending", "in-progress"])
def test_only_what_an_agent_ended_is_accepted(status: str) -> None:
    with pytest.raises(BadTransition, match="only a completed or failed one"):
        rules.accepted(item(status), NOW)


@pytest.mark.parametrize(
    ("reply", "argument"),
    [
        (None, "reply"),
        ({}, "reply.from"),
        (said("x", kind="shout"), "reply.kind"),
        (said(""), "reply.text"),
        (said("  "), "reply.text"),
        (said("x" * (LIMITS["replyChars"] + 1)), "reply.text"),
        ({"from": "page", "text": "x"}, "reply.from"),
        (said("x", name=5), "reply.name"),
    ],
)
def test_a_bad_reply_is_refused_by_name(reply: Any, argument: str) -> None:
    with pytest.raises(InvalidArguments) as error:
        rules.replied(item(), reply, NOW)
    assert error.value.data["argument"] == argument


@pytest.mark.parametrize("order", [None, "1", True, math.nan, math.inf, 2**60, 10**400, []])
def test_a_bad_order_is_refused_by_name(order: Any) -> None:
    with pytest.raises(InvalidArguments) as error:
        rules.reordered(item(), order, NOW)
    assert error.value.data["argument"] == "order"


def test_a_restored_item_keeps_thread_order_and_acceptance() -> None:
    thread = rules.replied(item(), said("Bigger", id="c1", at=NOW - 3), NOW)["replies"]
    made = item("completed", replies=thread, order=1.5, accepted=NOW - 1)
    assert (made["replies"], made["order"], made["accepted"]) == (thread, 1.5, NOW - 1)
    assert "accepted" not in item("pending", accepted=NOW)


@given(json_values)
def test_any_thread_that_a_page_brings_back_is_taken_or_refused_by_name(value: Any) -> None:
    for raw in (value, [value], [said("x", **{"kind": value})]):
        try:
            made = item(replies=raw)
        except InvalidArguments as error:
            named = str(error.data["argument"]).startswith("item.replies")
        else:
            named = len(made["replies"]) <= LIMITS["replies"]
        assert named


# Any sequence


orders = st.integers(-(2**53), 2**53) | st.floats(-(2.0**53), 2.0**53)
steps = st.one_of(
    st.tuples(st.just("reply"), st.text(min_size=1, max_size=20)),
    st.tuples(st.just("order"), orders),
    st.tuples(st.just("edit"), st.text(max_size=20)),
    st.tuples(st.just("accept"), st.none()),
    st.tuples(st.sampled_from(["pending", "in-progress", "completed", "failed", "deleted"]), st.text()),
)


def step(before: Item, kind: str, value: Any, now: int) -> Item:
    if kind == "reply":
        return rules.replied(before, said(value), now)
    if kind == "order":
        return rules.reordered(before, value, now)
    if kind == "edit":
        return rules.edited(before, {"description": value}, now)
    if kind == "accept":
        return rules.accepted(before, now)
    actor: Any = "user" if kind in ("pending", "deleted") else "agent"
    return rules.transitioned(before, kind, actor=actor, now_ms=now, message=value)


@given(st.lists(st.tuples(st.integers(0, 2), steps), max_size=150))
def test_any_sequence_of_changes_keeps_the_invariants(sequence: list[tuple[int, tuple[str, Any]]]) -> None:
    queue = [{**item(timestamp=NOW - n // 2), "id": f"n{n}"} for n in range(3)]
    for now, (index, (kind, value)) in enumerate(sequence, NOW):
        before = copy.deepcopy(queue[index])
        try:
            after = step(queue[index], kind, value, now)
        except PagesideError:
            assert queue[index] == before
            continue
        assert queue[index] == before
        queue[index] = after
        assert after["rev"] == before["rev"] + 1
        assert before["status"] != "deleted"
        assert rules.is_item(after)
    for each in queue:
        thread = each.get("replies", [])
        assert len(thread) <= LIMITS["replies"]
        assert all(len(reply["text"]) <= LIMITS["replyChars"] for reply in thread)
        assert len({reply["id"] for reply in thread}) == len(thread)
        assert "accepted" not in each or each["status"] in ("completed", "failed")
        if each["status"] == "deleted":
            assert not {"replies", "order", "accepted"} & set(each)
    places = [rules.place(each) for each in queue]
    assert len(set(places)) == len(places)
    queue.reverse()
    assert sorted(places) == sorted(rules.place(each) for each in queue)


# What an agent has heard


def test_an_agent_hears_each_reply_once_and_another_agent_hears_all() -> None:
    heard = Heard()
    one = working(rules.replied(item(), said("Bigger"), NOW), "On it.")
    assert [reply["text"] for reply in heard.tell("a", "one", one["replies"])] == ["Bigger"]
    assert heard.tell("a", "one", one["replies"]) == []
    two = rules.replied(one, said("Blue, too"), NOW)
    assert [reply["text"] for reply in heard.news("a", "one", two["replies"])] == ["Blue, too"]
    assert [reply["text"] for reply in heard.tell("b", "one", two["replies"])] == ["Bigger", "Blue, too"]
    heard.forget_agent("b")
    heard.forget_inspection("one")
    assert len(heard.news("a", "one", two["replies"])) == len(heard.news("b", "one", two["replies"])) == 2


def test_replies_after_one_that_was_dropped_are_all_news() -> None:
    many = item()
    for n in range(LIMITS["replies"] + 3):
        many = rules.replied(many, said(str(n)), NOW)
    assert many["replies"][0]["text"] == "3"
    assert len(threads.since(many["replies"], "r2")) == LIMITS["replies"]
