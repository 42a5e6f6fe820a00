"""ASGI and WSGI as their specifications have them: the app's answers get the client and are otherwise its own."""

from __future__ import annotations

import asyncio
import gzip
import html
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from pageside.errors import InvalidArguments
from pageside.middleware import asgi, wsgi
from pageside.middleware.options import PagesideOptions, read_options

PAGE = b"<!doctype html><html><head><title>x</title></head>"
HTML = {"content-type": "text/html; charset=utf-8"}
NOBODY = "http://127.0.0.1:9"
"""Where no companion is, and none is started."""


@pytest.fixture
def options(tmp_path: Path) -> PagesideOptions:
    return {"enabled": True, "project": tmp_path, "state_dir": tmp_path / "state", "url": NOBODY}


Answer = tuple[int, dict[str, str], list[bytes]]
Ask = Callable[..., Answer]
"""`ask(body chunks, status, headers of the answer, method=, **headers of the request)`."""


class _App:
    """What the app is asked, and what it answers."""

    def __init__(self, chunks: Iterable[bytes], status: int, headers: dict[str, str]) -> None:
        self.chunks, self.status, self.headers = list(chunks), status, headers
        self.asked: dict[str, str] = {}
        self.is_closed = False

    async def asgi(self, scope: Any, _receive: Any, send: Any) -> None:
        self.asked = {name.decode(): value.decode() for name, value in scope["headers"]}
        headers = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        for chunk in self.chunks:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body"})

    def wsgi(self, environ: Any, start_response: Any) -> _Closing:
        self.asked = {
            name[5:].lower().replace("_", "-"): value
            for name, value in environ.items()
            if name[:5] == "HTTP_"
        }
        start_response(f"{self.status} Said", list(self.headers.items()))
        return _Closing(self)


class _Closing:
    def __init__(self, app: _App) -> None:
        self._app = app

    def __iter__(self) -> Any:
        return iter(self._app.chunks)

    def close(self) -> None:
        self._app.is_closed = True


def through_asgi(
    app: _App, options: PagesideOptions, method: str, path: str, headers: dict[str, str]
) -> Answer:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    middleware = asgi.PagesideMiddleware(app.asgi, **options)

    async def run() -> None:
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": b"",
            "root_path": "/base" if path.startswith("/base/") else "",
            "scheme": "http",
            "client": ("127.0.0.1", 5),
            "server": ("127.0.0.1", 80),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        await middleware(scope, receive, send)
        await middleware._close_door()  # noqa: SLF001

    asyncio.run(run())
    start, *bodies = sent
    named = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], named, [body.get("body", b"") for body in bodies]


def through_wsgi(
    app: _App, options: PagesideOptions, method: str, path: str, headers: dict[str, str]
) -> Answer:
    started: list[Any] = []
    start: Any = lambda *told: started.append(told)  # noqa: E731
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path.removeprefix("/base"),
        "SCRIPT_NAME": "/base" if path.startswith("/base/") else "",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": "http",
        "wsgi.multithread": True,
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
    }
    result = wsgi.PagesideMiddleware(app.wsgi, **options)(environ, start)
    bodies = list(result)
    result.close()  # type: ignore[attr-defined]
    assert app.is_closed
    ((status, named, *_),) = started
    return int(status[:3]), dict(named), bodies


@pytest.fixture(params=[through_asgi, through_wsgi])
def ask(request: pytest.FixtureRequest, options: PagesideOptions) -> Ask:
    def asked(
        chunks: Iterable[bytes],
        status: int = 200,
        headers: dict[str, str] = HTML,
        *,
        method: str = "GET",
        path: str = "/",
        **more: str,
    ) -> Answer:
        app = _App(chunks, status, headers)
        sent = {"host": "localhost:80"} | {name.replace("_", "-"): value for name, value in more.items()}
        answer: Answer = request.param(app, options, method, path, sent)
        asked.app = app  # type: ignore[attr-defined]
        return answer

    return asked


