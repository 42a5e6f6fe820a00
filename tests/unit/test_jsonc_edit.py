"""JSONC files of others: what is added can be taken back to the byte, and nothing else is touched."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core import jsonc_edit
from pageside.core.jsonc import Unreadable, parse
from pageside.core.jsonc_edit import NotEditable, add, created, remove, replace

PATH = ("mcpServers", "pageside")
ENTRY = {"command": "pageside", "args": ["stdio"]}

_gaps = st.lists(
    st.sampled_from(
        [" ", "\t", "\n", "\r\n", "  ", '// a, } ] " line\n', "/* a \n } block */", "// ends  \r\n"]
    ),
    max_size=3,
).map("".join)
_keys = st.one_of(st.sampled_from(["mcpServers", "a", "x/y", "servers"]), st.text(max_size=4))
_scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6), st.just(1.5e3))


@st.composite
def _values(draw: st.DrawFn, depth: int = 0) -> str:
    kind = draw(st.sampled_from(["scalar", "object", "array"][: 3 if depth < 3 else 1]))
    if kind == "scalar":
        return json.dumps(draw(_scalars), ensure_ascii=draw(st.booleans()))
    if kind == "object":
        return draw(_objects(depth + 1))
    items = [draw(_gaps) + draw(_values(depth + 1)) + draw(_gaps) for _ in range(draw(st.integers(0, 3)))]
    return f"[{_joined(draw, items)}]"


@st.composite
def _objects(draw: st.DrawFn, depth: int = 0) -> str:
    names = draw(st.lists(_keys, max_size=3, unique=True))
    members = []
    for name in names:
        inner = draw(_objects(3)) if name == "mcpServers" else draw(_values(depth))
        members.append(f"{draw(_gaps)}{json.dumps(name)}{draw(_gaps)}:{draw(_gaps)}{inner}{draw(_gaps)}")
    return "{" + _joined(draw, members) + "}"


def _joined(draw: st.DrawFn, items: list[str]) -> str:
    ends_with_comma = draw(st.booleans())
    trailing = f",{draw(_gaps)}" if items and ends_with_comma else ""
    return ",".join(items) + trailing if items else draw(_gaps)


@st.composite
def _documents(draw: st.DrawFn) -> str:
    return draw(st.sampled_from(["", "\ufeff"])) + draw(_gaps) + draw(_objects()) + draw(_gaps)


def _with_entry(data: dict[str, Any]) -> dict[str, Any]:
    return data | {"mcpServers": data.get("mcpServers", {}) | {"pageside": ENTRY}}


def _comments(text: str) -> list[str]:
    return [text[start:end] for start, end in parse(text).comments]


def _is_within(small: str, large: str) -> bool:
    """Whether all of it is there, in order."""
    rest = iter(large)
    return all(sign in rest for sign in small)


@given(_documents())
def test_what_is_added_can_be_taken_back_to_the_byte(text: str) -> None:
    changed, added = add(text, PATH, ENTRY)
    assert parse(changed).root.value == _with_entry(parse(text).root.value)
    assert _is_within(text, changed)
    assert remove(changed, PATH, added) == text


@given(_documents())
def test_taken_out_without_knowing_how_it_came_in_all_else_stays(text: str) -> None:
    changed, _ = add(text, PATH, ENTRY)
    rest = remove(changed, PATH)
    before = parse(text).root.value
    assert parse(rest).root.value == before | {"mcpServers": before.get("mcpServers", {})}
    assert _comments(rest) == _comments(text)


@given(_documents(), _documents())
def test_what_was_added_is_found_after_others_have_changed_the_file(text: str, other: str) -> None:
    changed, added = add(text, PATH, ENTRY)
    edited, _ = add(changed, ("mcpServers", "theirs"), json.loads("[1]"))
    edited = f"// {other!r}\n{edited}" if not edited.startswith("\ufeff") else edited
    rest = parse(remove(edited, PATH, added)).root.value
    assert rest["mcpServers"].pop("theirs") == [1]
    assert rest == parse(text).root.value | {"mcpServers": rest["mcpServers"]}
    assert "pageside" not in rest["mcpServers"]


@given(_documents(), st.text(max_size=5))
def test_another_value_takes_the_place_of_one(text: str, value: str) -> None:
    changed, added = add(text, PATH, ENTRY)
    other = replace(changed, (*PATH, "command"), value)
    assert parse(other).at((*PATH, "command")).value == value  # type: ignore[union-attr]
    assert replace(other, (*PATH, "command"), "pageside") == changed
    assert remove(other, PATH, added) == text


@given(_documents(), st.data())
def test_a_cut_text_is_refused_or_read_and_never_ends_the_reader(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    broken = text[:at] + data.draw(st.sampled_from(["", '"', "}", ",", "/*", "\\", "\x00"]))
    with suppress(Unreadable):
        assert parse(broken).text == broken


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{\n\t"a": 1 // why\n}\n', '{\n\t"a": 1, // why\n\t"k": {\n\t\t"command": "x"\n\t}\n}\n'),
        ('{\n    "a": 1,\n}', '{\n    "a": 1,\n    "k": {\n        "command": "x"\n    },\n}'),
        ('{"a": 1}', '{"a": 1, "k": {"command": "x"}}'),
        ("{}", '{\n  "k": {\n    "command": "x"\n  }\n}'),
        ('{\r\n  "a": []\r\n}', '{\r\n  "a": [],\r\n  "k": {\r\n    "command": "x"\r\n  }\r\n}'),
    ],
)
def test_it_looks_as_its_neighbours_do(text: str, wanted: str) -> None:
    assert add(text, ["k"], {"command": "x"})[0] == wanted


def test_a_new_file_ends_its_last_line() -> None:
    assert created(["servers", "pageside"], {"type": "stdio"}) == (
        '{\n  "servers": {\n    "pageside": {\n      "type": "stdio"\n    }\n  }\n}\n'
    )


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ("", 1, 1, "a value"),
        ('{\n  "a" 1\n}', 2, 7, "a colon"),
        ('{"a": 1 "b": 2}', 1, 9, "a comma"),
        ("{\n  /* no end", 2, 3, "does not end"),
        ("{'a': 1}", 1, 2, "double quotes"),
        ('{"a": 1} x', 1, 10, "more behind"),
        ("[" * 5000, 1, 202, "too deeply"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, line: int, column: int, why: str) -> None:
    with pytest.raises(Unreadable, match=why) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("text", ['{"mcpServers": []}', "[]", '{"mcpServers": {"pageside": 1}}'])
def test_where_there_is_no_room_nothing_is_added(text: str) -> None:
    with pytest.raises(NotEditable):
        jsonc_edit.add(text, PATH, ENTRY)
