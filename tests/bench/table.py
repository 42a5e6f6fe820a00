"""The parts of docs/benchmarks.md about Chrome, made from the results of a run."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bench import peers
from bench.cells import FAULT, NONE, Row, faster, faultless, median, ms, p95, shorter, table, tokens
from bench.chrome import ATTACHED, DEFAULT, SERVERS
from bench.rounds import WARM_UP
from bench.servers import RAW, STDIO

OTHERS = tuple(peers.VERSIONS)
COLUMNS = (RAW, *SERVERS)
MISSING = "✗"
"""In the cells of a peer that is not there."""


def section(results: dict[str, Any]) -> str:
    """All of them that were measured."""
    parts = []
    if "operations" in results:
        parts.append(_operations(results))
    if "start" in results:
        parts.append(_around(results))
    if "sureness" in results:
        parts.append(_sureness(results))
    return "\n\n".join(parts) + "\n"


def _operations(results: dict[str, Any]) -> str:
    head = ["operation", *COLUMNS, "ours : raw", "ours : best peer", "a peer is ahead in"]
    notes: list[str] = []
    rows = []
    for operation in results["operations"]:
        measured: dict[str, Row] = operation["rows"]
        times = [time for name in SERVERS if (time := faultless(measured.get(name))) is not None]
        quickest = min(times, default=0.0)
        cells = [
            MISSING if name in results["missing"] else _cell(measured.get(name), quickest, name != RAW)
            for name in COLUMNS
        ]
        rows.append([operation["name"], *cells, *_compared(measured)])
        notes += [
            f"* {operation['name']}, {name}: {_short(row['missed'])}"
            for name, row in measured.items()
            if row["missed"]
        ]
    intro = f"""## Operations

Median / 95th percentile of {results["rounds"]} rounds in ms, after {WARM_UP} that do not count (tokens of the answer's
text: bytes / 4; pictures are not in it). **Bold**: the fastest server. Whether the effect happened was looked at over
another connection after each call: {FAULT} says in how many of the rounds it was not there, or not what was asked for;
that is never fast. *Ours* is over stdio, as the peers are; of those, the ones without a warning are compared (below 1
we are ahead)."""
    warned = "\n\nWhat the warnings are:\n\n" + "\n".join(notes) if notes else ""
    return f"{intro}\n\n{table(head, rows)}{warned}"


def _short(text: str) -> str:
    return " ".join(text.replace("|", "/").split())[:160]


def _cell(row: Row | None, quickest: float, is_server: bool) -> str:
    if row is None:
        return NONE
    time = median(row)
    if time is None:
        return FAULT
    text = f"{ms(time)} / {ms(p95(row['ms']))}"
    text = f"**{text}**" if is_server and faultless(row) == quickest else text
    text += f" ({tokens(row['tokens'])})" if is_server else ""
    text += f" in {row['calls']} calls" if row["calls"] > 1 else ""
    missed = row["tried"] - row["held"]
    return f"{text} {FAULT} {missed}/{row['tried']}" if missed else text


def _compared(rows: Mapping[str, Row]) -> list[str]:
    """Ratio to raw, ratio to the best peer that did it, and where a peer beats ours."""
    own, raw = faultless(rows.get(STDIO)), median(rows.get(RAW))
    theirs = [time for name in OTHERS if (time := faultless(rows.get(name))) is not None]
    ahead = [f"time: {name}" for name in faster(rows, STDIO, OTHERS)]
    ahead += [f"tokens: {name}" for name in shorter(rows, STDIO, OTHERS)]
    return [
        f"{own / raw:.1f}" if own and raw else NONE,
        f"{own / min(theirs):.2f}" if own and theirs else NONE,
        "; ".join(ahead) or NONE,
    ]


def _around(results: dict[str, Any]) -> str:
    tools, missing = results.get("tools", {}), results["missing"]

    def cells(
        values: Mapping[str, float], show: Callable[[float], str], names: Sequence[str] = COLUMNS
    ) -> list[str]:
        return [
            MISSING if name in missing else show(values[name]) if values.get(name) else NONE for name in names
        ]

    rows = [
        ["start to first result, ms", *cells(results.get("start", {}), ms)],
        [
            "memory of the server, MiB",
            *cells(results.get("memory", {}), lambda value: f"{value / 2**20:.0f}"),
        ],
        ["tools/list, tokens", *cells(tools, str)],
    ]
    return (
        "## Around them\n\n"
        + table(["", *COLUMNS], rows)
        + f"\n\nPageside's rows are its toolset `chrome`, with the 26 Chrome tools. Its default toolsets, whose "
        f"one tool `chrome_devtools` stands for all of them, take {tools.get(DEFAULT, NONE)} tokens. Memory: "
        "resident, after the operations, without the browser. Most of Pageside's start is Python loading the MCP SDK; "
        "where a companion runs already, as the dev server starts one, `pageside stdio` only connects to it: "
        f"{cells(results.get('start', {}), ms, [ATTACHED])[0]} ms to the first result."
    )


def _sureness(results: dict[str, Any]) -> str:
    rows = []
    for one in results["sureness"]:
        cells = [MISSING if name in results["missing"] else sure(one["rows"].get(name)) for name in SERVERS]
        rows.append([one["name"], *cells])
    return f"""## What is true, and what the agent sees

A click on a button whose effect comes late, then the next look (a snapshot). ✔: in all {results["tries"]} tries the
effect was in the look, and was true over the independent connection at that moment; else in how many. First without
any thinking between click and look, then (·) with one second of it ({results["thoughts"]} tries). Times: median ms of
the click + of the look right after it. A covered element must not be clicked, and the agent must be told; a dialog or a
new tab must be told by the click's own answer.

{table(["situation", *SERVERS], rows)}"""


def sure(row: Mapping[str, Row] | None) -> str:
    """Whether it was seen each time, and the times."""
    if row is None:
        return NONE
    marks = " · ".join(_mark(found) for found in row.values())
    first = row["at once"]
    if not first["click_ms"] or not first["look_ms"]:
        return marks
    return f"{marks} {_whole(first['click_ms'])} + {_whole(first['look_ms'])}"


def _whole(times: Sequence[float]) -> str:
    return f"{statistics.median(times):.0f}"


def _mark(found: Row) -> str:
    both = min(found["seen"], found["true"])
    return "✔" if both == found["tries"] else f"**{both}/{found['tries']}**"