def test_a_page_gets_the_client_with_headers_that_are_true_of_it(ask: Ask) -> None:
    headers = HTML | {"content-length": str(len(PAGE)), "etag": '"a"', "last-modified": "x", "x-own": "kept"}
    status, named, bodies = ask(
        [PAGE], 500, headers, accept_encoding="gzip", if_none_match='"a"', cookie="a=b"
    )
    body = b"".join(bodies)
    before, _, after = body.partition(b'<script type="module" src="/__pageside__/client.js?project=')
    assert (status, before, after[16:]) == (
        500,
        b"<!doctype html><html><head>",
        b'"></script><title>x</title></head>',
    )
    assert named == HTML | {"content-length": str(len(body)), "x-own": "kept"}
    assert ask.app.asked == {"host": "localhost:80", "cookie": "a=b"}  # type: ignore[attr-defined]


def test_a_stream_stays_one(ask: Ask) -> None:
    _, _, bodies = ask([PAGE[:20], PAGE[20:], b"<p>1", b"<p>2"])
    assert [body for body in bodies if body][-2:] == [b"<p>1", b"<p>2"]
    assert b"client.js" in b"".join(bodies)


@pytest.mark.parametrize(
    ("chunks", "status", "headers", "more"),
    [
        ([b"<div>part</div>"], 200, HTML, {}),
        ([PAGE], 200, {"content-type": "application/json"}, {}),
        ([PAGE], 200, {"content-type": "text/html; charset=utf-16"}, {}),
        ([gzip.compress(PAGE)], 200, HTML | {"content-encoding": "gzip"}, {}),
        ([], 304, HTML | {"etag": '"a"'}, {}),
        ([PAGE], 206, HTML, {}),
        ([PAGE], 200, HTML | {"content-disposition": 'Attachment; filename="a.html"', "etag": '"a"'}, {}),
        ([PAGE], 200, HTML | {"content-length": str(len(PAGE)), "etag": '"a"'}, {"sec_fetch_dest": "empty"}),
        ([PAGE], 200, HTML, {"method": "POST"}),
        ([PAGE], 200, HTML, {"host": "evil.test"}),
        ([PAGE], 200, HTML, {"x_forwarded_for": "1.2.3.4"}),
    ],
)
def test_all_else_goes_through_as_it_is(
    ask: Ask, chunks: list[bytes], status: int, headers: dict[str, str], more: dict[str, str]
) -> None:
    told, named, bodies = ask(chunks, status, headers, **more)
    assert (told, named, b"".join(bodies)) == (status, headers, b"".join(chunks))


def test_a_head_has_no_length_that_a_get_would_not_have(ask: Ask) -> None:
    _, named, bodies = ask([], 200, HTML | {"content-length": "50", "etag": '"a"'}, method="HEAD")
    assert (named, b"".join(bodies)) == (HTML, b"")


def test_the_nonce_of_a_policy_is_used_and_trusted_types_are_told(ask: Ask) -> None:
    policy = "script-src 'nonce-Ab12=='; require-trusted-types-for 'script'"
    _, _, bodies = ask([PAGE], 200, HTML | {"Content-Security-Policy": policy})
    assert b'nonce="Ab12=="' in b"".join(bodies)
    assert b"&amp;tt=1" in b"".join(bodies)


def test_the_client_is_told_how_the_project_wants_the_overlay(ask: Ask, options: PagesideOptions) -> None:
    options["overlay"] = {
        "shortcuts": {"element": "alt+ctrl+p", "area": False},
        "side": "left",
        "freeze": False,
    }
    _, _, bodies = ask([PAGE])
    source = b"".join(bodies).decode().partition('src="')[2].partition('"')[0]
    (told,) = parse_qs(urlsplit(html.unescape(source)).query)["overlay"]
    assert json.loads(told) == {
        "shortcuts": {"element": "Ctrl+Alt+P", "area": False},
        "side": "left",
        "freeze": False,
    }


def test_an_app_below_a_base_has_the_client_there(ask: Ask) -> None:
    _, _, bodies = ask([PAGE], path="/base/page")
    assert b'src="/base/__pageside__/client.js?' in b"".join(bodies)


