"""Ask the user: a question, or which of several elements is meant. What is asked about an inspection stays with it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pageside.core.replies import clipped
from pageside.errors import InvalidArguments, PagesideError
from pageside.hubs.sessions import Watcher
from pageside.hubs.tickets import QUESTIONS
from pageside.operations.inspections import current
from pageside.operations.pick import slim_element
from pageside.operations.tickets import Answered, Around, Asking, StillOpen, put
from pageside.operations.world import World

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A question's page tool, what is an answer to it, and how the thread of an inspection has that answer."""

    tool: str
    fits: Callable[[dict[str, Any]], bool]
    words: Callable[[Any], str]


async def question(
    world: World,
    watcher: Watcher,
    asking: Asking,
    *,
    text: str | None,
    options: Sequence[str],
    inspection: str | None,
) -> Answered | StillOpen:
    """`result` is `{"answer", "index"?}`; `index` is that of the option that was chosen."""
    args = {"question": _needed("question", text, asking), "options": list(options)}
    return await _ask(world, watcher, asking, _QUESTION, args, _about(world, watcher, inspection))


async def choice(
    world: World, watcher: Watcher, asking: Asking, *, candidates: Sequence[str], text: str | None
) -> Answered | StillOpen:
    """`result` is what was chosen: `{"status": "chosen" | "none" | "other", …}`, its element in short."""
    asked = _needed("question", text, asking)
    if not candidates and asking.ticket is None:
        raise InvalidArguments("'candidates' is missing: 1 to 26 selectors.", data={"argument": "candidates"})
    args = {"question": asked, "candidates": list(candidates)}
    outcome = await _ask(world, watcher, asking, _CHOICE, args, _about(world, watcher, None))
    if isinstance(outcome, StillOpen):
        return outcome
    light = {key: slim_element(each) if key == "element" else each for key, each in outcome.result.items()}
    return replace(outcome, result=light)


async def _ask(
    world: World, watcher: Watcher, asking: Asking, kind: _Kind, args: dict[str, Any], about: str | None
) -> Answered | StillOpen:
    keep = _kept(world, watcher, about, args["question"], kind.words)
    outcome = await put(world, watcher, kind.tool, QUESTIONS, asking, args, keep)
    if isinstance(outcome, Answered):
        # Any script of the page may have answered; that breaks no schema.
        if not isinstance(outcome.result, dict) or not kind.fits(outcome.result):
            raise PagesideError(
                "The page told what is no answer to a question.", fix="Ask the user in another way."
            )
        _heard(world, watcher, about, kind.words(outcome.result))
    return outcome


def _is_answer(result: dict[str, Any]) -> bool:
    return isinstance(result.get("answer"), str)


def _is_choice(result: dict[str, Any]) -> bool:
    return result.get("status") in ("chosen", "none", "other")


def _needed(name: str, value: str | None, asking: Asking) -> str:
    if value is None and asking.ticket is None:
        raise InvalidArguments(f"'{name}' is missing; only a 'ticket' does without.", data={"argument": name})
    return value or ""


# The thread of the inspection


def _kept(
    world: World, watcher: Watcher, about: str | None, asked: str, words: Callable[[Any], str]
) -> Around | None:
    """Question and answer stand in the thread of the inspection, whether or not the agent collects the answer."""
    if about is None or not asked:
        return None

    async def around(ask: Callable[[], Awaitable[Any]]) -> Any:
        await _say(
            world, about, {"from": "agent", "name": watcher.name, "text": clipped(asked), "kind": "question"}
        )
        result = await ask()
        await _say(world, about, {"from": "user", "text": clipped(words(result)), "kind": "answer"})
        return result

    return around


def _heard(world: World, watcher: Watcher, about: str | None, words: str) -> None:
    """What the agent is told now, it is not told again as the news of a thread."""
    if about is None:
        return
    living = {item["id"]: item for item in world.inspections.living()}
    thread = living.get(about, {}).get("replies", [])
    news = world.heard.news(watcher.key, about, thread)
    if [reply["text"] for reply in news] == [clipped(words)]:
        world.heard.tell(watcher.key, about, thread)


def _about(world: World, watcher: Watcher, inspection: str | None) -> str | None:
    """The inspection that was named, which has to be there, else the one that the agent works on."""
    if inspection is not None:
        world.inspections.get(inspection)
        return inspection
    return current(world, watcher)


async def _say(world: World, inspection: str, reply: dict[str, str]) -> None:
    try:
        await world.inspections.say(inspection, reply)
    except PagesideError as error:
        # Deleted since, or no room on the disk: the user is asked all the same, and the agent gets the answer.
        log.warning("not kept in the thread of %s: %s", inspection, error.message)


def _said(result: Any) -> str:
    answer = result.get("answer") if isinstance(result, dict) else None
    return str(answer or "…")


def _chosen(result: Any) -> str:
    told = result if isinstance(result, dict) else {}
    if told.get("status") == "chosen":
        return f"{told.get('letter')}: {told.get('selector')}"
    if told.get("status") == "other":
        element = told.get("element")
        return f"Another one: {element.get('selector') if isinstance(element, dict) else ''}"
    return f"None of these. {told.get('answer') or ''}".strip()


_QUESTION = _Kind("ask_user", _is_answer, _said)
_CHOICE = _Kind("choose_element", _is_choice, _chosen)
