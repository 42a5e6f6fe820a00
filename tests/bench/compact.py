"""The kind of table that the README has: cells that say who did it best, and numbers for people. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.cells import NONE

BEGIN, END = "<!-- bench -->", "<!-- /bench -->"


@dataclass(frozen=True)
class Cell:
    """What one tool did."""

    text: str
    value: float | None = None
    """What it is compared by; None: not compared, such as the floor or a failure."""


@dataclass(frozen=True)
class Line:
    """A row: what was done, and by whom."""

    title: str
    cells: Mapping[str, Cell]
    more_is_better: bool = False

    def row(self, columns: Sequence[str]) -> list[str]:
        """Its texts; the best, and what reads the same, in bold where several are compared."""
        compared = [cell for cell in self.cells.values() if cell.value is not None]
        values = [cell.value for cell in compared if cell.value is not None]
        best = (max if self.more_is_better else min)(values, default=None)
        bold = {cell.text for cell in compared if cell.value == best} if len(compared) > 1 else set()
        cells = [self.cells.get(name, Cell(NONE)) for name in columns]
        marked = (
            f"**{each.text}**" if each in compared and each.text in bold else each.text for each in cells
        )
        return [self.title, *marked]


def replaced(text: str, block: str) -> str:
    """A text with that between its markers and nothing else changed; raises `ValueError` without them."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(END) < text.index(BEGIN):
        raise ValueError(
            f"Where does the table go? Put the lines {BEGIN} and {END} in, once and in this order."
        )
    head, tail = text[: text.index(BEGIN) + len(BEGIN)], text[text.index(END) :]
    return f"{head}\n{block.strip()}\n{tail}"


def people_ms(value: float) -> str:
    """As exact as a run can be trusted: 4.1 ms, 38 ms, 260 ms, 1.3 s."""
    if value < 9.95:
        return f"{value:.1f} ms"
    if value < 99.5:
        return f"{value:.0f} ms"
    return f"{value / 10:.0f}0 ms" if value < 995 else f"{value / 1000:.1f} s"


def people_count(value: float) -> str:
    """252, 5.0k, 46k."""
    if value < 1000:
        return f"{value:.0f}"
    return f"{value / 1000:.1f}k" if value < 9950 else f"{value / 1000:.0f}k"
