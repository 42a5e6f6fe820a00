"""The bucket never lets more through than it says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pageside.core.rate import Bucket, Share

BURST, PER_SECOND = 5, 2.0


@given(st.lists(st.floats(0, 3), max_size=60))
def test_in_any_span_no_more_than_the_burst_and_what_has_filled_up(pauses: list[float]) -> None:
    bucket, now, passed = Bucket(BURST, PER_SECOND), 100.0, []
    for pause in pauses:
        now += pause
        if bucket.take(now):
            passed.append(now)
    for first, start in enumerate(passed):
        for last in range(first, len(passed)):
            assert last - first + 1 <= BURST + (passed[last] - start) * PER_SECOND + 1e-6


def test_a_clock_that_steps_back_fills_nothing() -> None:
    bucket = Bucket(1, 1)
    assert bucket.take(10)
    assert not bucket.take(9)
    assert not bucket.take(9.5)


@given(st.lists(st.tuples(st.floats(0, 2), st.floats(0, 3)), max_size=60))
def test_work_takes_no_more_than_its_share_and_a_burst(turns: list[tuple[float, float]]) -> None:
    share, start = Share(0.25, 0.5), 100.0
    now, worked = start, 0.0
    for work, idle in turns:
        longest = max((each for each, _ in turns), default=0.0)
        assert worked <= 0.25 * (now - start) + 0.5 + longest + 1e-6
        now += work
        worked += work
        now += share.rest(now - work, now) + idle


def test_little_work_does_not_rest_and_what_was_idle_is_not_saved_up() -> None:
    share = Share(0.25, 0.5)
    assert share.rest(100.0, 100.5) == 0
    assert share.rest(100.5, 101.0) == 3.0
    assert share.rest(900.0, 901.0) == 3.0
