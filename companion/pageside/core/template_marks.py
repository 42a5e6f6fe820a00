"""Where start tags stand in a template: HTML read through the template's own statements, which stay closed.

A template comes in as pieces: text as it will be written, expressions of which nobody knows what they write, and
statements. Branches each begin where the statement began; a macro, a call, a set and a child's block are fragments
of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from pageside.core.html_names import TEXT_ONLY, is_visible
from pageside.core.template_pieces import Expression, Piece, Statement, Text, end_names, is_block_set, named


@dataclass(frozen=True, slots=True)
class Mark:
    """One start tag: where it begins, and where an attribute can be put in; `scope` is the macro or block around it."""

    at: int
    insert: int
    scope: str


class Mode(Enum):
    TEXT = "text"
    NAME = "name"
    ATTRIBUTES = "attributes"
    EQUALS = "equals"
    QUOTED = "quoted"
    UNQUOTED = "unquoted"
    RAW = "raw"
    OTHER = "other"
    """A comment, a doctype, an end tag: nothing until `until`."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where in HTML something stands; `until` is what ends the mode."""

    mode: Mode = Mode.TEXT
    until: str = ""
    name: str = ""
    """The name of the start tag that is open."""
    opened: int | None = None
    """Where that tag begins, as long as it has no mark; `branch` is where it can get one."""
    branch: int = 0


@dataclass(slots=True)
class Scan:
    """What was found: the marks, and where in HTML each block begins."""

    marks: list[Mark] = field(default_factory=list)
    blocks: dict[str, Position] = field(default_factory=dict)


@dataclass(slots=True)
class _Open:
    """A statement that has a body; `ends` are the words that end it."""

    kind: str
    before: Position
    branch: int
    scope: str
    is_silent: bool


def scan(pieces: Iterable[Piece], inherited: Mapping[str, Position] | None = None) -> Scan:
    """All start tags that can be marked. `inherited`: where the blocks of the template that is extended stand."""
    reader = _Reader(inherited)
    all_pieces = list(pieces)
    reader.ends = frozenset(end_names(all_pieces))
    for piece in all_pieces:
        match piece:
            case Text(at, text):
                reader.read(at, text)
            case Expression(source):
                reader.expression(source)
            case Statement(words):
                reader.statement(words)
    return reader.found


_TAG = re.compile(r"<(?:(?P<comment>!--)|(?P<cdata>!\[CDATA\[)|(?P<other>[!?/])|(?P<start>[a-zA-Z])|\Z)")
_NAME = re.compile(r"[^\s/>]*")
_ATTRIBUTES = re.compile(r"[^=>]*")
_UNQUOTED = re.compile(r"[^\s>]*")
_BRANCHING = {"if": "endif", "for": "endfor"}
_FRAGMENTS = {"macro": "endmacro", "call": "endcall", "set": "endset"}
_SILENT = {"trans": "endtrans", "filter": "endfilter"}
"""What is written there is looked up or changed before it comes to the page."""
_ENDS = {end: kind for kind, end in (_BRANCHING | _FRAGMENTS | _SILENT | {"block": "endblock"}).items()}


