"""The part of docs/benchmarks.md that says what a page pays for having the overlay."""

from __future__ import annotations

import statistics
from typing import Any

from bench.overlay import IDLE_SECONDS, MOVES, VARIANTS, WITH, WITHOUT


def section(found: dict[str, Any]) -> str:
    """The part of docs/benchmarks.md, from its heading on."""
    tables = "\n".join(lines(found))
    return f"""## Overlay

What a page pays for having the overlay. A page of 15,000 elements, from a dev server with the plugin and from one
without; *ours* is what a trace says ran from our files in the page's main thread.

{tables}

Painting the page: Chromium looks through the whole list of what a document paints whenever anything in it looks
different. So the hover box moves by its transform alone, and where painting is slow the tip's words wait until the
pointer rests.
"""


def lines(found: dict[str, Any]) -> list[str]:
    """Its tables."""
    load, idle, hover = found["load"], found["idle"], found["hover"]
    tasks = {name: statistics.median(load[name]["task_ms"]) for name in VARIANTS}
    ours = load[WITH]["ours_ms"]
    size = found["bytes"]
    columns = (WITHOUT, WITH, "picking")
    rows = [
        ("frame, median ms", "frame_p50"),
        ("frame, 95th percentile", "frame_p95"),
        ("main thread a move, ms", "task_ms_a_move"),
        ("of it ours", "ours_ms_a_move"),
        ("of it painting the page", "paint_ms_a_move"),
        ("ours, 95th percentile of a run", "ours_p95"),
        ("ours, longest run", "ours_longest"),
        ("longest task", "longest_ms"),
        ("tasks above 16.7 ms", "long"),
    ]
    return [
        "| | measured | target |",
        "| --- | ---: | ---: |",
        f"| client.js and worker.js, gzip | {size['client.js'] + size['worker.js']:,} bytes | 25,600 |",
        f"| loaded with the first use: workbench.js, details.js | {size['workbench.js']:,}, "
        f"{size['details.js']:,} bytes | – |",
        f"| ours at load, median (lowest) of {found['rounds']} | {statistics.median(ours):.1f} "
        f"({min(ours):.1f}) ms | 10 |",
        f"| main thread at load, with : without | {tasks[WITH]:.0f} : {tasks[WITHOUT]:.0f} ms "
        f"= {tasks[WITH] / tasks[WITHOUT]:.2f} | – |",
        f"| ours while idle for {IDLE_SECONDS} s | {idle[WITH]['ours_ms']:.2f} ms in "
        f"{idle[WITH]['runs']} runs | 0 |",
        f"| main thread while idle, with : without | {idle[WITH]['task_ms']:.1f} : "
        f"{idle[WITHOUT]['task_ms']:.1f} ms | – |",
        "",
        f"Moving the mouse across it, {MOVES} moves, one a frame:",
        "",
        f"| | {' | '.join(columns)} |",
        "| --- | ---: | ---: | ---: |",
        *(f"| {title} | {' | '.join(_cell(hover[name][key]) for name in columns)} |" for title, key in rows),
    ]


def _cell(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.2f}"
