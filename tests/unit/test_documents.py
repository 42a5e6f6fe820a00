"""Which documents of a tab are known, and when they are forgotten."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest

from pageside.chrome.documents import Documents, preload
from pageside.chrome.session import Params, Session
from pageside.errors import ChromeError, ElementNotFound

CLEARED = "Runtime.executionContextsCleared"


@pytest.fixture(autouse=True)
def scripts() -> None:
    preload()


class Tab:
    """A `Wire` with one session, whose document `page` is."""

    def __init__(self) -> None:
        self.page = 1
        self._objects = itertools.count(1)
        self.session = Session(self, "session")
        self.documents = Documents()
        self.documents.watch(self.session)

    async def send(self, _session: Session, method: str, _params: Params, _seconds: float) -> dict[str, Any]:
        page = self.page
        await asyncio.sleep(0)
        if method == "Page.createIsolatedWorld":
            return {"executionContextId": page}
        return {"result": {"objectId": f"toolkit {next(self._objects)}"}}

    def end_calls(self, session: Session, error: ChromeError, allowed: tuple[str, ...]) -> None: ...
    def add(self, session: Session) -> None: ...
    def drop(self, session: Session) -> None: ...

    async def looked_at_twice_at_once(self) -> list[str]:
        """The uids of an element, as both see it."""
        look = self.documents.of_frame
        found = await asyncio.gather(look(self.session, "frame"), look(self.session, "frame"))
        return [f"{document.number}_1" for document in found]

    def knows(self, uid: str) -> bool:
        try:
            self.documents.of_uid(uid)
        except ElementNotFound:
            return False
        return True


@pytest.mark.parametrize(
    ("event", "params"),
    [(CLEARED, {}), ("Runtime.executionContextDestroyed", {"executionContextId": 1})],
    ids=["navigated", "destroyed"],
)
async def test_nothing_of_a_document_outlives_it_also_if_two_looked_at_once(
    event: str, params: Params
) -> None:
    tab = Tab()
    uids = await tab.looked_at_twice_at_once()
    assert len(set(uids)) == 2
    assert all(map(tab.knows, uids)), "both may go on"
    tab.session.emit(event, params)
    tab.page = 2
    assert not any(map(tab.knows, uids))
    later = await tab.documents.of_frame(tab.session, "frame")
    assert (later.context, tab.documents.of_uid(f"{later.number}_1")) == (2, later)


async def test_one_that_turned_out_to_be_gone_takes_its_successor_with_it_not() -> None:
    tab = Tab()
    first, second = (tab.documents.of_uid(uid) for uid in await tab.looked_at_twice_at_once())
    tab.documents.drop(first)
    assert await tab.documents.of_frame(tab.session, "frame") is second
    assert [tab.knows(f"{each.number}_1") for each in (first, second)] == [False, True]
