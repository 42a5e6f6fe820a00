"""A ring keeps the newest, in order, within its bounds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pageside.core.ring import Ring

SIZES = st.lists(st.integers(0, 50), max_size=60)


@given(SIZES, st.integers(1, 12), st.integers(1, 120))
def test_what_is_kept_is_the_newest_that_fits(sizes: list[int], items: int, room: int) -> None:
    ring: Ring[int] = Ring(items, room)
    for number, size in enumerate(sizes):
        ring.add(number, size)
    kept = list(ring)
    assert kept == list(range(len(sizes)))[len(sizes) - len(kept) :]
    assert len(kept) <= items
    assert sum(sizes[number] for number in kept) <= room or len(kept) == 1
    if sizes:
        assert kept
        assert kept[-1] == len(sizes) - 1
    if 0 < len(kept) < min(items, len(sizes)):
        one_more = sizes[len(sizes) - len(kept) - 1 :]
        assert sum(one_more) > room, "there was room for an older one"


@given(SIZES, st.integers(1, 12), st.integers(0, 70))
def test_since_a_number_gives_the_rest_and_says_what_is_gone(
    sizes: list[int], items: int, number: int
) -> None:
    ring: Ring[int] = Ring(items, 10_000)
    for each, size in enumerate(sizes):
        ring.add(each, size)
    found, gone = ring.since(number)
    wanted = list(range(number, len(sizes)))
    assert found == wanted[len(wanted) - len(found) :]
    assert gone == max(0, ring.first - number)
    assert len(found) + min(gone, len(wanted)) == len(wanted)


@given(SIZES, SIZES)
def test_numbers_go_on_after_it_is_cleared(before: list[int], after: list[int]) -> None:
    ring: Ring[int] = Ring(1000, 10_000)
    for number, size in enumerate([*before, *after]):
        if number == len(before):
            ring.clear()
        ring.add(number, size)
    if not after:
        ring.clear()
    assert list(ring) == list(range(len(before), len(before) + len(after)))
    assert (ring.first, ring.seen) == (len(before), len(before) + len(after))


def test_an_item_larger_than_all_the_room_is_kept_alone() -> None:
    ring: Ring[str] = Ring(10, 100)
    ring.add("small", 10)
    ring.add("large", 1000)
    assert list(ring) == ["large"]
    ring.add("next", 10)
    assert list(ring) == ["next"]
