"""What the user is asked before a call may run, and what waits while somebody asks."""

from __future__ import annotations

import asyncio
from typing import Any

from pageside.core import permissions
from pageside.core.call_words import whole
from pageside.core.untrusted import clean_text
from pageside.errors import CommandTimeout, DeniedByUser, PageNotConnected, PausedByUser, ReportedByPage
from pageside.hubs.page import Page
from pageside.operations import brakes
from pageside.operations.passage import Passage
from pageside.operations.waiting import done_within, wait_with_progress

ASK_SECONDS = 600.0
WAITING = "Waiting for the user to allow it"
WAITING_FOR_OTHERS = "Waiting for the user to answer about another call"


async def ask_leave(passage: Passage, page: Page | None, foreign: str) -> None:
    """Ask on that page, else on the one that was used last; `foreign`: the origin that is not the project's."""
    world, call = passage.world, passage.call
    if passage.is_settled or permissions.decide(world.brakes.policy, call.tool) != "ask":
        return
    asked = page or next(iter(world.pages.all()), None)
    if asked is None:
        raise PageNotConnected(
            f"The user wants to be asked before {call.tool} runs, and no page is open to ask on.",
            fix="Ask the user to open the app through its dev server, then call again.",
        )
    question = {
        "agent": clean_text(passage.watcher.name),
        "tool": call.tool,
        "what": whole(call.tool, passage.args),
        "origin": foreign,
        "elsewhere": page is None,
        "always": not foreign,
    }
    with world.brakes.asking(asked.id):
        answer = await _answer(passage, asked, question)
    if answer == "always" and not foreign:
        await brakes.set_policy(world, {call.tool: "allow"})
    elif answer not in ("once", "always"):
        raise DeniedByUser(f"The user denied this call of {call.tool}.")
    passage.is_settled = True


async def _answer(passage: Passage, page: Page, question: dict[str, Any]) -> str:
    task = asyncio.create_task(
        passage.world.pages.calls.call(page.id, "allow_call", question, seconds=ASK_SECONDS)
    )
    try:
        await wait_with_progress(done_within(task), ASK_SECONDS, passage.report, WAITING)
        told = await task
    except CommandTimeout:
        raise CommandTimeout(
            f"The user did not answer within {ASK_SECONDS / 60:g} minutes whether {passage.call.tool} may run.",
            fix="Tell the user what you want to do, and call again when he is there.",
        ) from None
    except ReportedByPage as error:
        raise DeniedByUser(
            f"The page could not ask about {passage.call.tool}.", data={"reported": error.message[:200]}
        ) from None
    finally:
        task.cancel()
    return str(told.get("answer", "")) if isinstance(told, dict) else ""


async def others_answered(passage: Passage, page: str) -> None:
    """Nothing acts in a page while the user is asked there about another call: it might press the buttons."""
    answered = passage.world.brakes.answered(page)
    if answered is None or not permissions.acts(passage.call.group):
        return
    task = asyncio.create_task(answered.wait())
    try:
        if await wait_with_progress(done_within(task), ASK_SECONDS, passage.report, WAITING_FOR_OTHERS):
            return
    finally:
        task.cancel()
    raise PausedByUser(
        "The user is being asked about another call in this page, and has not answered; nothing acts there meanwhile."
    )
