"""Pageside for WSGI apps: Flask, Django, Pyramid, Bottle.

    app.wsgi_app = PagesideMiddleware(app.wsgi_app, enabled=app.debug)

What is asked of Pageside itself is answered by an event loop in a thread of its own; the app never waits for it.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Unpack

from pageside.contract import LIMITS
from pageside.errors import PagesideError, Refused
from pageside.middleware.exchange import STREAM, Asked, Headers, Socket, below, refusal
from pageside.middleware.options import PagesideOptions, read_options
from pageside.middleware.pages import Insertion, Page, Pages
from pageside.middleware.templates import TEMPLATES

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

    from pageside.middleware.side import Side

__all__ = ["PagesideMiddleware"]

log = logging.getLogger("pageside")

_SEEN = "pageside.seen"
_SOCKETS = ("werkzeug.socket", "gunicorn.socket")


class PagesideMiddleware:
    """Wraps a WSGI app, with the options of docs/python-pages.md; off unless one says that it is on."""

    def __init__(self, app: WSGIApplication, **options: Unpack[PagesideOptions]) -> None:
        self._app = app
        self._options = read_options(options)
        self._side: Side | None = None
        self._lock = threading.Lock()
        self._is_told = False
        if self._options.enabled:
            self._pages = Pages(self._options)
            TEMPLATES.turn_on(self._options.project)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not self._options.enabled or environ.get(_SEEN):
            return self._app(environ, start_response)
        environ[_SEEN] = True
        base = str(environ.get("SCRIPT_NAME", "")).rstrip("/")
        path = _decoded(environ.get("PATH_INFO", ""))
        ours = below(path, base)
        if ours is not None:
            return self._answer(environ, ours, start_response)
        page = self._pages.page(_asked(environ, path), base)
        if page is None:
            return self._app(environ, start_response)
        if not _has_threads(environ):
            # The client would only ask again and again.
            self._no_threads()
            return self._app(environ, start_response)
        self._open_side().serves(page.url)
        for name in ("ACCEPT_ENCODING", "IF_NONE_MATCH", "IF_MODIFIED_SINCE"):
            environ.pop(f"HTTP_{name}", None)
        return _Inserted(self._app, environ, start_response, page)

    def close(self) -> None:
        """Let go of the companion now; the end of the process does so too."""
        with self._lock:
            side, self._side = self._side, None
        if side is not None:
            side.stop()

    def _answer(self, environ: WSGIEnvironment, path: str, start_response: StartResponse) -> Iterable[bytes]:
        side = self._open_side()
        try:
            if path == STREAM and not _has_threads(environ):
                raise self._no_threads()
            answer = side.answer(_asked(environ, path, _body(environ)))
        except PagesideError as error:
            answer = refusal(error)
        start_response(f"{answer.status} {_phrase(answer.status)}", list(answer.headers))
        return [answer.body] if answer.stream is None else side.streamed(answer.stream)

    def _no_threads(self) -> Refused:
        error = Refused(
            503,
            "PAGE_NOT_CONNECTED",
            "The app's server answers one request at a time, so a page cannot be kept connected.",
            "Run it with threads: app.run(threaded=True), `flask run`, `gunicorn --threads 4`.",
        )
        if not self._is_told:
            self._is_told = True
            log.warning("Pageside is off. %s %s", error.message, error.fix)
        return error

    def _open_side(self) -> Side:
        """The one of this process: servers fork."""
        with self._lock:
            if self._side is None or self._side.pid != os.getpid():
                # With aiohttp in it: an app in production shall not wait for that.
                from pageside.middleware.side import Side  # noqa: PLC0415

                self._side = Side(self._options)
            return self._side


class _Inserted:
    """The app's answer, with the client in it if it is a document."""

    def __init__(
        self, app: WSGIApplication, environ: WSGIEnvironment, start_response: StartResponse, page: Page
    ) -> None:
        self._page, self._start = page, start_response
        self._insertion: Insertion | None = None
        self._begin: Callable[[], Callable[[bytes], object]] | None = None
        self._write: Callable[[bytes], object] | None = None
        self._is_over = False
        self._result = app(environ, self._start_response)
        self._chunks = iter(self._result)

    def __iter__(self) -> _Inserted:
        return self

    def __next__(self) -> bytes:
        while not self._is_over:
            chunk = next(self._chunks, None)
            self._is_over = chunk is None
            insertion = self._insertion
            if insertion is None:
                if chunk is not None:
                    return chunk
                break
            text = insertion.finish() if chunk is None else insertion.feed(chunk)
            if insertion.is_ready:
                self._begin_once()
                return text
        raise StopIteration

    def close(self) -> None:
        """What the app's answer holds is let go."""
        close = getattr(self._result, "close", None)
        if close is not None:
            close()

    def _start_response(
        self, status: str, headers: Headers, exc_info: Any = None, /
    ) -> Callable[[bytes], object]:
        insertion = self._page.begin(int(status[:3]), headers)
        if insertion is None or (exc_info is not None and self._write is not None):
            self._insertion = None
            return self._start(status, headers, exc_info)
        self._insertion = insertion
        self._begin = lambda: self._start(status, insertion.headers(), exc_info)
        return self._feed

    def _feed(self, data: bytes) -> None:
        """The old way to write, which some apps still use."""
        assert self._insertion is not None
        text = self._insertion.feed(data)
        if self._insertion.is_ready:
            write = self._begin_once()
            assert write is not None
            write(text)

    def _begin_once(self) -> Callable[[bytes], object] | None:
        if self._begin is not None:
            self._write, self._begin = self._begin(), None
        return self._write


def _asked(environ: WSGIEnvironment, path: str, body: bytes = b"") -> Asked:
    headers = [
        (name[5:].replace("_", "-").lower(), value)
        for name, value in environ.items()
        if name.startswith("HTTP_") and isinstance(value, str)
    ]
    more = [("content-type", environ.get("CONTENT_TYPE")), ("content-length", environ.get("CONTENT_LENGTH"))]
    headers += [(name, value) for name, value in more if value]
    return Asked(
        environ["REQUEST_METHOD"],
        path,
        environ.get("QUERY_STRING", ""),
        headers,
        environ.get("wsgi.url_scheme") == "https",
        environ.get("REMOTE_ADDR") or None,
        _once(body),
        _socket(environ),
    )


async def _once(body: bytes) -> AsyncIterator[bytes]:
    yield body


def _body(environ: WSGIEnvironment) -> bytes:
    """The body, unless it is one that is refused by its length."""
    most = LIMITS["bodyBytes"] + 1
    length = environ.get("CONTENT_LENGTH") or ""
    if length.isascii() and length.isdecimal():
        size = int(length[:15])
        return bytes(environ["wsgi.input"].read(size)) if size < most else b""
    return bytes(environ["wsgi.input"].read(most)) if environ.get("wsgi.input_terminated") else b""


def _socket(environ: WSGIEnvironment) -> Socket | None:
    """Where the server tells its socket."""
    for name in _SOCKETS:
        socket = environ.get(name)
        if socket is not None:
            client, own = socket.getpeername(), socket.getsockname()
            return Socket(*client[:2], *own[:2]) if len(client) >= 2 and len(own) >= 2 else None
    return None


def _has_threads(environ: WSGIEnvironment) -> bool:
    return bool(environ.get("wsgi.multithread", True))


def _decoded(path: str) -> str:
    """WSGI has bytes as Latin-1."""
    return path.encode("latin-1").decode("utf-8", "replace")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Answer"
