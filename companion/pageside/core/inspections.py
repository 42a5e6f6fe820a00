"""What an inspection is and how it may change: pure functions from one item to the next.

An `InspectionItem` is JSON with the field names of the contract (see `docs/protocol.md`, Inspections). Every function
returns a new item with `rev` one higher, or raises; none touches its argument.
"""

from __future__ import annotations

import json
from typing import Any

from pageside.contract import LIMITS
from pageside.core import replies as threads
from pageside.core import status as machine
from pageside.core.given import bad, milliseconds
from pageside.core.ids import is_item_id
from pageside.core.inspection_fields import (
    checked_area,
    checked_object,
    checked_order,
    checked_progress,
    checked_quote,
    checked_text,
    cut_text,
)
from pageside.core.numbers import is_number
from pageside.core.redaction import redact, redact_url
from pageside.core.remarks import checked_sketch, checked_words
from pageside.errors import BadTransition

Item = dict[str, Any]

_SEARCH_FIELDS = ("selector", "title")
_ENDED = ("completed", "failed")
_SHOWN_CHARS = 300
"""Of a note or a message in a list; the whole is in the inspection itself."""
_MAX_RESTORED_REV = 2**52
"""JavaScript and SQLite can count on from here for ever."""


def created(
    raw: object, now_ms: int, *, restore: bool = False, fingerprint: dict[str, Any] | None = None
) -> Item:
    """A new item from what a page sent. A restored one keeps its status, progress and message.

    `fingerprint` is of its source; what the page says of one does not count.
    """
    source = checked_object(raw, "item")
    if not is_item_id(source.get("id")):
        raise bad("item.id", "must be 1–100 characters of A–Z a–z 0–9 _ . : -")
    if len(json.dumps(source, ensure_ascii=False).encode("utf-8", "replace")) > LIMITS["itemBytes"]:
        raise bad("item", f"is larger than {LIMITS['itemBytes']} bytes")
    item: Item = {
        "id": source["id"],
        "sourceInfo": redact(checked_object(source.get("sourceInfo", {}), "item.sourceInfo")),
        "description": checked_text(source.get("description", ""), "item.description"),
        "status": "pending",
        "timestamp": milliseconds(source.get("timestamp"), now_ms),
        "updated": now_ms,
        "rev": 1,
        "url": redact_url(cut_text(source.get("url", ""), "item.url")),
        "author": "user",
        **checked_words(source, "item."),
    }
    if "sketch" in source:
        item["sketch"] = checked_sketch(source["sketch"], "item.sketch")
    for field in _SEARCH_FIELDS:
        item[field] = redact(cut_text(source.get(field, ""), f"item.{field}"))
    # Not worth refusing a note for either.
    if is_item_id(source.get("elementId")):
        item["elementId"] = source["elementId"]
    if "area" in source:
        item["area"] = redact(checked_area(source["area"]))
    if "quote" in source:
        item["quote"] = redact(checked_quote(source["quote"]))
    if fingerprint is not None:
        item["fingerprint"] = fingerprint
    return _restored(item, source) if restore else item


def _restored(item: Item, source: Item) -> Item:
    if not machine.is_status(source.get("status")):
        raise bad("item.status", f"must be one of {', '.join(machine.STATUSES)}")
    rev = source.get("rev")
    item["status"] = source["status"]
    if isinstance(rev, int) and not isinstance(rev, bool):
        item["rev"] = min(max(rev, 1), _MAX_RESTORED_REV)
    if item["status"] == "deleted":
        return {**_tombstone(item, item["updated"]), "rev": item["rev"]}
    for field, check in (("message", checked_text), ("agent", checked_text), ("order", checked_order)):
        if field in source:
            item[field] = check(source[field], f"item.{field}")
    if "progress" in source:
        item["progress"] = checked_progress(source["progress"])
    if "replies" in source:
        item["replies"] = threads.checked_all(source["replies"], item["updated"])
    # Whether another has it by now is for the store to say.
    if is_number(source.get("number")):
        item["number"] = source["number"]
    if "accepted" in source and item["status"] in _ENDED:
        item["accepted"] = milliseconds(source["accepted"], item["updated"])
    return item


def is_item(value: object) -> bool:
    """True for what `created` and `transitioned` make: the fields that everyone relies on, of their types."""
    return (
        isinstance(value, dict)
        and is_item_id(value.get("id"))
        and machine.is_status(value.get("status"))
        and isinstance(value.get("sourceInfo"), dict)
        and isinstance(value.get("description"), str)
        and all(type(value.get(field)) is int for field in ("timestamp", "updated", "rev"))
    )


