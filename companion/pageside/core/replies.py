"""The thread of an inspection: what the user and agents say to each other about it. Pure functions on its list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

from pageside.contract import LIMITS
from pageside.core.given import bad, milliseconds
from pageside.core.ids import is_item_id

Reply = dict[str, Any]
"""`{"id", "from", "name"?, "text", "at" (ms), "kind"}`."""

Kind = Literal["reply", "question", "answer", "status"]
"""`status` is a message that came with a change of status, `question` and `answer` belong to each other."""

SENDERS = ("user", "agent")
KINDS: tuple[str, ...] = get_args(Kind)
_NAME_CHARS = 200


def checked(raw: object, name: str, *, reply_id: str, now_ms: int) -> Reply:
    """A reply from outside, with an id of its own if it has none; too long a text is refused, not cut."""
    if not isinstance(raw, dict):
        raise bad(name, "must be an object")
    if raw.get("from") not in SENDERS:
        raise bad(f"{name}.from", f"must be one of {', '.join(SENDERS)}")
    kind = raw.get("kind", "reply")
    if kind not in KINDS:
        raise bad(f"{name}.kind", f"must be one of {', '.join(KINDS)}")
    reply: Reply = {
        "id": raw["id"] if is_item_id(raw.get("id")) else reply_id,
        "from": raw["from"],
        "text": _text(raw.get("text"), f"{name}.text"),
        "at": milliseconds(raw.get("at"), now_ms),
        "kind": kind,
    }
    if "name" in raw:
        if not isinstance(raw["name"], str):
            raise bad(f"{name}.name", "must be a text")
        reply["name"] = raw["name"][:_NAME_CHARS]
    return reply


def checked_all(raw: object, now_ms: int) -> list[Reply]:
    """The thread that a page brings back; of more than there is room for, the newest."""
    if not isinstance(raw, list):
        raise bad("item.replies", "must be a list")
    newest = raw[-LIMITS["replies"] :]
    return [
        checked(reply, f"item.replies[{n}]", reply_id=f"r0.{n}", now_ms=now_ms)
        for n, reply in enumerate(newest)
    ]


def added(thread: Sequence[Reply], reply: Reply) -> list[Reply]:
    """`thread` and `reply`, the oldest dropped where there are too many. A status said twice in a row is one."""
    last = thread[-1] if thread else {}
    if reply["kind"] == "status" and all(
        last.get(field) == reply.get(field) for field in ("kind", "from", "name", "text")
    ):
        return list(thread)
    return [*thread, reply][-LIMITS["replies"] :]


def since(thread: Sequence[Reply], last: str | None) -> list[Reply]:
    """What the user said after the reply with the id `last`; all of it where that is None or dropped."""
    at = next((n for n, reply in enumerate(thread) if reply["id"] == last), -1)
    return [reply for reply in thread[at + 1 :] if reply["from"] == "user"]


def shown(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """For an agent that knows whose they are."""
    return [{field: reply[field] for field in ("text", "kind", "at")} for reply in replies]


def clipped(text: str) -> str:
    """A message that has no limit as short as one of a thread: its beginning."""
    limit = LIMITS["replyChars"]
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _text(raw: object, name: str) -> str:
    limit = LIMITS["replyChars"]
    if not isinstance(raw, str) or len(raw) > limit or not raw.strip():
        raise bad(name, f"must be a text of 1 to {limit} characters")
    return raw
