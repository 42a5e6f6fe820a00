"""Which tombstones are kept."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pageside.core.tombstones import KEPT_MS, MOST, outlived

NOW = KEPT_MS * 3


def item(number: int, updated: int, status: str = "deleted") -> dict[str, Any]:
    return {"id": str(number), "status": status, "updated": updated}


def test_the_oldest_beyond_the_most_go() -> None:
    items = [item(number, NOW - number) for number in range(MOST + 2)]
    assert outlived(items[:MOST], NOW) == []
    assert outlived(items[::-1], NOW) == [str(MOST), str(MOST + 1)]


def test_a_day_too_old_is_too_old() -> None:
    assert outlived([item(1, NOW - KEPT_MS), item(2, NOW - KEPT_MS - 1)], NOW) == ["2"]


@given(st.lists(st.tuples(st.integers(0, NOW), st.sampled_from(["pending", "completed", "deleted"]))))
def test_what_is_not_deleted_stays(made: list[tuple[int, str]]) -> None:
    items = [item(number, updated, status) for number, (updated, status) in enumerate(made)]
    gone = outlived(items, NOW)
    assert {items[int(each)]["status"] for each in gone} <= {"deleted"}
    assert len(gone) == len(set(gone))