def transitioned(
    item: Item,
    status: str,
    *,
    actor: machine.Actor,
    now_ms: int,
    message: str | None = None,
    progress: Any = None,
    agent: str | None = None,
) -> Item:
    """`item` after a status change or a progress report, checked against the status machine."""
    machine.check(item["status"], status, actor, message)
    if status == "deleted":
        return _tombstone(item, now_ms)
    following = {**item, "status": status, "updated": now_ms, "rev": item["rev"] + 1}
    if status == "pending":
        for field in ("progress", "message", "agent", "accepted"):
            following.pop(field, None)
    if message is not None:
        following["message"] = checked_text(message, "message")
        following = _with_message(following, actor, agent)
    if progress is not None:
        following["progress"] = checked_progress(progress)
    if agent is not None:
        following["agent"] = agent
    return following


def abandoned(item: Item, now_ms: int) -> Item:
    """`item` back in the queue because its agent fell silent; its steps stay, for whoever goes on."""
    steps = item.get("progress", {}).get("steps", [])
    at = next((step for step in steps if step["status"] != "completed"), None)
    where = f" at step {at['id']}: {at['title']}" if at is not None else ""
    message = f"Abandoned by {item.get('agent', 'an agent')}{where}."
    following = {**item, "status": "pending", "updated": now_ms, "rev": item["rev"] + 1}
    agent = following.pop("agent", None)
    return _with_message({**following, "message": message}, "agent", agent)


def _with_message(item: Item, actor: machine.Actor, agent: str | None) -> Item:
    """`item` with its message in the thread as well."""
    text = threads.clipped(item["message"])
    if not text.strip():
        return item
    reply: threads.Reply = {
        "id": f"r{item['rev']}",
        "from": actor,
        "text": text,
        "at": item["updated"],
        "kind": "status" if actor == "agent" else "reply",
    }
    if agent is not None:
        reply["name"] = agent
    return {**item, "replies": threads.added(item.get("replies", []), reply)}


def edited(item: Item, change: Item, now_ms: int) -> Item:
    """`item` with the `description` of `change`, and its `intent` and `severity`; a deleted one stays as it is."""
    text = checked_text(change.get("description"), "description")
    return {**_alive(item, now_ms), "description": text, **checked_words(change)}


def replied(item: Item, reply: object, now_ms: int) -> Item:
    """`item` with one more in its thread: `{"from", "text", "name"?, "kind"?, "id"?, "at"?}`."""
    following = _alive(item, now_ms)
    said = threads.checked(reply, "reply", reply_id=f"r{following['rev']}", now_ms=now_ms)
    return {**following, "replies": threads.added(item.get("replies", []), said)}


def accepted(item: Item, now_ms: int) -> Item:
    """`item` that the user is done with; only one that its agent has ended."""
    if item["status"] not in _ENDED:
        choices = machine.allowed(item["status"], "user")
        raise BadTransition(item["status"], "accepted", choices, "only a completed or failed one is accepted")
    return {**_alive(item, now_ms), "accepted": now_ms}


def reordered(item: Item, order: object, now_ms: int) -> Item:
    """`item` at another place in the queue, see `place`."""
    return {**_alive(item, now_ms), "order": checked_order(order, "order")}


def place(item: Item) -> tuple[float, int, str]:
    """What the queue is sorted by: where the user put it, else when it was made."""
    order: float = item["order"] if "order" in item else item["timestamp"]
    return (order, item["timestamp"], item["id"])


def _alive(item: Item, now_ms: int) -> Item:
    """`item` one revision later; a deleted one is refused."""
    if item["status"] == "deleted":
        machine.check("deleted", "pending", "user")
    return {**item, "updated": now_ms, "rev": item["rev"] + 1}


def _tombstone(item: Item, now_ms: int) -> Item:
    """What is left of a deleted item: enough for no tab to bring it back."""
    return {
        "id": item["id"],
        "sourceInfo": {},
        "description": "",
        "status": "deleted",
        "timestamp": item["timestamp"],
        "updated": now_ms,
        "rev": item["rev"] + 1,
        "selector": "",
        "url": "",
        "title": "",
        "author": item.get("author", "user"),
    }


def summary(item: Item) -> dict[str, Any]:
    """The few fields by which an agent chooses: id, number, status, place, note, progress."""
    source = item["sourceInfo"]
    short: dict[str, Any] = {
        "id": item["id"],
        "status": item["status"],
        "description": _short(item["description"]),
        "file": source.get("file", ""),
        "line": source.get("line", 0),
        "column": source.get("column", 0),
        "component": source.get("component", ""),
        "selector": item.get("selector", ""),
        "url": item.get("url", ""),
        "timestamp": item["timestamp"],
    }
    for field in ("number", "intent", "severity", "progress", "agent"):
        if field in item:
            short[field] = item[field]
    if "message" in item:
        short["message"] = _short(item["message"])
    if "area" in item:
        short["elements"] = item["area"]["total"]
    if "quote" in item:
        short["quote"] = _short(item["quote"]["exact"])
    if "sketch" in item:
        short["sketch"] = len(item["sketch"]["shapes"])
    return short


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
