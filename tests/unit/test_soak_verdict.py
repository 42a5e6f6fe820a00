"""What `make soak` calls flat, and what it calls a leak."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soak.report import section
from soak.verdict import Block, Done, blocks, findings, growing, slope

LEVELS = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=12)


def held(*values: float, measure: str = "threads") -> list[Block]:
    return [Block(samples={measure: [value]}) for value in values]


def judged(*values: float, measure: str = "threads", minutes: float = 30) -> bool | None:
    (only,) = findings(held(*values, measure=measure), minutes)
    return only.flat


def test_a_measure_that_grows_with_every_part_is_a_leak() -> None:
    assert judged(9, 10, 11, 12, 13, 14) is False
    assert judged(9, 9, 9, 9, 9, 9) is True


def test_the_first_part_may_fill_what_is_bounded() -> None:
    assert judged(2, 9, 9, 9, 9, 9) is True


def test_one_part_that_stands_out_is_no_leak() -> None:
    assert judged(9, 9, 9, 40, 9, 9) is True


def test_what_is_only_under_way_for_a_while_is_no_leak() -> None:
    busier = [Block(samples={"tasks": [40, 50 + 30 * number]}) for number in range(6)]
    (only,) = findings(busier, 30)
    assert only.flat is True


def test_less_at_the_end_is_no_leak() -> None:
    assert judged(9, 9, 7, 5, 3, 1) is True


def test_memory_is_not_judged_while_buffers_are_being_filled() -> None:
    assert judged(80, 100, 120, 140, 160, 180, measure="USS, MiB", minutes=3) is None
    assert judged(80, 100, 120, 140, 160, 180, measure="USS, MiB", minutes=30) is False


def test_two_parts_say_nothing() -> None:
    assert judged(1, 50, 100) is None


@given(LEVELS, st.floats(-100, 100))
def test_the_slope_is_that_of_the_steps_that_are_added(values: list[float], step: float) -> None:
    flat = [values[0]] * len(values)
    assert slope([value + number * step for number, value in enumerate(flat)]) == pytest.approx(
        step, abs=1e-6
    )
    assert slope(flat) == 0


@given(LEVELS)
def test_the_slope_turns_with_time(values: list[float]) -> None:
    assert slope(values[::-1]) == pytest.approx(-slope(values))


def test_calls_and_samples_fall_into_the_part_in_which_they_began() -> None:
    done = [Done(0, "a", 1), Done(9.9, "a", 2), Done(10, "a", 3), Done(31, "a", 4)]
    parts = blocks(done, [(4, {"threads": 1.0}), (25, {"threads": 2.0})], 30, 3)
    assert [[call.ms for call in part.done] for part in parts] == [[1, 2], [3], [4]]
    assert [part.median("threads") for part in parts] == [1, None, 2]


def test_errors_that_a_reload_explains_are_counted_apart() -> None:
    part = Block(
        done=[Done(0, "a", 1), Done(0, "a", 9, "odd"), Done(0, "a", 9, "PAGE_DISCONNECTED", expected=True)]
    )
    assert (part.errors, part.expected) == ({"a: odd": 1}, {"PAGE_DISCONNECTED": 1})
    assert part.percentile(0.99) == 1, "failed calls have no say in how long calls take"


def test_what_became_more_is_named_the_most_first() -> None:
    assert growing({"A": 1, "B": 5, "C": 3}, {"A": 9, "B": 5, "D": 2}) == [("A", 1, 9), ("D", 0, 2)]


def test_the_section_tells_each_part_and_each_verdict() -> None:
    parts = held(9, 9, 12, 15, 18, 21)
    parts[0].done.append(Done(0, "chrome", 12.3, "chrome_click: odd"))
    told = section("somewhere", parts, findings(parts, 30), 30)
    assert "| 25–30 min |" in told
    assert "threads: +12.0 (bound +1.5): **NOT flat**" in told
    assert "chrome: chrome_click: odd (1)" in told
