"""How the reference says schemas in words, and that no text of the contract breaks its tables."""

from __future__ import annotations

import pytest

from docs_reference.schemas import in_words, parameters, prose, table


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string", "minLength": 1, "maxLength": 2000}, "text, at most 2,000 characters"),
        ({"type": "number", "minimum": 0, "maximum": 600}, "number, 0 to 600"),
        ({"type": "number", "exclusiveMinimum": 0}, "number, above 0"),
        ({"type": "integer", "minimum": 1}, "whole number, at least 1"),
        ({"type": ["integer", "string"], "maxLength": 300}, "whole number or text, at most 300 characters"),
        ({"enum": ["png", "jpeg", None], "maxLength": 9}, "`png`, `jpeg` or `null`"),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 10}, "list of text, at most 10 entries"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "text or null"),
        ({"const": True}, "`true`"),
        ({}, "anything"),
    ],
)
def test_a_schema_is_said_with_its_limits(schema: dict[str, object], words: str) -> None:
    assert in_words(schema) == words


def test_parameters_inside_of_others_are_told_with_their_path() -> None:
    step = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    schema = {
        "properties": {"wait": {"type": "number", "default": 50}, "steps": {"type": "array", "items": step}},
        "required": ["steps"],
    }
    told = [(each.path, each.default, each.is_required) for each in parameters(schema)]
    assert told == [("wait", "50", False), ("steps", "", True), ("steps[].id", "", True)]


def test_nothing_in_a_cell_ends_it() -> None:
    lines = table(["a", "b"], [("`x | y`", "two\nlines")]).splitlines()
    assert lines == ["| a | b |", "| --- | --- |", r"| `x \| y` | two lines |"]


def test_text_stays_text_and_code_stays_code() -> None:
    assert prose("a <b> or *c* in `<d> *`") == r"a &lt;b> or \*c\* in `<d> *`"
