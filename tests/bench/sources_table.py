"""The part of docs/benchmarks.md that `python -m bench sources` measures."""

from __future__ import annotations

import statistics
from typing import Any

from bench.inspectors import NONE, OTHER, OURS, VERSIONS

TARGETS = {"React": 1.05, "Vue": 1.05, "Solid": 1.2}
"""The server's CPU time with Pageside by that without, at most."""


def section(results: dict[str, Any]) -> str:
    """The whole part, from its heading on."""
    about = results["about"]
    tables = "\n".join(lines(results))
    return f"""## Sources

What it costs that elements know their places, and how many do: `python -m bench sources --write`, {about["date"]},
{about["machine"]}, Node {about["node"]}, load average before {about["load"]} (a calm machine: below 1). Generated
projects, Vite 8, each variant in turn within a round, without Vite's cache. *CPU*: of the server's process, from its
start until the page shows its last component; median, and in brackets the lowest and the highest. *Lowest*: the ratio
of the lowest values, which neighbours on the machine disturb least. *HMR*: from saving a component until the page
shows it, median. *DOM*: the HTML of the app. *{OTHER}* is {VERSIONS[OTHER]} from npm.

{tables}

Exact: file, line and column of the element's tag, by the same list of elements that the tests use; ours as an agent
gets it from `capture_element_context`, the other's from the attribute that it writes at the element itself.
"""


def lines(results: dict[str, Any]) -> list[str]:
    """Its two tables, and what each missed."""
    return [*_costs(results["cost"]), "", *_hits(results["hits"]), "", *_missed(results["hits"])]


def _costs(costs: dict[str, Any]) -> list[str]:
    rows = [
        "| project | variant | rounds | CPU, s | × | lowest × | target | HMR, ms | DOM, KB |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for kind, found in costs.items():
        base = found["rows"][NONE]["cpu_s"]
        for variant, row in found["rows"].items():
            cpu = row["cpu_s"]
            target = f"≤ {TARGETS[kind]}" if variant == OURS and kind in TARGETS else ""
            cells = [
                f"{kind}, {found['components']:,} components",
                variant,
                str(len(cpu)),
                f"{statistics.median(cpu):.2f} ({min(cpu):.2f}–{max(cpu):.2f})",
                f"{statistics.median(cpu) / statistics.median(base):.2f}",
                f"{min(cpu) / min(base):.2f}",
                target,
                f"{statistics.median(row['hmr_ms']):.0f}",
                f"{row['dom_bytes'] / 1024:.0f}",
            ]
            rows.append(f"| {' | '.join(cells)} |")
    return rows


def _hits(hits: dict[str, Any]) -> list[str]:
    rows = [
        f"| example | elements | Pageside, exact | {OTHER}, exact | its line right |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for kind, found in hits.items():
        other = found.get(OTHER)
        theirs = f"{other['exact']} | {other['line']}" if other else "– | –"
        rows.append(f"| {kind} | {found['spots']} | {found[OURS]['exact']} | {theirs} |")
    return rows


def _missed(hits: dict[str, Any]) -> list[str]:
    return [
        f"* {kind}, {name}: not exact are {', '.join(f'`{selector}`' for selector in found[name]['missed'])}"
        for kind, found in hits.items()
        for name in (OURS, OTHER)
        if name in found and found[name]["missed"]
    ]
