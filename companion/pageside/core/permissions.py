"""What each tool does to a page, and what the user allows: one rule for tools and groups of tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from pageside.contract import GATE, TOOLS

Decision = Literal["allow", "ask", "deny"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
Policy = Mapping[str, Decision]
"""Tool or group → what the user decided; who is not in it is allowed."""

FREE = "free"
SCRIPTS = "scripts"
ACTING = "acting"
"""All groups together whose tools do something to a page."""
_GROUPS: dict[str, str] = {tool: group for group, tools in GATE["groups"].items() for tool in tools}
NAMES: frozenset[str] = frozenset(_GROUPS) | frozenset(GATE["groups"]) | {ACTING}


def group_of(tool: str) -> str:
    """The group that the contract puts the tool in; of others their hints decide, so that none escapes."""
    known = _GROUPS.get(tool)
    if known is not None:
        return known
    hints = TOOLS.get(tool, {}).get("annotations", {})
    return "reading" if hints.get("readOnlyHint") is True else "input"


def acts(group: str) -> bool:
    """Whether its tools do something to a page."""
    return group in GATE["acting"]


def can_be_paused(group: str) -> bool:
    """Whether its tools have to do with pages."""
    return group != FREE and group not in GATE["unpaused"]


def is_placeless(tool: str) -> bool:
    """Whether it has no tab of its own to be asked about, so that the user is asked before it begins."""
    return tool in GATE["placeless"]


def decide(policy: Policy, tool: str) -> Decision:
    """What holds for the tool: its own word, else its group's, else that of all that act, else it is allowed."""
    group = group_of(tool)
    if group == FREE:
        return "allow"
    names = (tool, group, *([ACTING] if acts(group) else []))
    return next((policy[name] for name in names if name in policy), "allow")


def changed(policy: Policy, changes: Mapping[str, Decision | None]) -> dict[str, Decision]:
    """The policy with those changes; None takes a word back."""
    merged = {**policy, **{name: word for name, word in changes.items() if word is not None}}
    return {name: word for name, word in merged.items() if changes.get(name, word) is not None}


def loosens(policy: Policy, changes: Mapping[str, Decision | None]) -> bool:
    """Whether some tool may do more afterwards than before."""
    after = changed(policy, changes)
    return any(
        DECISIONS.index(decide(after, tool)) < DECISIONS.index(decide(policy, tool)) for tool in _GROUPS
    )


def read(stored: object) -> dict[str, Decision] | None:
    """A stored policy, also what it says of tools that there are no more; None if any of it makes no sense."""
    if not isinstance(stored, dict):
        return None
    words = {name: word for name, word in stored.items() if len(name) <= 100 and word in DECISIONS}
    return words if len(words) == len(stored) else None
