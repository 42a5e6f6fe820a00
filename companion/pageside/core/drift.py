"""Whether the source of an inspection is still what it was: fingerprints of lines, and what became of them.

A fingerprint holds hashes only, and the name of the tag. Indentation, blank lines and kinds of line ends do not count.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Fingerprint = dict[str, Any]
Drift = dict[str, Any]

_LINE_END = re.compile(r"\r\n|\n|\r")
_TAG = re.compile(r"<([A-Za-z][\w.:-]*)")
_CLOSING = re.compile(r"</[\w.:-]*>[;),]*$")
_NEIGHBOURS = 3
_REACH = 6
"""Telling lines on each side in which a neighbour is looked for."""
_GAP = 12
"""Lines that may stand where one tag stood."""
_TAG_CHARS = 5_000
_ELEMENT_CHARS = 20_000
_ELEMENT_LINES = 40
_BODY_WEIGHT = 2
_NAME_CHARS = 60


@dataclass(frozen=True, slots=True)
class _Row:
    """A line that is not blank."""

    number: int
    text: str
    hash: str

    @property
    def telling(self) -> bool:
        """It says enough to be known by."""
        return sum(char.isalnum() for char in self.text) > 2 and not _CLOSING.match(self.text)


def fingerprint(text: str, line: int, column: int) -> Fingerprint | None:
    """Of the element whose tag starts there (1-based), else of the line; None for a line that says nothing."""
    lines = _LINE_END.split(text)
    rows = _rows(lines)
    at = next((index for index, row in enumerate(rows) if row.number == line), None)
    if at is None:
        return None
    tag = _TAG.match(lines[line - 1], max(0, column - 1))
    name = tag.group(1)[:_NAME_CHARS] if tag else ""
    nth = _occurrences(name, lines[line - 1][: tag.start()]) if tag else 0
    extent = _extent(lines, line, name, nth)
    length = sum(1 for row in rows[at:] if row.number <= extent.tag_end)
    before, after = _around(rows, at, length, _NEIGHBOURS)
    return {
        "line": line,
        "row": at,
        "file": _hash("\n".join(row.text for row in rows)),
        "name": name,
        "nth": nth,
        "tag": [row.hash for row in rows[at : at + length]],
        "body": _body(rows, line, extent.end),
        "before": [row.hash for row in before],
        "after": [row.hash for row in after],
    }


def drift(mark: Fingerprint, text: str | None) -> Drift:
    """What became of the lines in `text`, the file as it is now (None: it is gone).

    `{"state": "unchanged" | "moved" | "edited" | "gone", "line"?, "was"?, "ambiguous"?, "why"?}`.
    """
    if text is None:
        return {"state": "gone", "was": mark["line"], "why": "The file is not there any more."}
    lines = _LINE_END.split(text)
    rows = _rows(lines)
    if _hash("\n".join(row.text for row in rows)) == mark["file"]:
        # Only blank lines may have come or gone.
        return _told(mark, _Best(_Place(rows[mark["row"]].number, 0, True), False))
    places = [_whole(mark, lines, rows, at) for at in _standing(mark, rows)] or [*_changed(mark, rows)]
    if not places:
        why = "Nothing like it stands in the file any more."
        return {"state": "gone", "was": mark["line"], "why": why}
    return _told(mark, _best(mark, places))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where it may stand now."""

    line: int
    score: int
    is_same: bool


@dataclass(frozen=True, slots=True)
class _Best:
    place: _Place
    ambiguous: bool


def _best(mark: Fingerprint, places: Sequence[_Place]) -> _Best:
    """The likeliest, and of several equal ones the nearest."""
    top = max(place.score for place in places)
    equal = [place for place in places if place.score == top]
    nearest = min(equal, key=lambda place: (abs(place.line - mark["line"]), place.line))
    return _Best(nearest, len(equal) > 1)


def _told(mark: Fingerprint, best: _Best) -> Drift:
    line = best.place.line
    has_moved = line != mark["line"]
    state = ("moved" if has_moved else "unchanged") if best.place.is_same else "edited"
    was = {"was": mark["line"]} if has_moved else {}
    return {"state": state, "line": line, **was, **({"ambiguous": True} if best.ambiguous else {})}


def _standing(mark: Fingerprint, rows: Sequence[_Row]) -> Iterator[int]:
    """Where the lines of the tag stand as they were."""
    tag: list[str] = mark["tag"]
    for at, row in enumerate(rows):
        if row.hash == tag[0] and [each.hash for each in rows[at : at + len(tag)]] == tag:
            yield at


