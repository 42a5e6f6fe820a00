"""A pattern is a text or a regular expression; whichever is meant, it fits, and none can hold anybody up."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.patterns import parse_pattern
from pageside.errors import InvalidArguments
from pageside.processes.regex import Regex


@given(st.text(min_size=1), st.text(), st.text())
def test_any_text_is_found_as_it_is(text: str, before: str, after: str) -> None:
    assert parse_pattern(text).is_in(before + text + after)


@pytest.mark.parametrize(
    ("written", "text", "expression"),
    [
        ("ready", "ready", None),
        ("[vite] hot", "[vite] hot", "[vite] hot"),
        ("/error|warn/i", "/error|warn/i", "error|warn"),
        ("/api/", "api", None),
        ("/api/users", "/api/users", None),
        ("/", "/", None),
        ("//", "//", None),
    ],
)
def test_what_stands_between_slashes_is_a_regular_expression(
    written: str, text: str, expression: str | None
) -> None:
    pattern = parse_pattern(written)
    assert (pattern.text, pattern.expression) == (text, expression)


def test_case_is_ignored() -> None:
    assert parse_pattern("ready").is_in("Server READY")
    assert not parse_pattern("ready").is_in("Server starts")


async def test_texts_that_fit_are_told_for_as_long_as_one_asks() -> None:
    async with Regex(r"^order \d+ (saved|failed)$") as regex:
        assert await regex.fits([]) == []
        assert await regex.fits(["Order 1 saved", "order x saved", "\u2028\n"]) == [True, False, False]
        assert await regex.fits(["ORDER 2 FAILED"]) == [True]


async def test_what_is_no_regular_expression_fits_nothing() -> None:
    async with Regex("foo(") as regex:
        assert await regex.fits(["foo("]) == [False]
        assert await regex.fits(["foo("]) == [False]


@pytest.mark.parametrize("pattern", ["(a+)+$", "(.*a){30}!"])
async def test_one_that_takes_for_ever_is_ended_while_others_go_on(pattern: str) -> None:
    async with Regex(pattern, seconds=1) as regex:
        looking = asyncio.create_task(regex.fits(["a" * 60 + "b"]))
        done, _ = await asyncio.wait([looking], timeout=0.2)
        assert not done
        with pytest.raises(InvalidArguments, match="longer than 1 s"):
            await looking


async def test_whoever_gives_up_leaves_no_process_behind() -> None:
    async with Regex("(a+)+$") as regex:
        looking = asyncio.create_task(regex.fits(["a" * 60 + "b"]))
        await asyncio.wait([looking], timeout=0.3)
        looking.cancel()
        await asyncio.wait([looking])
    assert regex.is_over
