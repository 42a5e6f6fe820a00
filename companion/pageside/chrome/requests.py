"""One request of a tab, as `Network` collects it from Chrome's events; nothing in it is secret any more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pageside.chrome.session import Params, Session
from pageside.chrome.stacks import Frame, Place, frames_of, place_of
from pageside.core.headers import redact_headers
from pageside.core.redaction import redact_body, redact_url

MAX_BODY = 10_000
"""Characters of a body that are told."""
REQUEST_TYPES = (
    *("document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch", "prefetch"),
    *("eventsource", "websocket", "manifest", "signedexchange", "ping", "cspviolationreport", "preflight"),
    *("fedcm", "other"),
)
"""Chrome's `Network.ResourceType` in lower case."""
_MAX_READ = MAX_BODY + 6_000
_MAX_URL = 4_000
_MAX_BLOCKED_COOKIES = 20


@dataclass(frozen=True, slots=True)
class Initiator:
    """Who asked for it: `type` is Chrome's word (parser, script, preload, preflight, other …)."""

    type: str
    place: Place | None
    frames: tuple[Frame, ...]


@dataclass(slots=True)
class Request:
    """A request, one hop of a redirect, or a WebSocket; times in ms, sizes in bytes."""

    id: int
    key: str
    """Chrome's own id, the same for all hops of a redirect."""
    session: Session
    method: str
    url: str
    type: str
    """document, script, stylesheet, image, fetch, xhr, websocket …"""
    at: float
    """When it began, in ms since 1970."""
    started: float
    """The same in seconds of Chrome's monotonic clock."""
    navigation: int
    loader: str = ""
    initiator: Initiator | None = None
    post: str | None = None
    """Beginning of what was sent."""
    is_whole_post: bool = False
    has_post: bool = False
    status: int | None = None
    status_text: str = ""
    mime: str = ""
    protocol: str = ""
    remote: str = ""
    cache: str | None = None
    """memory, disk, prefetch or service worker; None: from the network."""
    failure: str | None = None
    blocked: str | None = None
    canceled: bool = False
    abandoned: bool = False
    """Its document or worker went away before Chrome told of an end."""
    ended: float | None = None
    transferred: int | None = None
    size: int = 0
    """Of the body, uncompressed."""
    redirected_from: int | None = None
    redirected_to: int | None = None
    frames_sent: int = 0
    frames_received: int = 0
    sent: dict[str, str] = field(default_factory=dict)
    received: dict[str, str] = field(default_factory=dict)
    sent_extra: dict[str, str] | None = None
    received_extra: dict[str, str] | None = None
    blocked_cookies: list[str] = field(default_factory=list)
    has_extra: bool | None = None
    marks: Params = field(default_factory=dict)
    """`Network.ResourceTiming`."""

    @property
    def request_headers(self) -> dict[str, str]:
        """As they were sent, where Chrome told; else as the page wanted them."""
        return self.sent_extra if self.sent_extra is not None else self.sent

    @property
    def response_headers(self) -> dict[str, str]:
        return self.received_extra if self.received_extra is not None else self.received

    @property
    def outcome(self) -> str:
        """pending, finished, redirected, failed or abandoned."""
        if self.failure is not None:
            return "failed"
        if self.redirected_to is not None:
            return "redirected"
        if self.ended is not None:
            return "finished"
        return "abandoned" if self.abandoned else "pending"

    @property
    def ms(self) -> float | None:
        """From its beginning to its end."""
        return None if self.ended is None else _ms(self.ended - self.started)

    @property
    def timing(self) -> dict[str, float]:
        """Phases in ms: queued, dns, connect, tls, send, ttfb, download; those that did not occur are left out."""
        marks = self.marks
        if not marks or "requestTime" not in marks:
            return {}
        spans = {
            "dns": _span(marks, "dnsStart", "dnsEnd"),
            "connect": _span(marks, "connectStart", "connectEnd"),
            "tls": _span(marks, "sslStart", "sslEnd"),
            "send": _span(marks, "sendStart", "sendEnd"),
            "ttfb": _span(marks, "sendEnd", "receiveHeadersEnd"),
        }
        if spans["tls"] is not None and spans["connect"] is not None:
            # Chrome counts the handshake as a part of connecting.
            spans["connect"] = max(0.0, spans["connect"] - spans["tls"])
        first = next((marks[name] for name in _FIRST if marks.get(name, -1) >= 0), 0.0)
        phases = {"queued": (marks["requestTime"] - self.started) * 1000 + first, **spans}
        if self.ended is not None and marks.get("receiveHeadersEnd", -1) >= 0:
            headers = marks["requestTime"] + marks["receiveHeadersEnd"] / 1000
            phases["download"] = (self.ended - headers) * 1000
        return {name: round(max(0.0, each), 2) for name, each in phases.items() if each is not None}

    # Events

    def answered(self, response: Params) -> None:
        """Take what `Network.Response` says."""
        self.status = int(response.get("status") or 0) if self.received_extra is None else self.status
        self.status_text = str(response.get("statusText") or "")[:200]
        self.received = redact_headers(response.get("headers") or {})
        self.mime = str(response.get("mimeType") or "")
        self.protocol = str(response.get("protocol") or "")
        self.marks = response.get("timing") or {}
        if response.get("remoteIPAddress"):
            self.remote = f"{response['remoteIPAddress']}:{response.get('remotePort', 0)}"
        self.cache = self.cache or _cache(response)

    def failed(self, params: Params) -> None:
        """Take what `Network.loadingFailed` says."""
        self.ended = params["timestamp"]
        self.canceled = bool(params.get("canceled"))
        self.blocked = params.get("blockedReason")
        cors = params.get("corsErrorStatus") or {}
        why = [params.get("errorText"), self.blocked, cors.get("corsError")]
        self.failure = ": ".join(str(each) for each in why if each) or "failed"

    def no_cookies(self, cookies: list[Params], what: str) -> None:
        """Remember the names of cookies that Chrome kept back, and why."""
        for each in cookies[: _MAX_BLOCKED_COOKIES - len(self.blocked_cookies)]:
            reasons = ", ".join(str(reason) for reason in each.get("blockedReasons", ()))
            name = (each.get("cookie") or {}).get("name", "(unreadable)")
            if reasons:
                self.blocked_cookies.append(f"{str(name)[:100]} not {what}: {reasons}")


