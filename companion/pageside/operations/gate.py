"""The one door between agents' calls and pages: what the user paused, denied or wants to be asked about.

`enter` stands before every tool of every toolset. Whatever reads or acts in a page says where, by `reach_page`,
`reach_tab` or `reach_extension_tab`, as soon as that is known and before anything is done there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from pageside.chrome.tab import Tab
from pageside.core import permissions
from pageside.core.call_words import about, whole
from pageside.core.redaction import redact_text
from pageside.core.script_origins import is_allowed, origin_of
from pageside.core.untrusted import clean_text
from pageside.errors import (
    CommandTimeout,
    DeniedByUser,
    PageNotConnected,
    PausedByUser,
    ReportedByPage,
    ScriptNotAllowed,
)
from pageside.hubs.activity import Call
from pageside.hubs.page import Page
from pageside.hubs.sessions import Watcher
from pageside.hubs.tabs import ExtensionTab
from pageside.operations import brakes
from pageside.operations.extension_pages import pages_in
from pageside.operations.waiting import wait_with_progress
from pageside.operations.world import Report, World

ASK_SECONDS = 600.0
WAITING = "Waiting for the user to allow it"
WAITING_FOR_OTHERS = "Waiting for the user to answer about another call"
MAX_TITLE = 60
"""Of a tab, in the log."""
NOWHERE = "an address without an origin"


@dataclass(slots=True)
class Passage:
    """One call on its way through the door."""

    world: World
    watcher: Watcher
    report: Report
    call: Call
    args: Mapping[str, Any] = field(default_factory=dict)
    is_settled: bool = False
    """The user was asked, and allowed it."""
    agreed: set[str] = field(default_factory=set)
    """Origins that the question named, where scripts are not allowed otherwise."""


_current: ContextVar[Passage | None] = ContextVar("the call that passes the door", default=None)


@contextmanager
def passing(passage: Passage) -> Iterator[None]:
    """What is done in this block, is done by that call."""
    token = _current.set(passage)
    try:
        yield
    finally:
        _current.reset(token)


def _passage() -> Passage | None:
    """The call that runs here, unless it has to do with no page, or has ended and left a task behind."""
    passage = _current.get()
    if passage is None or passage.call.outcome or passage.call.group == permissions.FREE:
        return None
    return passage


# Before anything


async def enter(tool: str, args: Mapping[str, Any]) -> None:
    """A tool is about to run: also one that another tool stands for. Raises `DeniedByUser` and `PausedByUser`."""
    found = _current.get()
    if found is None:
        return
    call, world = found.call, found.world
    call.tool, call.group, call.about = tool, permissions.group_of(tool), about(tool, args)
    found.args = args
    passage = _passage()
    if passage is None:
        return
    if permissions.decide(world.brakes.policy, tool) == "deny":
        raise DeniedByUser(f"The user does not allow {tool} in this project.")
    _check_everywhere(passage)
    if permissions.is_placeless(tool):
        await _ask(passage, None, "")


async def reach_new_tab() -> None:
    """The call is about to open a tab, whatever its tool may do else."""
    passage = _passage()
    if passage is not None:
        await _ask(passage, None, "")


def _check_everywhere(passage: Passage) -> None:
    if passage.world.brakes.everywhere and permissions.can_be_paused(passage.call.group):
        raise PausedByUser("The user has paused agents in all pages of this project.")


# A page, or a tab


async def reach_page(world: World, page: Page) -> None:
    """The call is about to read or act in that page; raises `PausedByUser`, `DeniedByUser`, `ScriptNotAllowed`."""
    passage = _passage()
    if passage is None:
        return
    world.activity.reached(passage.call, page.id)
    await _pass(passage, [page], page.url)


async def reach_tab(world: World, tab: Tab) -> None:
    """The same for a tab of Chrome, whatever it shows."""
    passage = _passage()
    if passage is None:
        return
    _check_console(world, tab.origin())
    pages = await world.tab_pages.of(tab, world.pages.all(), world.pages.get)
    for page in pages:
        world.activity.reached(passage.call, page.id)
    # What is paused is not asked where it is.
    _check_paused(passage, pages)
    await _pass(passage, pages, await tab.address() if passage.call.group == permissions.SCRIPTS else "")


async def reach_extension_tab(world: World, watcher: Watcher, tab: ExtensionTab) -> None:
    """The same for a tab that the extension connected.

    Where scripts may run in it, its user says in the extension, which refuses them by itself.
    """
    passage = _passage()
    if passage is None:
        return
    _check_console(world, tab.url)
    pages = await pages_in(world, watcher, tab)
    for page in pages:
        world.activity.reached(passage.call, page.id)
    await _pass(passage, pages, None)


def shows_console(world: World, url: str) -> bool:
    """Whether a tab at that URL, or of that origin, shows the web console of this companion."""
    return origin_of(url) in world.own_origins


def _check_console(world: World, url: str) -> None:
    """There the user answers what tools ask, so nobody else presses its buttons or reads its key."""
    if shows_console(world, url):
        raise DeniedByUser(
            "This tab shows Pageside's web console, which is the user's alone.",
            fix="Name another tab, or open one.",
        )


def name_tab(title: str) -> None:
    """The call is about a tab of that title: the log says so, also if it is not let in."""
    passage = _passage()
    if passage is not None:
        passage.call.tab = clean_text(redact_text(title))[:MAX_TITLE]


def may_look(world: World, page: Page) -> bool:
    """Whether a call that has to do with the queue may look for an element in that page on the side."""
    return _current.get() is None or not world.brakes.is_paused(page.id)


async def _pass(passage: Passage, pages: Sequence[Page], url: str | None) -> None:
    _check_paused(passage, pages)
    await _settle(passage, pages[0] if pages else None, url)
    for page in pages:
        await _others_answered(passage, _now(passage.world, page))
    # The user may have taken minutes.
    _check_paused(passage, pages)
    passage.call.is_let_in = True


def _check_paused(passage: Passage, pages: Sequence[Page]) -> None:
    _check_everywhere(passage)
    for page in pages:
        if passage.world.brakes.is_paused(_now(passage.world, page)):
            raise PausedByUser("The user has paused agents in this page.", data={"page": page.url})


def _now(world: World, page: Page) -> str:
    """The id of the document that has taken its place meanwhile, else its own."""
    documents = world.timeline.documents(world.timeline.line(page.id))
    return documents[-1] if documents else page.id


async def _others_answered(passage: Passage, page: str) -> None:
    """Nothing acts in a page while the user is asked there about another call: it might press the buttons."""
    answered = passage.world.brakes.answered(page)
    if answered is None or not permissions.acts(passage.call.group):
        return

    async def wait(seconds: float) -> bool:
        done, _ = await asyncio.wait({task}, timeout=seconds)
        return bool(done)

    task = asyncio.create_task(answered.wait())
    try:
        if await wait_with_progress(wait, ASK_SECONDS, passage.report, WAITING_FOR_OTHERS):
            return
    finally:
        task.cancel()
    raise PausedByUser(
        "The user is being asked about another call in this page, and has not answered; nothing acts there meanwhile."
    )


async def _settle(passage: Passage, page: Page | None, url: str | None) -> None:
    """Ask the user where he wants to be asked; scripts run only where they may, or where he agreed.

    Without a URL it is not the origin that decides where they may.
    """
    if passage.call.group != permissions.SCRIPTS or url is None or _is_origin_allowed(passage, url):
        return await _ask(passage, page, "")
    name = origin_of(url) or NOWHERE
    if name in passage.agreed:
        return None
    if passage.is_settled or permissions.decide(passage.world.brakes.policy, passage.call.tool) != "ask":
        raise _not_allowed(passage, name)
    await _ask(passage, page, name)
    passage.agreed.add(name)
    return None


# Scripts


def _is_origin_allowed(passage: Passage, url: str) -> bool:
    world = passage.world
    return is_allowed(url, world.leases.urls(), world.script_origins)


def _not_allowed(passage: Passage, name: str) -> ScriptNotAllowed:
    urls = ", ".join(passage.world.leases.urls()) or "none is registered now"
    return ScriptNotAllowed(
        f"{passage.call.tool} would run a script on {name}: that is no dev server of this project ({urls}).",
        data={"origin": name},
    )


def script_permit() -> Callable[[str], None] | None:
    """Told the address of each document a script is about to run in; raises `ScriptNotAllowed`."""
    passage = _passage()
    if passage is None:
        return None

    def permit(url: str) -> None:
        name = origin_of(url) or NOWHERE
        if not _is_origin_allowed(passage, url) and name not in passage.agreed:
            raise _not_allowed(passage, name)

    return permit


# Questions


async def _ask(passage: Passage, page: Page | None, foreign: str) -> None:
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
    task = asyncio.create_task(passage.world.pages.call(page.id, "allow_call", question, seconds=ASK_SECONDS))

    async def wait(seconds: float) -> bool:
        done, _ = await asyncio.wait({task}, timeout=seconds)
        return bool(done)

    try:
        await wait_with_progress(wait, ASK_SECONDS, passage.report, WAITING)
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
