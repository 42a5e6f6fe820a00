"""What agents are told of a tool: every token of it counts in each of their sessions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_UNTOLD = ("minLength", "maxLength", "minItems", "additionalProperties")
_FAR = (
    ("minimum", 0),
    ("minimum", 1),
    ("exclusiveMinimum", 0),
    ("maximum", 10000),
    ("maxItems", 100),
    ("maxItems", 40),
)


def told(definition: Mapping[str, Any]) -> dict[str, Any]:
    """The definition without the bounds that no honest call meets, and without what every answer has.

    Arguments are checked against all of it, and an error names the bound.
    """
    slim = {**definition, "inputSchema": _slim(definition["inputSchema"])}
    if "outputSchema" in definition:
        output = definition["outputSchema"]
        slim["outputSchema"] = {key: each for key, each in output.items() if key != "required"}
    return slim


def _slim(schema: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: each for key, each in schema.items() if key not in _UNTOLD and (key, each) not in _FAR}
    if "properties" in kept:
        # Whatever an argument is called, it is told.
        kept["properties"] = {name: _slim(each) for name, each in kept["properties"].items()}
    if "items" in kept:
        kept["items"] = _slim(kept["items"])
    return kept
