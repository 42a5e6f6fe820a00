"""JSON-RPC messages as they stand on a line: told apart, never taken apart."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

PARSE_ERROR = -32700
INVALID_REQUEST = -32600

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Kind(Enum):
    """What a message is."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `line` is what is passed on; `method` and `params` are empty in answers."""

    line: bytes
    kind: Kind
    id: Any
    method: str
    params: Mapping[str, Any]
    failed: bool = False
    """An answer that is an error."""

    @property
    def key(self) -> str:
        """The id, so that 1 and "1" differ."""
        return id_key(self.id)


class NotJsonRpc(Exception):
    """A line that is no message; `id` is the message's, as far as it could be read."""

    def __init__(self, code: int, message: str, message_id: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.id = code, message, message_id


def id_key(message_id: Any) -> str:
    return json.dumps(message_id)


def parse(line: bytes) -> Message:
    """The message on this line; raises `NotJsonRpc`."""
    data = _loaded(line)
    if not isinstance(data, dict):
        raise NotJsonRpc(INVALID_REQUEST, "A line must hold one JSON-RPC object; batches are not spoken.")
    message_id = data.get("id")
    readable = message_id if _is_id(message_id) else None
    if data.get("jsonrpc") != "2.0":
        raise NotJsonRpc(INVALID_REQUEST, "'jsonrpc' must be \"2.0\".", readable)
    # Between the tokens of JSON a line's end is as good as a space, and within them there is none.
    line = line.strip().replace(b"\r", b" ").replace(b"\n", b" ")
    if "method" in data:
        return _call(line, data, readable)
    if "id" in data and ("result" in data or "error" in data):
        return Message(line, Kind.ANSWER, message_id, "", {}, failed="error" in data)
    raise NotJsonRpc(INVALID_REQUEST, "This is no request, no notification and no answer.", readable)


def _loaded(line: bytes) -> Any:
    try:
        data = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise NotJsonRpc(PARSE_ERROR, "Parse error: the line is no JSON.") from None
    if _SURROGATE.search(line):
        # A text that was cut in the middle of an emoji ends with half of a pair, and no answer could repeat it.
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            known = data.get("id") if isinstance(data, dict) else None
            text = "Parse error: a text holds half of a surrogate pair."
            raise NotJsonRpc(PARSE_ERROR, text, known if _is_id(known) else None) from None
    return data


def _call(line: bytes, data: dict[str, Any], readable: Any) -> Message:
    method, params = data["method"], data.get("params", {})
    if not isinstance(method, str) or not isinstance(params, dict):
        raise NotJsonRpc(INVALID_REQUEST, "'method' must be a text and 'params' an object.", readable)
    if "id" not in data:
        return Message(line, Kind.NOTIFICATION, None, method, params)
    if readable is None:
        raise NotJsonRpc(INVALID_REQUEST, "'id' must be a text or an integer.")
    return Message(line, Kind.REQUEST, readable, method, params)


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def answer(message_id: Any, result: Any) -> bytes:
    """A line that answers."""
    return json.dumps({"jsonrpc": "2.0", "id": message_id, "result": result}).encode()


def error_answer(message_id: Any, code: int, message: str, data: Any = None) -> bytes:
    """A line that answers with an error."""
    error = {"code": code, "message": message} | ({} if data is None else {"data": data})
    return json.dumps({"jsonrpc": "2.0", "id": message_id, "error": error}).encode()
