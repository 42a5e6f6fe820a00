"""`make bench`: what Pageside costs beside its peers, as ratios within one run. Nothing is asserted: machines differ.

One run measures the Chrome tools beside raw CDP and the peers (`chrome.py`), places beside another inspector
(`sources.py`), what the overlay costs its page (`overlay.py`), the edit loop (`loop.py`), and calls that need no
Chrome (`calls.py`). With `--write` it writes docs/benchmarks.md and the table of the README. A part's name measures
that alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from typing import Any

from bench import calls, chrome, inspectors, loop, overlay, page, peers, readme, sources
from bench.about import about
from bench.effort import QUICK, WHOLE, Effort

ALL = tuple(page.SECTIONS)
PARTS = ("all", *ALL, *chrome.PARTS)


def arguments() -> argparse.Namespace:
    """What to measure, and how often."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure Pageside.")
    parser.add_argument("part", nargs="?", choices=PARTS, default="all")
    parser.add_argument("--quick", action="store_true", help="few rounds: to see that it works")
    parser.add_argument("--rounds", type=int, help="of each Chrome operation")
    parser.add_argument("--tries", type=int, help="of each situation")
    parser.add_argument("--only", default="", help="operations, situations, frameworks whose name holds this")
    parser.add_argument(
        "--write", action="store_true", help="write docs/benchmarks.md and the README's table"
    )
    asked = parser.parse_args()
    if asked.write and (asked.part != "all" or asked.only):
        parser.error("--write needs a whole run: what stands side by side is measured side by side")
    return asked


def effort(asked: argparse.Namespace) -> Effort:
    """How often each thing is measured."""
    base = QUICK if asked.quick else WHOLE
    return replace(base, rounds=asked.rounds or base.rounds, tries=asked.tries or base.tries)


def parts(asked: argparse.Namespace, missing: dict[str, str]) -> dict[str, Callable[[], Awaitable[Any]]]:
    """What was asked for, by its name in the results."""
    of, only = effort(asked), asked.only
    servers = {name: why for name, why in missing.items() if name in peers.VERSIONS}
    other = {name: why for name, why in missing.items() if name in inspectors.VERSIONS}
    some = (asked.part,) if asked.part in chrome.PARTS else chrome.PARTS
    known: dict[str, Callable[[], Awaitable[Any]]] = {
        "chrome": lambda: chrome.measure(of, servers, only, some),
        "sources": lambda: sources.measure(of, other, only),
        "overlay": lambda: overlay.measure(of.loads),
        "loop": lambda: loop.measure(of.saves),
        "calls": lambda: calls.measure(of.calls),
    }
    wanted = "chrome" if asked.part in chrome.PARTS else asked.part
    return known if wanted == "all" else {wanted: known[wanted]}


async def measured(asked: argparse.Namespace) -> dict[str, Any]:
    """All of it; a part that fails is told as that, and the others are measured."""
    missing = await peers.install() | await inspectors.install()
    results: dict[str, Any] = {
        "about": {**await about(missing), "effort": asdict(effort(asked))},
        "failed": {},
    }
    start = time.monotonic()
    for name, measure in parts(asked, missing).items():
        print(f"{name} …", file=sys.stderr, flush=True)
        try:
            results[name] = await measure()
        except Exception as error:
            traceback.print_exc()
            results["failed"][name] = " ".join(f"{type(error).__name__}: {error}".split())[:160]
        print(f"{name}: {time.monotonic() - start:.0f} s since the start", file=sys.stderr, flush=True)
    results["about"]["minutes"] = max(1, round((time.monotonic() - start) / 60))
    return results


async def main() -> int:
    """Measure what was asked for; 1 if some of it failed."""
    asked = arguments()
    results = await measured(asked)
    print(page.markdown(results))
    if asked.part == "all" and not asked.only:
        page.RESULTS.write_text(json.dumps(results, indent=1), "utf-8")
        if not results["failed"]:
            print(readme.block(results))
    if asked.write:
        page.write(results)
    return int(bool(results["failed"]))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
