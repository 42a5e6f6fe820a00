"""Where scripts may run: what counts as the same origin, and what has none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.script_origins import is_allowed, origin_of
from pageside.errors import InvalidArguments
from pageside.settings import script_origins

SERVERS = ["http://localhost:5173/app/", "https://shop.test/"]


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:5173/",
        "HTTP://LOCALHOST:5173/other?x#y",
        "http://127.0.0.1:5173/",
        "http://[::1]:5173/",
        "http://someone:secret@localhost:5173/",
        "blob:http://localhost:5173/1f0c",
        "https://shop.test/cart",
        "https://shop.test:443/cart",
        "about:blank",
    ],
)
def test_pages_of_the_dev_servers_are_allowed(url: str) -> None:
    assert is_allowed(url, SERVERS)


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:5174/",
        "https://localhost:5173/",
        "http://localhost:5173@evil.test/",
        "http://evil.test/http://localhost:5173/",
        "http://localhost:5173.evil.test/",
        "http://localhost.:5173/",
        "http://app.localhost:5173/",
        "http://127.0.0.2:5173/",
        "http://0.0.0.0:5173/",
        "http://evil.test\\@localhost:5173/",
        "http://localhost%2eevil:5173/",
        "https://shop.test.:443/",
        "https://shop.test:8443/",
        "http://shop.test/",
        "https://127.0.0.1/",
        "data:text/html,http://localhost:5173/",
        "blob:null/1f0c",
        "blob:blob:http://localhost:5173/1f0c",
        "file:///etc/passwd",
        "file://localhost:5173/",
        "javascript:1",
        "about:srcdoc",
        "about:blank?x",
        "null",
        "://",
        "",
        "http://",
        "http://[::1",
        "http://localhost:99999/",
    ],
)
def test_nothing_else_is(url: str) -> None:
    assert not is_allowed(url, SERVERS)


def test_without_a_server_nothing_is_registered_and_a_star_allows_all() -> None:
    assert not is_allowed("http://localhost:5173/", [])
    assert is_allowed("file:///x", [], ["*"])
    assert is_allowed("http://localhost:8000/x", [], ["http://127.0.0.1:8000"])
    assert not is_allowed("http://localhost:8001/x", [], ["http://127.0.0.1:8000"])


def test_international_names_are_one_with_their_ascii_form() -> None:
    assert origin_of("http://bücher.test/") == origin_of("http://xn--bcher-kva.test:80/")
    assert is_allowed("http://xn--bcher-kva.test/", ["http://BÜCHER.test"])
    # Cyrillic letters that look Latin.
    assert not is_allowed("http://xn--shp-hed.test/", ["http://shop.test"])


@given(st.text(max_size=40))
def test_whatever_it_is_it_is_judged(url: str) -> None:
    origin = origin_of(url)
    assert origin is None or origin_of(origin) == origin


def test_settings_take_origins_only() -> None:
    given_text = {"PAGESIDE_SCRIPT_ORIGINS": " http://localhost:8000 , https://x.test/ ,"}
    assert script_origins(given_text) == ("http://localhost:8000", "https://x.test/")
    assert script_origins(given_text, flag="*") == ("*",)
    assert script_origins({}) == ()
    for wrong in ("localhost:8000", "http://x.test/path", "http://u@x.test", "file:///x", "http://x:0", "x"):
        with pytest.raises(InvalidArguments, match="PAGESIDE_SCRIPT_ORIGINS: "):
            script_origins({"PAGESIDE_SCRIPT_ORIGINS": wrong})
        with pytest.raises(InvalidArguments, match="--script-origins: "):
            script_origins(given_text, flag=wrong)
