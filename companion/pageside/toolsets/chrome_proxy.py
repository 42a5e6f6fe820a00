"""`chrome_devtools`: all Chrome tools through one, so that an agent's list of tools stays short."""

from __future__ import annotations

import json
from typing import Any

from pageside.errors import InvalidArguments
from pageside.toolsets.arguments import checked
from pageside.toolsets.base import Answer, Args, Context, Tool, run
from pageside.toolsets.chrome import CHROME, PREFIX

_TOOLS = {tool.name: tool for tool in CHROME.tools}
_OWN = ("tool", "args", "useTool", "hasDefinitions")
_MAX_SHAPE = 400


async def chrome_devtools(context: Context, args: Args) -> Answer:
    """Without a tool: the definitions, or those of `hasDefinitions`. Else that tool's answer."""
    named = _named(args)
    tool = None if named is None else _tool(named)
    _known_arguments(args, tool)
    if tool is None:
        return Answer(said=definitions([_tool(name) for name in args.get("hasDefinitions", [])]))
    return await run(tool, context, checked(tool, _arguments(args, tool)))


def _named(args: Args) -> str | None:
    given = [args[key] for key in ("useTool", "tool") if args.get(key)]
    if len({_full(name) for name in given}) > 1:
        raise InvalidArguments(
            f"chrome_devtools: useTool is {given[0]!r} and tool is {given[1]!r}; one tool is called at a time.",
            data={"argument": "tool"},
            fix="Name the tool once; nothing was done.",
        )
    return given[0] if given else None


def _known_arguments(args: Args, tool: Tool | None) -> None:
    """Refuse what is meant for another tool, and parameters that are not where they belong."""
    stray = {
        name: given for name, given in args.items() if name not in _OWN and not _belongs(name, given, tool)
    }
    if not stray:
        return
    name = next(iter(stray))
    what = f"{name!r} is another tool" if _full(name) in _TOOLS and tool else f"unknown argument {name!r}"
    raise InvalidArguments(
        f"chrome_devtools: {what}; parameters of a tool stand in 'args'.",
        data={"argument": name, "allowed": [*_OWN, "<tool>"]},
        fix=f"Call it like {_right_shape(stray, tool)}; nothing was done.",
    )


def _belongs(name: str, given: Any, tool: Tool | None) -> bool:
    full = _full(name)
    # Some callers send an empty object for every tool there is.
    return full in _TOOLS and (given == {} or (tool is not None and full == tool.name))


def _right_shape(stray: dict[str, Any], tool: Tool | None) -> str:
    """The call as it was probably meant."""
    if tool is None:
        tool = next((_TOOLS[_full(name)] for name in stray if _full(name) in _TOOLS), None)
    if tool is None:
        return '{"tool": "click", "args": {"selector": "#save"}}'
    known = tool.definition["inputSchema"]["properties"]
    args = {name: given for name, given in stray.items() if name in known}
    for name, given in stray.items():
        if _full(name) == tool.name and isinstance(given, dict):
            args |= given
    shown = json.dumps({"tool": tool.name.removeprefix(PREFIX), "args": args}, ensure_ascii=False)
    return shown if len(shown) <= _MAX_SHAPE else f"{shown[:_MAX_SHAPE]}…"


def _arguments(args: Args, tool: Tool) -> dict[str, Any]:
    """Those under the tool's own name, with or without its prefix, or in `args`."""
    keys = (tool.name, tool.name.removeprefix(PREFIX), "args")
    given = [each for key in keys if key in args and (each := _object(key, args[key]))]
    if any(each != given[0] for each in given):
        raise InvalidArguments(
            f"chrome_devtools: {tool.name} has different parameters in several places.",
            data={"argument": "args"},
            fix="Give them once, in args; nothing was done.",
        )
    return given[0] if given else {}


def _object(key: str, given: Any) -> dict[str, Any]:
    """An object, also one that was sent as its JSON."""
    value = given
    if isinstance(given, str):
        try:
            value = json.loads(given) if given.strip() else {}
        except ValueError:
            value = None
    if isinstance(value, dict):
        return value
    raise InvalidArguments(
        f"chrome_devtools: {key!r} must be an object with the tool's parameters.",
        data={"argument": key, "allowed": {"type": "object"}},
        fix=f"Call it like {_right_shape({}, None)}; nothing was done.",
    )


def _full(name: str) -> str:
    return name if name.startswith(PREFIX) else f"{PREFIX}{name}"


def _tool(named: str) -> Tool:
    tool = _TOOLS.get(_full(named))
    if tool is None:
        known = ", ".join(name.removeprefix(PREFIX) for name in _TOOLS)
        raise InvalidArguments(
            f"chrome_devtools has no tool {named!r}.",
            code="UNKNOWN_TOOL",
            data={"argument": "tool"},
            fix=f"Use one of: {known}.",
        )
    return tool


def definitions(tools: list[Tool]) -> str:
    """One line for each tool: name, description, input schema."""
    rows = [
        f"{tool.name.removeprefix(PREFIX)}: {tool.definition['description']}\n"
        f"  {json.dumps(tool.definition['inputSchema'], ensure_ascii=False, separators=(',', ':'))}"
        for tool in tools or _TOOLS.values()
    ]
    return "\n".join(rows)
