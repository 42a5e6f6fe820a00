"""Cells of the tables: numbers as people read them, and what counts as done, fast and ahead. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

TIE = 1.05
"""Within 5 % nobody is ahead."""
NONE = "–"
FAULT = "⚠"

Row = Mapping[str, Any]
"""Of `rounds.Row`."""


def ms(value: float) -> str:
    """As exact as two digits before the point, or one after it."""
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"


def tokens(count: int) -> str:
    return f"{count / 1000:.1f}k" if count >= 1000 else str(count)


def p95(times: Sequence[float]) -> float:
    return sorted(times)[max(0, round(len(times) * 0.95) - 1)]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """In Markdown, all columns but the first to the right."""
    lines = [" | ".join(head), " | ".join(["---", *("---:" for _ in head[1:])])]
    return "\n".join(
        f"| {line} |".replace("|  |", "| |") for line in [*lines, *(" | ".join(row) for row in rows)]
    )


def median(row: Row | None) -> float | None:
    return statistics.median(row["ms"]) if row and row["ms"] else None


def faultless(row: Row | None) -> float | None:
    """Its median in ms, if it did what was asked in every round."""
    return median(row) if row and row["held"] == row["tried"] else None


def faster(rows: Mapping[str, Row], own: str, others: Sequence[str]) -> list[str]:
    """Those of the others that did it, and sooner; if we failed, all that did it."""
    mine = faultless(rows.get(own))
    theirs = {name: time for name in others if (time := faultless(rows.get(name))) is not None}
    return [name for name, time in theirs.items() if mine is None or mine > time * TIE]


def shorter(rows: Mapping[str, Row], own: str, others: Sequence[str]) -> list[str]:
    """Those of the others that did it, and said it in fewer tokens; if we failed, all that did it."""
    mine = rows[own]["tokens"] if faultless(rows.get(own)) is not None else None
    theirs = [name for name in others if faultless(rows.get(name)) is not None]
    return [name for name in theirs if mine is None or mine > rows[name]["tokens"] * TIE]
