"""Changes to a JSONC text that leave every other character where it is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pageside.core.jsonc import BOM, Document, Member, Node, Unreadable, parse

_BLANK = " \t"


@dataclass(frozen=True, slots=True)
class Added:
    """What `add` wrote around the new member, so that `remove` can take back exactly that."""

    depth: int
    """How many keys of the path were there before."""
    lead: str
    tail: str
    comma_before: bool
    comma_after: bool

    def to_json(self) -> list[Any]:
        return [self.depth, self.lead, self.tail, self.comma_before, self.comma_after]


class NotEditable(ValueError):
    """Why this text cannot be changed so."""


def add(text: str, path: Sequence[str], value: Any) -> tuple[str, Added]:
    """The text with that member in it, which must not be there; raises `Unreadable` or `NotEditable`."""
    document = parse(text)
    node, depth = document.root, 0
    while depth < len(path) and (member := node.member(path[depth])) is not None:
        node, depth = member.node, depth + 1
    if depth == len(path):
        raise NotEditable(f"{'.'.join(path)} is there already")
    if not node.is_object:
        raise NotEditable(f"{'.'.join(path[:depth]) or 'the whole'} is no object")
    for key in reversed(path[depth + 1 :]):
        value = {key: value}
    return _insert(document, node, path[depth], value, depth)


def _insert(document: Document, node: Node, key: str, value: Any, depth: int) -> tuple[str, Added]:
    text, style = document.text, _Style(document)
    last = node.members[-1] if node.members else None
    if last is None:
        at, lead, tail = _place_in_empty(document, node, style)
        added = Added(depth, lead, tail, comma_before=False, comma_after=False)
    else:
        first = node.members[0]
        spread = "\n" in text[node.start : first.start]
        at = _end_of_line(document, last.end) if spread else last.end
        lead = style.newline + style.indent_at(text, first.start) if spread else " "
        trailing = last.comma is not None
        added = Added(depth, lead, "", comma_before=not trailing, comma_after=trailing)
    indent = added.lead.rpartition("\n")[2] if "\n" in added.lead else None
    entry = f"{json.dumps(key, ensure_ascii=False)}: {style.written(value, indent)}"
    whole = added.lead + entry + ("," if added.comma_after else "") + added.tail
    result = text[:at] + whole + text[at:]
    if added.comma_before and last is not None:
        result = result[: last.node.end] + "," + result[last.node.end :]
    return result, added


def _place_in_empty(document: Document, node: Node, style: _Style) -> tuple[int, str, str]:
    text = document.text
    comments = document.comments_within(node.start, node.end)
    at = comments[-1][1] if comments else node.start + 1
    outer = style.indent_at(text, node.start)
    closes_on_new_line = "\n" in text[at : node.end]
    lead = style.newline + outer + style.unit
    return at, lead, "" if closes_on_new_line else style.newline + outer


def _end_of_line(document: Document, at: int) -> int:
    """Behind the comments that follow on the same line."""
    for start, end in document.comments_within(at, len(document.text)):
        if document.text[at:start].strip(_BLANK):
            break
        at = end
        if "\n" in document.text[start:end]:
            break
    return at


def remove(text: str, path: Sequence[str], added: Added | None = None) -> str:
    """The text without that member; given what `add` told, with all that it wrote taken back.

    Objects above that `add` made go with it when nothing else is in them.
    """
    document = parse(text)
    depth = _highest_alone(document, path, added.depth if added is not None else len(path) - 1)
    parent, member = _found(document, path[: depth + 1])
    if added is not None and added.depth == depth:
        exact = _taken_back(text, parent, member, added)
        if exact is not None:
            return exact
    return _cut_out(text, parent, member)


def _highest_alone(document: Document, path: Sequence[str], lowest: int) -> int:
    """The depth of the key, from `lowest` on, below which there is nothing but the rest of the path."""
    for depth in range(lowest, len(path) - 1):
        below = [document.at(path[:deeper]) for deeper in range(depth + 1, len(path))]
        if all(node is not None and len(node.members) == 1 for node in below):
            return depth
    return len(path) - 1


def _found(document: Document, path: Sequence[str]) -> tuple[Node, Member]:
    parent = document.at(path[:-1])
    member = parent.member(path[-1]) if parent is not None else None
    if parent is None or member is None:
        raise NotEditable(f"{'.'.join(path)} is not there")
    return parent, member


def _taken_back(text: str, parent: Node, member: Member, added: Added) -> str | None:
    """The text as if it had never been added; None where the text around it has changed since."""
    start, end = member.start - len(added.lead), member.end + len(added.tail)
    is_last = parent.members[-1] is member
    if text[start : member.start] != added.lead or text[member.end : end] != added.tail:
        return None
    if (member.comma is not None) != added.comma_after or not is_last:
        return None
    if not added.comma_before:
        return text[:start] + text[end:]
    before = parent.members[-2] if len(parent.members) > 1 else None
    if before is None or before.comma != before.node.end:
        return None
    return text[: before.comma] + text[before.comma + 1 : start] + text[end:]


def _cut_out(text: str, parent: Node, member: Member) -> str:
    """Without the member, its comma, and the line that it stood on alone."""
    start, end = member.start, member.end
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    rest = text[end : line_end if line_end >= 0 else len(text)]
    if line_end >= 0 and not text[line_start:start].strip(_BLANK + BOM) and not rest.strip(" \t\r"):
        start, end = line_start, line_end + 1
    elif member.comma is not None:
        end += len(rest) - len(rest.lstrip(_BLANK))
    result = text[:start] + text[end:]
    at = parent.members.index(member)
    if at and at == len(parent.members) - 1 and member.comma is None:
        comma = parent.members[at - 1].comma
        assert comma is not None
        result = result[:comma] + result[comma + 1 :]
    return result


def replace(text: str, path: Sequence[str], value: Any) -> str:
    """The text with another value there, or with that member added."""
    document = parse(text)
    node = document.at(path)
    if node is None:
        return add(text, path, value)[0]
    style = _Style(document)
    _, member = _found(document, path)
    indent = style.indent_at(text, member.start) if style.starts_line(text, member.start) else None
    return text[: node.start] + style.written(value, indent) + text[node.end :]


class _Style:
    """How a text is laid out: its line ends, and what one step of indentation is."""

    def __init__(self, document: Document) -> None:
        text, root = document.text, document.root
        self.newline = "\r\n" if re.search(r"\r?\n", text + "\n")[0] == "\r\n" else "\n"  # type: ignore[index]
        self.unit = "\t" if "\n\t" in text else "  "
        if root.members and self.starts_line(text, root.members[0].start):
            self.unit = self.indent_at(text, root.members[0].start) or self.unit

    @staticmethod
    def starts_line(text: str, at: int) -> bool:
        line = text[text.rfind("\n", 0, at) + 1 : at]
        return at > 0 and "\n" in text[:at] and not line.strip(_BLANK)

    @staticmethod
    def indent_at(text: str, at: int) -> str:
        """The spaces or tabs that the line of this place begins with."""
        line = text[text.rfind("\n", 0, at) + 1 : at].removeprefix(BOM)
        return line[: len(line) - len(line.lstrip(_BLANK))]

    def written(self, value: Any, indent: str | None) -> str:
        """As people write it: objects over several lines, lists in one; all in one line without `indent`."""
        if not isinstance(value, dict) or not value or indent is None:
            return json.dumps(value, ensure_ascii=False)
        inner = indent + self.unit
        rows = [
            f"{inner}{json.dumps(key, ensure_ascii=False)}: {self.written(each, inner)}"
            for key, each in value.items()
        ]
        return "{" + self.newline + f",{self.newline}".join(rows) + self.newline + indent + "}"


def created(path: Sequence[str], value: Any) -> str:
    """A whole new file with that member and nothing else."""
    return add("{}\n", path, value)[0]


__all__ = ["Added", "NotEditable", "Unreadable", "add", "created", "remove", "replace"]
