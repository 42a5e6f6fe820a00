"""The tabs of the tab socket, and the commands to them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.contract import TABS
from pageside.core.tab_messages import Executing, Register, TabMessage, Update, parse
from pageside.errors import (
    CommandTimeout,
    PagesideError,
    Refused,
    ReportedByPage,
    ResultTooLarge,
    ShuttingDown,
    TabDisconnected,
    TabNotFound,
    TooMany,
)
from pageside.hubs.tabs import ExtensionTab, Tabs

LIMITS = TABS["limits"]
LOGS = "kapturemcp_logs"


class Tab:
    """The socket's side of one tab: what was sent to it, and what it says."""

    def __init__(self, tabs: Tabs, tab_id: str = "one", **more: str) -> None:
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._tabs = tabs
        self.live = tabs.register(Register(tab_id, **more), self.sent.put_nowait)

    def say(self, message: TabMessage) -> None:
        assert not isinstance(message, Register)
        self._tabs.take(self.live, message)

    def answer(self, command: dict[str, Any], **result: Any) -> None:
        self.say(
            parse(json.dumps({"type": "response", "id": command["id"], "success": True, "result": result}))
        )

    def fail(self, command: dict[str, Any], **error: Any) -> None:
        self.say(
            parse(json.dumps({"type": "response", "id": command["id"], "success": False, "error": error}))
        )

    def go(self) -> None:
        self._tabs.disconnect(self.live, "its connection ended")


def asked(tabs: Tabs, tab_id: str = "one", seconds: float = 30) -> asyncio.Task[dict[str, Any]]:
    return asyncio.create_task(tabs.command(tab_id, LOGS, {"max": 1}, seconds=seconds))


async def error_of(call: asyncio.Task[Any]) -> PagesideError:
    with pytest.raises(PagesideError) as caught:
        await call
    return caught.value


async def test_a_command_reaches_its_tab_and_its_result_the_caller() -> None:
    tabs = Tabs()
    one, other = Tab(tabs), Tab(tabs, "other")
    call = asked(tabs)
    command = await one.sent.get()
    assert command == {
        "id": command["id"],
        "type": "command",
        "command": LOGS,
        "params": {"max": 1},
        "timeoutMs": 30_000,
    }
    one.say(Executing(command["id"]))
    one.answer(command, logs=[])
    assert await call == {"logs": []}
    assert other.sent.empty()


async def test_tabs_are_listed_and_told_of_with_every_change() -> None:
    tabs = Tabs()
    changes: list[list[str]] = []
    stop = tabs.listen(lambda: changes.append([tab.title for tab in tabs.all()]))
    one = Tab(tabs, url="http://localhost/?token=abc123def", title="A", target="T1")
    one.say(Update(title="B", scripts_allowed=True))
    one.say(Update(title="B"))
    [tab] = tabs.all()
    assert tabs.get("one") == tab
    assert (tab.url, tab.title, tab.target_id) == ("http://localhost/?token=<redacted>", "B", "T1")
    assert (tab.scripts_allowed, tab.is_shared) == (True, False)
    assert tab.connected_at > 1_700_000_000_000
    one.go()
    assert changes == [["A"], ["B"], []]
    stop()
    Tab(tabs)
    assert len(changes) == 3


async def test_an_id_in_use_is_refused_and_free_again_when_its_tab_is_gone() -> None:
    tabs = Tabs()
    first = Tab(tabs)
    with pytest.raises(Refused, match="connected already"):
        Tab(tabs)
    first.go()
    again = Tab(tabs)
    first.go()
    assert tabs.all() == [again.live.tab]


async def test_who_asks_for_a_tab_that_is_not_there_is_told_which_there_are() -> None:
    tabs = Tabs()
    Tab(tabs, "here", title="Shop", url="http://x/")
    gone = Tab(tabs, "gone")
    gone.go()
    assert tabs.was_here("gone")
    assert not tabs.was_here("here")
    available = [{"tabId": "here", "title": "Shop", "url": "http://x/"}]
    for tab_id, kind in (("gone", TabDisconnected), ("never", TabNotFound)):
        error = await error_of(asked(tabs, tab_id))
        assert (type(error), error.data["available_tabs"]) == (kind, available)


async def test_calls_of_a_tab_that_goes_end_at_once_and_those_of_others_do_not() -> None:
    tabs = Tabs()
    one, other = Tab(tabs), Tab(tabs, "other")
    calls = [asked(tabs), asked(tabs)]
    kept = asked(tabs, "other")
    command = await other.sent.get()
    one.go()
    for call in calls:
        assert isinstance(await error_of(call), TabDisconnected)
    other.answer(command, done=1)
    assert await kept == {"done": 1}


async def test_the_error_of_a_tab_keeps_a_code_that_is_known() -> None:
    tabs = Tabs()
    one = Tab(tabs)
    for code, known in (("ELEMENT_NOT_FOUND", "ELEMENT_NOT_FOUND"), ("MADE_UP", "EXECUTION_ERROR")):
        call = asked(tabs)
        one.fail(await one.sent.get(), code=code, message="nothing like it", data={"selector": "#a"})
        error = await error_of(call)
        assert isinstance(error, ReportedByPage)
        assert (error.error_code, error.message) == (known, "nothing like it")
        assert error.data == {"selector": "#a"}


