"""The tables of a soak, as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from soak.verdict import Block, Finding, slope

MEASURES = (
    *("USS, MiB", "RSS, MiB", "threads", "descriptors", "tasks", "timers", "CPU, %", "Vite RSS, MiB"),
    *("page heap, MiB", "page nodes", "p50 alone, ms", "p95 alone, ms"),
)


def section(about: str, of: Sequence[Block], found: Sequence[Finding], minutes: float) -> str:
    """The part of docs/benchmarks.md."""
    parts = [_head(about, minutes), _held(of, minutes), _calls(of), _times(of), _verdict(of, found)]
    return "\n\n".join(parts) + "\n"


def _head(about: str, minutes: float) -> str:
    return f"""## Soak

What {minutes:g} minutes of work leave behind: `make soak`, {about}. Meanwhile 5 calls a second over all toolsets, of
an agent with a session (2025-11-25) and one without (2026-07-28), in pages of the React example that are reloaded 50
times a minute; a web console is open, notes are made, worked on and deleted, and every 10 s a source is edited, a tab
and an agent's session come and go. Each row is a part of that time."""


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [_row(*head), _row("---", *["---:"] * (len(head) - 1))]
    return "\n".join([*lines, *(_row(*row) for row in rows)])


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"


def _names(of: Sequence[Block], minutes: float) -> list[str]:
    step = minutes / len(of)
    return [f"{number * step:.3g}–{(number + 1) * step:.3g} min" for number in range(len(of))]


def _held(of: Sequence[Block], minutes: float) -> str:
    rows = [
        [name, *(_number(block.median(measure)) for measure in MEASURES)]
        for name, block in zip(_names(of, minutes), of, strict=True)
    ]
    return (
        "What is held, median of samples every 5 s; of the companion where nothing else is said. *Alone*: near the\n"
        "end of each part all else waits, and every call is made by each agent, one after the other, three times,\n"
        "of which the median counts:\n\n" + _table(["", *MEASURES], rows)
    )


def _calls(of: Sequence[Block]) -> str:
    rows = [
        [
            *(str(number), str(len(block.done))),
            *(_number(block.percentile(part)) for part in (0.5, 0.95, 0.99)),
            *(str(block.expected.total()), str(block.errors.total())),
        ]
        for number, block in enumerate(of, 1)
    ]
    return "All that was done, ms:\n\n" + _table(
        ["part", "done", "p50", "p95", "p99", "ended by a reload or the like", "errors"], rows
    )


def _times(of: Sequence[Block]) -> str:
    groups = sorted({each.group for block in of for each in block.done})
    rows = []
    for group in groups:
        done = [each for block in of for each in block.done if each.group == group]
        whole = Block(done=done)
        parts = [_number(block.percentile(0.95, group)) for block in of]
        rows.append(
            [group, str(len(done)), *(_number(whole.percentile(p)) for p in (0.5, 0.95, 0.99)), *parts]
        )
    head = ["", "done", "p50", "p95", "p99", *(f"p95 of {number}" for number in range(1, len(of) + 1))]
    return "By kind, ms, and the 95th percentile of each part:\n\n" + _table(head, rows)


def _verdict(of: Sequence[Block], found: Sequence[Finding]) -> str:
    lines = [*(f"* {each}" for each in found), _slower(of)]
    for title, counts in (
        ("Ended by a reload or the like", sum((block.expected for block in of), Counter[str]())),
        ("Errors", sum((block.errors for block in of), Counter[str]())),
    ):
        told = "; ".join(f"{name} ({count})" for name, count in counts.most_common(30)) or "none"
        lines.append(f"* {title}: {told}")
    return (
        "From the second part to the last, the lowest of each, by the slope of Theil and Sen (the first part fills\n"
        "what is bounded; more than the lowest is held by what is under way):\n\n" + "\n".join(lines)
    )


def _slower(of: Sequence[Block]) -> str:
    """How the 95th percentile moved under load; told, never judged: what the machine does besides moves it too."""
    times = [value for block in of[1:] if (value := block.percentile(0.95)) is not None]
    moved = slope(times) * max(0, len(times) - 1)
    return f"* p95 of all that was done, ms: {moved:+.0f}, not judged (that of calls alone is)"
