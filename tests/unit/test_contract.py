"""The contract agrees with itself and with the code that reads it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import pageside
from pageside import errors
from pageside.contract import (
    CHANNEL,
    EVENTS,
    FIXES,
    LIMITS,
    PAGE_TOOLS,
    PROMPTS,
    STATUS,
    STORAGE,
    TIMING,
    TOOLS,
)
from pageside.settings import ALIASES, VARIABLES
from pageside.setup.agent_places import AGENTS_VARIABLES
from pageside.toolsets.every import TOOLSETS

PACKAGE = Path(pageside.__file__).parent
LOOKS_LIKE_A_CODE = re.compile(r"[A-Z]+(_[A-Z]+)+")
NAMES_A_PAGE_TOOL = re.compile(
    r'pages\.calls\.(?:call|ask)\([^,]+, "([a-z_]+)"|value_of\(world, watcher, "([a-z_]+)"'
    r'|_Kind\("([a-z_]+)"|"((?:pick|describe|find)_[a-z]+)"'
)
HINTS = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_tells_everything_about_itself(name: str) -> None:
    tool = TOOLS[name]
    told = {"name", "title", "description", "inputSchema", "annotations"}
    # Those of Chrome answer with text.
    is_text = name.startswith(("chrome_", "browser_read_page"))
    assert set(tool) == (told if is_text else told | {"outputSchema"})
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", name)
    assert tool["title"].strip()
    assert len(tool["description"]) > 30
    assert set(tool["annotations"]) == HINTS
    assert all(isinstance(hint, bool) for hint in tool["annotations"].values())
    assert not (tool["annotations"]["readOnlyHint"] and tool["annotations"]["destructiveHint"])


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for name in TOOLS for kind in ("inputSchema", "outputSchema") if kind in TOOLS[name]],
)
def test_a_schema_is_a_valid_object_schema(name: str, kind: str) -> None:
    schema = TOOLS[name][kind]
    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert set(schema.get("required", [])) <= set(schema["properties"])
    for spec in schema["properties"].values():
        if "default" in spec:
            Draft202012Validator(spec).validate(spec["default"])


@pytest.mark.parametrize("name", TOOLS)
def test_inputs_allow_nothing_unknown_and_bound_every_text(name: str) -> None:
    def objects_and_texts(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield schema
        for inner in schema.get("properties", {}).values():
            yield from objects_and_texts(inner)
        if "items" in schema:
            yield from objects_and_texts(schema["items"])
        if isinstance(schema.get("additionalProperties"), dict):
            yield from objects_and_texts(schema["additionalProperties"])

    for schema in objects_and_texts(TOOLS[name]["inputSchema"]):
        if schema.get("type") == "object":
            more = schema.get("additionalProperties")
            assert more is False or isinstance(more, dict) or name == "chrome_devtools"
        if schema.get("type") == "string":
            assert schema["maxLength"] > 0


def test_every_tool_has_a_handler_and_every_handler_a_tool() -> None:
    # Some are in two toolsets.
    assert {tool.name for each in TOOLSETS for tool in each.tools} == set(TOOLS)


def test_statuses_in_schemas_are_those_of_the_table() -> None:
    living = [status for status in STATUS["statuses"] if status != "deleted"]
    listing = TOOLS["list_inspections"]["inputSchema"]["properties"]["status"]["items"]["enum"]
    updating = TOOLS["update_inspection_status"]["inputSchema"]["properties"]
    steps = updating["progress"]["properties"]["steps"]["items"]["properties"]["status"]["enum"]
    assert listing == living
    assert updating["status"]["enum"] == [s for s in STATUS["statuses"] if s not in STATUS["userOnly"]]
    assert steps == STATUS["stepStatuses"]
    assert updating["message"]["maxLength"] == LIMITS["descriptionChars"]


def error_classes() -> list[type[errors.PagesideError]]:
    found = [getattr(errors, name) for name in dir(errors)]
    return [c for c in found if isinstance(c, type) and issubclass(c, errors.PagesideError)]


def codes_in(file: Path) -> Iterator[str]:
    """The texts that stand where a code belongs, and those that look like one."""
    names = {
        *VARIABLES,
        *ALIASES,
        "LOCALAPPDATA",
        "WAYLAND_DISPLAY",
        *AGENTS_VARIABLES,
        "O_BINARY",
        "PIPE_BUF",
    }
    wsgi = {"REQUEST_METHOD", "SCRIPT_NAME", "PATH_INFO", "QUERY_STRING", "CONTENT_TYPE", "CONTENT_LENGTH"}
    names |= wsgi | {"REMOTE_ADDR", "ACCEPT_ENCODING", "IF_NONE_MATCH", "IF_MODIFIED_SINCE"}
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            places = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
            if isinstance(node.func, ast.Name) and node.func.id == "Refused":
                places.append(node.args[1])
            yield from (str(place.value) for place in places if isinstance(place, ast.Constant))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            is_variable = node.value in names or node.value.startswith("PAGESIDE_")
            if LOOKS_LIKE_A_CODE.fullmatch(node.value) and not is_variable:
                yield node.value


def test_every_code_in_the_code_has_its_line_on_what_to_do() -> None:
    used = {code for file in PACKAGE.rglob("*.py") for code in codes_in(file)}
    assert {"FORBIDDEN", "UNAUTHORIZED", "BAD_REQUEST", "UNKNOWN_TOOL", "STORE_FAILED"} <= used
    assert used - set(FIXES) == set()


@pytest.mark.parametrize("error", error_classes(), ids=lambda error: error.__name__)
def test_every_class_of_error_has_its_code_in_the_contract(error: type[errors.PagesideError]) -> None:
    assert error.code in FIXES


def test_what_to_do_names_only_tools_that_there_are() -> None:
    known = {*TOOLS, *(name.removeprefix("chrome_") for name in TOOLS), "available_tabs", "target_title"}
    for fix in FIXES.values():
        assert set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", fix)) <= known


def test_every_fix_is_a_sentence() -> None:
    for code, fix in FIXES.items():
        assert re.fullmatch(r"[A-Z]+(_[A-Z]+)*", code)
        assert fix[0].isupper()
        assert fix.endswith(".")


def test_an_unknown_code_of_a_page_becomes_an_execution_error() -> None:
    assert errors.ReportedByPage("ELEMENT_NOT_FOUND", "x").error_code == "ELEMENT_NOT_FOUND"
    assert errors.ReportedByPage("MADE_UP", "x").error_code == "EXECUTION_ERROR"


def test_page_tools_say_if_they_repeat_and_how_long_they_may_take() -> None:
    for spec in PAGE_TOOLS.values():
        assert set(spec) == {"repeatable", "timeoutMs"}
        assert isinstance(spec["repeatable"], bool)
        assert 1000 <= spec["timeoutMs"] <= 600_000
    assert PAGE_TOOLS["run_script"]["repeatable"] is False


def test_every_page_tool_in_the_code_is_in_the_contract() -> None:
    named = set[str]()
    for file in [*(PACKAGE / "operations").glob("*.py"), *(PACKAGE / "toolsets").glob("*.py")]:
        text = file.read_text("utf-8")
        named |= {name for match in NAMES_A_PAGE_TOOL.finditer(text) for name in match.groups() if name}
    assert named == set(PAGE_TOOLS)


def test_limits_and_times_are_positive_and_in_order() -> None:
    assert all(isinstance(n, int) and n > 0 for n in [*LIMITS.values(), *TIMING.values()])
    assert LIMITS["itemBytes"] < LIMITS["bodyBytes"]
    assert LIMITS["descriptionChars"] < LIMITS["itemBytes"]
    assert TIMING["retryMs"] < TIMING["graceMs"] <= TIMING["retryCapMs"] < TIMING["pingMs"]


def test_names_of_the_wire_are_unique() -> None:
    for names in (CHANNEL["routes"], CHANNEL["headers"], CHANNEL["events"], EVENTS, STORAGE["local"]):
        assert len(set(names.values())) == len(names)
    assert all(header == header.lower() for header in CHANNEL["headers"].values())


def test_prompts_have_titles_and_described_arguments() -> None:
    assert len({prompt["name"] for prompt in PROMPTS}) == len(PROMPTS) == 5
    for prompt in PROMPTS:
        assert prompt["title"]
        assert prompt["description"]
        for argument in prompt["arguments"]:
            assert set(argument) == {"name", "description", "required"}
