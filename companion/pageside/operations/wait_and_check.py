"""Wait as long as asked, and until a hot update that is under way has had its effect."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from pageside.core.timeline import Entry, Wanted
from pageside.core.verdict import Verdict
from pageside.hubs.sessions import Watcher
from pageside.operations.update_watch import UpdateWatch, cut_of, page_to_watch, tell, watching
from pageside.operations.waiting import wait_with_progress
from pageside.operations.world import Report, World

EXTRA_SECONDS = 10.0
"""For an update that was under way when the asked time was over."""


@dataclass(frozen=True, slots=True)
class Checked:
    """`waited` in seconds; `verdict`: if there is a dev server with the plugin; `logged`: what the page reported."""

    waited: float
    verdict: Verdict | None
    logged: Sequence[Entry]


async def wait_and_check(world: World, watcher: Watcher, seconds: float, report: Report) -> Checked:
    """Wait `seconds` at least; what is new since the agent was told last counts as meanwhile."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    cut = cut_of(world, watcher, None)
    with watching(world, watcher, await page_to_watch(world, watcher, None), cut) as watch:
        await wait_with_progress(_asleep, seconds, report, "Waiting as asked")
        verdict = await _verdict(watch, report) if len(world.leases) else None
        logged = _logged(world, watch, cut)
        tell(world, watcher)
    return Checked(loop.time() - start, verdict, logged)


async def _asleep(seconds: float) -> bool:
    await asyncio.sleep(seconds)
    return False


async def _verdict(watch: UpdateWatch, report: Report) -> Verdict:
    if not watch.verdict().idle:
        await wait_with_progress(watch.settled, EXTRA_SECONDS, report, "Waiting for the update")
    return watch.verdict()


def _logged(world: World, watch: UpdateWatch, cut: Wanted) -> list[Entry]:
    if watch.page is None:
        return []
    wanted = Wanted(after=cut.after, since=cut.since, kinds=("console",))
    return world.timeline.read(watch.page, wanted)
