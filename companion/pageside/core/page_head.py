"""Puts a tag into the head of an HTML document that comes in chunks; what is no whole document stays as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping

MAX_PROLOGUE = 64 * 1024
"""Bytes that are held back until the head is found."""

_ATTRIBUTES = rb"""(?:\s(?:"[^"]*"|'[^']*'|[^"'>])*)?"""
_BLANK = re.compile(rb"\s+")
_COMMENT = re.compile(rb"<!--.*?-->", re.S)
_BEFORE = re.compile(rb"<!doctype[^>]*>|<html" + _ATTRIBUTES + rb">", re.I)
_PROCESSING = re.compile(rb"<\?[^>]*>")
_HEAD = re.compile(rb"<head" + _ATTRIBUTES + rb">", re.I)
_UNFINISHED = re.compile(
    rb"<(?:!(?:-(?:-.*)?|[a-z].*)?|\?.*|h(?:t(?:m(?:l(?:\s.*)?)?)?|e(?:a(?:d(?:\s.*)?)?)?)?)?\Z", re.I | re.S
)
_BOMS = (b"\xff\xfe", b"\xfe\xff")


class HeadInserter:
    """Feed it every chunk, then `finish()`; what it gives back goes to the browser. `decided`: it holds nothing."""

    def __init__(self, tag: bytes) -> None:
        self._tag = tag
        self._held = b""
        self.decided = False
        self.inserted = False

    def feed(self, chunk: bytes) -> bytes:
        """As much as can go out now."""
        if self.decided:
            return chunk
        self._held += chunk
        place = find_head(self._held)
        if place is None and len(self._held) <= MAX_PROLOGUE:
            return b""
        return self._release(place)

    def finish(self) -> bytes:
        """What was held back, because the document ended before its head."""
        return b"" if self.decided else self._release(None)

    def _release(self, place: int | None) -> bytes:
        held, self._held = self._held, b""
        self.decided = True
        if place is None or place < 0:
            return held
        self.inserted = True
        return held[:place] + self._tag + held[place:]


def find_head(text: bytes) -> int | None:
    """Where the tag belongs: after `<head>`, else before what comes first; -1 in no document; None: more is needed."""
    if text.startswith(_BOMS):
        return -1
    at = len(b"\xef\xbb\xbf") if text.startswith(b"\xef\xbb\xbf") else 0
    is_document = False
    while at < len(text):
        head = _HEAD.match(text, at)
        if head is not None:
            return head.end()
        before = _BEFORE.match(text, at)
        skipped = before or _BLANK.match(text, at) or _COMMENT.match(text, at) or _PROCESSING.match(text, at)
        if skipped is None:
            break
        is_document = is_document or before is not None
        at = skipped.end()
    if at == len(text) or _UNFINISHED.match(text, at):
        return None
    return at if is_document else -1


def is_html(headers: Mapping[str, str]) -> bool:
    """Whether an answer is HTML that can be read here: not compressed, not in two bytes for each character."""
    kind, _, parameters = headers.get("content-type", "").lower().partition(";")
    return kind.strip() == "text/html" and not re.search(r"charset=\W*(?:utf-?(?:16|32)|ucs)", parameters)


def is_compressed(headers: Mapping[str, str]) -> bool:
    """Whether the answer is encoded in a way that hides its text."""
    return headers.get("content-encoding", "identity").strip().lower() not in ("", "identity")


def is_download(headers: Mapping[str, str]) -> bool:
    """Whether the browser stores the answer as a file instead of showing it."""
    return headers.get("content-disposition", "").partition(";")[0].strip().lower() == "attachment"


def wants_document(method: str, headers: Mapping[str, str]) -> bool:
    """Whether a browser asks for something to show as a page, and not a script for data."""
    destination = headers.get("sec-fetch-dest", "document")
    return method in ("GET", "HEAD") and destination in ("document", "iframe", "frame")