class _Reader:
    def __init__(self, inherited: Mapping[str, Position] | None) -> None:
        self.found = Scan()
        self.ends: frozenset[str] = frozenset()
        self._inherited = inherited
        self._now = Position()
        self._open: list[_Open] = []
        self._branch, self._branches = 0, 0
        self._scope = ""
        self._silent = 0

    # What stands there as it is

    def read(self, at: int, text: str) -> None:
        """Go on through a text."""
        position = 0
        while position < len(text):
            position = self._step(at, text, position)

    def _step(self, at: int, text: str, start: int) -> int:
        match self._now.mode:
            case Mode.TEXT:
                return self._text(at, text, start)
            case Mode.NAME:
                return self._name(at, text, start)
            case Mode.ATTRIBUTES:
                return self._attributes(at, text, start)
            case Mode.EQUALS:
                return self._equals(text, start)
            case Mode.UNQUOTED:
                return self._leave_unquoted(text, start)
            case Mode.QUOTED:
                return self._skip_to(text, start, self._now.until, Mode.ATTRIBUTES)
            case Mode.RAW:
                return self._raw(text, start)
            case Mode.OTHER:
                return self._skip_to(text, start, self._now.until, Mode.TEXT)

    def _text(self, at: int, text: str, start: int) -> int:
        found = _TAG.search(text, start)
        if found is None:
            return len(text)
        if found["comment"]:
            self._now = Position(Mode.OTHER, "-->")
        elif found["cdata"]:
            self._now = Position(Mode.OTHER, "]]>")
        elif found["other"]:
            self._now = Position(Mode.OTHER, ">")
        else:
            self._now = Position(Mode.NAME, opened=at + found.start(), branch=self._branch)
            return found.start() + 1
        return found.end()

    def _name(self, at: int, text: str, start: int) -> int:
        end = _end(_NAME, text, start)
        self._now = replace(self._now, name=self._now.name + text[start:end])
        if not self._now.name:
            # An expression should have followed.
            self._now = Position()
        elif end < len(text):
            self._settle(at + end)
            self._now = replace(self._now, mode=Mode.ATTRIBUTES)
        return end

    def _attributes(self, at: int, text: str, start: int) -> int:
        self._settle(at + start)
        end = _end(_ATTRIBUTES, text, start)
        if end == len(text):
            return end
        if text[end] == "=":
            self._now = replace(self._now, mode=Mode.EQUALS)
        else:
            self._close()
        return end + 1

    def _close(self) -> None:
        name = self._now.name.lower()
        self._now = Position(Mode.RAW, name) if name in TEXT_ONLY else Position()

    def _equals(self, text: str, start: int) -> int:
        sign = text[start]
        if sign.isspace():
            return start + 1
        if sign in "'\"":
            self._now = replace(self._now, mode=Mode.QUOTED, until=sign)
            return start + 1
        self._now = replace(self._now, mode=Mode.UNQUOTED)
        return start

    def _leave_unquoted(self, text: str, start: int) -> int:
        end = _end(_UNQUOTED, text, start)
        if end < len(text):
            self._now = replace(self._now, mode=Mode.ATTRIBUTES)
        return end

    def _raw(self, text: str, start: int) -> int:
        found = re.compile(rf"</{re.escape(self._now.until)}(?=[\s/>]|\Z)", re.I).search(text, start)
        if found is None:
            return len(text)
        self._now = Position(Mode.OTHER, ">")
        return found.end()

    def _skip_to(self, text: str, start: int, until: str, mode: Mode) -> int:
        end = text.find(until, start)
        if end < 0:
            return len(text)
        self._now = replace(self._now, mode=mode, until="")
        return end + len(until)

    def _settle(self, insert: int) -> None:
        """Mark the open tag, where what is put in here is written whenever the tag is."""
        now = self._now
        if now.opened is None or now.branch != self._branch:
            return
        self._now = replace(now, opened=None)
        if not self._silent and (_EXPRESSION in now.name or is_visible(now.name)):
            self.found.marks.append(Mark(now.opened, insert, self._scope))

    # What the template does

    def expression(self, source: str) -> None:
        """Something is written here."""
        now = self._now
        if now.mode is Mode.NAME:
            is_start = bool(now.name) or source in self.ends
            self._now = replace(now, name=now.name + _EXPRESSION) if is_start else Position()
        elif now.mode is Mode.EQUALS:
            self._now = replace(now, mode=Mode.UNQUOTED)

    def statement(self, words: tuple[str, ...]) -> None:
        """A statement begins, goes on or ends."""
        kind = words[0] if words else ""
        if kind in _ENDS:
            self._end(_ENDS[kind])
        elif kind in ("else", "elif"):
            self._next_branch()
        elif kind in _BRANCHING or kind == "block" or kind in _SILENT:
            self._begin(kind, words)
        elif kind in _FRAGMENTS and (kind != "set" or is_block_set(words)):
            self._begin(kind, words)

    def _begin(self, kind: str, words: tuple[str, ...]) -> None:
        is_silent = kind in _SILENT or (kind == "set" and "|" in words)
        self._open.append(_Open(kind, self._now, self._branch, self._scope, is_silent))
        self._silent += is_silent
        self._new_branch()
        if kind in ("macro", "call", "block"):
            self._scope = named(kind, words)
        if kind in _FRAGMENTS:
            self._now = Position()
        elif kind == "block" and self._inherited is not None:
            is_own = any(each.kind == "block" for each in self._open[:-1])
            self._now = self._inherited.get(self._scope, self._now if is_own else Position())
        if kind == "block":
            self.found.blocks.setdefault(self._scope, replace(self._now, opened=None))

    def _next_branch(self) -> None:
        if self._open and self._open[-1].kind in _BRANCHING:
            self._now = self._open[-1].before
            self._new_branch()

    def _end(self, kind: str) -> None:
        """What comes next stands where the first branch ended; all are taken to end alike."""
        if not self._open or self._open[-1].kind != kind:
            return
        ended = self._open.pop()
        self._branch, self._scope = ended.branch, ended.scope
        self._silent -= ended.is_silent
        if kind in _FRAGMENTS or (kind == "block" and self._inherited is not None):
            self._now = ended.before

    def _new_branch(self) -> None:
        self._branches += 1
        self._branch = self._branches


_EXPRESSION = "\0"


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return found.end() if found else start
