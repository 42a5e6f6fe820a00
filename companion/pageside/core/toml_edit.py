"""Changes to a table of a TOML text that leave every other character where it is.

What is there is read by Python's own parser; the places of statements are found here, and each result is read again
and compared with what it should be, so that a text is either changed rightly or not at all.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pageside.core.jsonc import BOM, Unreadable
from pageside.core.jsonc_edit import NotEditable
from pageside.core.nested import below

_SPACE = re.compile(r"[ \t\r\n]*(?:#[^\n]*\n?[ \t\r\n]*)*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}' + r"|'''.*?'{3,5}" + r'|"(?:[^"\\\n]|\\.)*"' + r"|'[^'\n]*'", re.DOTALL
)
_PIECE = re.compile(rf"{_STRING.pattern}|#[^\n]*|[^\"'#]", re.DOTALL)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)|\(at end of document\)")


@dataclass(frozen=True, slots=True)
class _Statement:
    """`[header]` or `key = value`: from its first character to behind its last, comments not counted."""

    is_header: bool
    path: tuple[str, ...]
    start: int
    value: int
    end: int


def parse(text: str) -> dict[str, Any]:
    """The values, numbers with a fraction as texts; raises `Unreadable`. A byte order mark is no part of it."""
    bare = text.removeprefix(BOM)
    try:
        # As they are written: nan equals nothing, not even itself.
        return tomllib.loads(bare, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        place, why = _PLACE.search(str(error)), _PLACE.sub("", str(error)).strip()
        raise Unreadable(text, _offset(text, place), why) from None
    except RecursionError:
        raise Unreadable(text, 0, "this is nested too deeply") from None


def _offset(text: str, place: re.Match[str] | None) -> int:
    if place is None or place[1] is None:
        return len(text)
    lines = text.splitlines(keepends=True)
    return min(len(text), sum(map(len, lines[: int(place[1]) - 1])) + int(place[2]) - 1)


def add(text: str, path: Sequence[str], values: Mapping[str, Any]) -> tuple[str, str]:
    """The text with that table at its end, and what was written; raises `Unreadable` or `NotEditable`."""
    data = parse(text)
    if below(data, *path) is not None:
        raise NotEditable(f"{'.'.join(path)} is there already")
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{'.'.join(map(_key, path))}]", *(f"{_key(k)} = {_value(v)}" for k, v in values.items()), ""]
    gap = ""
    if text.removeprefix(BOM).strip():
        # An empty line before it, and the end of a last line that has none.
        gap = newline if text.endswith("\n") else newline * 2
    written = gap + newline.join(lines)
    return _checked(text + written, _with(data, path, dict(values))), written


def remove(text: str, path: Sequence[str], written: str | None = None) -> str:
    """The text without that table and those below it; given what `add` wrote, without exactly that if it stands."""
    data = parse(text)
    wanted = _without(data, path)
    if written and text.count(written) == 1:
        start = text.index(written)
        rest = text[:start] + text[start + len(written) :]
        if _same(rest, wanted):
            return rest
    return _checked(_without_section(text, path), wanted)


def replace(text: str, path: Sequence[str], values: Mapping[str, Any]) -> str:
    """The text with those values in that table, which is there; its other keys stay."""
    data = parse(text)
    old = below(data, *path)
    for key, value in values.items():
        if isinstance(old, dict) and old.get(key) == value:
            continue
        statements = _statements(text)
        header = _header(statements, path)
        own = _section(statements, header)[1:]
        there = next((each for each in own if not each.is_header and each.path == (key,)), None)
        if there is not None:
            text = text[: there.value] + _value(value) + text[there.end :]
        else:
            newline = "\r\n" if "\r\n" in text else "\n"
            text = text[: header.end] + f"{newline}{_key(key)} = {_value(value)}" + text[header.end :]
    merged = {**(old if isinstance(old, dict) else {}), **values}
    return _checked(text, _with(data, path, merged))


def _checked(text: str, wanted: dict[str, Any]) -> str:
    if not _same(text, wanted):
        raise NotEditable("it is written in a form that cannot be changed safely")
    return text


def _same(text: str, wanted: dict[str, Any]) -> bool:
    try:
        return parse(text) == wanted
    except Unreadable:
        return False


def _with(data: dict[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    first, *rest = path
    inner = data.get(first, {})
    if rest and not isinstance(inner, dict):
        raise NotEditable(f"{first} is no table")
    return {**data, first: _with(inner, rest, value) if rest else value}


def _without(data: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """Tables above that have nothing else in them are gone too, as TOML does not need them written."""
    first, *rest = path
    if first not in data:
        raise NotEditable(f"{'.'.join(path)} is not there")
    others = {key: value for key, value in data.items() if key != first}
    inner = _without(data[first], rest) if rest else None
    return {**others, first: inner} if inner else others


def _without_section(text: str, path: Sequence[str]) -> str:
    """From the header to the last value, and the empty line before it; comments behind that stay."""
    while True:
        statements = _statements(text)
        own = [each for each in statements if each.is_header and each.path[: len(path)] == tuple(path)]
        if not own:
            return text
        section = _section(statements, own[-1])
        start, end = section[0].start, text.find("\n", section[-1].end) + 1 or len(text)
        line = text.rfind("\n", 0, start) + 1 or len(text) - len(text.removeprefix(BOM))
        if text[:line].endswith(("\n\n", "\n\r\n")):
            line = text.rfind("\n", 0, line - 1) + 1
        text = text[:line] + text[end:]


def _header(statements: list[_Statement], path: Sequence[str]) -> _Statement:
    for each in statements:
        if each.is_header and each.path == tuple(path):
            return each
    raise NotEditable(f"there is no line [{'.'.join(path)}]")


def _section(statements: list[_Statement], header: _Statement) -> list[_Statement]:
    at = statements.index(header)
    after = (n for n, each in enumerate(statements[at + 1 :], at + 1) if each.is_header)
    return statements[at : next(after, len(statements))]


def _statements(text: str) -> list[_Statement]:
    """Of a text that Python's parser has read, so that nothing here need be checked again."""
    found: list[_Statement] = []
    at = len(BOM) if text.startswith(BOM) else 0
    while (at := _skip(text, at)) < len(text):
        start = at
        is_header = text[at] == "["
        if is_header:
            at = _blanks(text, at + (2 if text.startswith("[[", at) else 1))
        path, at = _dotted(text, at)
        value = at
        if is_header:
            at += 2 if text.startswith("]]", at) else 1
        else:
            value = _blanks(text, at + 1)
            at = _value_end(text, value)
        found.append(_Statement(is_header, path, start, value, at))
    return found


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found is not None else at


def _blanks(text: str, at: int) -> int:
    while text[at : at + 1] in (" ", "\t"):
        at += 1
    return at


def _dotted(text: str, at: int) -> tuple[tuple[str, ...], int]:
    keys: list[str] = []
    while True:
        found = (_STRING if text[at] in "\"'" else _BARE).match(text, at)
        assert found is not None
        keys.append(next(iter(tomllib.loads(f"{found[0]} = 0"))))
        at = _blanks(text, found.end())
        if text[at : at + 1] != ".":
            return tuple(keys), at
        at = _blanks(text, at + 1)


def _value_end(text: str, at: int) -> int:
    """Behind the value that begins there: brackets closed, strings and comments inside passed over."""
    depth, end = 0, at
    for found in _PIECE.finditer(text, at):
        piece = found[0]
        if depth == 0 and piece[0] in "#\r\n":
            break
        depth += (piece in ("[", "{")) - (piece in ("]", "}"))
        if piece[0] not in "# \t\r\n":
            end = found.end()
    return end


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _value(value: Any) -> str:
    """Texts, numbers, truth, and lists of those: as JSON writes them, which TOML reads alike."""
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("\x7f", "\\u007f")
