"""What opens the web console: codes that work once and not for long, tokens of which there are not too many."""

from __future__ import annotations

import pytest

from pageside.core.origins import is_own_page
from pageside.web.console_keys import CODE_SECONDS, MAX_CODES, MAX_TOKENS, ConsoleKeys


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_code_opens_once() -> None:
    keys = ConsoleKeys()
    code = keys.new_code()
    token = keys.enter(code)
    assert token is not None
    assert keys.holds(token)
    assert keys.enter(code) is None
    assert keys.holds(token)


@pytest.mark.parametrize("wrong", ["", "x", "\xff", "\ud800", "A" * 43, "A" * 100_000])
def test_what_is_no_code_and_no_token_opens_nothing_and_spends_nothing(wrong: str) -> None:
    keys = ConsoleKeys()
    code = keys.new_code()
    assert keys.enter(wrong) is None
    assert not keys.holds(wrong)
    assert not keys.holds(code)
    token = keys.enter(code)
    assert token is not None
    assert keys.enter(token) is None


def test_keys_have_256_bits_and_are_never_the_same() -> None:
    keys = ConsoleKeys()
    codes = {keys.new_code() for _ in range(100)}
    assert {len(code) for code in codes} == {43}
    assert len(codes) == 100


def test_a_code_expires_after_ten_minutes() -> None:
    clock = Clock()
    keys = ConsoleKeys(clock)
    early, late = keys.new_code(), keys.new_code()
    clock.now += CODE_SECONDS - 1
    assert keys.enter(early) is not None
    clock.now += 1
    assert keys.enter(late) is None


def test_a_token_lasts() -> None:
    clock = Clock()
    keys = ConsoleKeys(clock)
    token = keys.enter(keys.new_code())
    clock.now += 1e6
    assert token is not None
    assert keys.holds(token)


def test_of_too_many_codes_the_oldest_are_good_no_more() -> None:
    keys = ConsoleKeys()
    codes = [keys.new_code() for _ in range(MAX_CODES + 2)]
    assert [keys.enter(code) is not None for code in codes] == [False, False, *[True] * MAX_CODES]


def test_of_too_many_tokens_the_oldest_are_revoked() -> None:
    keys = ConsoleKeys()
    tokens = [keys.enter(keys.new_code()) for _ in range(MAX_TOKENS + 2)]
    held = [keys.holds(token) for token in tokens if token is not None]
    assert held == [False, False, *[True] * MAX_TOKENS]


@pytest.mark.parametrize(
    ("origins", "sites", "own"),
    [
        (["http://127.0.0.1:6137"], [], True),
        (["http://127.0.0.1:6137"], ["same-origin"], True),
        (["http://localhost:6137"], ["cross-site"], False),
        (["http://127.0.0.1:6138"], ["same-origin"], False),
        (["https://127.0.0.1:6137"], [], False),
        (["http://127.0.0.1:6137/"], [], False),
        (["http://127.0.0.1:6137"] * 2, [], False),
        (["null"], ["same-origin"], False),
        ([""], ["same-origin"], False),
        ([], ["same-origin"], True),
        ([], ["same-origin"] * 2, False),
        ([], ["none"], False),
        ([], ["same-site"], False),
        ([], [], False),
    ],
)
def test_only_a_page_of_the_very_origin_that_is_called_is_an_own_page(
    origins: list[str], sites: list[str], own: bool
) -> None:
    assert is_own_page(origins, sites, "127.0.0.1:6137") is own


def test_a_host_in_capitals_is_the_same_host() -> None:
    assert is_own_page(["http://localhost:6137"], [], "LocalHost:6137")
