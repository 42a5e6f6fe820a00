"""The attack on one's own companion, or on one that is started for it: is all refused that has to be?"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pageside.doctor.asking import Answer, aside, exchange, get
from pageside.doctor.attempts import HEALTH, Attempt, Target, attempts
from pageside.doctor.report import Finding, Group, Tried, note, ok, problem
from pageside.doctor.sight import Sight
from pageside.settings import ChromeSettings, Settings
from pageside.web.app import Companion

TITLE = "attack"
TOGETHER = 4
"""Requests at once."""
SECONDS = 4.0
"""For one request; a machine that is busy may need longer, and that is no hole."""
_AGAIN = "Try again when the machine has less to do; restart the companion if it stays so."
_REPORT = "Let nobody else use this machine, stop the companion, and report it: this is a hole in Pageside."


async def check(sight: Sight) -> Group:
    """On the companion that runs; else on one of its own that ends with it."""
    if sight.port is not None:
        return await attack(_target(sight), f"the companion on port {sight.port}")
    if sight.state in ("silent", "foreign", "closed"):
        return Group(TITLE, [note("Not tried: see what is the matter with the companion first.")])
    async with _own() as target:
        return await attack(target, "a companion that was started for it")


async def attack(target: Target, who: str) -> Group:
    """The table, and what it amounts to. First what must pass does: who refuses everything proves nothing."""
    if not await _passes(target):
        return Group(TITLE, [problem(f"Not tried: {who} does not answer.", "Restart it.")])
    at_once = asyncio.Semaphore(TOGETHER)

    async def one(attempt: Attempt) -> Tried:
        async with at_once:
            return await _try(attempt, target)

    tried = list(await asyncio.gather(*map(one, attempts(target))))
    return Group(TITLE, [_verdict(tried, who)], tried)


def _verdict(tried: list[Tried], who: str) -> Finding:
    passed = sum(not each.refused and each.answered for each in tried)
    if passed:
        return problem(f"{passed} of {len(tried)} requests were not refused by {who}.", _REPORT)
    silent = sum(not each.answered for each in tried)
    if silent:
        return problem(f"{silent} of {len(tried)} requests were not answered by {who}.", _AGAIN)
    return ok(f"all {len(tried)} requests were refused by {who}")


async def _passes(target: Target) -> bool:
    try:
        answer = await get(target.port, HEALTH)
    except (OSError, TimeoutError):
        return False
    return answer is not None and answer.status == 200


async def _try(attempt: Attempt, target: Target) -> Tried:
    port = target.tab_port if attempt.at_tabs and target.tab_port is not None else target.port
    data = await aside(attempt.data, target)
    try:
        answer = await exchange(port, data, SECONDS)
    except TimeoutError:
        return Tried(attempt.name, attempt.shown, "no answer", refused=False, answered=False)
    except OSError as error:
        came = error.strerror or type(error).__name__
        return Tried(attempt.name, attempt.shown, came, refused=False, answered=False)
    if answer is None:
        return Tried(attempt.name, attempt.shown, "closed", refused=True)
    return Tried(attempt.name, attempt.shown, _came(answer), refused=answer.status in attempt.statuses)


def _came(answer: Answer) -> str:
    error = answer.object().get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return f"{answer.status} {code}" if isinstance(code, str) else str(answer.status)


def _target(sight: Sight) -> Target:
    socket = sight.overview.get("companion", {}).get("tabSocket", {})
    # A port that is shared is another companion's.
    tabs = socket.get("port") if socket.get("state") == "listening" else None
    entry = sight.entry
    return Target(entry["port"], str(entry.get("pageToken")), str(entry.get("agentToken")), tabs)


@asynccontextmanager
async def _own() -> AsyncIterator[Target]:
    """In a project of its own, on free ports, without Chrome; nothing of it stays."""
    folder = await aside(tempfile.TemporaryDirectory, prefix="pageside-doctor-")
    try:
        project = Path(folder.name) / "project"
        await aside(project.mkdir)
        none = ChromeSettings(enabled=False)
        companion = await Companion.start(
            Settings(project=project, port=0, state=Path(folder.name) / "state", chrome=none, tab_port=0)
        )
        try:
            keys = companion.secrets
            yield Target(companion.port, keys.page, keys.agent, companion.tab_port)
        finally:
            await companion.stop()
    finally:
        await aside(folder.cleanup)
