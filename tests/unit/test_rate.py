"""The bucket never lets more through than it says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pageside.core.rate import Bucket

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
