"""The threat model names the tests that prove it: they are there, and every rule has one."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from pageside.web.routes import Scope
from support.app import REPOSITORY

TEXT = (REPOSITORY / "docs" / "threat-model.md").read_text("utf-8")
PYTHON_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
NODE_TEST = re.compile(r'`((?:vite-plugin|inspector_client)/test/[\w.-]+\.test\.ts)`: "([^"]+)"')


def rows(heading: str) -> list[tuple[str, str]]:
    """The two cells of each row of that section's table."""
    section = TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][2:]
    return [
        (rule.strip("| "), proof.strip("| ")) for rule, _, proof in (line.partition(" | ") for line in lines)
    ]


RULES = [
    row
    for heading in ("What is proven", "What looks from inside", "What it survives")
    for row in rows(heading)
]


@cache
def names_in(file: str) -> frozenset[str]:
    tree = ast.parse((REPOSITORY / file).read_text("utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, functions))


@pytest.mark.parametrize(("rule", "proof"), RULES, ids=[rule for rule, _ in RULES])
def test_every_rule_names_tests_that_are_there(rule: str, proof: str) -> None:
    python, node = PYTHON_TEST.findall(proof), NODE_TEST.findall(proof)
    assert python or node
    assert [name for file, name in python if name not in names_in(file)] == []
    for file, title in node:
        assert title in (REPOSITORY / file).read_text("utf-8")
    # Nothing but tests stands there, so none is misspelled into silence.
    assert re.sub(r"[,;\s]", "", NODE_TEST.sub("", PYTHON_TEST.sub("", proof))) == ""


def test_what_has_no_test_has_a_reason() -> None:
    uncovered = rows("Not covered by a test")
    assert uncovered
    assert [rule for rule, why in uncovered if len(why) < 10] == []


def test_every_scope_of_a_route_is_explained() -> None:
    assert [scope.value for scope in Scope if f"| **{scope.value}** |" not in TEXT] == []
