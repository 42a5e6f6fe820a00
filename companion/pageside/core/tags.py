"""Whether a tag stands where it is said to: the rules of `vite-plugin/src/source/tags.ts`, for templates."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAME = r"[^\W\d][\w.:-]*"
_AT_START = re.compile(f"<({_NAME})")
_COMPUTED = re.compile(r"<([\w-]*)[^\w\s/>!:.-]")
"""A name of which the template computes the rest, or after which a statement follows at once."""


@dataclass(frozen=True, slots=True)
class CheckedTag:
    """`column` is 1-based; `reason` says why it is not exact."""

    column: int
    exact: bool
    tag: str = ""
    reason: str = ""


def check_tag(line: str, column: int, tag: str) -> CheckedTag:
    """Whether `<tag` stands at a column of a line; where it does instead, if that is certain."""
    there = _AT_START.match(line, column - 1)
    computed = _COMPUTED.match(line, column - 1)
    if computed is not None and tag.lower().startswith(computed[1].lower()):
        return CheckedTag(column, True, tag)
    if there is not None and there[1].lower() == tag.lower():
        return CheckedTag(column, True, there[1])
    if there is not None:
        return CheckedTag(column, False, there[1], f"The template has <{there[1]}> here, not <{tag}>.")
    others = [found for found in _AT_START.finditer(line) if found[1].lower() == tag.lower()]
    if len(others) == 1:
        return CheckedTag(others[0].start() + 1, True, others[0][1])
    return CheckedTag(column, False, "", "The template has no such tag here (any more).")
