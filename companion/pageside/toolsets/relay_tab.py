"""Which tab a tool of the toolset `relay` is about, and what its agents can do about an error."""

from __future__ import annotations

from pageside.chrome.tab import Tab
from pageside.errors import ChromeError, CommandTimeout, PagesideError
from pageside.operations.choose_tab import choose_tab
from pageside.toolsets.base import Args, Context

_FIXES = {
    "MULTIPLE_TABS": "Pass 'tab' with an id of available_tabs, or a part of a title or URL that only one has.",
    "TAB_NOT_FOUND": "Pass 'tab' with an id of available_tabs; check_connection says how many there are.",
    "TAB_DISCONNECTED": "The tab was closed or detached: call again, with the 'tab' that you mean.",
    "TAB_CRASHED": "Call reload_page; the tab then works again.",
    "DIALOG_OPEN": "Ask the user to answer the dialog, or do it with handle_dialog of the toolset chrome.",
    "ELEMENT_NOT_FOUND": "See what the page has with get_elements and a wider selector such as 'body'.",
}
"""Those of the contract name tools that this toolset has not."""
_MORE = {"CHROME_UNREACHABLE": "check_connection says what was tried."}


async def tab_of(context: Context, args: Args) -> Tab:
    """The one that `tab` names, else the agent's own, as `choose_tab` understands it."""
    return await choose_tab(context.world, context.watcher, args.get("tab"))


def advise(error: PagesideError) -> None:
    """Let it say what can be done with these tools."""
    if isinstance(error, ChromeError):
        fix = _FIXES.get(error.error_code, error.fix)
        error.fix = f"{fix} {_MORE.get(error.error_code, '')}".strip()
    elif isinstance(error, CommandTimeout):
        error.fix = error.fix.replace("navigate_page with type 'reload'", "reload_page")
