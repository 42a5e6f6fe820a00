"""The one door between agents' calls and pages: what the user paused, denied or wants to be asked about.

`enter` stands before every tool of every toolset. Whatever reads or acts in a page says where, by `reach_page`,
`reach_tab` or `reach_extension_tab`, as soon as that is known and before anything is done there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pageside.chrome.tab import Tab
from pageside.core import permissions
from pageside.core.call_words import about
from pageside.core.redaction import redact_text
from pageside.core.script_origins import is_allowed, origin_of
from pageside.core.untrusted import clean_text
from pageside.errors import DeniedByUser, PausedByUser, ScriptNotAllowed
from pageside.hubs.page import Page
from pageside.hubs.sessions import Watcher
from pageside.hubs.tabs import ExtensionTab
from pageside.operations.extension_pages import pages_in
from pageside.operations.leave import ask_leave, others_answered
from pageside.operations.passage import Passage, any_passage, current_passage
from pageside.operations.world import World

MAX_TITLE = 60
"""Of a tab, in the log."""
NOWHERE = "an address without an origin"


# Before anything


async def enter(tool: str, args: Mapping[str, Any]) -> None:
    """A tool is about to run: also one that another tool stands for. Raises `DeniedByUser` and `PausedByUser`."""
    found = any_passage()
    if found is None:
        return
    call, world = found.call, found.world
    call.tool, call.group, call.about = tool, permissions.group_of(tool), about(tool, args)
    found.args = args
    passage = current_passage()
    if passage is None:
        return
    if permissions.decide(world.brakes.policy, tool) == "deny":
        raise DeniedByUser(f"The user does not allow {tool} in this project.")
    _check_everywhere(passage)
    if permissions.is_placeless(tool):
        await ask_leave(passage, None, "")


async def reach_new_tab() -> None:
    """The call is about to open a tab, whatever its tool may do else."""
    passage = current_passage()
    if passage is not None:
        await ask_leave(passage, None, "")


def _check_everywhere(passage: Passage) -> None:
    if passage.world.brakes.everywhere and permissions.can_be_paused(passage.call.group):
        raise PausedByUser("The user has paused agents in all pages of this project.")


# A page, or a tab


async def reach_page(world: World, page: Page) -> None:
    """The call is about to read or act in that page; raises `PausedByUser`, `DeniedByUser`, `ScriptNotAllowed`."""
    passage = current_passage()
    if passage is None:
        return
    world.activity.reached(passage.call, page.id)
    await _pass(passage, [page], page.url)


async def reach_tab(world: World, tab: Tab) -> None:
    """The same for a tab of Chrome, whatever it shows."""
    passage = current_passage()
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
    passage = current_passage()
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
    passage = current_passage()
    if passage is not None:
        passage.call.tab = clean_text(redact_text(title))[:MAX_TITLE]


def may_look(world: World, page: Page) -> bool:
    """Whether a call that has to do with the queue may look for an element in that page on the side."""
    return any_passage() is None or not world.brakes.is_paused(page.id)


async def _pass(passage: Passage, pages: Sequence[Page], url: str | None) -> None:
    _check_paused(passage, pages)
    await _settle(passage, pages[0] if pages else None, url)
    for page in pages:
        await others_answered(passage, _now(passage.world, page))
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


async def _settle(passage: Passage, page: Page | None, url: str | None) -> None:
    """Ask the user where he wants to be asked; scripts run only where they may, or where he agreed.

    Without a URL it is not the origin that decides where they may.
    """
    if passage.call.group != permissions.SCRIPTS or url is None or _is_origin_allowed(passage, url):
        return await ask_leave(passage, page, "")
    name = origin_of(url) or NOWHERE
    if name in passage.agreed:
        return None
    if passage.is_settled or permissions.decide(passage.world.brakes.policy, passage.call.tool) != "ask":
        raise _not_allowed(passage, name)
    await ask_leave(passage, page, name)
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
    passage = current_passage()
    if passage is None:
        return None

    def permit(url: str) -> None:
        name = origin_of(url) or NOWHERE
        if not _is_origin_allowed(passage, url) and name not in passage.agreed:
            raise _not_allowed(passage, name)

    return permit
