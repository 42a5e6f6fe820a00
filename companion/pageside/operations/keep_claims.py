"""Claims and the queue keep in step: what ends a claim, and what happens to an item whose agent fell silent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from pageside.core.claims import Claim
from pageside.core.inspections import Item
from pageside.errors import PagesideError
from pageside.operations.world import World

log = logging.getLogger(__name__)


def keep_claims(world: World) -> None:
    """Wire the claims to queue and sessions, for as long as the world lives."""
    running: set[asyncio.Task[None]] = set()

    async def put_back(inspection: str, claim: Claim) -> None:
        try:
            await world.inspections.abandon(inspection)
        except PagesideError as error:
            log.warning("%s, abandoned by %s, stays in progress: %s", inspection, claim.name, error)

    def abandoned(inspection: str, claim: Claim) -> None:
        task = asyncio.create_task(put_back(inspection, claim))
        running.add(task)
        task.add_done_callback(running.discard)

    def changed(items: Sequence[Item]) -> None:
        for item in items:
            if item["status"] != "in-progress":
                world.claims.settle(item["id"], item["status"])
            if item["status"] == "deleted":
                world.heard.forget_inspection(item["id"])

    for item in world.inspections.living(["in-progress"]):
        world.claims.adopt(item["id"], item.get("agent", "an agent"))
    world.claims.abandoned.listen(abandoned)
    world.inspections.listen(changed)
    world.sessions.closed.listen(world.claims.orphan)
    world.sessions.closed.listen(world.heard.forget_agent)
