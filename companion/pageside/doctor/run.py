"""A whole visit: every group of checks at once, each within its time, none able to end it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping

from pageside.doctor import agents, attack, chromes, companion, connected, project, state, versions
from pageside.doctor.report import Finding, Group, Report, problem
from pageside.doctor.sight import Case, look
from pageside.settings import Settings

SECONDS = 7.0
"""For a group, all of which are looked at together, after the look at the companion."""

Check = Callable[[Case], Awaitable[list[Finding]]]
CHECKS: tuple[tuple[str, Check], ...] = (
    ("versions", versions.check),
    ("companion", companion.check),
    ("state", state.check),
    ("project", project.check),
    ("Chrome", chromes.check),
    ("agents", agents.check),
    ("connected", connected.check),
)


async def visit(settings: Settings, given: Mapping[str, str], *, with_attack: bool = True) -> Report:
    """Look at everything; changes nothing. `given`: the variables that are set."""
    began = time.monotonic()
    case = Case(settings, given, await look(settings))

    async def findings(title: str, check: Check) -> Group:
        return Group(title, await check(case))

    works = [_bounded(title, findings(title, check)) for title, check in CHECKS]
    if with_attack:
        works.append(_bounded(attack.TITLE, attack.check(case.sight)))
    groups = list(await asyncio.gather(*works))
    return Report(str(settings.project), groups, time.monotonic() - began)


async def _bounded(title: str, work: Awaitable[Group]) -> Group:
    try:
        async with asyncio.timeout(SECONDS):
            return await work
    except TimeoutError:
        return Group(
            title,
            [
                problem(
                    f"Not known: it took longer than {SECONDS:g} s.",
                    "Try again when the machine has less to do.",
                )
            ],
        )
    except Exception as error:
        # What a check did not reckon with is told like everything else; the other checks go on.
        what = f"Not known: {type(error).__name__}: {error}"
        return Group(title, [problem(what, "Report it, with this line.")])
