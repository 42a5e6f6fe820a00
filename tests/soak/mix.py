"""The calls of a soak, as data: over all toolsets, each made in turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

STILL, CDP_TAB, WIRE_TAB = "@still", "@cdp", "@wire"
"""In arguments: the page that is not reloaded; the ids of a tab over CDP and of one over the tab socket."""
LEAVES = frozenset(
    {"PAGE_DISCONNECTED", "PAGE_NOT_CONNECTED", "TAB_NAVIGATED", "NAVIGATED", "TAB_DISCONNECTED"}
)
"""What a call may end with while its page is reloaded."""
LEFT = "The page went to another document before the script came to its end."
"""And what a script is told then."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One call; `says` must stand in its answer, `may` are errors that it may end with besides those of a reload."""

    group: str
    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    says: str = ""
    may: frozenset[str] = frozenset()
    waits: bool = False
    """Its time is how long it waits for something to happen."""


_GONE = frozenset({"ELEMENT_NOT_FOUND"})
"""A page that has only begun to load shows nothing yet."""


def _inspector(tool: str, says: str = "", /, **args: Any) -> Ask:
    return Ask("inspector", tool, args, says, _GONE)


def _chrome(tool: str, says: str = "", /, **args: Any) -> Ask:
    return Ask("chrome", f"chrome_{tool}", args, says, _GONE)


def _relay(tool: str, says: str = "", /, **args: Any) -> Ask:
    return Ask("relay", tool, args, says, _GONE)


def _browser(tool: str, says: str = "", /, **args: Any) -> Ask:
    return Ask("browser", f"browser_{tool}", args, says, _GONE)


def _kapture(tool: str, says: str = "", /, **args: Any) -> Ask:
    return Ask("kapture", f"kapturemcp_{tool}", args, says, _GONE)


MIX: tuple[Ask, ...] = (
    _inspector("list_inspections", status=["pending"]),
    _chrome("take_snapshot", "uid="),
    _relay("get_computed_styles", "color", selector="body", properties=["color"]),
    _inspector("capture_element_context", "h1", selector="h1"),
    _browser("screenshot"),
    _kapture("evaluate", "3", tabId=CDP_TAB, code="1 + 2"),
    _inspector("execute_page_script", "42", code="return 40 + 2"),
    _chrome("list_console_messages"),
    _relay("get_console_logs"),
    Ask("element", "inspect_element", {"css_selector": "h1"}, "h1", _GONE),
    _browser("find", query="heading"),
    _kapture("fill", "wire", tabId=WIRE_TAB, selector="#x", value="text"),
    _inspector("get_timeline"),
    _chrome("click", selector="h1"),
    _relay("get_elements", "h1", selector="h1"),
    _inspector("get_page_info", "still", page=STILL),
    _kapture("list_tabs"),
    _browser("read_page"),
    _chrome("list_network_requests"),
    _inspector("capture_area_context", containerSelector="h1"),
    _relay("get_network_requests"),
    _kapture("hover", tabId=CDP_TAB, selector="body"),
    _inspector("list_page_tools", page=STILL),
    _chrome("take_screenshot", format="jpeg", quality=60),
    _relay("evaluate_js", "42", expression="40 + 2"),
    _inspector("execute_page_script", "42", code="return 40 + 2", page=STILL),
    _browser("click", selector="h1"),
    _kapture("logs", tabId=CDP_TAB),
    _relay("check_connection"),
    _chrome("hover", selector="body"),
    _inspector("capture_element_context", "h1", selector="h1", page=STILL),
    _browser("tabs"),
    _relay("list_servers"),
    _kapture("evaluate", "wire", tabId=WIRE_TAB, code="1 + 2"),
    _chrome("evaluate_script", "42", function="() => 40 + 2"),
    _inspector("get_server_logs", clear=False, lines=20),
    _relay("take_screenshot", format="jpeg"),
    _browser("execute_js", "42", code="return 40 + 2"),
    _chrome("list_pages"),
    _kapture("screenshot", tabId=CDP_TAB, name="soak"),
    _relay("get_page_errors"),
    _inspector("chrome_devtools", "uid=", tool="take_snapshot"),
    Ask("inspector", "wait_for_update", {"timeout": 1}, waits=True),
)


def filled(args: Mapping[str, Any], places: Mapping[str, str]) -> dict[str, Any]:
    """The arguments with ids in the places of `@…`."""
    return {
        name: places.get(value, value) if isinstance(value, str) else value for name, value in args.items()
    }
