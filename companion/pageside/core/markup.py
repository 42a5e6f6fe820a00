"""Tags and elements in the text of a source file, as far as a look at the text alone tells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_TAG = re.compile(r"<([A-Za-z][\w.:-]*)")
_TAG_CHARS = 5_000
_TAG_LINES = 100
_ELEMENT_CHARS = 20_000
_ELEMENT_LINES = 1_000
_NAME_CHARS = 60
_FORMAT = (
    (re.compile(r"""\{(["'])[ ]\1\}[ \n]?"""), " "),
    (re.compile(r"(?<=>)\n|\n(?=[<{}])|[ \n](?=>)"), ""),
    (re.compile(r"\n"), " "),
)
"""What formatters put in and take out; blanks that show on the page stay."""


def tags(text: str) -> Iterator[tuple[str, int]]:
    """(name, index) of the tags that open in a text."""
    for tag in _TAG.finditer(text):
        yield tag.group(1)[:_NAME_CHARS], tag.start()


def occurrences(name: str, text: str) -> int:
    """How many tags of that name open in a text."""
    return sum(each == name for each, _ in tags(text))


def plain(lines: Sequence[str], line: int, start: int) -> str:
    """The element whose tag starts at that index of a line, without what is the formatter's."""
    text = "\n".join(lines[line - 1 : line - 1 + _ELEMENT_LINES])[start : start + _ELEMENT_CHARS]
    end = _end_of_tag(text, 0) or 0
    name = next((name for name, _ in tags(text)), "")
    return _without_format(
        text[: end if text[end - 2 : end - 1] == "/" else _end_of_element(text, end, name)]
    )


def plain_tag(lines: Sequence[str], line: int, start: int) -> str:
    """The same of its opening tag alone."""
    text = "\n".join(lines[line - 1 : line - 1 + _TAG_LINES])[start : start + _TAG_CHARS]
    return _without_format(text[: _end_of_tag(text, 0) or 0])


def _without_format(text: str) -> str:
    words = (line.split() for line in text.splitlines())
    text = "\n".join(" ".join(line) for line in words if line)
    for layout, replacement in _FORMAT:
        text = layout.sub(replacement, text)
    return text.replace("'", '"')


@dataclass(frozen=True, slots=True)
class Extent:
    """Last lines (1-based) of the opening tag, and of the element as far as that is to be seen."""

    tag_end: int
    end: int


def extent(lines: Sequence[str], line: int, name: str, nth: int) -> Extent:
    text = "\n".join(lines[line - 1 :])[:_ELEMENT_CHARS]
    starts = [start for each, start in tags(text) if each == name]
    if not name or len(starts) <= nth:
        return Extent(line, line)
    tag_end = _end_of_tag(text, starts[nth])
    if tag_end is None:
        return Extent(line, line)
    end = tag_end if text[tag_end - 2] == "/" else _end_of_element(text, tag_end, name)
    return Extent(line + text.count("\n", 0, tag_end), line + text.count("\n", 0, end))


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
