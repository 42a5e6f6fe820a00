"""JSON schemas and cells of tables in words that people read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]

_TYPES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "array": "list",
    "null": "null",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One row: `path` as `progress.steps[].id`, type and limits in words, default as JSON or ''."""

    path: str
    words: str
    default: str
    description: str
    is_required: bool


def parameters(schema: Schema, prefix: str = "") -> Iterator[Parameter]:
    """Every parameter, those inside of others after them."""
    required = schema.get("required", ())
    for name, each in schema.get("properties", {}).items():
        path = f"{prefix}{name}"
        default = json.dumps(each["default"], ensure_ascii=False) if "default" in each else ""
        yield Parameter(path, in_words(each), default, each.get("description", ""), name in required)
        yield from _inside(each, path)


def _inside(schema: Schema, path: str) -> Iterator[Parameter]:
    items = schema.get("items", {})
    yield from parameters(schema, f"{path}.")
    yield from parameters(items, f"{path}[].")


def in_words(schema: Schema) -> str:
    """Type and limits: `text, at most 300 characters`."""
    limits = _limits(schema)
    return f"{_kind(schema)}, {limits}" if limits else _kind(schema)


def _kind(schema: Schema) -> str:
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    if "enum" in schema:
        return alternatives(
            [code(each if isinstance(each, str) else json.dumps(each)) for each in schema["enum"]]
        )
    if "anyOf" in schema:
        return alternatives(list(dict.fromkeys(in_words(each) for each in schema["anyOf"])))
    types = schema.get("type", ())
    known = [_TYPES[each] for each in ([types] if isinstance(types, str) else types)]
    if known == ["list"] and schema.get("items"):
        return f"list of {in_words(schema['items'])}"
    return alternatives(known) or "anything"


def _limits(schema: Schema) -> str:
    if "enum" in schema or "const" in schema:
        return ""
    return ", ".join(
        words
        for words in (
            _span(schema.get("minLength"), schema.get("maxLength"), " characters"),
            _span(schema.get("minItems"), schema.get("maxItems"), " entries"),
            _span(None, schema.get("maxProperties"), " entries"),
            _span(schema.get("minimum"), schema.get("maximum"), ""),
            f"above {schema['exclusiveMinimum']:,}" if "exclusiveMinimum" in schema else "",
        )
        if words
    )


def _span(low: float | None, high: float | None, unit: str) -> str:
    if high is None:
        # That a text or a list is not empty goes without saying.
        return "" if low is None or (unit and low <= 1) else f"at least {low:,}{unit}"
    if low is None or (unit and low <= 1):
        return f"at most {high:,}{unit}"
    return f"{low:,} to {high:,}{unit}"


def alternatives(words: Sequence[str], between: str = "or") -> str:
    """`a, b or c`."""
    *others, last = words or [""]
    return f"{', '.join(others)} {between} {last}" if others else last


def code(text: str) -> str:
    """As code, if there is anything."""
    return f"`{text}`" if text else ""


def prose(text: str) -> str:
    """Text that Markdown shows as it is, but for what stands between backticks."""
    parts = text.split("`")
    parts[::2] = [each.replace("<", "&lt;").replace("*", r"\*") for each in parts[::2]]
    return "`".join(parts)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; nothing in a cell ends it."""
    lines = [heads, ["---"] * len(heads), *rows]
    cells = ([each.replace("|", r"\|").replace("\n", " ") for each in line] for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)
