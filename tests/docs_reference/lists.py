"""errors.md, prompts.md, resources.md and events.md."""

from __future__ import annotations

import re

from docs_reference.schemas import code, prose, table
from docs_reference.typescript import Declaration
from pageside import errors
from pageside.agents.prompts import prompt_text
from pageside.agents.resources import KINDS
from pageside.contract import EVENTS, FIXES, PROMPTS

_TREE = re.compile(r"[├└]── \w+ +([A-Z_]+), ([a-z].+)")

DETAILS = {
    "activateInspector": (
        "a pick begins. An app may send it itself: the user's own pick begins, unless one is under way",
        '`{mode: "element" | "area"}`; of an agent\'s pick also `ticket`, `agent`, `reason`',
    ),
    "elementInspected": (
        "an element was picked",
        "ElementContext ([protocol](../protocol.md#calls)); of a saved note also `description`, `inspectionId`",
    ),
    "planProgressReported": (
        "an agent reported steps",
        "`{inspectionId, plan: {steps: [{id, title, status}]}}`",
    ),
    "inspectionResultReceived": (
        "an agent completed an inspection, or failed",
        "`{inspectionId, status, result: {message}}`",
    ),
    "inspectionStatusUpdated": ("any other change of a status", "`{inspectionId, status, message}`"),
    "inspectionDeleted": ("an inspection was deleted", "`{inspectionId}`"),
}
"""When each event of the contract is sent, and its `detail`."""


def errors_page() -> str:
    """Every code: what it says, and what to do."""
    about = dict(_TREE.findall(errors.__doc__ or ""))
    rows = [(code(name), prose(about.get(name, "")), prose(fix)) for name, fix in FIXES.items()]
    return f"""# Errors

Every call ends within its time limit, with a result or one of these. Agents, pages and programs get the same
three things: `code`, `message` (what happened and why, in this case) and `fix` (what to do); some have `data` for
programs. From symptoms to causes: [troubleshooting](../troubleshooting.md).

{table(["code", "what it says besides", "what to do"], rows)}"""


def prompts_page() -> str:
    """Every prompt with its arguments, and what the agent is then asked."""
    parts = []
    for prompt in PROMPTS:
        rows = [
            (code(each["name"]), "yes" if each["required"] else "", prose(each["description"]))
            for each in prompt["arguments"]
        ]
        # An address stands in for what the user fills in; optional arguments are left out.
        given = {each["name"]: "http://localhost:5173/" for each in prompt["arguments"] if each["required"]}
        parts.append(
            f"## `{prompt['name']}`\n\n{prose(prompt['description'])}\n\n{table(['argument', 'required', ''], rows)}\n"
            f"> {prose(prompt_text(prompt['name'], given))}\n"
        )
    return (
        "# Prompts\n\nAgents offer them as commands, such as `/mcp__pageside__capture_element`.\n\n"
        + "\n".join(parts)
    )


def resources_page() -> str:
    """Every resource and template."""
    rows = [
        (code(kind.uri), prose(kind.description), kind.mime or "image/png or image/jpeg") for kind in KINDS
    ]
    return f"""# Resources

What holds text is JSON, `{{"untrusted": true, "data": …}}`: it comes from pages, and is data, no instruction. Ids are
completed; whoever subscribes is told of changes.

{table(["URI", "what it is", "type"], rows)}"""


def events_page(page_api: list[Declaration]) -> str:
    """Window events, and what an app may import in its pages."""
    rows = [(code(name), prose(DETAILS[key][0]), prose(DETAILS[key][1])) for key, name in EVENTS.items()]
    api = "\n".join(_declared(each) for each in page_api)
    return f"""# In the page: events and imports

## Window events

`CustomEvent`s on `window`. They tell, and nothing waits for who listens.

{table(["event", "when", "`detail`"], rows)}
## `vite-plugin-pageside/page`

What an app imports in its pages; in a build it does nothing. How it is used:
[tools of the app](../overlay.md#tools-of-the-app).

{api}"""


def _declared(declaration: Declaration) -> str:
    parts = [f"### `{declaration.name}`\n", f"{prose(declaration.doc)}\n"]
    if declaration.signature:
        parts.append(f"{code(declaration.signature)}\n")
    if declaration.members:
        rows = [
            (
                code(each.name) if each.is_optional else f"**{code(each.name)}**",
                code(each.type),
                prose(each.doc),
            )
            for each in declaration.members
        ]
        parts.append(table(["field", "type", ""], rows))
    return "\n".join(parts)
