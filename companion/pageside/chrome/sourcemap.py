"""Reads source maps (version 3, ECMA-426) as far as needed to say where a generated place was authored."""

from __future__ import annotations

import base64
import binascii
import json
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes, urljoin

MAX_SEGMENTS = 5_000_000
"""Mappings beyond this are refused; each takes 20 bytes."""
_MAX_LINE = 2**30
_MAX_DIGITS = 7
_UNMAPPED = -1
_UNNAMED = -1
_DIGITS = {
    ord(sign): value
    for value, sign in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}


class BadSourceMap(ValueError):
    """The text is no source map, or one too large; says why."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was authored; line and column count from 1."""

    url: str
    line: int
    column: int


class _Segment(NamedTuple):
    """Where a mapping begins in its generated line, and what it says."""

    generated: int
    source: int = _UNMAPPED
    line: int = 0
    column: int = 0
    name: int = _UNNAMED


class SourceMap:
    """A map of one generated file; `url` is what its sources are relative to."""

    def __init__(self, data: Any, url: str) -> None:
        self.sources: list[str | None] = []
        self._names: list[str] = []
        self._lines: dict[int, tuple[int, int]] = {}
        self._generated = array("i")
        self._source = array("i")
        self._line = array("i")
        self._column = array("i")
        self._name = array("i")
        for (line, column), part in _parts(data):
            self._add(part, line, column, url)

    def original(self, line: int, column: int) -> Place | None:
        """Where the generated place (counting from 0) comes from; None if nowhere."""
        start, end = self._lines.get(line, (0, 0))
        at = bisect_right(self._generated, column, start, end) - 1
        if at < start or self._source[at] == _UNMAPPED:
            return None
        url = self.sources[self._source[at]]
        return None if url is None else Place(url, self._line[at] + 1, self._column[at] + 1)

    def name(self, line: int, column: int) -> str | None:
        """What the identifier that begins exactly at the generated place was called; None if it is not told."""
        start, end = self._lines.get(line, (0, 0))
        at = bisect_right(self._generated, column, start, end) - 1
        if at < start or self._generated[at] != column or self._name[at] == _UNNAMED:
            return None
        return self._names[self._name[at]]

    def _add(self, part: dict[str, Any], line: int, column: int, url: str) -> None:
        first, first_name = len(self.sources), len(self._names)
        self.sources += _sources(part, url)
        self._names += _names(part)
        mappings = part.get("mappings")
        if not isinstance(mappings, str):
            raise BadSourceMap("'mappings' is not text.")
        if mappings.count(",") + mappings.count(";") + len(self._generated) > MAX_SEGMENTS:
            raise BadSourceMap(f"It has more than {MAX_SEGMENTS} mappings.")
        counts = len(self.sources) - first, len(self._names) - first_name
        for number, row in _rows(mappings, *counts):
            shift = column if number == 0 else 0
            self._add_row(line + number, [_shifted(each, shift, first, first_name) for each in row])

    def _add_row(self, line: int, row: list[_Segment]) -> None:
        columns = (self._generated, self._source, self._line, self._column, self._name)
        if line in self._lines:
            # Two sections share this line: the later one takes over where it begins.
            start, end = self._lines[line]
            before = zip(*(column[start:end] for column in columns), strict=True)
            row = [*map(_Segment._make, before), *row]
        row.sort(key=lambda segment: segment.generated)
        start = len(self._generated)
        for column, values in zip(columns, zip(*row, strict=True), strict=True):
            column.extend(values)
        self._lines[line] = (start, len(self._generated))


def parse(text: str, url: str) -> SourceMap:
    """The map in `text` (JSON, or a data: URL of it); raises `BadSourceMap` and nothing else."""
    try:
        if text.startswith("data:"):
            text = decode_data_url(text)
        text = text.removeprefix("\ufeff")
        if text.startswith(")]}"):
            # Servers prepend this line so that the file cannot be run as a script.
            text = text.partition("\n")[2]
        return SourceMap(json.loads(text), url)
    except BadSourceMap:
        raise
    except (ValueError, RecursionError, OverflowError, MemoryError) as error:
        raise BadSourceMap(f"It cannot be read: {type(error).__name__}: {str(error)[:200]}") from None


def decode_data_url(url: str) -> str:
    """The text of a data: URL; raises `BadSourceMap`."""
    head, comma, body = url.removeprefix("data:").partition(",")
    if not comma:
        raise BadSourceMap("A data: URL without data.")
    raw = unquote_to_bytes(body)
    if head.lower().endswith(";base64"):
        try:
            raw = base64.b64decode(raw)
        except binascii.Error as error:
            raise BadSourceMap(f"Its base64 cannot be read: {error}") from None
    return raw.decode("utf-8", "replace")


