"""The fields of an inspection as they come from a page or an agent: each checked, or refused by its name."""

from __future__ import annotations

from typing import Any

from pageside.contract import LIMITS, STATUS
from pageside.core.given import bad

_STEP_STATUSES: tuple[str, ...] = tuple(STATUS["stepStatuses"])
_MAX_CLIPPED = 2000
_QUOTE_CHARS = {"exact": 1000, "prefix": 64, "suffix": 64}
_MAX_ORDER = 2.0**53


def checked_object(raw: object, name: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise bad(name, "must be an object")
    return raw


def checked_text(raw: object, name: str) -> str:
    limit = LIMITS["descriptionChars"]
    if not isinstance(raw, str) or len(raw) > limit:
        raise bad(name, f"must be a text of at most {limit} characters")
    return raw


def cut_text(raw: object, name: str) -> str:
    """A text that is not worth refusing a note for: what is too long is cut."""
    if not isinstance(raw, str):
        raise bad(name, "must be a text")
    return raw[:_MAX_CLIPPED]


def checked_area(raw: object) -> dict[str, Any]:
    """`{"bounds", "total", "elements"}`; elements past the limit are cut."""
    area = checked_object(raw, "item.area")
    elements = area.get("elements", [])
    if not isinstance(elements, list) or not all(isinstance(element, dict) for element in elements):
        raise bad("item.area.elements", "must be a list of objects")
    return {
        "bounds": checked_object(area.get("bounds", {}), "item.area.bounds"),
        "total": area["total"] if isinstance(area.get("total"), int) else len(elements),
        "elements": elements[: LIMITS["areaElements"]],
    }


def checked_order(raw: object, name: str) -> float:
    # A number that JSON, JavaScript and Python read alike.
    if not isinstance(raw, int | float) or isinstance(raw, bool) or not -_MAX_ORDER <= raw <= _MAX_ORDER:
        raise bad(name, "must be a number between -2^53 and 2^53")
    return raw


def checked_quote(raw: object) -> dict[str, str]:
    """`{"exact", "prefix", "suffix"}`: a TextQuoteSelector of the W3C; what is too long is cut."""
    quote = checked_object(raw, "item.quote")
    texts = {part: quote.get(part, "") for part in _QUOTE_CHARS}
    for part, text in texts.items():
        if not isinstance(text, str):
            raise bad(f"item.quote.{part}", "must be a text")
    if not texts["exact"]:
        raise bad("item.quote.exact", "must not be empty")
    return {part: text[: _QUOTE_CHARS[part]] for part, text in texts.items()}


def checked_progress(raw: object) -> dict[str, Any]:
    """`{"steps": [{"id", "title", "status"}]}`, at most 100 steps."""
    steps = checked_object(raw, "progress").get("steps")
    if not isinstance(steps, list) or len(steps) > 100:
        raise bad("progress.steps", "must be a list of at most 100 steps")
    return {"steps": [_checked_step(step, n) for n, step in enumerate(steps)]}


def _checked_step(raw: object, n: int) -> dict[str, Any]:
    name = f"progress.steps[{n}]"
    step = checked_object(raw, name)
    if not isinstance(step.get("id"), int) or isinstance(step["id"], bool):
        raise bad(f"{name}.id", "must be an integer")
    if step.get("status") not in _STEP_STATUSES:
        raise bad(f"{name}.status", f"must be one of {', '.join(_STEP_STATUSES)}")
    return {
        "id": step["id"],
        "title": checked_text(step.get("title"), f"{name}.title"),
        "status": step["status"],
    }
