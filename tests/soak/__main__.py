"""`make soak`: half an hour of work, and what it leaves behind. Leaks and unexplained errors make the exit code 1."""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import psutil

from bench import page
from soak import report
from soak.sampling import Sampling
from soak.stage import Stage, stage
from soak.traffic import Traffic
from soak.verdict import blocks, findings, growing

BLOCKS = 6


def arguments() -> argparse.Namespace:
    """How long, and what to do with it."""
    parser = argparse.ArgumentParser(
        prog="python -m soak", description="Work for a long time; look what stays."
    )
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    parser.add_argument("--census", action="store_true", help="also tell which objects became more")
    return parser.parse_args()


async def soak(on: Stage, asked: argparse.Namespace) -> int:
    """Do it, tell it; 1 if something grew beyond its bound or failed."""
    about, seconds = _about(), asked.minutes * 60
    traffic, sampling = Traffic(on), Sampling(on)
    watching = asyncio.create_task(sampling.run())
    counting = asyncio.create_task(_counted(on, seconds / BLOCKS)) if asked.census else None
    await traffic.run(seconds, BLOCKS)
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    parts = blocks(traffic.done, [*sampling.taken, *traffic.alone], seconds, BLOCKS)
    found = findings(parts, asked.minutes)
    told = report.section(about, parts, found, asked.minutes)
    print(told)
    if counting is not None:
        after = await on.witness.census()
        for name, before, count in growing(await counting, after):
            print(f"{name:<60} {before:>8} → {count:>8}")
        print(sampling.tasks)
    complaints = await asyncio.to_thread(on.complaints.read_text)
    print(f"The companion's log:\n{complaints[-4000:]}")
    if asked.write:
        await asyncio.to_thread(page.write_part, "## Soak", told)
    return int(any(each.flat is False for each in found) or any(part.errors for part in parts))


async def _counted(on: Stage, after_seconds: float) -> dict[str, int]:
    """What there is when the first part is over."""
    await asyncio.sleep(after_seconds)
    return await on.witness.census()


def _about() -> str:
    memory = psutil.virtual_memory().total / 2**30
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB"
    return f"{datetime.now(UTC):%Y-%m-%d}, {machine}, load average before {os.getloadavg()[0]:.1f}"


async def main() -> int:
    """Set the stage, and soak."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        async with stage(Path(folder)) as on:
            return await soak(on, arguments())


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
