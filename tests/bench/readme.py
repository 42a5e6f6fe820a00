"""The table of the README: what a user feels, of one run, each tool in a column. Pure.

Rows in which a peer is ahead are in it by the same right; all operations are in docs/benchmarks.md.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from typing import Any

from bench import peers
from bench.cells import FAULT, Row, faster, faultless, median, shorter, table
from bench.chrome import ATTACHED, DEFAULT
from bench.compact import Cell, Line, people_count, people_ms
from bench.inspectors import NONE as BARE
from bench.inspectors import OTHER, OURS
from bench.servers import RAW, STDIO

OTHERS = tuple(peers.VERSIONS)
SERVERS = (STDIO, *OTHERS)
COLUMNS = {RAW: "raw CDP", STDIO: "Pageside", **{name: name for name in OTHERS}, OTHER: OTHER}
MISSING = "✗"
COVERED = "covered: must not be clicked"
LATE = "fetch of 300 ms, then the DOM"

Results = dict[str, Any]


def block(results: Results) -> str:
    """What stands between the README's markers."""
    lines = [*_operations(results), *_truths(results), *_around(results), *_sources(results)]
    measured = table(["", *COLUMNS.values()], [line.row(list(COLUMNS)) for line in lines])
    return "\n\n".join([measured, _legend(results), _ahead(results), _again(results)]) + "\n"


def _legend(results: Results) -> str:
    missing = {**results["chrome"]["missing"], **results["sources"]["missing"]}
    absent = "".join(f" {MISSING}: {name} {why}." for name, why in missing.items())
    return (
        f"**Bold**: the best of a row. {FAULT}: in so many rounds it did not happen, or not what was asked for; "
        f"that is never the best. *raw CDP*: bare commands without MCP, checks or waiting, as the floor.{absent}"
    )


def _ahead(results: Results) -> str:
    """In how much of all that was measured a peer is better."""
    rows = [each["rows"] for each in results["chrome"]["operations"]]
    quicker = sum(bool(faster(each, STDIO, OTHERS)) for each in rows)
    fewer = sum(bool(shorter(each, STDIO, OTHERS)) for each in rows)
    return (
        f"A peer is faster in {quicker} of all {len(rows)} operations, and answers in fewer tokens in {fewer}: "
        "[each of them](docs/benchmarks.md), with the overlay's cost, hot updates and half an hour of work. "
        + _started(results["chrome"]["start"])
    )


def _started(start: Mapping[str, float]) -> str:
    """Who starts sooner and why; and how it is where a companion runs."""
    sooner = " and ".join(name for name in OTHERS if name in start and start[name] < start[STDIO])
    why = f"{sooner} start sooner, as Python takes its time to load the MCP SDK. " if sooner else ""
    return f"{why}Beside the companion that a dev server started, the first answer takes {people_ms(start[ATTACHED])}."


def _again(results: Results) -> str:
    about = results["about"]
    told = ("Pageside", *OTHERS, OTHER, "Chromium")
    versions = ", ".join(f"{name} {about['versions'][name]}" for name in told if name in about["versions"])
    rounds, tries = about["effort"]["rounds"], about["effort"]["tries"]
    return (
        f"One run on {about['date']}, medians of {rounds} rounds, {tries} tries of each kind of click: "
        f"{about['machine']}, load average before {about['load']}; {versions}. "
        "Pageside is spoken to over stdio, as its peers are. "
        f"`make bench` does it again ({about['minutes']} minutes), `make bench BENCH=--quick` roughly."
    )


def _chrome(results: Results, title: str, cells: Mapping[str, Cell], *, more_is_better: bool = False) -> Line:
    """A line about servers; it says so of those that are not there."""
    missing = {name: Cell(MISSING) for name in results["chrome"]["missing"]}
    return Line(title, {**cells, **missing}, more_is_better)


def _operation(results: Results, title: str, name: str, *, said: bool = False) -> Line:
    """Of an operation: its time, or what its answer takes."""
    found = [each["rows"] for each in results["chrome"]["operations"] if each["name"] == name]
    rows: dict[str, Row] = found[0] if found else {}
    cells = {column: _did(rows[column], said) for column in SERVERS if column in rows}
    floor = median(rows.get(RAW))
    if floor is not None and not said:
        cells[RAW] = Cell(people_ms(floor))
    return _chrome(results, title, cells)


def _did(row: Row, said: bool) -> Cell:
    time = median(row)
    if time is None:
        return Cell(FAULT)
    value = float(row["tokens"]) if said else time
    text = people_count(value) if said else people_ms(value)
    if faultless(row) is not None:
        return Cell(text, value)
    return Cell(f"{text} {FAULT} {row['tried'] - row['held']} of {row['tried']}")


