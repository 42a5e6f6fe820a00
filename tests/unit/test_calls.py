"""The life of calls: each ends exactly once, and only by whoever may end it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from pageside.core.calls import PendingCall, PendingCalls, Verdict

PAGES = ["left", "right", "third"]
pages = st.sampled_from(PAGES)


class CallLife(RuleBasedStateMachine):
    """Calls that open and end in any order, against a plain model: call → its page while it is open."""

    opened: Bundle[str] = Bundle("opened")

    def __init__(self) -> None:
        super().__init__()
        self.pending = PendingCalls()
        self.open: dict[str, PendingCall] = {}
        self.ended: dict[str, str] = {}
        self.answered: set[tuple[str, str]] = set()

    def end(self, call: PendingCall, how: str) -> None:
        assert call.id not in self.ended, f"{call.id} ended twice: {self.ended[call.id]}, then {how}"
        del self.open[call.id]
        self.ended[call.id] = how

    @rule(target=opened, page=pages, repeatable=st.booleans(), told=st.booleans())
    def open_call(self, page: str, repeatable: bool, told: bool) -> str:
        call = PendingCall(f"call-{len(self.open) + len(self.ended)}", page, "page_info", repeatable, told)
        self.pending.open(call)
        self.open[call.id] = call
        return call.id

    @rule(call_id=opened, page=pages)
    def answer(self, call_id: str, page: str) -> None:
        call = self.open.get(call_id)
        verdict = self.pending.answer(page, call_id)
        if call is not None and call.page == page:
            assert verdict is Verdict.ACCEPTED
            self.end(call, "answer")
            self.answered.add((page, call_id))
        elif (page, call_id) in self.answered:
            assert verdict is Verdict.DUPLICATE
        else:
            assert verdict is Verdict.UNKNOWN

    @rule(page=pages, call_id=st.text(max_size=8))
    def answer_nothing(self, page: str, call_id: str) -> None:
        assert self.pending.answer(page, f"?{call_id}") is Verdict.UNKNOWN

    @rule(call_id=opened)
    def withdraw(self, call_id: str) -> None:
        call = self.pending.withdraw(call_id)
        assert call == self.open.get(call_id)
        if call is not None:
            self.end(call, "withdrawn")

    @rule(old=pages, new=pages)
    def move(self, old: str, new: str) -> None:
        if old == new:
            return
        before = [call for call in self.open.values() if call.page == old]
        moved, lost = self.pending.move(old, new)
        assert [call.id for call in moved] == [call.id for call in before if call.repeatable or not call.told]
        assert [call.id for call in lost] == [call.id for call in before if call.told and not call.repeatable]
        assert {(call.page, call.told) for call in moved} <= {(new, True)}
        for call in lost:
            self.end(call, "moved away")
        self.open.update({call.id: call for call in moved})

    @rule(page=pages)
    def tell(self, page: str) -> None:
        told = self.pending.tell(page)
        assert [call.id for call in told] == [call.id for call in self.open.values() if call.page == page]
        assert all(call.told for call in told)
        self.open.update({call.id: call for call in told})

    @rule(page=pages, only_fixed=st.booleans())
    def drop(self, page: str, only_fixed: bool) -> None:
        expected = [c for c in self.open.values() if c.page == page]
        if only_fixed:
            expected = [call for call in expected if call.told and not call.repeatable]
        dropped = self.pending.drop(page, only_fixed=only_fixed)
        assert dropped == expected
        for call in dropped:
            self.end(call, "dropped")

    @rule(call_id=opened)
    def reopen_is_refused_while_open(self, call_id: str) -> None:
        call = self.open.get(call_id)
        if call is not None:
            with pytest.raises(ValueError, match="open already"):
                self.pending.open(call)

    @invariant()
    def counts_agree(self) -> None:
        assert len(self.pending) == len(self.open)
        of_pages: list[Any] = [call for page in PAGES for call in self.pending.of_page(page)]
        assert sorted(call.id for call in of_pages) == sorted(self.open)

    def teardown(self) -> None:
        for page in PAGES:
            for call in self.pending.drop(page):
                self.end(call, "stopped")
        assert len(self.pending) == 0
        assert not self.open


TestCallLife = CallLife.TestCase


def test_only_the_last_answers_are_remembered() -> None:
    pending = PendingCalls(remember=2)
    for n in range(3):
        pending.open(PendingCall(f"call-{n}", "left", "page_info", True))
        assert pending.answer("left", f"call-{n}") is Verdict.ACCEPTED
    verdicts = [pending.answer("left", f"call-{n}") for n in range(3)]
    assert verdicts == [Verdict.UNKNOWN, Verdict.DUPLICATE, Verdict.DUPLICATE]