def _whole(mark: Fingerprint, lines: Sequence[str], rows: Sequence[_Row], at: int) -> _Place:
    line = rows[at].number
    extent = _extent(lines, line, mark["name"], mark["nth"])
    is_same = _body(rows, line, extent.end) == mark["body"]
    score = _score(mark, rows, at, len(mark["tag"])) + (_BODY_WEIGHT if is_same else 0)
    return _Place(line, score, is_same)


def _changed(mark: Fingerprint, rows: Sequence[_Row]) -> Iterator[_Place]:
    """Where another tag of the name stands between the same lines; else whatever stands between them."""
    known = {*mark["before"], *mark["after"]}
    needed = min(2, len(known))
    found = False
    for at, row in enumerate(rows):
        if mark["name"] and row.hash not in known and _occurrences(mark["name"], row.text):
            score = _score(mark, rows, at, 1)
            if score >= needed:
                found = True
                yield _Place(row.number, score, False)
    if not found and mark["before"] and mark["after"]:
        yield from _between(mark, rows)


def _between(mark: Fingerprint, rows: Sequence[_Row]) -> Iterator[_Place]:
    """The first line between the nearest neighbours, where there are any lines."""
    most = len(mark["tag"]) + _GAP
    for at, row in enumerate(rows):
        if row.hash != mark["before"][-1]:
            continue
        gap = rows[at + 1 : at + 2 + most]
        end = next((index for index, each in enumerate(gap) if each.hash == mark["after"][0]), 0)
        if any(each.telling for each in gap[:end]):
            yield _Place(gap[0].number, _score(mark, rows, at + 1, end), False)


def _score(mark: Fingerprint, rows: Sequence[_Row], at: int, length: int) -> int:
    """How many of the neighbours are there."""
    before, after = _around(rows, at, length, _REACH)
    above, below = {row.hash for row in before}, {row.hash for row in after}
    return sum(each in above for each in mark["before"]) + sum(each in below for each in mark["after"])


def _around(rows: Sequence[_Row], at: int, length: int, most: int) -> tuple[list[_Row], list[_Row]]:
    """The telling lines before and after, in order, at most so many of each."""
    before = [row for row in rows[max(0, at - 3 * most) : at] if row.telling]
    after = [row for row in rows[at + length : at + length + 3 * most] if row.telling]
    return before[-most:], after[:most]


def _rows(lines: Sequence[str]) -> list[_Row]:
    collapsed = ((number, " ".join(line.split())) for number, line in enumerate(lines, 1))
    return [_Row(number, text, _hash(text)) for number, text in collapsed if text]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _body(rows: Sequence[_Row], line: int, end: int) -> str:
    inside = [row.text for row in rows if line <= row.number <= end]
    return _hash("\n".join(inside[:_ELEMENT_LINES]))


def _occurrences(name: str, text: str) -> int:
    """How many tags of that name open in a text."""
    return sum(tag.group(1)[:_NAME_CHARS] == name for tag in _TAG.finditer(text))


# How far an element goes


@dataclass(frozen=True, slots=True)
class _Extent:
    """Last lines (1-based) of the opening tag, and of the element as far as that is to be seen."""

    tag_end: int
    end: int


def _extent(lines: Sequence[str], line: int, name: str, nth: int) -> _Extent:
    text = "\n".join(lines[line - 1 :])[:_ELEMENT_CHARS]
    starts = [tag.start() for tag in _TAG.finditer(text) if tag.group(1)[:_NAME_CHARS] == name]
    if not name or len(starts) <= nth:
        return _Extent(line, line)
    tag_end = _end_of_tag(text, starts[nth])
    if tag_end is None:
        return _Extent(line, line)
    end = tag_end if text[tag_end - 2] == "/" else _end_of_element(text, tag_end, name)
    return _Extent(line + text.count("\n", 0, tag_end), line + text.count("\n", 0, end))


def _end_of_tag(text: str, start: int) -> int | None:
    """After the `>` of the tag that opens there; attributes may hold expressions, and types be given."""
    braces, angles, quote = 0, 0, ""
    for at in range(start + 1, min(len(text), start + _TAG_CHARS)):
        char = text[at]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'`":
            quote = char
        elif char in "{}":
            braces += 1 if char == "{" else -1
        elif char in "<>" and braces <= 0:
            angles += 1 if char == "<" else -1
            if angles < 0:
                return at + 1
    return None


def _end_of_element(text: str, start: int, name: str) -> int:
    """After the closing tag; `start` where there is none to be found."""
    open_tags = 1
    for tag in re.finditer(rf"<(/?){re.escape(name)}(?![\w.:-])", text[start:]):
        at = start + tag.start()
        end = _end_of_tag(text, at)
        if end is None:
            return start
        if tag.group(1):
            open_tags -= 1
        elif text[end - 2] != "/":
            open_tags += 1
        if open_tags == 0:
            return end
    return start
