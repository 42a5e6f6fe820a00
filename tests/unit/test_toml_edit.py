"""TOML files of others: what is added can be taken back to the byte, and nothing else is touched."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.jsonc import Unreadable
from pageside.core.jsonc_edit import NotEditable
from pageside.core.toml_edit import add, parse, remove, replace

PATH = ("mcp_servers", "pageside")
ENTRY = {"command": "pageside", "args": ["stdio"]}
HEADER = "[mcp_servers.pageside]"

_comments = st.sampled_from(["", "  # said", f" # {HEADER}", ' # "'])
_ends = st.sampled_from(["\n", "\r\n"])
_gaps = st.lists(st.sampled_from(["\n", "# alone\n", "   \n", "\r\n", f"# {HEADER}\n"]), max_size=2).map(
    "".join
)
_values = st.sampled_from(
    [
        "1",
        "nan",
        "1979-05-27T07:32:00Z",
        '"a # b"',
        "'c:\\d'",
        '"é \\" x"',
        "true",
        "[1, 2]",
        "[ # why\n  'a', # b ]\n]",
        "{ x = 1, y = '}' }",
        f'"""\n{HEADER}\ncommand = "no"\n"""',
        f"'''{HEADER}'''",
        '"""ends ""\\" here"""',
        '""""quoted""""',
    ]
)


@st.composite
def _documents(draw: st.DrawFn) -> str:
    """Keys and tables, in an order as any, never of the name that is added."""
    text = draw(st.sampled_from(["", "\ufeff"])) + draw(_gaps)
    headers = draw(
        st.lists(st.sampled_from(["x", "mcp_servers.other", '"a.b" . c', "y"]), max_size=3, unique=True)
    )
    for table in [None, *headers]:
        if table is not None:
            text += f"{draw(st.sampled_from(['', '  ']))}[{table}]{draw(_comments)}{draw(_ends)}"
        for key in draw(st.lists(st.sampled_from(["k", '"q r"', "deep.er", "1"]), max_size=2, unique=True)):
            text += f"{key} = {draw(_values)}{draw(_comments)}{draw(_ends)}{draw(_gaps)}"
    return text.rstrip("\r\n") if draw(st.booleans()) else text


def _with_entry(data: dict[str, Any]) -> dict[str, Any]:
    return data | {"mcp_servers": data.get("mcp_servers", {}) | {"pageside": ENTRY}}


@given(_documents())
def test_what_is_added_can_be_taken_back_to_the_byte(text: str) -> None:
    changed, written = add(text, PATH, ENTRY)
    assert changed.startswith(text)
    assert parse(changed) == _with_entry(parse(text))
    assert remove(changed, PATH, written) == text


@given(_documents())
def test_taken_out_after_others_have_added_to_the_file_all_else_stays(text: str) -> None:
    changed, written = add(text, PATH, ENTRY)
    newline = "\r\n" if "\r\n" in text else "\n"
    edited = changed.replace(HEADER + newline, f"{HEADER} # ours{newline}") if HEADER not in text else changed
    edited += f"# theirs\n[more]\nkey = 1 # kept\n\n[{'.'.join(PATH)}.env]\nA = 'b'\n[last]"
    rest = remove(edited, PATH, written)
    assert parse(rest) == parse(text) | {"more": {"key": 1}, "last": {}}
    assert rest.startswith(text)
    assert "# theirs\n[more]\nkey = 1 # kept\n" in rest


@given(_documents(), st.text(max_size=8).filter(lambda text: text.isprintable()))
def test_values_change_and_everything_else_stays(text: str, value: str) -> None:
    changed, _ = add(text, PATH, ENTRY | {"startup_timeout_sec": 60})
    other = replace(changed + "enabled = true # mine", PATH, {"command": value, "args": ["stdio"]})
    assert parse(other)["mcp_servers"]["pageside"] == ENTRY | {
        "command": value,
        "startup_timeout_sec": 60,
        "enabled": True,
    }
    assert other.startswith(text)
    assert other == (changed + "enabled = true # mine").replace(
        'command = "pageside"', f"command = {json.dumps(value, ensure_ascii=False)}"
    )


def test_a_value_that_was_missing_is_written_below_the_header() -> None:
    text = f'{HEADER}\ncommand = "x"\n'
    assert replace(text, PATH, {"args": ["stdio"]}) == f'{HEADER}\nargs = ["stdio"]\ncommand = "x"\n'


@pytest.mark.parametrize(
    "text", ["mcp_servers = {}\n", "mcp_servers = 1\n", f"{HEADER}\n", "[[mcp_servers]]\n"]
)
def test_where_there_is_no_room_nothing_is_added(text: str) -> None:
    with pytest.raises(NotEditable):
        add(text, PATH, ENTRY)


@pytest.mark.parametrize(
    "text", ["mcp_servers.pageside = { command = 'x' }\n", "[mcp_servers]\npageside.command = 'x'\n"]
)
def test_a_table_without_a_header_is_left_alone(text: str) -> None:
    with pytest.raises(NotEditable):
        replace(text, PATH, ENTRY)
    with pytest.raises(NotEditable):
        remove(text, PATH)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("a = 1\nb = \n", 2, 5), ("[x\n", 1, 3), ('a = """', 1, 8), ("a = 1\na = 2\n", 2, 6)],
)
def test_what_is_wrong_is_told_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(text)
    with pytest.raises(Unreadable) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
