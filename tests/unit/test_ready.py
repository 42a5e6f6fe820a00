"""Where a server can be reached is read from what it prints."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.ready import ready_url

READY = {
    "  ➜  Local:   http://localhost:5173/": "http://localhost:5173/",
    "  ➜  Local:   https://localhost:5173/shop/": "https://localhost:5173/shop/",
    "   - Local:        http://localhost:3000": "http://localhost:3000/",
    "<i> [webpack-dev-server] Loopback: http://localhost:8080/, http://[::1]:8080/": "http://localhost:8080/",
    "┃ Local    http://localhost:4321/docs": "http://localhost:4321/docs",
    "Starting development server at http://127.0.0.1:8000/": "http://127.0.0.1:8000/",
    " * Running on http://127.0.0.1:5000": "http://127.0.0.1:5000/",
    "INFO:     Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)": "http://localhost:8000/",
    "Serving HTTP on :: port 8000 (http://[::]:8000/) ...": "http://localhost:8000/",
    "======== Running on http://0.0.0.0:8080 ========": "http://localhost:8080/",
    "** open your browser on http://localhost:4200/ **": "http://localhost:4200/",
    "Server listening at http://[::1]:9000.": "http://[::1]:9000/",
    "Serving! http://shop.localhost:3000/.": "http://shop.localhost:3000/",
    "> Ready on http://localhost:3000": "http://localhost:3000/",
    "> Local: http://localhost:3000": "http://localhost:3000/",
    "Network: http://192.168.1.2:5173/ Local: http://LOCALHOST:5173/": "http://localhost:5173/",
}
NOT_READY = [
    "",
    "Local: http://localhost",
    "Local: http://localhost:0/",
    "Local: http://localhost:70000/",
    "Local: http://localhost:123456/",
    "Network: http://192.168.1.2:5173/",
    "See https://vite.dev:443/guide",
    "Debugger listening on ws://127.0.0.1:9229/abc",
    "For help, see http://localhost.example.com:80/",
    "[vite] http proxy error at http://localhost:8000/api",
    "connect ECONNREFUSED http://127.0.0.1:8000",
    "Error: listen EADDRINUSE http://localhost:3000",
    "Failed to fetch http://localhost:3000/x",
    "Waiting for http://localhost:3000 to answer",
    '127.0.0.1 - - "GET http://localhost:3000/ HTTP/1.1" 200',
    "> wait-on http://localhost:8080 && vite",
    "> cross-env API=http://localhost:8080/api vite --port 5173",
    "$ start-server-and-test start http://localhost:3000 cypress",
    "Pageside: http://localhost:5173/__mcp__",
    "Vue DevTools: http://localhost:5173/__devtools__/",
    "ftp://localhost:21/",
]


@pytest.mark.parametrize("line", READY)
def test_a_line_that_tells_the_address_is_understood(line: str) -> None:
    assert ready_url(line) == READY[line]


@pytest.mark.parametrize("line", NOT_READY)
def test_a_line_about_something_else_tells_none(line: str) -> None:
    assert ready_url(line) is None


@given(
    st.text(), st.sampled_from(["", "http://localhost:", "https://0.0.0.0:80", "http://[::]:1/"]), st.text()
)
def test_what_is_found_is_an_address_of_this_machine(before: str, middle: str, after: str) -> None:
    url = ready_url(before + middle + after)
    if url is not None:
        host = url.split("://", 1)[1]
        assert host.startswith(("localhost:", "127.", "[::1]:")) or host.split(":")[0].endswith(".localhost")
        assert not any(sign.isspace() for sign in url)
