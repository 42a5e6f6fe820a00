"""The app's own HTML, with the inspector client in its head: what every kind of server does alike."""

from __future__ import annotations

import html
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from pageside.contract import CHANNEL
from pageside.core.page_guard import Access, check_peer, host_name, is_allowed_host
from pageside.core.page_head import HeadInserter, is_compressed, is_download, is_html, wants_document
from pageside.core.page_policy import read_policy
from pageside.errors import Refused
from pageside.middleware.exchange import PREFIX, Asked, Headers, joined
from pageside.middleware.options import Options
from pageside.middleware.templates import TEMPLATES
from pageside.processes.project import project_id

log = logging.getLogger("pageside")

CLIENT: str = PREFIX + CHANNEL["routes"]["client"]
_NOT_ASKED = frozenset(("accept-encoding", "if-none-match", "if-modified-since"))
"""An answer must come whole, and in a form that can be read; what a browser keeps may lack the client."""
_NOT_TOLD = frozenset(("etag", "last-modified", "content-md5", "digest", "content-digest", "repr-digest"))
"""What is true of the answer as the app made it."""
_WITHOUT_BODY = frozenset((204, 205, 206, 304))
_told: set[str] = set()


@dataclass(frozen=True, slots=True)
class Page:
    """A request for a document, which may get the client."""

    method: str
    host: str
    scheme: str
    base: str
    query: Mapping[str, str]
    """What the client must know before any companion answers."""

    @property
    def url(self) -> str:
        """Where the app is reached."""
        return f"{self.scheme}://{self.host}{self.base}/"

    def ask(self, headers: Headers) -> Headers:
        """The headers that the app gets to see."""
        return [(name, value) for name, value in headers if name.lower() not in _NOT_ASKED]

    def begin(self, status: int, headers: Headers) -> Insertion | None:
        """What is done to the answer; None: nothing."""
        named = joined((name.lower(), value) for name, value in headers)
        if status < 200 or status in _WITHOUT_BODY or not is_html(named) or is_download(named):
            return None
        if is_compressed(named):
            _tell_once(
                "compressed",
                "Pageside leaves a page out that the app compresses unasked: turn that off in development.",
            )
            return None
        policies = [value for name, value in headers if name.lower() == "content-security-policy"]
        policy = read_policy(policies, (self.host, f"{self.scheme}://{self.host}"))
        if policy.problem:
            _tell_once(
                policy.problem,
                f"The page's Content-Security-Policy keeps Pageside's client out: {policy.problem}. "
                "Allow 'self' there in development.",
            )
        return Insertion(headers, self._tag(policy.nonce, policy.trusted_types), self.method == "HEAD")

    def _tag(self, nonce: str, trusted_types: bool) -> bytes:
        query = {**self.query} | ({"tt": "1"} if trusted_types else {})
        source = html.escape(f"{self.base}{CLIENT}?{urlencode(query)}")
        own = f' nonce="{html.escape(nonce)}"' if nonce else ""
        return f'<script type="module"{own} src="{source}"></script>'.encode()


class Insertion:
    """One answer on its way: nothing may go out before it `is_ready`, then its `headers` first."""

    def __init__(self, headers: Headers, tag: bytes, is_head: bool) -> None:
        self._headers, self._tag, self._is_head = headers, tag, is_head
        self._inserter = HeadInserter(tag)

    @property
    def is_ready(self) -> bool:
        return self._is_head or self._inserter.decided

    def feed(self, chunk: bytes) -> bytes:
        """What can go out of what the app wrote."""
        return chunk if self._is_head else self._inserter.feed(chunk)

    def finish(self) -> bytes:
        """The rest; the app has written all."""
        return b"" if self._is_head else self._inserter.finish()

    def headers(self) -> Headers:
        """As they are true of what goes out."""
        if not self._is_head and not self._inserter.inserted:
            return self._headers
        return [each for header in self.stream_headers() for each in self._length(*header)]

    def stream_headers(self) -> Headers:
        """For an answer of no stated length, whose headers cannot wait."""
        return [(name, value) for name, value in self._headers if name.lower() not in _NOT_TOLD]

    def _length(self, name: str, value: str) -> Headers:
        if name.lower() != "content-length":
            return [(name, value)]
        # Of a HEAD nobody knows what the body would be.
        is_known = value.isascii() and value.isdecimal() and not self._is_head
        return [(name, str(int(value) + len(self._tag)))] if is_known else []


class Pages:
    """Which requests are for documents that get the client."""

    def __init__(self, options: Options) -> None:
        self._access = Access(options.allowed_hosts, options.lan)
        self._query = {"project": project_id(options.project)}
        if options.overlay:
            self._query["overlay"] = options.overlay

    def page(self, asked: Asked, base: str) -> Page | None:
        """None for data, for other machines and for names that are not ours: they get the app as it is."""
        knock = asked.knock()
        if not wants_document(asked.method, knock.headers) or len(knock.hosts) != 1:
            return None
        name = host_name(knock.hosts[0])
        if name is None or not is_allowed_host(name, self._access):
            return None
        try:
            check_peer(knock, self._access)
        except Refused:
            return None
        TEMPLATES.prepare()
        return Page(asked.method, knock.hosts[0], "https" if asked.secure else "http", base, self._query)


def _tell_once(key: str, text: str) -> None:
    if key not in _told:
        _told.add(key)
        log.warning("%s", text)
