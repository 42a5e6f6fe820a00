"""What tabs say on the tab socket (`docs/tabs.md`): each text frame is one typed message, or refused by its field."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Never

from pageside.contract import TABS
from pageside.core.fields import Fields
from pageside.errors import Refused

LIMITS: dict[str, int] = TABS["limits"]
MAX_ID = 100
MAX_CODE = 64
MAX_DATA = 16
MAX_VALUES = 50_000
"""Lists, objects and commas in a frame that is too large for a result without a picture: reading more takes long."""
MAX_DEPTH = 5
"""Fields of an error's `data` that are kept, and how deep they may be nested; the rest is dropped."""
_NAMES_COMMAND = re.compile(
    r'\s*\{(?:\s*"(?:type|success)"\s*:\s*(?:"response"|true)\s*,)*\s*"id"\s*:\s*"([^"\\]{1,100})"'
)
_TAB_ID = re.compile(rf"[A-Za-z0-9._:-]{{1,{LIMITS['tabIdChars']}}}")
FIX = "Send one JSON object in a text frame, of a type that docs/tabs.md names."


@dataclass(frozen=True, slots=True)
class Register:
    """The first message: who the tab is. `target` is its id in CDP, `client` the program; empty if not told."""

    tab: str
    url: str = ""
    title: str = ""
    target: str = ""
    client: str = ""


@dataclass(frozen=True, slots=True)
class Update:
    """What changed; None: as before."""

    url: str | None = None
    title: str | None = None
    scripts_allowed: bool | None = None


@dataclass(frozen=True, slots=True)
class Pong:
    """A sign of life."""


@dataclass(frozen=True, slots=True)
class Executing:
    """That command was taken from the tab's queue."""

    id: str


@dataclass(frozen=True, slots=True)
class TabError:
    """Why a command failed, in the tab's words."""

    code: str
    message: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Response:
    """How a command ended; `chars` is the length of the whole frame."""

    id: str
    result: dict[str, Any]
    error: TabError | None
    chars: int


TabMessage = Register | Update | Pong | Executing | Response


def parse(frame: str) -> TabMessage:
    """The message in this text frame; raises `Refused` 400 `BAD_REQUEST` for everything else.

    A result of too many values is not read: what counts of it is its size.
    """
    if len(frame) > LIMITS["resultBytes"] and sum(map(frame.count, ",[{")) > MAX_VALUES:
        command = _NAMES_COMMAND.match(frame, 0, 1000)
        if command is None:
            raise _refused(f"The frame has more than {MAX_VALUES} values.")
        return Response(command[1], {}, None, len(frame))
    try:
        value = json.loads(frame, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise _refused("The frame is no JSON.") from None
    if not isinstance(value, dict):
        raise _refused("The frame must be a JSON object.")
    try:
        return _typed(Fields(value), len(frame))
    except Refused as error:
        raise _refused(error.message) from None


def is_tab_id(value: object) -> bool:
    """1–100 plain characters."""
    return isinstance(value, str) and _TAB_ID.fullmatch(value) is not None


def _typed(fields: Fields, chars: int) -> TabMessage:
    read = _READERS[fields.choice("type", _READERS)]
    return read(fields, chars)


def _register(fields: Fields, _chars: int) -> Register:
    tab = fields.values.get("tabId")
    if not isinstance(tab, str) or not is_tab_id(tab):
        raise _refused(f"'tabId' must be a text of 1 to {LIMITS['tabIdChars']} characters A-Za-z0-9._:-.")
    return Register(
        tab,
        fields.optional_text("url", LIMITS["urlChars"]) or "",
        fields.optional_text("title", LIMITS["titleChars"]) or "",
        fields.optional_text("targetId", MAX_ID) or "",
        fields.optional_text("client", MAX_ID) or "",
    )


def _update(fields: Fields, _chars: int) -> Update:
    allowed = fields.values.get("scriptsAllowed")
    if allowed is not None and not isinstance(allowed, bool):
        raise _refused("'scriptsAllowed' must be true or false.")
    return Update(
        fields.optional_text("url", LIMITS["urlChars"]),
        fields.optional_text("title", LIMITS["titleChars"]),
        allowed,
    )


def _response(fields: Fields, chars: int) -> Response:
    success, result = fields.values.get("success"), fields.values.get("result")
    if not isinstance(success, bool):
        raise _refused("'success' must be true or false.")
    if success and result is not None and not isinstance(result, dict):
        raise _refused("'result' must be an object.")
    error = None if success else _error(fields.values.get("error"))
    return Response(_id(fields), result if success and isinstance(result, dict) else {}, error, chars)


def _error(raw: object) -> TabError:
    if not isinstance(raw, dict):
        raise _refused("'error' must be an object with 'message' and 'code'.")
    fields = Fields(raw, "error")
    data = raw.get("data")
    if data is not None and not isinstance(data, dict):
        raise _refused("'error.data' must be an object.")
    return TabError(
        fields.optional_text("code", MAX_CODE) or "EXECUTION_ERROR",
        fields.text("message", LIMITS["entryChars"]),
        {name: each for name, each in list((data or {}).items())[:MAX_DATA] if _is_shallow(each, MAX_DEPTH)},
    )


def _is_shallow(value: object, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_is_shallow(each, levels - 1) for each in inner)


def _id(fields: Fields) -> str:
    given = fields.values.get("id")
    if not isinstance(given, str) or not 0 < len(given) <= MAX_ID:
        raise _refused(f"'id' must be the id of a command, a text of 1 to {MAX_ID} characters.")
    return given


_READERS: dict[str, Callable[[Fields, int], TabMessage]] = {
    "register": _register,
    "update": _update,
    "pong": lambda _fields, _chars: Pong(),
    "executing": lambda fields, _chars: Executing(_id(fields)),
    "response": _response,
}


def _refused(message: str) -> Refused:
    return Refused(400, "BAD_REQUEST", message, FIX)


def _no_constant(name: str) -> Never:
    raise ValueError(f"{name} is no JSON")
