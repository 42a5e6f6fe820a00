"""The status machine against the contract's table."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.contract import STATUS
from pageside.core import status as machine
from pageside.errors import BadTransition, InvalidArguments

ACTORS: tuple[machine.Actor, ...] = ("user", "agent")
EVERY_STEP = list(itertools.product(STATUS["statuses"], STATUS["statuses"], ACTORS))

actors = st.sampled_from(ACTORS)
statuses = st.sampled_from(STATUS["statuses"])


@pytest.mark.parametrize(("current", "wanted", "actor"), EVERY_STEP)
def test_a_step_is_legal_exactly_when_the_table_has_it(
    current: str, wanted: str, actor: machine.Actor
) -> None:
    in_table = wanted in STATUS["transitions"][current]
    reserved = actor == "agent" and wanted in STATUS["userOnly"]
    if in_table and not reserved:
        machine.check(current, wanted, actor, "Done")
        return
    with pytest.raises(BadTransition) as refused:
        machine.check(current, wanted, actor, "Done")
    assert refused.value.data["allowed"] == machine.allowed(current, actor)
    assert wanted not in refused.value.data["allowed"]


@given(statuses, actors, st.text())
def test_nothing_leaves_deleted(wanted: str, actor: machine.Actor, message: str) -> None:
    assert machine.allowed("deleted", actor) == []
    with pytest.raises(BadTransition):
        machine.check("deleted", wanted, actor, message)


@pytest.mark.parametrize("ended", ["completed", "failed"])
def test_only_the_user_reopens(ended: str) -> None:
    machine.check(ended, "pending", "user")
    with pytest.raises(BadTransition) as refused:
        machine.check(ended, "pending", "agent")
    assert "only the user reopens" in refused.value.message


@pytest.mark.parametrize("wanted", STATUS["needsMessage"])
@pytest.mark.parametrize("message", [None, "", "  \n\t"])
def test_an_agent_ends_nothing_without_a_message(wanted: str, message: str | None) -> None:
    with pytest.raises(InvalidArguments) as refused:
        machine.check("in-progress", wanted, "agent", message)
    assert refused.value.data == {"argument": "message"}


@given(st.lists(st.tuples(statuses, actors), max_size=30))
def test_every_walk_stays_inside_the_table_and_ends_at_deleted(
    steps: list[tuple[str, machine.Actor]],
) -> None:
    current, walked = "pending", ["pending"]
    for wanted, actor in steps:
        try:
            machine.check(current, wanted, actor, "Done")
        except BadTransition:
            continue
        assert current != "deleted"
        current = wanted
        walked.append(current)
    assert all(after in STATUS["transitions"][before] for before, after in itertools.pairwise(walked))


@given(st.one_of(st.text(), st.integers(), st.none(), st.lists(st.text())))
def test_only_the_five_statuses_are_statuses(value: object) -> None:
    assert machine.is_status(value) == (isinstance(value, str) and value in STATUS["statuses"])


def test_the_table_closes_over_its_own_statuses() -> None:
    assert set(STATUS["transitions"]) == set(STATUS["statuses"])
    named = set(itertools.chain(*STATUS["transitions"].values(), STATUS["userOnly"], STATUS["needsMessage"]))
    assert named <= set(STATUS["statuses"])