def _operations(results: Results) -> list[Line]:
    return [
        _operation(results, "click a button", "click by reference"),
        _late(results),
        _operation(results, "fill a form of 10 fields", "fill a form of 10"),
        _operation(results, "look at a page of 10,000 elements", "snapshot, 10,000 nodes"),
        _operation(results, "… tokens of that look", "snapshot, 10,000 nodes", said=True),
        _operation(results, "picture of the viewport (PNG)", "viewport PNG"),
        _operation(results, "1,000 console messages", "1,000 console messages"),
        _operation(results, "list of 200 requests", "200 requests, the list"),
    ]


def _situations(results: Results) -> dict[str, dict[str, Row]]:
    """What each server did at once, without thinking, by situation."""
    return {
        one["name"]: {name: row["at once"] for name, row in one["rows"].items() if name in SERVERS}
        for one in results["chrome"]["sureness"]
    }


def _told(found: Row) -> int:
    """In how many tries it was so, and the agent knew."""
    return int(min(found["seen"], found["true"]))


def _late(results: Results) -> Line:
    cells = {name: _seen(found) for name, found in _situations(results).get(LATE, {}).items()}
    return _chrome(results, "click, and see what its request of 300 ms brings", cells)


def _seen(found: Row) -> Cell:
    times = [click + look for click, look in zip(found["click_ms"], found["look_ms"], strict=False)]
    if not times:
        return Cell(FAULT)
    text, missed = people_ms(statistics.median(times)), found["tries"] - _told(found)
    return (
        Cell(f"{text} {FAULT} {missed} of {found['tries']}")
        if missed
        else Cell(text, statistics.median(times))
    )


def _truths(results: Results) -> list[Line]:
    situations = _situations(results)
    covered = {
        name: Cell("refused" if _told(found) == found["tries"] else f"clicked {FAULT}")
        for name, found in situations.pop(COVERED, {}).items()
    }
    counts = {
        name: sum(
            _told(found[name]) == found[name]["tries"] for found in situations.values() if name in found
        )
        for name in SERVERS
        if name not in results["chrome"]["missing"]
    }
    title = f"kinds of click whose effect the next look tells, of {len(situations)}"
    cells = {name: Cell(str(count), count) for name, count in counts.items()}
    return [
        _chrome(results, title, cells, more_is_better=True),
        _chrome(results, "click on a button that something covers", covered),
    ]


def _around(results: Results) -> list[Line]:
    chrome = results["chrome"]

    def cells(values: Mapping[str, float], show: Callable[[float], str]) -> dict[str, Cell]:
        return {name: Cell(show(values[name]), values[name]) for name in SERVERS if values.get(name)}

    tools = cells(chrome["tools"], people_count)
    own = tools[STDIO]
    # All that the rows above use; what `pageside setup` connects has one tool for them.
    tools[STDIO] = Cell(f"{own.text}; as set up {people_count(chrome['tools'][DEFAULT])}", own.value)
    start = {**cells(chrome["start"], people_ms), RAW: Cell(people_ms(chrome["start"][RAW]))}
    return [
        _chrome(results, "list of the tools, tokens", tools),
        _chrome(results, "start to first answer", start),
    ]


def _sources(results: Results) -> list[Line]:
    found = results["sources"]
    hits, react = found["hits"], found["cost"]["React"]
    count = sum(each["spots"] for each in hits.values())
    title = f"elements told exactly, `file:line:column`, of {count} ({', '.join(hits)})"
    project = f"React, {react['components']:,} components"
    missing = {name: Cell(MISSING) for name in found["missing"]}
    exact = {STDIO: _exact(hits, OURS), OTHER: _exact(hits, OTHER), **missing}
    cpu = _ratios(react["rows"], lambda row: statistics.median(row["cpu_s"]) if row["cpu_s"] else None)
    return [
        Line(title, exact, more_is_better=True),
        Line(f"{project}: CPU time of the dev server, × without a plugin", {**cpu, **missing}),
    ]


def _exact(hits: Mapping[str, Any], name: str) -> Cell:
    rows = [each[name] for each in hits.values() if name in each]
    exact = sum(row.get("exact", 0) for row in rows)
    return Cell(f"{exact} {FAULT}") if any(row.get("failed") for row in rows) else Cell(str(exact), exact)


def _ratios(
    rows: Mapping[str, dict[str, Any]], of: Callable[[dict[str, Any]], float | None]
) -> dict[str, Cell]:
    cells, base = {}, of(rows[BARE])
    for column, name in ((STDIO, OURS), (OTHER, OTHER)):
        value = of(rows[name]) if name in rows else None
        if value is None or base is None:
            cells[column] = Cell(FAULT)
        elif rows[name]["failed"]:
            cells[column] = Cell(f"{value / base:.2f} {FAULT}")
        else:
            cells[column] = Cell(f"{value / base:.2f}", value / base)
    return cells
