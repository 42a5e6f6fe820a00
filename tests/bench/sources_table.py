"""The part of docs/benchmarks.md about sources."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from bench.cells import FAULT, NONE
from bench.inspectors import NONE as BARE
from bench.inspectors import OTHER, OURS

TARGETS = {"React": 1.05, "Vue": 1.05, "Solid": 1.2}
"""The server's CPU time with Pageside by that without, at most."""


def section(results: dict[str, Any]) -> str:
    """The whole part, from its heading on."""
    absent = "".join(
        f"\n\n{name} {why}: it is not in the tables." for name, why in results["missing"].items()
    )
    tables = "\n".join(
        [*_costs(results["cost"]), *_over(results["cost"]), "", *_hits(results["hits"]), "", *_notes(results)]
    )
    return f"""## Sources

What it costs that elements know their places, and how many do. Generated projects, each variant in turn within a
round, without Vite's cache. *CPU*: of the server's process, from its start until the page shows its last component;
median, and in brackets the lowest and the highest. *Lowest*: the ratio of the lowest values, which neighbours on the
machine disturb least. *HMR*: from saving a component until the page shows it, median. *DOM*: the HTML of
the app.{absent}

{tables}

Exact: file, line and column of the element's tag, by the same list of elements that the tests use; ours as an agent
gets it from `capture_element_context`, the other's from the attribute that it writes at the element itself.
"""


def _costs(costs: dict[str, Any]) -> list[str]:
    rows = [
        "| project | variant | rounds | CPU, s | × | lowest × | target | HMR, ms | DOM, KB |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for kind, found in costs.items():
        base = found["rows"][BARE]["cpu_s"]
        for variant, row in found["rows"].items():
            target = f"≤ {TARGETS[kind]}" if variant == OURS and kind in TARGETS else ""
            cells = [f"{kind}, {found['components']:,} components", variant, *_cost(row, base, target)]
            rows.append(f"| {' | '.join(cells)} |")
    return rows


def _over(costs: dict[str, Any]) -> list[str]:
    """In words, which targets the run missed."""
    ratios = {
        f"{kind} {ratio:.2f} instead of {target}"
        for kind, target in TARGETS.items()
        if kind in costs
        and (ratio := _ratio(costs[kind]["rows"], OURS)) is not None
        and round(ratio, 2) > target
    }
    if not ratios:
        return []
    return [
        "",
        f"Targets that this run missed: {', '.join(sorted(ratios))}. What is done once for a project, however large, "
        "weighs more in a small one.",
    ]


def _ratio(rows: Mapping[str, Any], variant: str) -> float | None:
    """Its CPU time by that without a plugin."""
    cpu, base = rows[variant]["cpu_s"], rows[BARE]["cpu_s"]
    return statistics.median(cpu) / statistics.median(base) if cpu and base else None


def _cost(row: Mapping[str, Any], base: Sequence[float], target: str) -> list[str]:
    cpu, hmr = row["cpu_s"], row["hmr_ms"]
    fault = f" {FAULT}" if row["failed"] else ""
    return [
        f"{len(cpu)}{fault}",
        f"{statistics.median(cpu):.2f} ({min(cpu):.2f}–{max(cpu):.2f})" if cpu else FAULT,
        f"{statistics.median(cpu) / statistics.median(base):.2f}" if cpu and base else NONE,
        f"{min(cpu) / min(base):.2f}" if cpu and base else NONE,
        target,
        f"{statistics.median(hmr):.0f}" if hmr else FAULT,
        f"{row['dom_bytes'] / 1024:.0f}" if cpu else FAULT,
    ]


def _hits(hits: dict[str, Any]) -> list[str]:
    rows = [
        f"| example | elements | Pageside, exact | {OTHER}, exact | its line right |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for kind, found in hits.items():
        ours, other = found[OURS], found.get(OTHER)
        cells = [
            _hit(ours, "exact"),
            *((_hit(other, "exact"), _hit(other, "line")) if other else (NONE, NONE)),
        ]
        rows.append(f"| {kind} | {found['spots']} | {' | '.join(cells)} |")
    return rows


def _hit(found: Mapping[str, Any], what: str) -> str:
    return FAULT if found["failed"] else str(found[what])


def _notes(results: dict[str, Any]) -> list[str]:
    """What each missed, and what the warnings are."""
    lines = []
    for kind, found in results["hits"].items():
        for name in (OURS, OTHER):
            if name in found and found[name]["missed"]:
                missed = ", ".join(f"`{selector}`" for selector in found[name]["missed"])
                lines.append(f"* {kind}, {name}: not exact are {missed}")
            if name in found and found[name]["failed"]:
                lines.append(f"* {kind}, {name}, places: {FAULT} {found[name]['failed']}")
    for kind, found in results["cost"].items():
        failed = ((name, row["failed"]) for name, row in found["rows"].items() if row["failed"])
        lines += [f"* {kind}, {name}, cost: {FAULT} {why}" for name, why in failed]
    return lines