async def test_an_answer_counts_once_and_only_from_its_own_tab() -> None:
    tabs = Tabs()
    one, other = Tab(tabs), Tab(tabs, "other")
    call = asked(tabs)
    command = await one.sent.get()
    for say in (other.answer, other.fail):
        with pytest.raises(Refused, match="not sent to this tab"):
            say(command, message="x")
    with pytest.raises(Refused, match="not sent to this tab"):
        other.say(Executing(command["id"]))
    one.answer(command, real=True)
    assert await call == {"real": True}
    with pytest.raises(Refused, match="answered already"):
        one.answer(command, real=False)


async def test_a_withdrawn_command_is_cancelled_in_the_tab_and_a_late_answer_is_nobody_s_fault() -> None:
    tabs = Tabs()
    one = Tab(tabs)
    call = asked(tabs)
    command = await one.sent.get()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await one.sent.get() == {"type": "cancel", "id": command["id"]}
    one.answer(command)
    one.say(Executing(command["id"]))


async def test_a_tab_has_room_for_so_many_commands_and_withdrawn_ones_make_room() -> None:
    tabs = Tabs()
    one = Tab(tabs)
    calls = [asked(tabs) for _ in range(LIMITS["commandsPerTab"])]
    commands = [await one.sent.get() for _ in calls]
    assert isinstance(await error_of(asked(tabs)), TooMany)
    one.say(Executing(commands[0]["id"]))
    calls[0].cancel()
    assert (await one.sent.get())["type"] == "cancel"
    more = asked(tabs)
    one.answer(await one.sent.get())
    assert await more == {}
    one.go()
    await asyncio.gather(*calls, return_exceptions=True)


async def test_a_tab_that_never_answers_ends_every_call() -> None:
    tabs = Tabs(grace=0.01)
    one = Tab(tabs)
    calls = [asked(tabs, seconds=seconds) for seconds in (0.1, 0.01, 0.05)]
    for call in calls:
        error = await error_of(call)
        assert isinstance(error, CommandTimeout)
        assert LOGS in error.message
    sent = [one.sent.get_nowait()["type"] for _ in range(6)]
    assert sent == ["command"] * 3 + ["cancel"] * 3
    assert tabs.get("one") is not None


async def test_a_command_that_waits_behind_another_has_its_own_time_afterwards() -> None:
    tabs = Tabs(grace=0)
    one = Tab(tabs)
    first, second = asked(tabs, seconds=20), asked(tabs, seconds=0.05)
    commands = [await one.sent.get(), await one.sent.get()]
    one.say(Executing(commands[0]["id"]))
    await asyncio.wait((second,), timeout=0.1)
    assert not second.done()
    one.answer(commands[0])
    assert await first == {}
    # Its clock has begun now, and runs out.
    assert isinstance(await error_of(second), CommandTimeout)


async def test_a_command_waits_for_a_withdrawn_one_that_the_tab_is_still_at() -> None:
    tabs = Tabs(grace=0)
    one = Tab(tabs)
    first, second = asked(tabs, seconds=20), asked(tabs, seconds=0.05)
    commands = [await one.sent.get(), await one.sent.get()]
    one.say(Executing(commands[0]["id"]))
    first.cancel()
    await asyncio.wait((second,), timeout=0.1)
    assert not second.done()
    one.say(Executing(commands[1]["id"]))
    one.answer(commands[1], ok=True)
    assert await second == {"ok": True}


async def test_a_withdrawn_command_may_still_end_as_it_likes_or_go_with_its_tab() -> None:
    tabs = Tabs()
    one = Tab(tabs)
    calls = [asked(tabs), asked(tabs)]
    commands = [await one.sent.get(), await one.sent.get()]
    for call, command in zip(calls, commands, strict=True):
        one.say(Executing(command["id"]))
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    one.fail(commands[1], code="EXECUTION_ERROR", message="late")
    one.go()


async def test_an_error_that_arrives_with_the_withdrawal_is_dropped() -> None:
    tabs = Tabs()
    one = Tab(tabs)
    call = asked(tabs)
    command = await one.sent.get()
    one.fail(command, code="EXECUTION_ERROR", message="just then")
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert one.sent.empty()


@pytest.mark.parametrize(
    "result",
    [
        {"result": "x" * LIMITS["resultBytes"]},
        {"data": "x" * (LIMITS["pictureChars"] + 1)},
        {"data": ["x" * LIMITS["resultBytes"]]},
    ],
)
async def test_a_result_that_is_too_large_is_an_error(result: dict[str, Any]) -> None:
    tabs = Tabs()
    one = Tab(tabs)
    call = asked(tabs)
    one.answer(await one.sent.get(), **result)
    assert isinstance(await error_of(call), ResultTooLarge)


