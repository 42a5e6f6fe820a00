"""JSON with comments and trailing commas, read with the place of each part: what an editor of such files needs."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

BOM = "\ufeff"
_MAX_DEPTH = 200
_SPACE = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"')
_PLAIN = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")


class Unreadable(ValueError):
    """Where a text is not what it should be: `line` and `column` count from 1."""

    def __init__(self, text: str, at: int, why: str) -> None:
        before = text[:at]
        # A line may end with CR alone nowhere but in files that are older than JSON.
        self.line = before.count("\n") + 1
        self.column = at - (before.rfind("\n") + 1) + 1
        self.why = why
        super().__init__(f"line {self.line}, column {self.column}: {why}")


@dataclass(slots=True)
class Node:
    """A value and its place; `members` are those of an object, in order."""

    start: int
    end: int = 0
    value: Any = None
    members: list[Member] = field(default_factory=list)

    @property
    def is_object(self) -> bool:
        return isinstance(self.value, dict)

    def member(self, key: str) -> Member | None:
        """The one that counts: the last, should there be several."""
        return next((member for member in reversed(self.members) if member.key == key), None)


@dataclass(slots=True)
class Member:
    """`"key": value` and the comma behind it, if there is one."""

    key: str
    start: int
    node: Node
    comma: int | None = None

    @property
    def end(self) -> int:
        """Behind the value, or behind its comma."""
        return self.node.end if self.comma is None else self.comma + 1


@dataclass(slots=True)
class Document:
    """A whole text: its value, and the places of all comments in order."""

    text: str
    root: Node
    comments: list[tuple[int, int]]

    def at(self, path: Sequence[str]) -> Node | None:
        """The value below those keys, or None."""
        node: Node | None = self.root
        for key in path:
            member = node.member(key) if node is not None else None
            node = member.node if member is not None else None
        return node

    def comments_within(self, start: int, end: int) -> list[tuple[int, int]]:
        first = bisect_left(self.comments, (start, start))
        return [each for each in self.comments[first:] if each[1] <= end]


def parse(text: str) -> Document:
    """The document; raises `Unreadable`. A byte order mark at the start is no part of it."""
    reader = _Reader(text)
    root = reader.value(0)
    reader.skip()
    if reader.position != len(text):
        reader.fail("there is more behind the value")
    return Document(text, root, reader.comments)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = len(BOM) if text.startswith(BOM) else 0
        self.comments: list[tuple[int, int]] = []

    def fail(self, why: str) -> None:
        raise Unreadable(self.text, self.position, why)

    def skip(self) -> str:
        """Past spaces and comments; the character there, empty at the end."""
        while True:
            self.position = self._match(_SPACE).end()
            if not self.text.startswith(("//", "/*"), self.position):
                return self.text[self.position : self.position + 1]
            comment = _COMMENT.match(self.text, self.position)
            if comment is None:
                raise Unreadable(self.text, self.position, "this comment does not end")
            self.comments.append(comment.span())
            self.position = comment.end()

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self.text, self.position)
        assert found is not None
        return found

    def value(self, depth: int) -> Node:
        sign = self.skip()
        if depth > _MAX_DEPTH:
            self.fail("this is nested too deeply")
        node = Node(self.position)
        if sign == "{":
            self._object(node, depth)
        elif sign == "[":
            self._array(node, depth)
        else:
            node.value = self._scalar()
        node.end = self.position
        return node

    def _scalar(self) -> Any:
        pattern = _STRING if self.text.startswith('"', self.position) else _PLAIN
        found = pattern.match(self.text, self.position)
        if found is None:
            raise Unreadable(self.text, self.position, "a value is expected here")
        self.position = found.end()
        return json.loads(found[0])

    def _object(self, node: Node, depth: int) -> None:
        node.value = {}
        self.position += 1
        while self.skip() != "}":
            if node.members and node.members[-1].comma is None:
                self.fail("a comma or '}' is expected here")
            member = self._member(depth)
            node.members.append(member)
            node.value[member.key] = member.node.value
        self.position += 1

    def _member(self, depth: int) -> Member:
        start = self.position
        if not self.text.startswith('"', start):
            self.fail("a key in double quotes is expected here")
        key = self._scalar()
        if self.skip() != ":":
            self.fail("a colon is expected here")
        self.position += 1
        member = Member(key, start, self.value(depth + 1))
        member.comma = self._comma()
        return member

    def _array(self, node: Node, depth: int) -> None:
        node.value = []
        self.position += 1
        goes_on = True
        while self.skip() != "]":
            if not goes_on:
                self.fail("a comma or ']' is expected here")
            node.value.append(self.value(depth + 1).value)
            goes_on = self._comma() is not None
        self.position += 1

    def _comma(self) -> int | None:
        if self.skip() != ",":
            return None
        self.position += 1
        return self.position - 1
