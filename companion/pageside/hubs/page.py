"""One connected page, and how pages are found."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pageside.core.redaction import redact_text, redact_url
from pageside.hubs.channel import Channel

MAX_TEXT = 2000
"""Characters of a URL or a title that are kept."""


@dataclass(slots=True)
class Page:
    """One document. `last_used` orders pages by when the user touched them, higher is later."""

    id: str
    key: str
    channel: Channel
    info: dict[str, Any]
    last_used: int
    secret: str = field(default="", repr=False)
    """The document holds it under `Symbol.for(pageSymbol)`: who reads it there has found this page. Never shown."""
    used_at: float | None = None
    """When the user touched it last, in ms since 1970."""
    leaving: asyncio.TimerHandle | None = field(default=None, repr=False)
    left: bool = False
    """The document has said goodbye: it hears nothing any more."""

    @property
    def url(self) -> str:
        return str(self.info.get("url", ""))

    @property
    def title(self) -> str:
        return str(self.info.get("title", ""))

    def is_key(self, value: object) -> bool:
        """True for the key with which this page connected."""
        given = value.encode(errors="surrogatepass") if isinstance(value, str) else b""
        return secrets.compare_digest(given, self.key.encode())

    @property
    def visible(self) -> bool:
        return self.info.get("visible") is True

    def summary(self) -> dict[str, Any]:
        """`{"id", "url", "title", "visible"}`."""
        return {"id": self.id, "url": self.url, "title": self.title, "visible": self.visible}


def cleaned(info: dict[str, Any]) -> dict[str, Any]:
    """Page info without secrets in its URL and title."""
    return {
        **info,
        "url": redact_url(str(info.get("url", "")))[:MAX_TEXT],
        "title": redact_text(str(info.get("title", "")))[:MAX_TEXT],
    }


def find(pages: Sequence[Page], wanted: str) -> list[Page]:
    """Pages whose id is `wanted`, else those whose title or URL has it as a part, any case."""
    exact = [page for page in pages if page.id == wanted]
    if exact:
        return exact
    part = wanted.casefold()
    return [p for p in pages if part in p.title.casefold() or part in p.url.casefold()]
