"""A deadline that nobody could keep, since the process stood still, is moved; every other one holds."""

from __future__ import annotations

import asyncio

import pytest

from pageside.hubs import standstill
from pageside.hubs.standstill import answered, stood_still


def given_after(seconds: float, result: str = "yes") -> asyncio.Future[str]:
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str] = loop.create_future()
    loop.call_later(seconds, answer.set_result, result)
    return answer


async def test_an_answer_in_time_is_given_and_one_too_late_is_not() -> None:
    assert await answered(given_after(0), 5) == "yes"
    with pytest.raises(TimeoutError):
        await answered(given_after(1), 0.01)


async def test_after_a_standstill_an_answer_has_some_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standstill, "LATE_SECONDS", -1)
    assert await answered(given_after(0.05), 0.01) == "yes"
    monkeypatch.setattr(standstill, "AWAKE_SECONDS", 0.01)
    with pytest.raises(TimeoutError):
        await answered(given_after(1), 0.01)


async def test_what_it_ends_with_is_raised_and_a_caller_may_give_up() -> None:
    answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    waiting = asyncio.create_task(answered(answer, 5))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    answer.set_exception(LookupError("gone"))
    with pytest.raises(LookupError):
        await answered(answer, 5)


async def test_only_a_timer_that_is_much_too_late_tells_of_a_standstill() -> None:
    now = asyncio.get_running_loop().time()
    assert not stood_still(now)
    assert not stood_still(now - standstill.LATE_SECONDS + 1)
    assert stood_still(now - standstill.LATE_SECONDS - 1)
