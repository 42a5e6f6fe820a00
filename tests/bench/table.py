"""docs/benchmarks.md, made from the results of a run: `python -m bench.table` makes it from the last one."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.chrome import RESULTS
from bench.rounds import WARM_UP
from bench.servers import HTTP, RAW, STDIO

DOCS = Path(__file__).parents[2] / "docs" / "benchmarks.md"
OWN_PARTS = ("## Sources", "## Overlay", "## Soak")
"""What `python -m bench sources`, `python -m bench overlay` and `python -m soak` write."""
TIE = 1.05
"""Within 5 % nobody is ahead."""

Row = dict[str, Any]


def markdown(results: dict[str, Any]) -> str:
    """The whole page."""
    servers: list[str] = results["servers"]
    parts = [_head(results)]
    if "operations" in results:
        parts.append(_operations(results, servers))
    if "start" in results and "memory" in results:
        parts.append(_around(results, servers))
    if "sureness" in results:
        parts.append(_sureness(results, servers))
    return "\n\n".join(parts) + "\n"


def _head(results: dict[str, Any]) -> str:
    about = results["about"]
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    return f"""# Benchmarks

Made by `make bench` ({about["date"]}; {about["machine"]};
{versions}).
Do not edit: `python -m bench --write` in `tests/` writes it anew.

Servers are compared within one run, each with a browser of its own (same program, flags and viewport), in rotated
order; clients are the MCP SDK for Python (its HTTP client takes some milliseconds of each call for itself). Ratios
travel between machines, milliseconds do not; the load average right before was {about["load"]} (a calm machine: below
1; what else runs makes all of them slower, and the 95th percentiles most). *{RAW}* is the floor: bare commands on a
WebSocket, without MCP, without looking whether an element can be used, and without waiting for effects."""


def _ms(value: float) -> str:
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[max(0, round(len(times) * 0.95) - 1)]


def _tokens(count: int) -> str:
    return f"{count / 1000:.1f}k" if count >= 1000 else str(count)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [" | ".join(head), " | ".join(["---", *("---:" for _ in head[1:])])]
    return "\n".join(f"| {line} |" for line in [*lines, *(" | ".join(row) for row in rows)])


def _median(row: Row | None) -> float | None:
    return statistics.median(row["ms"]) if row and row["ms"] else None


def _faultless(row: Row | None) -> float | None:
    """Its median, if it did what was asked."""
    return _median(row) if row and row["held"] == len(row["ms"]) else None


def _operations(results: Row, servers: Sequence[str]) -> str:
    head = ["operation", RAW, *servers, "ours : raw", "ours : best peer", "a peer is ahead in"]
    notes: list[str] = []
    rows = []
    for operation in results["operations"]:
        measured: dict[str, Row] = operation["rows"]
        quickest = min((_faultless(measured.get(name)) or 9e9 for name in servers), default=0.0)
        cells = [_cell(measured.get(name), quickest, name in servers) for name in (RAW, *servers)]
        rows.append([operation["name"], *cells, *_compared(measured, servers)])
        notes += [
            f"* {operation['name']}, {name}: {_short(row['missed'])}"
            for name, row in measured.items()
            if row["missed"]
        ]
    table = _table(head, rows)
    intro = f"""## Operations

