"""Who may knock: only exact header values pass, whatever else is sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.origins import host_ok, json_content_type, origin_ok, own_hosts, own_origins, sec_fetch_ok

PORT = 6137
HOSTS = {"localhost:6137", "127.0.0.1:6137", "[::1]:6137"}
ORIGINS = {f"http://{host}" for host in HOSTS}

names = st.sampled_from(
    ["localhost", "LOCALHOST", "127.0.0.1", "[::1]", "::1", "127.1", "2130706433", "0x7f.1", "evil.example"]
)
ports = st.sampled_from(["", ":", ":6137", ":06137", ":+6137", ":6138", ":80", ":６１３７"])
decoration = st.sampled_from(["", " ", "\t", "\x00", "/", ".", "user@", "\N{KELVIN SIGN}", "#", "?", "\\"])
hosts = st.one_of(
    st.text(),
    st.builds("{}{}{}{}".format, decoration, names, ports, decoration),
    st.sampled_from(sorted(HOSTS)),
)
origins = st.one_of(
    st.sampled_from(["null", "", "*", "file://"]),
    st.builds(
        "{}{}{}".format, st.sampled_from(["http://", "https://", "HTTP://", "//", ""]), hosts, decoration
    ),
)


def test_the_own_names_are_the_three_of_loopback_with_the_port() -> None:
    assert own_hosts(PORT) == HOSTS
    assert own_origins(PORT) == ORIGINS


@given(hosts)
def test_a_host_passes_only_if_it_is_one_of_the_three_in_any_ascii_case(value: str) -> None:
    assert host_ok([value], own_hosts(PORT)) == (value.isascii() and value.lower() in HOSTS)


@given(st.lists(st.sampled_from(sorted(HOSTS)), min_size=2) | st.just([]))
def test_no_host_and_several_hosts_are_refused(values: list[str]) -> None:
    assert not host_ok(values, own_hosts(PORT))


@given(origins)
def test_an_origin_passes_only_to_the_letter(value: str) -> None:
    assert origin_ok([value], own_origins(PORT)) == (value in ORIGINS)


@given(st.lists(st.sampled_from(sorted(ORIGINS)), min_size=2))
def test_several_origins_are_refused_even_good_ones(values: list[str]) -> None:
    assert not origin_ok(values, own_origins(PORT))
    assert not origin_ok([", ".join(values)], own_origins(PORT))


def test_no_origin_is_no_reason_to_refuse() -> None:
    assert origin_ok([], own_origins(PORT))


@given(st.text() | st.sampled_from(["cross-site", "same-site", "Same-Origin", " none", ""]))
def test_sec_fetch_site_passes_only_as_none_or_same_origin(value: str) -> None:
    assert sec_fetch_ok([value]) == (value in ("none", "same-origin"))


def test_sec_fetch_site_passes_when_absent_and_fails_when_doubled() -> None:
    assert sec_fetch_ok([])
    assert not sec_fetch_ok(["none", "same-origin"])


@pytest.mark.parametrize(
    "value",
    ["application/json", "Application/JSON", "application/json; charset=utf-8", " application/json ;x=y"],
)
def test_json_passes_with_parameters_and_in_any_case(value: str) -> None:
    assert json_content_type([value])
    assert not json_content_type([value, value])


@given(
    st.text()
    | st.sampled_from(
        [
            "",
            "text/plain",
            "text/plain; application/json",
            "application/json, text/plain",
            "application/jsonp",
            "application/ld+json",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=application/json",
        ]
    )
)
def test_every_other_content_type_is_refused(value: str) -> None:
    essence = value.partition(";")[0].strip().lower()
    assert json_content_type([value]) == (essence == "application/json")
    assert not json_content_type([])
