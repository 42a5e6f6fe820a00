"""Bindings: the real hubs of pages and watchers against a plain table."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, rule

from pageside.core import bindings as rules
from pageside.hubs.page import Page
from pageside.hubs.pages import Pages
from pageside.hubs.sessions import MAX_WATCHERS, PUPPET, Sessions

CHANNEL = "channel-of-the-browser"


class Bindings(RuleBasedStateMachine):
    """Documents come, reload and go while agents do the same; `table` is what should be bound."""

    pages: Bundle[str] = Bundle("pages")
    watchers: Bundle[str] = Bundle("watchers")

    @initialize()
    def start(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.hub, self.sessions = Pages(grace=0), Sessions()
        self.hub.connected.listen(self.sessions.page_connected)
        self.hub.used.listen(self.sessions.page_used)
        self.hub.gone.listen(self.sessions.page_gone)
        self.living: dict[str, Page] = {}
        self.agents: dict[str, str] = {}
        self.table: dict[str, str] = {}
        self.used: list[str] = []
        self.count = 0
        self.hub.open_channel(CHANNEL, "run")

    def new_page(self, replaces: str | None) -> str:
        self.count += 1
        page = self.hub.connect(
            f"page-{self.count}", "key", CHANNEL, [replaces] if replaces else [], {"visible": True}
        )
        self.living[page.id] = page
        if replaces in self.used:
            self.used[self.used.index(replaces)] = page.id
        else:
            self.used.append(page.id)
        return page.id

    def pass_grace(self) -> None:
        """Let the loop run what is due: with no grace, pages that left are gone after it."""
        for _ in range(2):
            self.loop.run_until_complete(asyncio.sleep(0))

    def on_loop(self, work: Any, *args: Any) -> None:
        async def run() -> None:
            work(*args)

        self.loop.run_until_complete(run())

    @rule(target=pages)
    def connect(self) -> str:
        return self.new_page(None)

    @rule(target=pages, page=pages, closes_first=st.booleans())
    def reload(self, page: str, closes_first: bool) -> Any:
        before = self.living.pop(page, None)
        if before is None:
            return multiple()
        fresh: list[str] = []

        def reload() -> None:
            if closes_first:
                self.hub.close(before.id, "key")
            fresh.append(self.new_page(page))

        self.on_loop(reload)
        self.table = {w: fresh[0] if p == page else p for w, p in self.table.items()}
        assert page not in self.sessions.bindings().values()
        return fresh[0]

    @rule(page=pages)
    def close(self, page: str) -> None:
        found = self.living.pop(page, None)
        if found is not None:
            self.on_loop(self.hub.close, found.id, "key")
            self.pass_grace()
            self.used.remove(page)
            self.table = {w: p for w, p in self.table.items() if p != page}

    @rule(page=pages)
    def use(self, page: str) -> None:
        if page in self.living:
            self.hub.update(self.living[page], None, used=True)
            self.used.remove(page)
            self.used.append(page)
            self.table |= {w: page for w, puppet in self.agents.items() if puppet == PUPPET}

    @rule(target=watchers, puppet=st.sampled_from([PUPPET, "other"]))
    def open_session(self, puppet: str) -> str:
        self.count += 1
        key = f"agent-{self.count}"
        self.sessions.watcher(key, "Agent", puppet)
        self.agents[key] = puppet
        return key

    @rule(watcher=watchers)
    def end_session(self, watcher: str) -> None:
        self.sessions.close(watcher)
        self.sessions.close(watcher)
        self.agents.pop(watcher, None)
        self.table.pop(watcher, None)

    @rule(watcher=watchers)
    def first_call(self, watcher: str) -> None:
        if watcher in self.agents and watcher not in self.table and self.living:
            latest = self.hub.all()[0].id
            assert latest == self.used[-1]
            self.sessions.bind(watcher, latest)
            self.table[watcher] = latest

    @invariant()
    def the_table_is_as_expected(self) -> None:
        assert self.sessions.bindings() == self.table

    @invariant()
    def no_binding_names_who_is_gone(self) -> None:
        for watcher, page in self.sessions.bindings().items():
            assert watcher in self.agents
            assert self.hub.get(page) is not None

    def teardown(self) -> None:
        if hasattr(self, "loop"):
            self.on_loop(self.hub.stop)
            self.loop.close()


TestBindings = Bindings.TestCase

names = st.sampled_from("abcd")
tables = st.dictionaries(names, names)


@given(tables, names, names)
def test_binding_replaces_and_binding_again_changes_nothing(
    table: dict[str, str], watcher: str, page: str
) -> None:
    rules.apply(table, rules.bind_puppet(table, watcher, page))
    assert table[watcher] == page
    assert rules.bind_puppet(table, watcher, page) == []


@given(tables, names)
def test_unbinding_twice_is_harmless(table: dict[str, str], watcher: str) -> None:
    others = {w: page for w, page in table.items() if w != watcher}
    rules.apply(table, rules.unbind_puppet(table, watcher))
    rules.apply(table, rules.unbind_puppet(table, watcher))
    assert table == others


@given(tables, names, st.none() | names)
def test_after_a_rebind_nobody_points_to_the_old_page(
    table: dict[str, str], old: str, new: str | None
) -> None:
    before = dict(table)
    rules.apply(table, rules.rebind_watchers(table, old, new))
    assert old == new or old not in table.values()
    for watcher, page in before.items():
        assert table.get(watcher) == (new if page == old else page)


def test_past_the_limit_the_watcher_that_was_idle_longest_is_forgotten() -> None:
    sessions, gone = Sessions(), list[str]()
    sessions.closed.listen(gone.append)
    for n in range(MAX_WATCHERS):
        sessions.watcher(f"agent-{n}", "Agent")
        sessions.bind(f"agent-{n}", "page")
    sessions.watcher("agent-0", "Agent")
    sessions.watcher("one more", "Agent")
    assert (gone, len(sessions)) == (["agent-1"], MAX_WATCHERS)
    assert "agent-1" not in sessions.bindings()
    assert sessions.bound_page("agent-0") == "page"
