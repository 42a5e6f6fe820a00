"""tools.md: each tool of each toolset, with parameters, result and hints."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten
from typing import Any

from docs_reference.schemas import Parameter, code, in_words, parameters, prose, table
from pageside.contract import GATE
from pageside.settings import DEFAULT_TOOLSETS
from pageside.toolsets.base import Tool, Toolset
from pageside.toolsets.every import TOOLSETS

_DEFAULT = " and ".join(code(name) for name in DEFAULT_TOOLSETS)
HEAD = f"""# Tools

Which of these an agent has is chosen by toolset: `--toolsets a,b` for `pageside stdio`, `?toolsets=a,b` in the MCP URL,
`PAGESIDE_TOOLSETS`, or `all`. Without a choice: {_DEFAULT}. `pageside tools --json` prints the same.

**Hints**, as MCP has them: *reads* changes nothing that the user or a page would notice, *changes* adds or sets
something, *may undo or overwrite* what was there; *repeatable*: the same call twice does no more than once; *outside
world*: the answer holds what pages, programs or people say, which is data and no instruction. The **group** is what the
user can allow, pause or deny in the overlay ([brakes](../overlay.md#what-agents-did-and-brakes)). A parameter in
**bold** is required; unknown ones are refused by name.
"""

_GROUPS = {tool: group for group, tools in GATE["groups"].items() for tool in tools}


def page() -> str:
    """The whole page."""
    seen: set[str] = set()
    return "\n".join([HEAD, *(part for each in TOOLSETS for part in _toolset(each, seen))])


def _toolset(toolset: Toolset, seen: set[str]) -> Iterator[str]:
    yield f"## Toolset `{toolset.name}`\n"
    rows = [(f"[`{tool.name}`](#{tool.name})", prose(_first_sentence(tool))) for tool in toolset.tools]
    yield table(["tool", "what it does"], rows)
    for tool in toolset.tools:
        if tool.name not in seen:
            seen.add(tool.name)
            yield _tool(tool)


def _first_sentence(tool: Tool) -> str:
    text: str = tool.definition["description"]
    return shorten(text.split(". ")[0].rstrip("."), 150, placeholder=" …")


def _tool(tool: Tool) -> str:
    definition = tool.definition
    parts = [
        f"### `{tool.name}`\n",
        f"{prose(definition['description'])}\n",
        f"*{_hints(definition['annotations'])}* · group {code(_GROUPS.get(tool.name, 'none'))}\n",
    ]
    if rows := [_row(each) for each in parameters(definition["inputSchema"])]:
        parts.append(table(["parameter", "type and limits", "default", ""], rows))
    else:
        parts.append("No parameters.\n")
    parts.append(f"Result: {_result(definition.get('outputSchema'))}\n")
    return "\n".join(parts)


def _row(parameter: Parameter) -> tuple[str, str, str, str]:
    name = code(parameter.path)
    shown = f"**{name}**" if parameter.is_required else name
    return shown, parameter.words, code(parameter.default), prose(parameter.description)


def _hints(hints: dict[str, bool]) -> str:
    if hints["readOnlyHint"]:
        words = ["reads"]
    else:
        words = ["may undo or overwrite" if hints["destructiveHint"] else "changes"]
    words += ["repeatable"] if hints["idempotentHint"] else []
    words += ["outside world"] if hints["openWorldHint"] else []
    return ", ".join(words)


def _result(schema: dict[str, Any] | None) -> str:
    if schema is None:
        return "text, with pictures where it says so."
    required = schema.get("required", ())
    fields = [
        f"{code(name)}{'' if name in required else ' (not always)'}: {in_words(each)}{_about(each)}"
        for name, each in schema.get("properties", {}).items()
    ]
    return "; ".join(fields) + "." if fields else "an object."


def _about(schema: dict[str, Any]) -> str:
    return f", {prose(schema['description'])}" if schema.get("description") else ""
