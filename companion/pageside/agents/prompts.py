"""The five prompts: names and arguments from the contract, texts that lead to tools that exist."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from pageside.contract import PROMPTS
from pageside.errors import InvalidArguments, PagesideError


def _capture_element(args: Mapping[str, str]) -> str:
    question = args.get("question", "").strip()
    about = f" The question: {_quoted(question)}" if question else ""
    return (
        "Call capture_element_context with a short 'reason', so that I can point at an element. If the answer is an "
        "open ticket, call again with it. Then read the source at the place it names and tell me what you see."
        f"{about}"
    )


def _view_inspections(args: Mapping[str, str]) -> str:
    status = args.get("status", "").strip()
    which = f" with status [{_quoted(status)}]" if status else ""
    return (
        f"Call list_inspections{which} and show me id, status, file:line, component, note and progress of each as a "
        "table, what is open first."
    )


def _launch_chrome_devtools(args: Mapping[str, str]) -> str:
    url = args["url"].strip()
    if not url.startswith(("http://", "https://")):
        raise InvalidArguments("'url' must start with http:// or https://.")
    return (
        f"Open {_quoted(url)} in Chrome: call chrome_devtools with {{tool: 'new_page', args: {{url: …}}}} (or "
        "chrome_new_page). Then take a snapshot of it with the tool take_snapshot, and list its console messages. Tell "
        "me what the page shows, and what is wrong with it."
    )


def _get_network_requests(args: Mapping[str, str]) -> str:
    wanted = args.get("requestid", "").strip()
    if wanted:
        which, tool = f"request {_quoted(wanted)}", "get_network_request with 'reqid'"
    else:
        which, tool = "the network requests of the page", "list_network_requests"
    return (
        f"Show me {which}: call chrome_devtools with the tool {tool}. If no Chrome with remote debugging shows the "
        "page, call execute_page_script with performance.getEntriesByType('resource') mapped to name, initiatorType, "
        "responseStatus, duration and transferSize: that has no headers and no bodies; say so."
    )


def _get_console_messages(args: Mapping[str, str]) -> str:
    wanted = args.get("msgid", "").strip()
    if wanted:
        which, tool = f"console message {_quoted(wanted)}", "get_console_message with 'msgid'"
    else:
        which, tool = "the console messages of the page", "list_console_messages"
    return (
        f"Show me {which}: call chrome_devtools with the tool {tool}. If no Chrome with remote debugging shows the "
        "page, call get_page_info: 'info.console' and 'info.errors' hold the recent ones. Explain the errors with "
        "their places in the source."
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_TEXTS: dict[str, Callable[[Mapping[str, str]], str]] = {
    "capture_element": _capture_element,
    "view_inspections": _view_inspections,
    "launch_chrome_devtools": _launch_chrome_devtools,
    "get_network_requests": _get_network_requests,
    "get_console_messages": _get_console_messages,
}


def prompt_text(name: str, args: Mapping[str, str] | None) -> str:
    """What the user says to the agent; raises UNKNOWN_PROMPT or `InvalidArguments`."""
    definition = next((prompt for prompt in PROMPTS if prompt["name"] == name), None)
    if definition is None:
        known = ", ".join(prompt["name"] for prompt in PROMPTS)
        raise PagesideError(f"There is no prompt {name!r}; there are: {known}.", code="UNKNOWN_PROMPT")
    given = dict(args or {})
    for argument in definition["arguments"]:
        if argument["required"] and not given.get(argument["name"], "").strip():
            raise InvalidArguments(f"{name}: '{argument['name']}' is missing.")
    return _TEXTS[name](given)