Median / 95th percentile of {results["rounds"]} rounds in ms, after {WARM_UP} that do not count (tokens of the answer's
text: bytes / 4; pictures are not in it). **Bold**: the fastest server. Whether the effect happened was looked at over
another connection after each call: ⚠ says in how many of the rounds it was not there, or not what was asked for.
*Ours : raw* and *ours : best peer* take the faster of our two transports and, of the peers, those without a warning
(below 1 we are ahead)."""
    table = f"{intro}\n\n{table}"
    return table + ("\n\nWhat the warnings are:\n\n" + "\n".join(notes) if notes else "")


def _short(text: str) -> str:
    return " ".join(text.replace("|", "/").split())[:160]


def _cell(row: Row | None, quickest: float, is_server: bool) -> str:
    median = _median(row)
    if row is None or median is None:
        return "–"
    text = f"{_ms(median)} / {_ms(_p95(row['ms']))}"
    text = f"**{text}**" if is_server and median == quickest else text
    text += f" ({_tokens(row['tokens'])})" if is_server else ""
    text += f" in {row['calls']} calls" if row["calls"] > 1 else ""
    missed = len(row["ms"]) - row["held"]
    return f"{text} ⚠ {missed}/{len(row['ms'])}" if missed else text


def _compared(measured: dict[str, Row], servers: Sequence[str]) -> list[str]:
    """Ratio to raw, ratio to the best peer that did it, and where a peer beats the better of ours."""
    ours = [median for name in (HTTP, STDIO) if (median := _median(measured.get(name)))]
    raw = _median(measured.get(RAW))
    others = [name for name in servers if name not in (HTTP, STDIO)]
    theirs = {name: median for name in others if (median := _faultless(measured.get(name)))}
    if not ours:
        return ["–", "–", "–"]
    own = min(ours)
    own_tokens = measured[HTTP]["tokens"]
    ahead = [f"time: {name}" for name, median in theirs.items() if own > median * TIE]
    ahead += [f"tokens: {name}" for name in theirs if own_tokens > measured[name]["tokens"] * TIE]
    return [
        f"{own / raw:.1f}" if raw else "–",
        f"{own / min(theirs.values()):.2f}" if theirs else "–",
        "; ".join(ahead) or "–",
    ]


def _around(results: dict[str, Any], servers: Sequence[str]) -> str:
    names = [RAW, *servers]
    rows = [
        ["start to first result, ms", *(_ms(results["start"][name]) for name in names)],
        ["memory of the server, MiB", "–", *(f"{results['memory'][name] / 2**20:.0f}" for name in servers)],
        ["tools/list, tokens", "–", *(str(results["tools"][name]) for name in servers)],
    ]
    default = results["tools"]["Pageside, default toolsets"]
    return (
        "## Around them\n\n"
        + _table(["", *names], rows)
        + f"\n\nPageside's rows are its toolset `chrome`, with the 26 Chrome tools. Its default toolsets, whose "
        f"one tool `chrome_devtools` stands for all of them, take {default} tokens. Memory: resident, after the "
        "operations, without the browser."
    )


def _sureness(results: dict[str, Any], servers: Sequence[str]) -> str:
    head = ["situation", *servers]
    rows = []
    for one in results["sureness"]:
        cells = [_sure(one["rows"][name]) for name in servers]
        rows.append([one["name"], *cells])
    return f"""## What is true, and what the agent sees

A click on a button whose effect comes late, then the next look (a snapshot). ✔: in all {results["tries"]} tries the
effect was in the look, and was true over the independent connection at that moment; else in how many. First without
any thinking between click and look, then (·) with one second of it. Times: median ms of the click + of the look right
after it. A covered element must not be clicked, and the agent must be told; a dialog or a new tab must be told by the
click's own answer.

{_table(head, rows)}"""


def _sure(row: dict[str, Row]) -> str:
    marks = [_mark(found) for found in row.values()]
    first = row["at once"]
    click, look = (statistics.median(first[key]) for key in ("click_ms", "look_ms"))
    return f"{' · '.join(marks)} {click:.0f} + {look:.0f}"


def _mark(found: Row) -> str:
    both = min(found["seen"], found["true"])
    return "✔" if both == found["tries"] else f"**{both}/{found['tries']}**"


def main() -> None:
    """Write the page from the last results."""
    written = markdown(json.loads(RESULTS.read_text("utf-8")))
    DOCS.write_text("\n".join([written, *_own_parts().values()]), "utf-8")


def write_part(heading: str, section: str) -> None:
    """Put a part in that is measured by itself, as `## Sources`; the rest stays as it is."""
    parts = _own_parts() | {heading: section}
    text = DOCS.read_text("utf-8")
    head = text[: min((text.index(f"\n{each}\n") + 1 for each in _own_parts()), default=len(text) + 1)]
    DOCS.write_text("\n".join([head.rstrip("\n") + "\n", *parts.values()]), "utf-8")


def _own_parts() -> dict[str, str]:
    """The parts of the page that are measured by themselves, by their headings."""
    sections = DOCS.read_text("utf-8").split("\n## ")[1:]
    found = {f"## {each.splitlines()[0]}": f"## {each.rstrip()}\n" for each in sections}
    return {heading: found[heading] for heading in OWN_PARTS if heading in found}


if __name__ == "__main__":
    main()
