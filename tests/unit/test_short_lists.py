"""What all lines of a list have in common is said once, and can be put back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pageside.core.short_lists import SAME, dittos, without_origin

ADDRESSES = st.lists(
    st.sampled_from(
        [
            "http://a.test/one",
            "http://a.test/two?q=1",
            "http://a.test:80/one",
            "https://a.test/one",
            "http://me:secret@a.test/one",
            "http://a.test",
            "http://[bad/one",
            "data:text/html,x",
            "src/App.tsx:3:4",
            "",
        ]
    )
)


def test_the_origin_that_most_have_is_said_once() -> None:
    urls = ["http://a.test/one", "http://b.test/one", "http://a.test/two", "src/App.tsx:1:2"]
    shorter = ["/one", "http://b.test/one", "/two", "src/App.tsx:1:2"]
    assert without_origin(urls) == ("http://a.test", shorter)


def test_what_would_not_be_shorter_or_not_be_clear_stays() -> None:
    for urls in (
        [],
        ["http://a.test/one"],
        ["http://a.test/one", "http://a.test/two", "/home/me/App.tsx:1:2"],
    ):
        assert without_origin(urls) == ("", urls)


@given(ADDRESSES)
def test_every_address_can_be_put_together_again(addresses: list[str]) -> None:
    origin, shorter = without_origin(addresses)
    assert [origin + each if each.startswith("/") else each for each in shorter] == addresses
    assert "secret" not in origin


@given(st.lists(st.sampled_from(["", "a", "b"])))
def test_a_value_that_repeats_the_one_above_is_a_mark(values: list[str]) -> None:
    told, last = dittos(values), ""
    for value, each in zip(values, told, strict=True):
        assert value == (last if each == SAME else each)
        last = value
    assert dittos(["a", "a", "", "", "a"]) == ["a", SAME, "", "", "a"]
