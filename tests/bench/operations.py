"""The operations that are measured, as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench import raw
from bench.operation import Operation, Ways
from bench.pages import EMPTY, FIELDS, FILLED, LAST
from bench.servers import DEVTOOLS, PAGESIDE, PLAYWRIGHT, Step


def _ways(own: Sequence[Step], devtools: Sequence[Step], playwright: Sequence[Step]) -> Ways:
    return {PAGESIDE.name: own, DEVTOOLS.name: devtools, PLAYWRIGHT.name: playwright}


def _each(own: str, devtools: str, playwright: str, args: dict[str, Any] | None = None) -> Ways:
    """One call with the same arguments in all of them."""
    given = args or {}
    return _ways([(own, given)], [(devtools, given)], [(playwright, given)])


def _element(own: str, devtools: str, playwright: str, named: str, **more: Any) -> Ways:
    """One call on one element."""
    uid, target = {"uid": f"@element:{named}", **more}, {"target": f"@element:{named}", **more}
    return _ways([(own, uid)], [(devtools, uid)], [(playwright, target)])


def _shot(playwright: dict[str, Any], **own: Any) -> Ways:
    return _ways(
        [("chrome_take_screenshot", own)],
        [("take_screenshot", own)],
        [("browser_take_screenshot", {"scale": "css", **playwright})],
    )


def _navigate(name: str, page: str) -> Operation:
    return Operation(
        name,
        _each("chrome_navigate_page", "navigate_page", "browser_navigate", {"url": f"${page}"}),
        raw.navigate(page),
        before="window.stale = true, null",
        holds="!window.stale && document.readyState === 'complete'",
    )


def _snapshot(name: str, page: str, *says: str) -> Operation:
    return Operation(
        name,
        _ways([PAGESIDE.snapshot], [DEVTOOLS.snapshot], [PLAYWRIGHT.snapshot]),
        raw.tree,
        page=page,
        says=says,
    )


_VIEWPORT = "[innerWidth, innerHeight]"
_PAGE = "[innerWidth, document.documentElement.scrollHeight]"
_SILENT = "out.textContent = '', document.activeElement?.blur(), null"
_FORM = [{"uid": f'@element:{role} "{name}"', "value": value} for role, name, value in FIELDS]
_FIELDS = [
    {"target": f'@element:{role} "{name}"', "name": name, "type": role, "value": value}
    for role, name, value in FIELDS
]
_TABS = {
    "new": _ways(
        [("chrome_new_page", {"url": "$second"})],
        [("new_page", {"url": "$second"})],
        [("browser_tabs", {"action": "new", "url": "$second"})],
    ),
    "back": _ways(
        [PAGESIDE.list_tabs, ("chrome_select_page", {"pageId": "@tab:page"}), PAGESIDE.list_tabs],
        [DEVTOOLS.list_tabs, ("select_page", {"pageId": "@tab:page"}), DEVTOOLS.list_tabs],
        [PLAYWRIGHT.list_tabs, ("browser_tabs", {"action": "select", "index": "@tab:page"})],
    ),
}
_TITLE = {"function": "() => document.title"}

OPERATIONS: tuple[Operation, ...] = (
    _navigate("navigate, small page", "work"),
    _navigate("navigate, 10,000 nodes", "10000"),
    Operation(
        "evaluate 1 + 1",
        _each("chrome_evaluate_script", "evaluate_script", "browser_evaluate", {"function": "() => 40 + 2"}),
        raw.evaluate,
        says=("42",),
    ),
    _snapshot("snapshot, small page", "work", "Go", "Notes"),
    _snapshot("snapshot, 2,000 nodes", "2000", "Save 1", f"Edit {LAST[2000]}.2"),
    _snapshot("snapshot, 10,000 nodes", "10000", "Save 1", f"Edit {LAST[10_000]}.2"),
    Operation(
        "click by reference",
        _element("chrome_click", "click", "browser_click", 'button "Go"'),
        raw.click,
        look=True,
        before=_SILENT,
        holds="out.textContent === 'clicked'",
    ),
    Operation(
        "click by text",
        _ways(
            [("chrome_click", {"text": "Go"})],
            [DEVTOOLS.snapshot, ("click", {"uid": '@element:button "Go"'})],
            [("browser_click", {"target": "text=Go"})],
        ),
        raw.click,
        look=True,
        before=_SILENT,
        holds="out.textContent === 'clicked'",
    ),
    Operation(
        "fill an input",
        _ways(
            [("chrome_fill", {"uid": '@element:textbox "Name"', "value": "$text"})],
            [("fill", {"uid": '@element:textbox "Name"', "value": "$text"})],
            [("browser_type", {"target": '@element:textbox "Name"', "text": "$text"})],
        ),
        raw.fill,
        look=True,
        before="document.getElementById('name').value = 'old', null",
        holds="document.getElementById('name').value === {text}",
    ),
    Operation(
        "fill a form of 10",
        _ways(
            [("chrome_fill_form", {"elements": _FORM})],
            [("fill_form", {"elements": _FORM})],
            [("browser_fill_form", {"fields": _FIELDS})],
        ),
        raw.fill_form,
        look=True,
        before=EMPTY,
        holds=FILLED,
    ),
    Operation(
        "hover",
        _element("chrome_hover", "hover", "browser_hover", 'button "Menu"'),
        raw.hover,
        raw.away,
        look=True,
        before=_SILENT,
        holds="out.textContent === 'hovered'",
        # Away from it, or the mouse would not enter again.
        after=_element("chrome_hover", "hover", "browser_hover", 'button "Card"'),
    ),
    Operation(
        "press k",
        _each("chrome_press_key", "press_key", "browser_press_key", {"key": "k"}),
        raw.press("k", 75, "k"),
        before=_SILENT,
        holds="out.textContent === 'k'",
    ),
    Operation(
        "press Enter",
        _each("chrome_press_key", "press_key", "browser_press_key", {"key": "Enter"}),
        raw.press("Enter", 13, "\r"),
        before=_SILENT,
        holds="out.textContent === 'Enter'",
    ),
    Operation(
        "wait for a text (after 50 ms)",
        _ways(
            [("chrome_wait_for", {"text": "here"})],
            [("wait_for", {"text": ["here"]})],
            [("browser_wait_for", {"text": "here"})],
        ),
        raw.wait_for,
        before="late.textContent = '', setTimeout(() => { late.textContent = 'here' }, 50), null",
        holds="late.textContent === 'here'",
    ),
    Operation(
        "viewport PNG",
        _shot({"type": "png"}, format="png"),
        raw.picture("png"),
        page="tall",
        size=_VIEWPORT,
    ),
    Operation(
        "viewport JPEG",
        _shot({"type": "jpeg"}, format="jpeg", quality=80),
        raw.picture("jpeg"),
        page="tall",
        size=_VIEWPORT,
    ),
    Operation(
        "element PNG",
        _shot(
            {"type": "png", "target": '@element:button "Card"'}, format="png", uid='@element:button "Card"'
        ),
        raw.picture("png", "element"),
        look=True,
        size="(({ width, height }) => [width, height])(card.getBoundingClientRect())",
    ),
    Operation(
        "full page PNG",
        _shot({"type": "png", "fullPage": True}, format="png", fullPage=True),
        raw.picture("png", "page"),
        page="tall",
        size=_PAGE,
    ),
    Operation(
        "full page JPEG",
        _shot({"type": "jpeg", "fullPage": True}, format="jpeg", quality=80, fullPage=True),
        raw.picture("jpeg", "page"),
        page="tall",
        size=_PAGE,
    ),
    Operation(
        "1,000 console messages",
        _ways(
            [("chrome_list_console_messages", {"pageSize": 500, "pageIdx": page}) for page in (1, 0)],
            [("list_console_messages", {})],
            [("browser_console_messages", {"level": "debug"})],
        ),
        raw.console,
        page="logging",
        says=("message 1 of", "message 500 of", "message 1000 of"),
    ),
    Operation(
        "200 requests, the list",
        _ways(
            [("chrome_list_network_requests", {"pageSize": 300})],
            [("list_network_requests", {})],
            [("browser_network_requests", {"static": True})],
        ),
        page="fetching",
        ready="new Promise((go) => { const look = () => out.textContent ? go() : setTimeout(look, 20); look() })",
        says=("?n=1 ", "?n=100 ", "?n=200 "),
    ),
    Operation(
        "one body of them",
        _ways(
            [("chrome_get_network_request", {"reqid": "@request:?n=77"})],
            [("get_network_request", {"reqid": "@request:?n=77"})],
            [("browser_network_request", {"index": "@request:?n=77", "part": "response-body"})],
        ),
        page="fetching",
        ready="new Promise((go) => { const look = () => out.textContent ? go() : setTimeout(look, 20); look() })",
        begin=_ways(
            [("chrome_list_network_requests", {"pageSize": 300})],
            [("list_network_requests", {})],
            [("browser_network_requests", {"static": True})],
        ),
        says=("some words some words",),
    ),
    Operation(
        "select a tab",
        _ways(
            [("chrome_select_page", {"pageId": "@tab:second"})],
            [("select_page", {"pageId": "@tab:second"})],
            [("browser_tabs", {"action": "select", "index": "@tab:second"})],
        ),
        begin={name: [*steps, *_TABS["back"][name]] for name, steps in _TABS["new"].items()},
        after={
            PAGESIDE.name: [("chrome_evaluate_script", _TITLE), *_TABS["back"][PAGESIDE.name]],
            # It names the tab in each call.
            DEVTOOLS.name: _TABS["back"][DEVTOOLS.name],
            PLAYWRIGHT.name: [("browser_evaluate", _TITLE), *_TABS["back"][PLAYWRIGHT.name]],
        },
        proof="econd",
        end=_ways(
            [("chrome_close_page", {"pageId": "@tab:second"})],
            [("close_page", {"pageId": "@tab:second"})],
            [("browser_tabs", {"action": "close", "index": "@tab:second"})],
        ),
    ),
    Operation(
        "new tab, and close it",
        _ways(
            [*_TABS["new"][PAGESIDE.name], ("chrome_close_page", {"pageId": "$second"})],
            [*_TABS["new"][DEVTOOLS.name], ("close_page", {"pageId": "@tab:second"})],
            [*_TABS["new"][PLAYWRIGHT.name], ("browser_tabs", {"action": "close"})],
        ),
        raw.new_tab,
        serves="second",
        after=_TABS["back"],
    ),
)
