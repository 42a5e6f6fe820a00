"""docs/benchmarks.md and the README's table, of one run: `python -m bench.page` writes them from the last one."""

from __future__ import annotations

import json
import re
from typing import Any

from bench import calls, loop, overlay_table, readme, sources_table, table
from bench.compact import replaced
from bench.peers import FOLDER
from bench.servers import RAW
from support.app import REPOSITORY

RESULTS = FOLDER.parent / "bench.json"
DOCS = REPOSITORY / "docs" / "benchmarks.md"
README = REPOSITORY / "README.md"
SECTIONS = {
    "chrome": table.section,
    "sources": sources_table.section,
    "overlay": overlay_table.section,
    "loop": loop.section,
    "calls": calls.section,
}
OWN_PARTS = ("## Soak",)
"""What others write: `python -m soak`."""


def markdown(results: dict[str, Any]) -> str:
    """The whole page, of what was measured and what was tried in vain."""
    parts = [_head(results)]
    for name, section in SECTIONS.items():
        if name in results:
            parts.append(section(results[name]))
        elif name in results["failed"]:
            parts.append(
                f"## {name.capitalize()}\n\nCould not be measured in this run: {results['failed'][name]}\n"
            )
    return "\n".join(parts)


def _head(results: dict[str, Any]) -> str:
    about, effort = results["about"], results["about"]["effort"]
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    missing = "".join(
        f"{name} {why}.\n" for name, why in results.get("chrome", {}).get("missing", {}).items()
    )
    return f"""# Benchmarks

Made by `make bench` in one run of {effort["rounds"]} rounds of each operation, {effort["tries"]} tries of each
situation and {effort["builds"]} starts of each project at {effort["share"]:.0%} of its size ({about["date"]};
{about["machine"]};
{versions}).
Do not edit: `make bench BENCH=--write` writes it anew, and the table in the README, in {about["minutes"]} minutes;
`make bench BENCH=--quick` tries it with few rounds.

Servers are compared within one run, each with a browser of its own (same program, flags and viewport), in rotated
order; clients are the MCP SDK for Python (its HTTP client takes some milliseconds of each call for itself). Ours keeps
1,000 console messages and 300 requests of a tab, as the operations ask for so many (500 and 200 without
`CONSOLE_BUFFER_SIZE` and `NETWORK_BUFFER_SIZE`), and runs scripts on every origin (`PAGESIDE_SCRIPT_ORIGINS`). Ratios
travel between machines, milliseconds do not; the load average right before was {about["load"]} (a calm machine: below
1; what else runs makes all of them slower, and the 95th percentiles most). *{RAW}* is the floor: bare commands on a
WebSocket, without MCP, without looking whether an element can be used, and without waiting for effects.

Kapture, dev-inspector-mcp and react-grab are not among them: an extension that is connected by hand, or a person who
picks, is part of each of their calls, so that no run without a person can time them.
{missing}"""


def with_part(text: str, heading: str, section: str) -> str:
    """A page with that part instead of its own of that heading, or at its end; the rest stays as it is."""
    found = re.search(rf"(?ms)^{re.escape(heading)}\n.*?(?=^## |\Z)", text)
    if found is None:
        return f"{text.rstrip()}\n\n{section.rstrip()}\n"
    tail = text[found.end() :]
    return text[: found.start()] + section.rstrip() + ("\n\n" + tail if tail else "\n")


def part_of(text: str, heading: str) -> str:
    """That part of a page, with its heading; '' if it has none."""
    found = re.search(rf"(?ms)^{re.escape(heading)}\n.*?(?=^## |\Z)", text)
    return found[0] if found else ""


def write_part(heading: str, section: str) -> None:
    """Put a part in that is measured by itself, as `## Soak`."""
    DOCS.write_text(with_part(DOCS.read_text("utf-8"), heading, section), "utf-8")


def write(results: dict[str, Any]) -> None:
    """The page, with the parts that others write; and the README's table, if nothing failed."""
    before, page = DOCS.read_text("utf-8"), markdown(results)
    for heading in OWN_PARTS:
        if part := part_of(before, heading):
            page = with_part(page, heading, part)
    DOCS.write_text(page, "utf-8")
    if not results["failed"]:
        README.write_text(replaced(README.read_text("utf-8"), readme.block(results)), "utf-8")


def main() -> None:
    """Write them from the last results."""
    write(json.loads(RESULTS.read_text("utf-8")))


if __name__ == "__main__":
    main()
