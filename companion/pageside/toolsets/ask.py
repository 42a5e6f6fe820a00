"""The user's word: questions, and the tools that the user's own app offers."""

from __future__ import annotations

from pageside.operations import ask, page_tools
from pageside.operations.tickets import Answered, Asking, StillOpen
from pageside.toolsets.base import Answer, Args, Context, Handler


async def ask_user(context: Context, args: Args) -> Answer:
    outcome = await ask.question(
        context.world,
        context.watcher,
        asking(context, args),
        text=args.get("question"),
        options=args.get("options", ()),
        inspection=args.get("inspectionId"),
    )
    return answered(outcome, {"status": "answered"})


async def ask_user_to_choose(context: Context, args: Args) -> Answer:
    outcome = await ask.choice(
        context.world,
        context.watcher,
        asking(context, args),
        candidates=args.get("candidates", ()),
        text=args.get("question"),
    )
    return answered(outcome, {})


def asking(context: Context, args: Args) -> Asking:
    """How every tool that waits for the user is asked to."""
    return Asking(
        page=args.get("page"),
        ticket=args.get("ticket"),
        reason=args.get("reason", ""),
        wait=float(args["wait"]),
        report=context.report,
    )


def answered(outcome: Answered | StillOpen, status: dict[str, str]) -> Answer:
    """What the user answered, after `status`; or the ticket to go on with."""
    if isinstance(outcome, Answered):
        result = outcome.result if isinstance(outcome.result, dict) else {}
        ours = {**status, "page": outcome.page}
        return Answer({**ours, **result, **ours}, from_page=True)
    still_open = {
        "status": "open",
        "page": outcome.page,
        "ticket": outcome.ticket,
        "position": outcome.position,
        "secondsLeft": outcome.seconds_left,
    }
    return Answer(still_open, from_page=True)


async def list_page_tools(context: Context, args: Args) -> Answer:
    listed = await page_tools.list_tools(context.world, context.watcher, page=args.get("page"))
    return Answer(listed, from_page=True)


async def call_page_tool(context: Context, args: Args) -> Answer:
    result = await page_tools.call_tool(
        context.world,
        context.watcher,
        args["name"],
        args["arguments"],
        seconds=float(args["timeout"]),
        page=args.get("page"),
    )
    return Answer(result, from_page=True)


HANDLERS: dict[str, Handler] = {
    "ask_user": ask_user,
    "ask_user_to_choose": ask_user_to_choose,
    "list_page_tools": list_page_tools,
    "call_page_tool": call_page_tool,
}
