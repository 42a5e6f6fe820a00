"""Where the client's script goes in an HTML answer, what a policy means for it, and who may ask."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.contract import LIMITS
from pageside.core.page_guard import Access, Knock, check, check_peer, host_name, may_be_agent
from pageside.core.page_head import MAX_PROLOGUE, HeadInserter, is_html, wants_document
from pageside.core.page_policy import Policy, read_policy
from pageside.core.tags import check_tag
from pageside.errors import Refused

TAG = b"<TAG>"


def inserted(*chunks: bytes) -> bytes:
    inserter = HeadInserter(TAG)
    return b"".join(inserter.feed(chunk) for chunk in chunks) + inserter.finish()


DOCUMENTS = [
    b"<!doctype html><html><head>|<title>x</title>",
    b"\xef\xbb\xbf\n<!-- <head> -->\n<!DOCTYPE html>\n<HTML lang='a>b'>\n<Head data-x=\"a>b\">|<meta>",
    b"<html>|<body>x",
    b"<!doctype html>|<p>x",
    b"<!doctype html>\n|text",
    b"<?xml version='1.0'?><html><head>|</head>",
    b"<head>|<title>",
    b"<html>|<header>",
]
FRAGMENTS = [
    b"<div>x</div>",
    b"",
    b"  ",
    b"text",
    b"<header>",
    b"<tr><td>",
    b"<!-- x --><p>",
    b"\xff\xfe<\0h\0",
    b"<",
]


@given(document=st.sampled_from(DOCUMENTS), cuts=st.lists(st.integers(0, 90), max_size=5))
def test_the_tag_stands_first_in_the_head_however_the_document_is_cut(
    document: bytes, cuts: list[int]
) -> None:
    whole = document.replace(b"|", b"")
    places = sorted({0, len(whole), *(cut for cut in cuts if cut < len(whole))})
    chunks = [whole[start:end] for start, end in pairwise(places)]
    assert inserted(*chunks) == document.replace(b"|", TAG)


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_what_is_no_document_stays_as_it_is(fragment: bytes) -> None:
    assert inserted(fragment) == fragment
    assert inserted(*(bytes([each]) for each in fragment)) == fragment


@given(st.binary(max_size=200), st.integers(0, 200))
def test_bytes_are_never_lost_nor_changed(text: bytes, cut: int) -> None:
    assert inserted(text[:cut], text[cut:]).replace(TAG, b"") == text.replace(TAG, b"")


def test_a_head_that_does_not_come_is_not_waited_for() -> None:
    long = b"<!doctype html><!-- " + b"x" * MAX_PROLOGUE
    inserter = HeadInserter(TAG)
    assert inserter.feed(long) == long
    assert inserter.feed(b"--><head>") == b"--><head>"


def test_only_readable_html_is_read() -> None:
    assert is_html({"content-type": "Text/HTML; charset=ISO-8859-1"})
    assert not is_html({"content-type": "text/html; charset=UTF-16LE"})
    assert not is_html({"content-type": "application/xhtml+xml"})
    assert wants_document("GET", {"sec-fetch-dest": "iframe"})
    assert not wants_document("GET", {"sec-fetch-dest": "empty"})
    assert not wants_document("POST", {})


NO_SCRIPT = "its script-src has neither 'self' nor a nonce"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ([], Policy()),
        (["default-src 'self'"], Policy()),
        (["script-src 'self' 'nonce-a'"], Policy()),
        (["script-src 'nonce-abc' 'strict-dynamic'; connect-src 'self'"], Policy(nonce="abc")),
        (["script-src 'self' 'strict-dynamic'"], Policy(problem=NO_SCRIPT)),
        (["script-src https://cdn.test"], Policy(problem=NO_SCRIPT)),
        (["default-src 'none'"], Policy(problem=NO_SCRIPT)),
        (["script-src http://localhost:5000"], Policy()),
        (["script-src 'self'; connect-src api.test"], Policy(problem="its connect-src does not have 'self'")),
        (["script-src 'nonce-a'", "script-src 'nonce-b'"], Policy(problem=NO_SCRIPT)),
        (["script-src 'nonce-a', script-src 'nonce-a'"], Policy(nonce="a")),
        (["require-trusted-types-for 'script'"], Policy(trusted_types=True)),
    ],
)
def test_a_policy_tells_how_the_client_can_be_loaded(headers: list[str], expected: Policy) -> None:
    assert read_policy(headers, ("http://localhost:5000",)) == expected


def knock(method: str = "GET", peer: str | None = "127.0.0.1", **headers: str) -> Knock:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    host = named.pop("host", "localhost:5000")
    return Knock(method, named, (host,), False, peer)


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (knock(), 200),
        (knock(host="127.0.0.1:1"), 200),
        (knock(host="[::1]:1"), 200),
        (knock(host="app.localhost"), 200),
        (knock(host="dev.shop.test"), 200),
        (knock(host="evil.test"), 403),
        (knock(host="10.0.0.1"), 403),
        (knock(host="localhost:5000, evil.test"), 403),
        (knock(host="localhost:99999"), 403),
        (knock(origin="http://localhost:5000"), 200),
        (knock(origin="http://localhost:5001"), 403),
        (knock(origin="null"), 403),
        (knock(origin="https://localhost:5000", sec_fetch_site="same-origin"), 200),
        (knock(origin="https://localhost:5000"), 403),
        (knock(sec_fetch_site="cross-site"), 403),
        (knock(sec_fetch_site="same-site"), 403),
        (knock(sec_fetch_site="none"), 200),
        (knock(sec_fetch_site="none", sec_fetch_dest="script"), 403),
        (knock("OPTIONS"), 405),
        (knock("POST", content_type="application/json; charset=utf-8"), 200),
        (knock("POST", content_type="text/plain"), 415),
        (knock("POST"), 415),
        (knock("POST", content_type="application/json", content_length=str(LIMITS["bodyBytes"] + 1)), 413),
        (knock("POST", content_type="application/json", content_length="1e3"), 400),
    ],
)
def test_who_may_ask(asked: Knock, status: int) -> None:
    access = Access({".shop.test"})
    if status == 200:
        check(asked, access)
        return
    with pytest.raises(Refused) as refused:
        check(asked, access)
    assert refused.value.status == status


def test_the_queue_is_for_this_machine_only() -> None:
    for peer in ("127.0.0.1", "::1", "::ffff:127.0.0.2"):
        check_peer(knock(peer=peer), Access())
    for asked in (
        knock(peer="10.0.0.2"),
        knock(peer=None),
        knock(x_forwarded_for="1.2.3.4"),
        knock(via="1.1 x"),
    ):
        with pytest.raises(Refused, match="came"):
            check_peer(asked, Access())
        check_peer(asked, Access(lan=True))


def test_only_a_socket_without_browser_and_tunnel_may_be_the_agents() -> None:
    assert may_be_agent(knock())
    for asked in (
        knock(origin="http://localhost:5000"),
        knock(sec_fetch_site="none"),
        knock(forwarded="for=x"),
    ):
        assert not may_be_agent(asked)
    assert not may_be_agent(knock(host="app.localhost"))


@given(st.text(max_size=30))
def test_a_host_is_read_or_refused(text: str) -> None:
    name = host_name(text)
    assert name is None or name in text.lower()


@pytest.mark.parametrize(
    ("line", "column", "tag", "expected"),
    [
        ("  <p>x", 3, "p", (3, True, "p")),
        ("  <LI>x", 3, "li", (3, True, "LI")),
        ("<a> <p>x", 1, "p", (1, False, "a")),
        ("x <p>", 1, "p", (3, True, "p")),
        ("<p><p>", 2, "p", (2, False, "")),
        ("<{{ tag }}>", 1, "kbd", (1, True, "kbd")),
        ("<h{{ n }}>", 1, "h2", (1, True, "h2")),
        ("<h{{ n }}>", 1, "p", (1, False, "h")),
        ("", 9, "p", (9, False, "")),
    ],
)
def test_a_place_is_checked_against_the_line(
    line: str, column: int, tag: str, expected: tuple[int, bool, str]
) -> None:
    found = check_tag(line, column, tag)
    assert (found.column, found.exact, found.tag) == expected
    assert found.exact == (not found.reason)