_FIRST = ("dnsStart", "connectStart", "sendStart")


def _span(marks: Params, start: str, end: str) -> float | None:
    begun, done = marks.get(start, -1), marks.get(end, -1)
    return done - begun if begun >= 0 and done >= 0 else None


def _ms(seconds: float) -> float:
    return round(max(0.0, seconds) * 1000, 2)


def _cache(response: Params) -> str | None:
    if response.get("fromServiceWorker"):
        return "service worker"
    if response.get("fromPrefetchCache"):
        return "prefetch"
    return "disk" if response.get("fromDiskCache") else None


def initiator_of(given: Params) -> Initiator:
    """Chrome's `Network.Initiator`, with a place of its own or that of the innermost call."""
    frames = frames_of(given.get("stack"))
    place = place_of(given.get("url"), given.get("lineNumber"), given.get("columnNumber"))
    return Initiator(str(given.get("type", "other")), place or (frames[0].place if frames else None), frames)


def cut(text: str) -> str:
    """A body without secrets, at most `MAX_BODY` characters with a note of what is missing."""
    told = redact_body(text[:_MAX_READ])
    if len(text) <= MAX_BODY:
        return told
    return f"{told[:MAX_BODY]}\n… [cut: {len(text) - MAX_BODY} of {len(text)} characters more]"


def plain_url(url: str) -> str:
    """A request's URL without secrets, of bounded length."""
    told = redact_url(url[: _MAX_URL + 1_000])
    return told if len(told) <= _MAX_URL else f"{told[:_MAX_URL]}…"


def take_post(request: Request, asked: Params) -> None:
    """Keep the beginning of what is sent, as far as the event tells it; all of it if it is short."""
    post: Any = asked.get("postData")
    request.has_post = bool(asked.get("hasPostData"))
    if isinstance(post, str):
        request.post, request.is_whole_post = cut(post), len(post) <= MAX_BODY