def test_a_wsgi_app_may_write_the_old_way(options: PagesideOptions) -> None:
    written: list[bytes] = []

    def app(_environ: Any, start_response: Any) -> list[bytes]:
        write = start_response("200 OK", list(HTML.items()))
        write(PAGE[:10])
        write(PAGE[10:])
        return [b"<p>"]

    environ: Any = {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "REMOTE_ADDR": "::1", "HTTP_HOST": "[::1]:80"}
    result = wsgi.PagesideMiddleware(app, **options)(environ, lambda *_: written.append)
    body = b"".join(written) + b"".join(result)
    assert body.startswith(b"<!doctype html><html><head><script")
    assert body.endswith(b"</head><p>")


def test_a_server_without_threads_says_so_and_has_its_pages_as_they_are(
    options: PagesideOptions, caplog: pytest.LogCaptureFixture
) -> None:
    started: list[Any] = []
    start: Any = lambda *told: started.append(told)  # noqa: E731
    environ: Any = {
        "REQUEST_METHOD": "GET",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "localhost",
        "wsgi.multithread": False,
    }
    app = _App([PAGE], 200, HTML)
    middleware = wsgi.PagesideMiddleware(app.wsgi, **options)
    for _ in range(2):
        assert b"".join(middleware({**environ, "PATH_INFO": "/"}, start)) == PAGE
        body = b"".join(middleware({**environ, "PATH_INFO": "/__pageside__/page/stream"}, start))
        assert b"--threads" in body
    assert started[1][0].startswith("503 ")
    assert [record.message for record in caplog.records if "--threads" in record.message] == [
        caplog.messages[0]
    ]


def test_off_means_that_the_app_is_all_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    given: Any = {"PATH_INFO": "/__pageside__/client.js"}
    start: Any = object()

    def app(*arguments: Any) -> list[bytes]:
        seen.append(arguments)
        return [PAGE]

    monkeypatch.delenv("PAGESIDE_ENABLED", raising=False)
    assert wsgi.PagesideMiddleware(app)(given, start) == [PAGE]
    monkeypatch.setenv("PAGESIDE_ENABLED", "0")
    assert wsgi.PagesideMiddleware(app, enabled=True)(given, start) == [PAGE]
    assert seen == [(given, start), (given, start)]
    assert given == {"PATH_INFO": "/__pageside__/client.js"}


@pytest.mark.parametrize("kind", ["asgi", "wsgi", "jinja"])
def test_an_app_in_production_does_not_wait_for_what_only_development_needs(kind: str) -> None:
    code = f"import pageside.middleware.{kind}, sys; print(sorted({{'aiohttp', 'psutil', 'mcp'}} & set(sys.modules)))"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PAGESIDE_")}
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


def test_options_are_checked_by_name_and_the_environment_wins(tmp_path: Path) -> None:
    on: PagesideOptions = {"enabled": True, "project": tmp_path, "idle_seconds": 5}
    assert not read_options({}, {}).enabled
    assert read_options({}, {"PAGESIDE_ENABLED": "1", "PAGESIDE_PROJECT": str(tmp_path)}).project == tmp_path
    assert read_options(on, {"PAGESIDE_IDLE_SECONDS": "7"}).idle_seconds == 7
    wrong: list[tuple[Any, dict[str, str], str]] = [
        ({"projekt": "x"}, {}, "projekt"),
        (on | {"project": tmp_path / "no"}, {}, "project"),
        (on | {"idle_seconds": 0}, {}, "idle_seconds"),
        (on | {"allowed_hosts": "a.test"}, {}, "allowed_hosts"),
        (on | {"editor": "code"}, {}, "editor"),
        (on | {"overlay": {"colour": "red"}}, {}, "overlay.colour"),
        (on | {"overlay": {"side": "top"}}, {}, "overlay.side"),
        (on | {"overlay": {"shortcuts": {"element": "I"}}}, {}, "overlay.shortcuts.element"),
        (on | {"overlay": {"shortcuts": {"pick": "Alt+I"}}}, {}, "overlay.shortcuts.pick"),
        (on | {"overlay": "dark"}, {}, "overlay"),
        (on, {"PAGESIDE_LAN": "maybe"}, "PAGESIDE_LAN"),
    ]
    for given, environment, named in wrong:
        with pytest.raises(InvalidArguments, match=named):
            read_options(given, environment)
