"""Chrome's own accessibility tree as text (`Accessibility.getFullAXTree`): slow and long, but nobody's opinion.

The elements have the uids that the toolkit's snapshots give them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pageside.chrome.documents import Document, Handle, call
from pageside.chrome.find import fresh
from pageside.chrome.session import CommandFailed, Params
from pageside.chrome.snapshot import Snapshot, past_end
from pageside.chrome.tab import Tab
from pageside.core.redaction import REDACTED
from pageside.errors import ChromeError

_GROUP = "pageside-ax"
_BATCH = 200
_KEPT_SECONDS = 60.0
_MAX_DEPTH = 300
_UNTOLD = ("InlineTextBox", "LineBreak")
_QUIET: dict[str, tuple[Any, ...]] = {
    "focusable": (True, False),
    "editable": ("plaintext", "richtext"),
    "settable": (True, False),
    "invalid": ("false",),
    "hasPopup": ("false",),
    "live": ("off",),
}
"""Properties whose usual values say nothing."""


@dataclass(slots=True)
class _Line:
    depth: int
    text: str
    node: int | None
    document: Document


class _Taken:
    """A tree that was told in part: of a large page, Chrome takes seconds to make another."""

    def __init__(self, _tab: Tab) -> None:
        self._document: Document | None = None
        self._lines: list[_Line] = []
        self._next = 0
        self._until = 0.0

    def keep(self, document: Document, lines: list[_Line], end: int) -> None:
        self._document, self._lines, self._next = document, lines, end
        self._until = time.monotonic() + _KEPT_SECONDS

    def going_on(self, document: Document, start: int) -> list[_Line] | None:
        """Its lines, if `start` is where it ended and the page is the same."""
        goes_on = start == self._next and document is self._document and time.monotonic() < self._until
        return self._lines if goes_on and start else None


async def full_tree(tab: Tab, *, max_chars: int, start: int = 0) -> Snapshot:
    """One line for each node that assistive technology is told of, frames in their places.

    With the `next` of the call before as `start`, it goes on in the same tree, if that is not a minute old.
    """
    document = await fresh(tab, tab.id)
    last = tab.part(_Taken)
    lines = last.going_on(document, start) or await _frame(tab, document, 0)
    if start and start >= len(lines):
        raise past_end(start, len(lines))
    end, room = start, max_chars
    while end < len(lines) and (room >= len(lines[end].text) or end == start):
        # Its uid and indentation come on top.
        room -= len(lines[end].text) + lines[end].depth + 12
        end += 1
    last.keep(document, lines if end < len(lines) else [], end)
    shown = lines[start:end]
    names = await _names(shown)
    told = list(_lines(shown, names))
    if end < len(lines):
        told.append(f"… {len(lines) - end} more lines: take_snapshot with from={end} goes on.")
    return Snapshot("\n".join(told), end if end < len(lines) else None)


async def _frame(tab: Tab, document: Document, depth: int) -> list[_Line]:
    answer = await document.session("Accessibility.getFullAXTree", frameId=document.frame_id)
    nodes = {node["nodeId"]: node for node in answer["nodes"]}
    roots = [node for node in nodes.values() if "parentId" not in node]
    lines: list[_Line] = []
    for node, level in _walk(roots[:1], nodes, depth):
        lines.append(_Line(level, _text(node), node.get("backendDOMNodeId"), document))
        if _role(node) == "Iframe":
            lines += await _inner(tab, document, node, level + 1)
    return lines


def _walk(roots: Sequence[Params], nodes: dict[str, Params], depth: int) -> Iterator[tuple[Params, int]]:
    """Nodes in document order with their depth; those that are ignored give way to their children."""
    waiting = [(node, depth) for node in reversed(roots)]
    while waiting:
        node, level = waiting.pop()
        is_told = not node.get("ignored") and _role(node) not in _UNTOLD
        if is_told:
            yield node, level
        below = min(level + is_told, _MAX_DEPTH)
        children = [nodes[each] for each in node.get("childIds", ()) if each in nodes]
        waiting += [(child, below) for child in reversed(children)]


async def _inner(tab: Tab, document: Document, node: Params, depth: int) -> list[_Line]:
    try:
        described = await document.session("DOM.describeNode", backendNodeId=node["backendDOMNodeId"])
        frame_id = described["node"].get("frameId")
        return await _frame(tab, await fresh(tab, frame_id), depth) if frame_id else []
    except ChromeError as error:
        return [_Line(depth, f"(the frame could not be read: {error.message})", None, document)]


def _role(node: Params) -> str:
    return str(node.get("role", {}).get("value", ""))


def _text(node: Params) -> str:
    name = str(node.get("name", {}).get("value", ""))
    parts = [_role(node) or "(no role)", *([_quoted(name)] if name else [])]
    value = node.get("value", {}).get("value")
    if value not in (None, ""):
        parts.append(f"value={_quoted(str(value))}")
    if node.get("description", {}).get("value"):
        parts.append(f"description={_quoted(str(node['description']['value']))}")
    for each in node.get("properties", ()):
        parts += _property(each["name"], each["value"].get("value"))
    return " ".join(parts)


def _property(name: str, value: Any) -> list[str]:
    if value in (None, "", False) or value in _QUIET.get(name, ()):
        return []
    return [name] if value is True else [f"{name}={value}"]


def _quoted(text: str) -> str:
    return '"' + " ".join(text.split()).replace('"', '\\"') + '"'


def _lines(lines: Sequence[_Line], names: Sequence[tuple[str, bool]]) -> Iterator[str]:
    """What lies in a secret field is as secret as the field."""
    secret_depth: int | None = None
    for line, (uid, is_secret) in zip(lines, names, strict=True):
        if secret_depth is not None and line.depth <= secret_depth:
            secret_depth = None
        if is_secret and secret_depth is None:
            secret_depth = line.depth
        yield " " * line.depth + _told(line, uid, secret_depth is not None)


def _told(line: _Line, uid: str, is_secret: bool) -> str:
    role, _, rest = line.text.partition(" ")
    text = f"{role} {REDACTED}" if is_secret and rest else line.text
    return f"uid={uid} {text}" if uid else text


async def _names(lines: Sequence[_Line]) -> list[tuple[str, bool]]:
    """Of each line the uid, '' for what is no element of the document, and whether it holds a secret."""
    found: list[tuple[str, bool]] = []
    for at in range(0, len(lines), _BATCH):
        handles = await asyncio.gather(*(_handle(line) for line in lines[at : at + _BATCH]))
        by_document: dict[int, list[Handle]] = {}
        for handle in handles:
            if handle is not None:
                by_document.setdefault(handle.document.number, []).append(handle)
        named: dict[str, tuple[str, bool]] = {}
        for group in by_document.values():
            answers = await call(group[0].document, "uidsOf", *group)
            for each, (uid, is_secret) in zip(group, answers, strict=True):
                named[each.object_id] = uid, is_secret
        # Only now: documents of one process share the group.
        for session in {handle.session for handle in handles if handle is not None}:
            await session("Runtime.releaseObjectGroup", objectGroup=_GROUP)
        found += [named[each.object_id] if each is not None else ("", False) for each in handles]
    return found


async def _handle(line: _Line) -> Handle | None:
    if line.node is None:
        return None
    document = line.document
    try:
        answer = await document.session(
            "DOM.resolveNode",
            backendNodeId=line.node,
            executionContextId=document.context,
            objectGroup=_GROUP,
        )
    except CommandFailed:
        # A node of a closed shadow root, of another document, or gone.
        return None
    return Handle(document, answer["object"]["objectId"], "a node of the tree")
