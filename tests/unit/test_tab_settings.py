"""Where tabs connect, and whose: flags over environment over defaults."""

from __future__ import annotations

import pytest

from pageside.contract import TABS
from pageside.errors import InvalidArguments
from pageside.settings import tab_origins, tab_port


@pytest.mark.parametrize(
    ("given", "flag", "port"),
    [
        ({}, None, TABS["port"]),
        ({}, "off", None),
        ({}, "OFF", None),
        ({}, "0", 0),
        ({"PAGESIDE_TAB_PORT": "7000"}, None, 7000),
        ({"PAGESIDE_TAB_PORT": "off"}, None, None),
        ({"PAGESIDE_TAB_PORT": "off"}, "7001", 7001),
    ],
)
def test_the_port_of_tabs(given: dict[str, str], flag: str | None, port: int | None) -> None:
    assert tab_port(given, flag=flag) == port


@pytest.mark.parametrize("text", ["", "-1", "65536", "1e3", "on", "٣"])
def test_what_is_no_port_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidArguments, match="--tab-port: "):
        tab_port({"PAGESIDE_TAB_PORT": "1"}, flag=text)
    with pytest.raises(InvalidArguments, match="PAGESIDE_TAB_PORT: "):
        tab_port({"PAGESIDE_TAB_PORT": text})


def test_other_origins_are_named_to_the_letter() -> None:
    assert tab_origins({}) == ()
    assert tab_origins({"PAGESIDE_TAB_ORIGINS": " chrome-extension://abc , http://localhost:5173 ,"}) == (
        "chrome-extension://abc",
        "http://localhost:5173",
    )
    assert tab_origins({"PAGESIDE_TAB_ORIGINS": "a://b"}, flag="") == ()


@pytest.mark.parametrize(
    "text", ["*", "localhost", "http://localhost/", "http://*.x", "http://", "null", "http://a b"]
)
def test_what_is_no_origin_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidArguments, match="PAGESIDE_TAB_ORIGINS: "):
        tab_origins({"PAGESIDE_TAB_ORIGINS": text})
    with pytest.raises(InvalidArguments, match="--tab-origins: "):
        tab_origins({}, flag=text)
