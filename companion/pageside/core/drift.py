"""Whether the source of an inspection is still what it was: fingerprints of lines, and what became of them.

A fingerprint holds hashes only, and the name of the tag. Indentation, blank lines, kinds of line ends and, of an
element, what else a formatter changes do not count.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pageside.core import markup

Fingerprint = dict[str, Any]
Drift = dict[str, Any]

_LINE_END = re.compile(r"\r\n|\n|\r")
_CLOSING = re.compile(r"</[\w.:-]*>[;),]*$")
_NEIGHBOURS = 3
_REACH = 6
"""Telling lines on each side in which a neighbour is looked for."""
_GAP = 12
"""Lines that may stand where one tag stood."""
_ELEMENT_LINES = 40
_BODY_WEIGHT = 2
_LOOKED_AT = 40
"""Elements with the same tag that are read whole: those with most of the neighbours, then the nearest."""
_DISTINCT_CHARS = 24
"""An element of fewer is known by its neighbours only."""


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
    start = max(0, column - 1)
    name = next((name for name, at in markup.tags(lines[line - 1]) if at == start), "")
    nth = markup.occurrences(name, lines[line - 1][:start]) if name else 0
    extent = markup.extent(lines, line, name, nth)
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
        **_plain(lines, line, start if name else None),
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
    standing = _likeliest(mark, rows, _standing(mark, rows))
    places = [_whole(mark, lines, rows, at) for at in standing]
    if not any(place.is_same for place in places):
        places = [*_formatted(mark, lines, rows)] or places or [*_changed(mark, rows)]
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


def _likeliest(mark: Fingerprint, rows: Sequence[_Row], places: Iterable[int]) -> list[int]:
    """Of places to look at those that are worth it."""

    def order(at: int) -> tuple[int, int]:
        return -_score(mark, rows, at, len(mark["tag"])), abs(rows[at].number - mark["line"])

    return sorted(places, key=order)[:_LOOKED_AT]


def _whole(mark: Fingerprint, lines: Sequence[str], rows: Sequence[_Row], at: int) -> _Place:
    line = rows[at].number
    extent = markup.extent(lines, line, mark["name"], mark["nth"])
    is_same = _body(rows, line, extent.end) == mark["body"]
    score = _score(mark, rows, at, len(mark["tag"])) + (_BODY_WEIGHT if is_same else 0)
    return _Place(line, score, is_same)


def _plain(lines: Sequence[str], line: int, start: int | None) -> Fingerprint:
    """Of the element and of its opening tag, without what is the formatter's."""
    if start is None:
        return {}
    text = markup.plain(lines, line, start)
    is_known = len(text) >= _DISTINCT_CHARS
    opening = _hash(markup.plain_tag(lines, line, start))
    return {"plain": _hash(text), "opening": opening, "distinct": is_known}


def _formatted(mark: Fingerprint, lines: Sequence[str], rows: Sequence[_Row]) -> Iterator[_Place]:
    """Where the element stands with other line breaks and quotes; the nearest that begin like it are looked at."""
    if "plain" not in mark:
        return
    starts = dict(_opening_alike(mark, lines, rows))
    for at in _likeliest(mark, rows, starts):
        score = _score(mark, rows, at, 1)
        if not mark["distinct"] and score < 2:
            continue
        if _hash(markup.plain(lines, rows[at].number, starts[at])) == mark["plain"]:
            yield _Place(rows[at].number, score, True)


def _opening_alike(
    mark: Fingerprint, lines: Sequence[str], rows: Sequence[_Row]
) -> Iterator[tuple[int, int]]:
    """(row, index in its line) of the tags that are the same but for their format."""
    for at, row in enumerate(rows):
        for name, start in markup.tags(lines[row.number - 1]):
            if name != mark["name"]:
                continue
            if _hash(markup.plain_tag(lines, row.number, start)) == mark["opening"]:
                yield at, start


def _changed(mark: Fingerprint, rows: Sequence[_Row]) -> Iterator[_Place]:
    """Where another tag of the name stands between the same lines; else whatever stands between them."""
    known = {*mark["before"], *mark["after"]}
    needed = min(2, len(known))
    found = False
    for at, row in enumerate(rows):
        if mark["name"] and row.hash not in known and markup.occurrences(mark["name"], row.text):
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
