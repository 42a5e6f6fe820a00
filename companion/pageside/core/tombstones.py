"""How long what is left of deleted inspections is kept: until hardly a tab is left that could bring them back."""

from __future__ import annotations

from collections.abc import Iterable

from pageside.core.inspections import Item

KEPT_MS = 90 * 24 * 3600 * 1000
"""Who opens the app for the first time in 90 days may bring back what was deleted meanwhile."""
MOST = 1000
"""The newest; else who deletes all the time would keep more and more."""


def outlived(items: Iterable[Item], now_ms: int) -> list[str]:
    """The ids of the tombstones among the items that need not be kept."""
    tombstones = sorted(
        ((item["updated"], item["id"]) for item in items if item["status"] == "deleted"), reverse=True
    )
    oldest = now_ms - KEPT_MS
    return [
        inspection
        for number, (deleted_at, inspection) in enumerate(tombstones)
        if number >= MOST or deleted_at < oldest
    ]
