"""What agents are told of tools: all that tells how to call them, and not what only their checks need."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from pageside.contract import TOOLS
from pageside.toolsets.told import told


@pytest.mark.parametrize("name", TOOLS)
def test_every_argument_its_words_and_what_is_required_are_told(name: str) -> None:
    whole, short = TOOLS[name], told(TOOLS[name])
    assert {key: short[key] for key in short if not key.endswith("Schema")} == {
        key: whole[key] for key in whole if not key.endswith("Schema")
    }
    given, kept = whole["inputSchema"], short["inputSchema"]
    assert kept.get("required") == given.get("required")
    assert set(kept["properties"]) == set(given["properties"])
    for argument, spec in given["properties"].items():
        for word in ("type", "enum", "default", "description", "maximum"):
            if word in spec and spec[word] != 10000:
                assert kept["properties"][argument][word] == spec[word]
    Draft202012Validator.check_schema(kept)


def test_bounds_that_no_honest_call_meets_are_left_out() -> None:
    text = {"type": "string", "minLength": 1, "maxLength": 300}
    number = {"type": "number", "minimum": 0, "maximum": 600}
    listed = {"type": "array", "items": text, "minItems": 1, "maxItems": 26}
    properties = {"page": text, "wait": number, "all": listed, "minLength": text}
    definition = {
        "name": "look",
        "inputSchema": {"type": "object", "properties": properties, "additionalProperties": False},
        "outputSchema": {"type": "object", "properties": {"status": {}}, "required": ["status"]},
    }
    assert told(definition) == {
        "name": "look",
        "inputSchema": {
            "type": "object",
            "properties": {
                "page": {"type": "string"},
                "wait": {"type": "number", "maximum": 600},
                "all": {"type": "array", "items": {"type": "string"}, "maxItems": 26},
                "minLength": {"type": "string"},
            },
        },
        "outputSchema": {"type": "object", "properties": {"status": {}}},
    }
