"""The text of what was logged, as DevTools shows it: placeholders filled, objects previewed, secrets left out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pageside.core.redaction import REDACTED, is_secret_field, redact_text

MAX_TEXT = 8_000
"""Characters of one message that are kept."""
_MAX_READ = MAX_TEXT + 4_000
"""Redaction sees a little more than is kept, so that no secret is cut out of its context."""
_MAX_FUNCTION = 120
_STACK_HEAD = 3
_PLACEHOLDER = re.compile(r"%([sdifoOc%])")
_INTEGER = re.compile(r"\s*([+-]?\d+)")

Remote = Mapping[str, Any]


def message(arguments: Sequence[Remote]) -> str:
    """The text of a console call, redacted and cut to `MAX_TEXT` with a note."""
    if len(arguments) == 1 and arguments[0].get("type") == "string":
        return limited(str(arguments[0].get("value", "")))
    parts, rest = _substituted(arguments)
    return limited(" ".join([*parts, *(shown(each) for each in rest)]))


def limited(text: str) -> str:
    """`text` without secrets, cut to `MAX_TEXT`."""
    told = redact_text(text[:_MAX_READ])
    if len(text) <= MAX_TEXT or (len(told) <= MAX_TEXT and len(text) <= _MAX_READ):
        return told
    return f"{told[:MAX_TEXT]}… [{len(text) - MAX_TEXT} more characters]"


# Placeholders


def _substituted(arguments: Sequence[Remote]) -> tuple[list[str], Sequence[Remote]]:
    """The first argument with its placeholders filled, and the arguments that it did not use."""
    first = arguments[0] if arguments else {}
    pattern = first.get("value")
    if first.get("type") != "string" or not isinstance(pattern, str) or "%" not in pattern:
        return [], arguments
    rest = list(arguments[1:])

    def fill(match: re.Match[str]) -> str:
        kind = match[1]
        if kind == "%":
            return "%"
        return _FILLS[kind](rest.pop(0)) if rest else match[0]

    return [_PLACEHOLDER.sub(fill, pattern[:_MAX_READ])], rest


def _integer(value: Remote) -> str:
    if value.get("type") == "bigint":
        return shown(value)
    found = _INTEGER.match(_plain(value))
    return found[1] if found else "NaN"


def _float(value: Remote) -> str:
    try:
        return f"{float(_plain(value)):g}"
    except ValueError:
        return "NaN"


def _plain(value: Remote) -> str:
    return str(value.get("value", value.get("unserializableValue", value.get("description", ""))))


def _style(_value: Remote) -> str:
    return ""


# Values


def shown(value: Remote) -> str:
    """One `Runtime.RemoteObject`, or an `ObjectPreview`, on one line where it can be."""
    kind, subtype = value.get("type"), value.get("subtype")
    if kind == "string":
        return str(value.get("value", ""))
    if kind == "function":
        return _function(str(value.get("description", "")))
    if subtype == "error":
        return stack_head(str(value.get("description", "")))
    if isinstance(value.get("preview"), Mapping) and subtype != "node":
        return preview(value["preview"])
    return _primitive(value)


def _primitive(value: Remote) -> str:
    if "unserializableValue" in value:
        return str(value["unserializableValue"])
    if value.get("description") is not None:
        return str(value["description"])
    if "value" in value:
        return json.dumps(value["value"], ensure_ascii=False)
    return str(value.get("type", ""))


_FILLS: dict[str, Callable[[Remote], str]] = {
    "s": shown,
    "d": _integer,
    "i": _integer,
    "f": _float,
    "o": shown,
    "O": shown,
    "c": _style,
}


def _function(source: str) -> str:
    head = source.partition("{")[0].strip() if not source.startswith("class") else source.split("{")[0]
    return f"ƒ {' '.join(head.split())[:_MAX_FUNCTION]}"


def stack_head(description: str) -> str:
    """An error's message with the first frames of its stack."""
    lines = description.split("\n")
    first = next((i for i, line in enumerate(lines) if line.lstrip().startswith("at ")), len(lines))
    end = first + _STACK_HEAD
    more = len(lines) - end
    return "\n".join([*lines[:end], *([f"    … {more} more"] if more > 0 else [])])


# Previews, of which Chrome makes five properties or a hundred items


def preview(given: Remote) -> str:
    """An object as `Name {key: value, …}` or `[value, …]`."""
    subtype, description = given.get("subtype"), str(given.get("description", ""))
    if subtype == "error":
        return description.partition("\n")[0]
    if given.get("type") == "function":
        return _function(description)
    dots = ["…"] if given.get("overflow") else []
    if isinstance(given.get("entries"), list):
        return f"{description} {{{', '.join([*map(_entry, given['entries']), *dots])}}}"
    properties = given.get("properties", [])
    if subtype == "typedarray":
        properties = [item for item in properties if str(item.get("name")).isdecimal()]
    if subtype in ("array", "typedarray"):
        name = "" if subtype == "array" else f"{description} "
        return f"{name}[{', '.join([*map(_value, properties), *dots])}]"
    if subtype is not None and subtype not in ("proxy", "iterator"):
        return description
    name = "" if description in ("Object", "") else f"{description} "
    return f"{name}{{{', '.join([*map(_property, properties), *dots])}}}"


def _entry(entry: Remote) -> str:
    value = preview(entry["value"]) if _is_object(entry["value"]) else _described(entry["value"])
    if "key" not in entry:
        return value
    key = _described(entry["key"])
    secret = is_secret_field(str(entry["key"].get("description", "")).strip('"'))
    return f"{key} => {REDACTED if secret else value}"


def _is_object(value: Remote) -> bool:
    return value.get("type") == "object" and value.get("subtype") != "null"


def _described(value: Remote) -> str:
    description = str(value.get("description", ""))
    return json.dumps(description, ensure_ascii=False) if value.get("type") == "string" else description


def _property(item: Remote) -> str:
    name = str(item.get("name", ""))
    if is_secret_field(name) and item.get("value") not in (None, ""):
        return f"{name}: {REDACTED}"
    return f"{name}: {_value(item)}"


def _value(item: Remote) -> str:
    kind = item.get("type")
    if isinstance(item.get("valuePreview"), Mapping):
        return preview(item["valuePreview"])
    if kind == "accessor":
        return "(…)"
    if kind == "function":
        return "ƒ"
    value = str(item.get("value", kind))
    return json.dumps(value, ensure_ascii=False) if kind == "string" else value