async def test_a_picture_is_not_too_large_for_a_result() -> None:
    tabs = Tabs()
    one = Tab(tabs)
    call = asked(tabs)
    one.answer(await one.sent.get(), data="x" * (2 * LIMITS["resultBytes"]), mime="image/png")
    assert (await call)["mime"] == "image/png"


class OtherCompanion:
    """The way to shared tabs."""

    async def command(
        self, tab_id: str, command: str, params: dict[str, Any], *, seconds: float
    ) -> dict[str, Any]:
        return {"at": tab_id, "asked": command, "with": params, "seconds": seconds}


async def test_shared_tabs_are_listed_as_such_and_reached_through_the_other_companion() -> None:
    tabs = Tabs()
    tabs.share([ExtensionTab("far", "http://y/", "Y", 1)], OtherCompanion())
    [tab] = tabs.all()
    assert (tab.id, tab.is_shared, tabs.own()) == ("far", True, [])
    assert await tabs.command("far", LOGS, {}, seconds=3) == {
        "at": "far",
        "asked": LOGS,
        "with": {},
        "seconds": 3,
    }
    tabs.share([], None)
    assert tabs.was_here("far")
    assert isinstance(await error_of(asked(tabs, "far")), TabDisconnected)


async def test_a_tab_of_one_s_own_comes_before_a_shared_one_of_the_same_id() -> None:
    tabs = Tabs()
    tabs.share([ExtensionTab("one", "http://y/", "Y", 1)], OtherCompanion())
    one = Tab(tabs)
    call = asked(tabs)
    one.answer(await one.sent.get(), mine=True)
    assert await call == {"mine": True}
    assert [tab.is_shared for tab in tabs.all()] == [False]


async def test_with_the_companion_every_call_ends_and_none_begins() -> None:
    tabs = Tabs()
    Tab(tabs)
    call = asked(tabs)
    await asyncio.sleep(0)
    tabs.stop()
    assert isinstance(await error_of(call), TabDisconnected)
    assert isinstance(await error_of(asked(tabs)), ShuttingDown)
    with pytest.raises(ShuttingDown):
        Tab(tabs, "new")


async def test_of_the_ids_that_went_the_last_are_remembered() -> None:
    tabs = Tabs()
    for number in range(300):
        Tab(tabs, f"tab{number}").go()
    assert tabs.was_here("tab299")
    assert not tabs.was_here("tab0")


numbers = st.integers(0, 5)
ACTIONS = st.lists(
    st.tuples(st.sampled_from(["ask", "executing", "answer", "fail", "withdraw", "foreign"]), numbers),
    max_size=40,
)


class Story:
    """Commands and what becomes of them, beside a plain account: which number ended how."""

    def __init__(self) -> None:
        self.tabs = Tabs()
        self.one, self.other = Tab(self.tabs), Tab(self.tabs, "other")
        self.calls: dict[int, asyncio.Task[dict[str, Any]]] = {}
        self.commands: dict[int, dict[str, Any]] = {}
        self.ended: dict[int, str] = {}

    async def act(self, action: str, number: int) -> None:
        if action == "ask":
            if number in self.calls:
                return
            self.calls[number] = asked(self.tabs)
            while (command := await self.one.sent.get())["type"] == "cancel":
                """Of one that was withdrawn."""
            self.commands[number] = command
        elif number in self.calls and action == "withdraw":
            self.calls[number].cancel()
            self.ended.setdefault(number, "withdrawn")
            await asyncio.sleep(0)
        elif number in self.calls:
            self.say(action, number)

    def say(self, action: str, number: int) -> None:
        command = self.commands[number]
        # A withdrawn command's messages may have crossed: only what nobody sent, or a second answer, is refused.
        try:
            match action:
                case "executing":
                    self.one.say(Executing(command["id"]))
                case "answer":
                    self.one.answer(command, number=number)
                case "fail":
                    self.one.fail(command, code="ELEMENT_NOT_FOUND", message=str(number))
                case _:
                    self.other.answer(command, number=-1)
        except Refused:
            assert action == "foreign" or number in self.ended
        else:
            assert action != "foreign"
            if action in ("answer", "fail"):
                self.ended.setdefault(number, action)

    async def outcome(self, number: int) -> str:
        call = self.calls[number]
        await asyncio.wait((call,))
        if call.cancelled():
            return "withdrawn"
        error = call.exception()
        if isinstance(error, TabDisconnected):
            return "gone"
        if error is not None:
            assert isinstance(error, ReportedByPage)
            assert error.message == str(number)
            return "fail"
        assert call.result() == {"number": number}
        return "answer"


@given(ACTIONS)
def test_every_command_ends_once_and_as_its_own_tab_said_first(actions: list[tuple[str, int]]) -> None:
    async def play() -> None:
        story = Story()
        for action, number in actions:
            await story.act(action, number)
        story.one.go()
        for number in story.calls:
            allowed = {story.ended.get(number, "gone")}
            if ("withdraw", number) in actions:
                # A call that is withdrawn in the moment of its answer is withdrawn.
                allowed.add("withdrawn")
            assert await story.outcome(number) in allowed

    asyncio.run(play())