def mapping_url(script: str) -> str | None:
    """What the last `//# sourceMappingURL=` of a script says."""
    found: str | None = None
    end = len(script)
    while found is None and end > 0:
        end = script.rfind("sourceMappingURL=", 0, end)
        if end < 0:
            return None
        line = script[script.rfind("\n", 0, end) + 1 : end + 40]
        if re.search(r"//[#@]\s?sourceMappingURL=[^\s'\"`]", line):
            found = script[end + len("sourceMappingURL=") :].split(maxsplit=1)[0]
    return found


def _parts(data: Any) -> Iterator[tuple[tuple[int, int], dict[str, Any]]]:
    """The map itself, or the sections of an index map, each with where it begins."""
    if not isinstance(data, dict) or str(data.get("version")) != "3":
        raise BadSourceMap("It is not a source map of version 3.")
    sections = data.get("sections")
    if sections is None:
        yield (0, 0), data
        return
    if not isinstance(sections, list):
        raise BadSourceMap("'sections' is not a list.")
    for section in sections:
        part = section.get("map") if isinstance(section, dict) else None
        if not isinstance(part, dict) or "sections" in part:
            raise BadSourceMap("A section has no map of its own.")
        yield _offset(section.get("offset")), part


def _offset(given: Any) -> tuple[int, int]:
    line, column = (given.get("line"), given.get("column")) if isinstance(given, dict) else (None, None)
    if not (isinstance(line, int) and isinstance(column, int)):
        raise BadSourceMap("A section does not say where it begins.")
    if not (0 <= line < _MAX_LINE and 0 <= column < _MAX_LINE):
        raise BadSourceMap("A section begins outside of any file.")
    return line, column


def _sources(part: dict[str, Any], url: str) -> list[str | None]:
    sources, root = part.get("sources"), part.get("sourceRoot") or ""
    if not isinstance(sources, list) or not isinstance(root, str):
        raise BadSourceMap("'sources' is not a list.")
    if root and not root.endswith("/"):
        root += "/"
    return [_joined(url, root, source) if isinstance(source, str) else None for source in sources]


def _joined(url: str, root: str, source: str) -> str:
    try:
        return urljoin(url, source if _is_absolute(source) else root + source)
    except ValueError:
        return source


def _is_absolute(source: str) -> bool:
    return source.startswith("/") or re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", source) is not None


def _names(part: dict[str, Any]) -> list[str]:
    names = part.get("names")
    return [str(name) for name in names] if isinstance(names, list) else []


def _shifted(segment: _Segment, columns: int, sources: int, names: int) -> _Segment:
    """The segment of a part as one of the whole map."""
    generated, source, line, column, name = segment
    return _Segment(
        generated + columns,
        source if source == _UNMAPPED else source + sources,
        line,
        column,
        name if name == _UNNAMED else name + names,
    )


def _rows(mappings: str, sources: int, names: int) -> Iterator[tuple[int, list[_Segment]]]:
    """Generated line -> its segments; what points outside is unmapped."""
    source = line = column = name = 0
    for number, text in enumerate(mappings.split(";")):
        generated, row = 0, []
        for segment in filter(None, text.split(",")):
            fields = decode_vlq(segment)
            generated += fields[0]
            if not 0 <= generated < _MAX_LINE:
                raise BadSourceMap("A mapping lies outside of any file.")
            if len(fields) < 4:
                row.append(_Segment(generated))
                continue
            source, line, column = source + fields[1], line + fields[2], column + fields[3]
            name += fields[4] if len(fields) > 4 else 0
            if 0 <= source < sources and 0 <= line < _MAX_LINE and 0 <= column < _MAX_LINE:
                is_named = len(fields) > 4 and 0 <= name < names
                row.append(_Segment(generated, source, line, column, name if is_named else _UNNAMED))
            else:
                row.append(_Segment(generated))
        if row:
            yield number, row


def decode_vlq(segment: str) -> Sequence[int]:
    """The numbers of one segment, base64 VLQ; raises `BadSourceMap`."""
    values, value, shift = [], 0, 0
    for sign in segment.encode():
        digit = _DIGITS.get(sign)
        if digit is None or shift >= 5 * _MAX_DIGITS:
            raise BadSourceMap(f"{segment[:20]!r} is no mapping.")
        value |= (digit & 31) << shift
        shift += 5
        if not digit & 32:
            values.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    if shift or not values:
        raise BadSourceMap(f"The mapping {segment[:20]!r} is cut off.")
    return values
