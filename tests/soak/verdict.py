"""What a soak says: blocks of equal length, how each measure moves over them, and whether that is flat."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

FEWEST_BLOCKS = 3
"""After the first; of fewer a slope says nothing."""


@dataclass(frozen=True, slots=True)
class Bound:
    """By how much the lowest of a measure may move from the second block to the last one."""

    name: str
    growth: float
    minutes: float = 0.0
    """Shorter soaks do not judge it: what is bounded is still being filled."""


BOUNDS = (
    Bound("USS, MiB", 12.0, minutes=25),
    Bound("threads", 1.5),
    Bound("descriptors", 6.0),
    Bound("tasks", 12.0),
    Bound("timers", 100.0, minutes=10),
    Bound("Vite RSS, MiB", 60.0, minutes=25),
    Bound("page heap, MiB", 3.0, minutes=25),
    Bound("p95 alone, ms", 60.0, minutes=25),
)
"""Leaks of these make the exit code 1."""


@dataclass(frozen=True, slots=True)
class Done:
    """One call: when it began, in seconds since the soak did; an empty `error` is a success."""

    at: float
    group: str
    ms: float
    error: str = ""
    expected: bool = False


@dataclass(slots=True)
class Block:
    """One part of the time. `samples`: of each measure, in the order of time."""

    done: list[Done] = field(default_factory=list)
    samples: dict[str, list[float]] = field(default_factory=dict)

    def median(self, measure: str) -> float | None:
        values = self.samples.get(measure)
        return statistics.median(values) if values else None

    def lowest(self, measure: str) -> float | None:
        """What is held even when the least is under way: a leak raises it."""
        return min(self.samples.get(measure, ()), default=None)

    @property
    def errors(self) -> Counter[str]:
        """Those that nothing explains, by name."""
        return Counter(
            f"{each.group}: {each.error}" for each in self.done if each.error and not each.expected
        )

    @property
    def expected(self) -> Counter[str]:
        return Counter(each.error for each in self.done if each.error and each.expected)

    def percentile(self, part: float, group: str = "") -> float | None:
        """Of the ms of calls that succeeded; of one group, or of all."""
        times = sorted(each.ms for each in self.done if not each.error and group in ("", each.group))
        return times[min(len(times) - 1, int(len(times) * part))] if times else None


def blocks(
    done: Sequence[Done], samples: Sequence[tuple[float, dict[str, float]]], seconds: float, count: int
) -> list[Block]:
    """`count` equal ones."""
    made = [Block() for _ in range(count)]
    for call in done:
        made[_number(call.at, seconds, count)].done.append(call)
    for at, values in samples:
        block = made[_number(at, seconds, count)]
        for measure, value in values.items():
            block.samples.setdefault(measure, []).append(value)
    return made


def _number(at: float, seconds: float, count: int) -> int:
    return min(count - 1, max(0, int(at / seconds * count)))


def slope(values: Sequence[float]) -> float:
    """Theil–Sen: the median of the slopes of all pairs, by step. 0 for fewer than two."""
    pairs = [
        (later - earlier) / (j - i)
        for i, earlier in enumerate(values)
        for j, later in enumerate(values[i + 1 :], i + 1)
    ]
    return statistics.median(pairs) if pairs else 0.0


@dataclass(frozen=True, slots=True)
class Finding:
    """How a measure moved from the second block to the last, by its slope. `flat` is None where nothing is judged."""

    bound: Bound
    growth: float
    flat: bool | None

    def __str__(self) -> str:
        judged = {True: "flat", False: "**NOT flat**", None: "not judged in so short a time"}[self.flat]
        return f"{self.bound.name}: {self.growth:+.1f} (bound {self.bound.growth:+.1f}): {judged}"


def findings(of: Sequence[Block], minutes: float) -> list[Finding]:
    """One for each bound whose measure was taken."""
    found = []
    for bound in BOUNDS:
        values = [value for block in of[1:] if (value := block.lowest(bound.name)) is not None]
        if values:
            growth = slope(values) * (len(values) - 1)
            judged = minutes >= bound.minutes and len(values) >= FEWEST_BLOCKS
            found.append(Finding(bound, growth, growth <= bound.growth if judged else None))
    return found


def growing(before: dict[str, int], after: dict[str, int], most: int = 80) -> list[tuple[str, int, int]]:
    """What there is more of: (name, before, after), the most first."""
    more = [
        (name, before.get(name, 0), count) for name, count in after.items() if count > before.get(name, 0)
    ]
    return sorted(more, key=lambda each: each[1] - each[2])[:most]
