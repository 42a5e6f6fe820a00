"""The numbers by which people call inspections, "number 3": pure functions on the items of one project.

A living item keeps its number, whatever becomes of it; no two have the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Item = dict[str, Any]


def number_for(item: Item, others: Iterable[Item]) -> int:
    """The one that it brings, if none of `others` has it; else one more than the highest of theirs."""
    taken = {other["number"] for other in others if _has_number(other)}
    if _has_number(item) and item["number"] not in taken:
        return int(item["number"])
    return max(taken, default=0) + 1


def is_number(value: object) -> bool:
    """True for what people can say, and every language can count on from."""
    return type(value) is int and 0 < value < 1_000_000


def numbered(items: Iterable[Item]) -> list[Item]:
    """Those living items that had no number, the oldest first, each with one and a revision later."""
    living = [item for item in items if item["status"] != "deleted"]
    last = max((item["number"] for item in living if _has_number(item)), default=0)
    without = [item for item in living if not _has_number(item)]
    without.sort(key=lambda item: (item["timestamp"], item["id"]))
    return [{**item, "number": last + n, "rev": item["rev"] + 1} for n, item in enumerate(without, 1)]


def _has_number(item: Item) -> bool:
    return is_number(item.get("number"))
