"""What requests brought and sent: asked of Chrome when it is wanted, or kept here where Chrome forgets it."""

from __future__ import annotations

import asyncio
import base64
from collections import OrderedDict

from pageside.chrome.requests import Request, cut
from pageside.chrome.session import Params
from pageside.core.redaction import redact_body
from pageside.errors import ChromeError, CommandTimeout

MAX_KEPT = 4_000_000
"""Characters of bodies kept here, for a Chrome that does not keep them over navigations."""
_MAX_EAGER_BYTES = 1_000_000
_EAGER = ("document", "fetch", "xhr", "eventsource")


class Bodies:
    """Made by `Network`."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, str] = OrderedDict()
        self._total = 0

    # Kept here

    def wants(self, request: Request) -> bool:
        """True if its body is worth keeping before it is asked for."""
        is_error = (request.status or 0) >= 400
        return request.size <= _MAX_EAGER_BYTES and (request.type in _EAGER or is_error)

    async def keep(self, request: Request) -> None:
        """Fetch the body now, as the next navigation would take it away."""
        told = _told(await _fetch(request))
        self._kept[request.id] = told
        self._total += len(told)
        while self._total > MAX_KEPT:
            _, oldest = self._kept.popitem(last=False)
            self._total -= len(oldest)

    def drop(self, reqid: int) -> None:
        self._total -= len(self._kept.pop(reqid, ""))

    # Asked for

    async def text(self, request: Request) -> str:
        if request.id in self._kept:
            return self._kept[request.id]
        if request.redirected_to is not None:
            return "<none: it was redirected>"
        if request.type == "websocket":
            return "<none: a WebSocket>"
        try:
            return _told(await _fetch(request))
        except (ChromeError, CommandTimeout) as error:
            return f"<not available: {error.message}>"

    async def whole(self, request: Request) -> bytes:
        return await asyncio.to_thread(_redacted, await _fetch(request))

    async def sent(self, request: Request) -> str | None:
        if request.post is not None or not request.has_post:
            return request.post
        try:
            return _told(await _fetch_sent(request))
        except (ChromeError, CommandTimeout) as error:
            return f"<not available: {error.message}>"

    async def whole_sent(self, request: Request) -> bytes | None:
        if not request.has_post:
            return None
        if request.post is not None and request.is_whole_post:
            return request.post.encode("utf-8", "replace")
        return await asyncio.to_thread(_redacted, await _fetch_sent(request))


async def _fetch(request: Request) -> Params:
    return await request.session("Network.getResponseBody", requestId=request.key)


async def _fetch_sent(request: Request) -> Params:
    answer = await request.session("Network.getRequestPostData", requestId=request.key)
    return {"body": answer["postData"], "base64Encoded": answer.get("base64Encoded", False)}


def _told(answer: Params) -> str:
    if not answer.get("base64Encoded"):
        return cut(answer["body"])
    raw = base64.b64decode(answer["body"])
    text = _decoded(raw)
    return f"<binary, {len(raw)} bytes>" if text is None else cut(text)


def _redacted(answer: Params) -> bytes:
    """On a thread: bodies can be long."""
    if answer.get("base64Encoded"):
        raw = base64.b64decode(answer["body"])
        text = _decoded(raw)
        if text is None:
            return raw
    else:
        text = answer["body"]
    return redact_body(text).encode("utf-8", "replace")


def _decoded(raw: bytes) -> str | None:
    if b"\0" in raw[:1_000]:
        return None
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return None
