"""What became of an edit, from what dev server and page told of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core import verdict as v
from pageside.core.timeline import Entry, Kind, Wanted
from pageside.core.update_story import Known
from pageside.core.verdict import Verdict, judge

ALL = Wanted()
PAGE = Known(url="http://localhost:5173/")
NONE = Known(page=False, present=False)
STEP_MS = 5000.0


@dataclass
class Told:
    """Entries as dev server and page tell them, with much time between them."""

    entries: list[Entry] = field(default_factory=list)

    def _add(self, kind: Kind, page: str | None, **data: Any) -> Told:
        at = len(self.entries) + 1
        self.entries.append(Entry(at, at * STEP_MS, kind, "info", "", page, None, data))
        return self

    def server(self, event: str, **data: Any) -> Told:
        return self._add("update", None, event=event, server="s1", **data)

    def page(self, event: str, **data: Any) -> Told:
        return self._add("update", "p1", event=event, **data)

    def changed(self, file: str, *modules: str) -> Told:
        return self.server("change", file=file, type="update", modules=list(modules))

    def sent(self, stamp: int, *files: str, kind: str = "js-update") -> Told:
        return self.server("sent", stamp=stamp, updates=[update(file, kind) for file in files])

    def applied(self, stamp: int, *files: str) -> Told:
        return self.page("applied", stamps=[stamp], updates=[update(file) for file in files])

    def threw(self, stamp: int, *files: str) -> Told:
        """The page loaded the update, and could not run these modules of it."""
        return self.page("failed", message="Boom", stamps=[stamp], updates=[update(file) for file in files])

    def edit(self, stamp: int, *files: str) -> Told:
        """All goes well."""
        for file in files:
            self.changed(file, f"/{file}")
        return self.sent(stamp, *files).applied(stamp, *files)

    def loaded(self) -> Told:
        return self._add("navigation", "p1", event="loaded", url="http://localhost:5173/")

    def lease(self, event: str) -> Told:
        return self._add("server", None, event=event, server="s1")

    def verdict(self, known: Known = PAGE, cut: Wanted = ALL) -> Verdict:
        return judge(self.entries, known, cut)


def update(file: str, kind: str = "js-update") -> dict[str, str]:
    return {"type": kind, "path": f"/{file}", "acceptedPath": f"/{file}", "file": file}


def error(told: Told, file: str = "src/A.tsx", message: str = "Unexpected token") -> Told:
    return told.server("error", message=message, file=file, line=3, column=7, frame="3 | <", plugin="oxc")


# Updates


def test_sent_and_applied_is_updated() -> None:
    found = Told().edit(1, "src/A.tsx").verdict()
    assert (found.status, found.open, found.reason) == ("updated", False, "")
    assert [m.to_json() for m in found.modules] == [{"path": "/src/A.tsx", "file": "src/A.tsx", "type": "js"}]
    assert found.changed == ["src/A.tsx"]
    assert found.covers("src/A.tsx")
    assert not found.covers("src/B.tsx")


def test_several_updates_in_a_row_are_one_verdict() -> None:
    found = Told().edit(1, "src/A.tsx").edit(2, "src/B.tsx", "src/a.css").edit(3, "src/A.tsx").verdict()
    assert (found.status, found.open) == ("updated", False)
    assert [m.file for m in found.modules] == ["src/A.tsx", "src/B.tsx", "src/a.css"]


def test_an_update_that_the_page_has_not_applied_is_awaited() -> None:
    told = Told().edit(1, "src/A.tsx").changed("src/B.tsx", "/src/B.tsx").sent(2, "src/B.tsx")
    found = told.verdict()
    assert (found.status, found.open) == ("updated", True)
    assert "src/B.tsx" in found.reason
    assert [m.file for m in found.modules] == ["src/A.tsx"]
    assert not told.applied(2, "src/B.tsx").verdict().open


@pytest.mark.parametrize(
    ("known", "reason"),
    [
        (Known(visible=False), v.HIDDEN),
        (Known(), v.HANGS),
        (Known(present=False), v.CLOSED),
    ],
)
def test_sent_but_not_applied_says_why(known: Known, reason: str) -> None:
    found = Told().changed("src/A.tsx", "/src/A.tsx").sent(1, "src/A.tsx").verdict(known)
    assert (found.status, found.open, found.modules) == ("nothing", True, [])
    assert found.reason == f"The dev server sent an update of src/A.tsx. {reason}"


def test_a_lost_socket_is_named_until_it_is_back() -> None:
    told = Told().page("disconnected").sent(1, "src/A.tsx")
    assert v.CUT_OFF in told.verdict().reason
    assert v.CUT_OFF not in told.page("connected").verdict().reason


def test_a_page_that_has_not_loaded_the_module_has_nothing_of_it() -> None:
    told = Told().changed("src/Admin.tsx", "/src/Admin.tsx").sent(1, "src/Admin.tsx").applied(1)
    found = told.verdict()
    assert (found.status, found.open, found.modules) == ("nothing", False, [])
    assert "has not loaded" in found.reason
    assert told.edit(2, "src/A.tsx").verdict().status == "updated"


def test_a_page_without_its_dev_server_says_so_although_another_one_is_there() -> None:
    told = Told().page("disconnected")
    assert told.verdict().reason.startswith(v.CUT_OFF)
    assert told.loaded().verdict().reason.endswith(v.SAW_NOTHING)
    assert v.CUT_OFF not in told.verdict().reason


def test_css_is_an_update_too() -> None:
    found = Told().sent(1, "src/a.css", kind="css-update").applied(1, "src/a.css").verdict()
    assert [(m.file, m.type) for m in found.modules] == [("src/a.css", "css")]


def test_a_module_that_another_one_accepted_is_covered() -> None:
    told = Told().changed("src/colors.ts", "/src/colors.ts")
    told.server("sent", stamp=1, updates=[update("src/App.tsx")]).applied(1, "src/App.tsx")
    found = told.verdict()
    assert found.covers("src/colors.ts")
    assert found.covers("src/App.tsx")


def test_without_a_page_nothing_runs_and_what_was_sent_is_named() -> None:
    found = Told().changed("src/A.tsx", "/src/A.tsx").sent(1, "src/A.tsx").verdict(NONE)
    assert (found.status, found.open, found.modules) == ("nothing", False, [])
    assert found.reason == f"The dev server sent an update of src/A.tsx. {v.NO_PAGE}"
    assert found.changed == ["src/A.tsx"]


def test_without_a_page_a_file_is_not_said_to_be_unused() -> None:
    found = Told().changed("src/A.tsx").verdict(NONE)
    assert (found.status, found.open) == ("nothing", False)
    assert found.reason == f"The dev server saw src/A.tsx change. {v.NO_PAGE}"


def test_a_page_that_never_reached_the_dev_server_does_not_hang() -> None:
    told = Told().loaded().sent(1, "src/A.tsx")
    assert v.NEVER_CONNECTED in told.verdict().reason
    assert v.HANGS in told.applied(1, "src/A.tsx").sent(2, "src/A.tsx").verdict().reason


def test_what_the_page_tells_first_is_an_update_already() -> None:
    found = Told().applied(1, "src/A.tsx").verdict()
    assert (found.status, [m.path for m in found.modules]) == ("updated", ["/src/A.tsx"])


def test_what_was_told_as_applied_is_not_awaited_when_the_dev_server_tells_it_late() -> None:
    told = Told().applied(1, "src/A.tsx").sent(1, "src/A.tsx")
    assert told.verdict(cut=Wanted(after=1)).reason == v.SAW_NOTHING


def test_another_dev_servers_updates_are_no_business_of_the_page() -> None:
    told = Told().server("sent", stamp=1, updates=[update("docs/A.tsx")])
    assert told.verdict(Known(servers=frozenset({"s2"}))).reason == v.SAW_NOTHING
    assert told.verdict(Known(servers=frozenset({"s1"}))).open


# Errors


def test_an_error_is_told_whole() -> None:
    told = Told().changed("src/A.tsx", "/src/A.tsx").sent(1, "src/A.tsx")
    error(told).page("failed", message="Unexpected token", file="src/A.tsx", line=3)
    found = told.threw(1, "src/A.tsx").verdict()
    assert (found.status, found.open) == ("error", False)
    assert found.error == {
        "message": "Unexpected token",
        "file": "src/A.tsx",
        "line": 3,
        "column": 7,
        "frame": "3 | <",
        "plugin": "oxc",
    }
    assert not found.covers("src/A.tsx") or found.status != "updated"
    assert found.modules == []


def broken_and_mended() -> Told:
    told = Told().changed("src/A.tsx", "/src/A.tsx").sent(1, "src/A.tsx")
    error(told).page("failed", message="Unexpected token", file="src/A.tsx", line=3)
    return told.threw(1, "src/A.tsx").edit(2, "src/A.tsx")


def test_mended_is_updated_the_last_word_counts() -> None:
    assert broken_and_mended().verdict().status == "updated"
    assert error(Told()).server("mended", file="src/A.tsx").edit(2, "src/B.tsx").verdict().status == "updated"


def test_an_update_followed_by_an_error_is_an_error() -> None:
    told = Told().edit(1, "src/B.tsx").changed("src/A.tsx", "/src/A.tsx").sent(2, "src/A.tsx")
    found = error(told).applied(2, "src/A.tsx").verdict()
    assert found.status == "error"
    assert [m.file for m in found.modules] == ["src/B.tsx"], "the other one is on the page"


def test_an_error_of_one_file_is_not_mended_by_another_file() -> None:
    assert error(Told()).edit(1, "src/B.tsx").verdict().status == "error"


def test_the_error_of_an_included_file_is_mended_when_that_file_is() -> None:
    told = error(Told(), "src/_mixins.scss")
    told.changed("src/_mixins.scss", "/src/site.scss").sent(2, "src/site.scss").applied(2, "src/site.scss")
    assert told.verdict().status == "updated"


def test_while_the_mended_module_is_on_its_way_the_verdict_is_open() -> None:
    told = error(Told()).changed("src/A.tsx", "/src/A.tsx")
    assert (told.verdict().status, told.verdict().open) == ("error", True)
    told.sent(2, "src/A.tsx")
    assert (told.verdict().status, told.verdict().open) == ("nothing", True)


def test_a_module_that_was_loaded_and_threw_is_an_error_until_it_is_mended() -> None:
    told = Told().changed("src/A.tsx", "/src/A.tsx").sent(1, "src/A.tsx", "src/B.tsx").threw(1, "src/A.tsx")
    found = told.applied(1, "src/B.tsx").verdict()
    assert (found.status, found.open) == ("error", False)
    assert found.error == {"message": "Boom", "file": "src/A.tsx"}
    assert [m.file for m in found.modules] == ["src/B.tsx"]
    assert told.edit(2, "src/B.tsx").verdict().status == "error"
    assert told.edit(3, "src/A.tsx").verdict().status == "updated"


def test_a_module_that_threw_is_mended_by_a_reload() -> None:
    told = Told().sent(1, "src/A.tsx").threw(1, "src/A.tsx").server("full-reload", stamp=2).loaded()
    assert told.verdict().status == "reloaded"


def test_an_error_that_only_the_page_was_told_counts_until_a_later_update() -> None:
    told = Told().page("failed", message="Unexpected token", file="src/A.tsx", line=3)
    assert told.verdict().status == "error"
    assert told.edit(1, "src/B.tsx").verdict().status == "error"
    assert told.edit(2, "src/A.tsx").verdict().status == "updated"


# Reloads


def test_a_full_reload_is_done_when_the_next_document_is_loaded() -> None:
    told = Told().changed("index.html").server("full-reload", path="/index.html", file="index.html", stamp=1)
    found = told.page("reloading").verdict()
    assert (found.status, found.open) == ("nothing", True)
    found = told.loaded().verdict()
    assert (found.status, found.open) == ("reloaded", False)
    assert "index.html" in found.reason
    assert found.covers("src/A.tsx"), "all of it is new"


@pytest.mark.parametrize(
    "times", [(1000, 1020, 1040), (1080, 1020, 1030), (1010, 1400, 1030), (1900, 1400, 1030)]
)
def test_a_reload_is_done_although_its_times_were_told_late(times: tuple[int, int, int]) -> None:
    """What dev server and page say when they are busy reaches the companion late, and has a later time then."""
    told = Told().server("full-reload", stamp=1).page("reloading").loaded()
    told.entries = [replace(e, at=at) for e, at in zip(told.entries, times, strict=True)]
    assert told.verdict().status == "reloaded"


def test_the_reload_of_another_html_page_is_not_this_pages() -> None:
    told = Told().changed("about.html").server("full-reload", path="/about.html", file="about.html", stamp=1)
    assert told.verdict().status == "nothing"
    assert "about.html" in told.verdict().reason
    assert told.loaded().verdict(Known(url="http://x/base/about.html")).status == "reloaded"
    assert (
        Told()
        .server("full-reload", path="/sub/index.html", stamp=1)
        .loaded()
        .verdict(Known(url="http://x/sub/"))
        .status
        == "reloaded"
    )


def test_a_reload_mends_and_a_new_error_after_it_counts() -> None:
    told = error(Told()).server("full-reload", stamp=1).page("reloading").loaded()
    assert told.verdict().status == "reloaded"
    assert error(told, message="Still wrong").verdict().status == "error"


def test_an_update_that_a_reload_overtook_needs_no_applying() -> None:
    told = Told().changed("src/A.tsx", "/src/A.tsx").sent(1, "src/A.tsx").loaded()
    found = told.verdict()
    assert (found.status, found.open) == ("reloaded", False)
    assert [m.file for m in found.modules] == ["src/A.tsx"]


def test_a_page_that_was_just_loaded_is_no_reload() -> None:
    told = Told().loaded().sent(1, "src/A.tsx")
    told.entries = [replace(entry, at=1000 + n) for n, entry in enumerate(told.entries)]
    assert (told.verdict().status, told.verdict().open) == ("nothing", True)


def test_updates_after_a_reload_are_awaited() -> None:
    told = Told().server("full-reload", stamp=1).loaded().changed("src/A.tsx", "/src/A.tsx")
    told.sent(2, "src/A.tsx")
    assert (told.verdict().status, told.verdict().open) == ("reloaded", True)
    assert not told.applied(2, "src/A.tsx").verdict().open


def test_a_restart_is_done_when_the_page_is_back() -> None:
    told = Told().changed("vite.config.ts").server("restart").page("disconnected")
    assert (told.verdict().status, told.verdict().open) == ("nothing", True)
    gone = told.lease("gone").verdict(Known(is_served=False))
    assert (gone.open, gone.reason) == (True, v.RESTARTING)
    found = told.lease("connected").loaded().verdict()
    assert (found.status, found.reason) == ("reloaded", "The dev server restarted.")


def test_a_restart_that_fails_is_an_error_at_once() -> None:
    told = error(
        Told().changed("vite.config.ts").server("restart").server("restart-failed"), "vite.config.ts"
    )
    assert (told.verdict().status, told.verdict().open) == ("error", False)
    assert told.changed("vite.config.ts").server("restart").verdict().open
    assert told.loaded().verdict().status == "reloaded"


def test_a_module_that_was_deleted_and_is_still_imported_is_said_to_be() -> None:
    told = Told().server("change", file="src/A.tsx", type="delete", modules=["/src/A.tsx"])
    told.sent(1, "src/A.tsx").threw(1, "src/A.tsx")
    assert told.verdict().error == {
        "message": "src/A.tsx was deleted, and is still imported.",
        "file": "src/A.tsx",
    }
    told.server("change", file="src/A.tsx", type="create", modules=["/src/A.tsx"])
    assert (told.sent(2, "src/A.tsx").threw(2, "src/A.tsx").verdict().error or {})["message"] == "Boom"


def test_a_reload_without_a_page_is_the_dev_servers_word() -> None:
    found = Told().server("full-reload", stamp=1).verdict(NONE)
    assert (found.status, found.open) == ("nothing", False)
    assert v.NO_PAGE in found.reason


def test_a_module_that_cannot_be_replaced_is_followed_by_its_importers() -> None:
    told = Told().changed("src/A.tsx", "/src/A.tsx").sent(1, "src/A.tsx")
    told.page("invalidated", path="/src/A.tsx", message="no longer a component").applied(1, "src/A.tsx")
    assert (told.verdict().status, told.verdict().open) == ("nothing", True)
    assert "/src/A.tsx" in told.verdict().reason
    # Vite sends it with the stamp of the first one.
    told.sent(1, "src/main.tsx")
    assert (told.verdict().status, told.verdict().open) == ("updated", True)
    told.applied(1, "src/main.tsx")
    assert (told.verdict().status, told.verdict().open) == ("updated", False)
    assert [m.file for m in told.verdict().modules] == ["src/A.tsx", "src/main.tsx"]


# Nothing


def test_no_change_is_awaited_and_says_what_to_look_at() -> None:
    found = Told().verdict()
    assert (found.status, found.open, found.reason) == ("nothing", True, v.SAW_NOTHING)
    assert Told().loaded().verdict().status == "nothing"


def test_a_file_outside_the_module_graph_is_nothing_at_once() -> None:
    found = Told().changed("notes.md").changed("README.md").verdict()
    assert (found.status, found.open) == ("nothing", False)
    assert "notes.md, README.md" in found.reason
    assert "module graph" in found.reason


def test_a_known_file_for_which_nothing_is_sent_is_awaited() -> None:
    found = Told().changed("src/A.tsx", "/src/A.tsx").verdict()
    assert (found.status, found.open) == ("nothing", True)
    assert "src/A.tsx" in found.reason


@pytest.mark.parametrize(
    ("told", "reason"), [(Told(), v.NEVER_UP), (Told().lease("connected").lease("gone"), v.DOWN)]
)
def test_without_a_dev_server_nothing_is_awaited(told: Told, reason: str) -> None:
    found = told.verdict(Known(is_served=False))
    assert (found.status, found.open, found.reason) == ("nothing", False, reason)


def test_what_was_applied_before_the_dev_server_went_stays_so() -> None:
    found = Told().edit(1, "src/A.tsx").lease("gone").verdict(Known(is_served=False))
    assert found.status == "updated"


# What holds for any story

FILES = st.sampled_from(["src/A.tsx", "src/B.tsx", "src/c.css"])
STAMPS = st.integers(1, 4)
Step = Callable[[Told], Told]


def _server_steps() -> st.SearchStrategy[Step]:
    return st.one_of(
        FILES.map(lambda f: lambda t: t.changed(f, f"/{f}")),
        FILES.map(lambda f: lambda t: t.changed(f)),
        st.tuples(STAMPS, FILES).map(lambda x: lambda t: t.sent(x[0], x[1])),
        FILES.map(lambda f: lambda t: error(t, f)),
        FILES.map(lambda f: lambda t: t.server("mended", file=f)),
        st.just(lambda t: t.server("full-reload", stamp=9)),
        st.just(lambda t: t.server("restart")),
    )


def _page_steps() -> st.SearchStrategy[Step]:
    return st.one_of(
        st.tuples(STAMPS, FILES).map(lambda x: lambda t: t.applied(x[0], x[1])),
        FILES.map(lambda f: lambda t: t.page("failed", message="Unexpected token", file=f, line=3)),
        st.tuples(STAMPS, FILES).map(lambda x: lambda t: t.threw(x[0], x[1])),
        FILES.map(lambda f: lambda t: t.page("invalidated", path=f"/{f}")),
        st.just(lambda t: t.page("reloading")),
        st.just(lambda t: t.page("disconnected")),
        st.just(lambda t: t.loaded()),
    )


STORIES = st.lists(st.one_of(_server_steps(), _page_steps()), max_size=14)


def tell(steps: list[Step]) -> list[Entry]:
    told = Told()
    for step in steps:
        step(told)
    return told.entries


def arrived(entries: list[Entry]) -> list[Entry]:
    """The same, numbered in this order."""
    return [
        Entry(n, e.at, e.kind, e.level, e.text, e.page, e.inspection, e.data)
        for n, e in enumerate(entries, 1)
    ]


@given(STORIES, st.integers(0, 15), st.booleans())
def test_the_order_in_which_batches_arrive_changes_nothing(
    steps: list[Step], since: int, page_first: bool
) -> None:
    entries = tell(steps)
    apart = sorted(entries, key=lambda e: (e.page is None) == page_first)
    cut = Wanted(since=since * STEP_MS)
    assert judge(arrived(apart), PAGE, cut) == judge(entries, PAGE, cut)


@given(STORIES)
def test_what_came_before_never_counts(steps: list[Step]) -> None:
    entries = tell(steps)
    for cut in (Wanted(since=100 * STEP_MS), Wanted(after=len(entries))):
        found = judge(entries, PAGE, cut)
        assert (found.status, found.modules, found.changed, found.idle) == ("nothing", [], [], True)


@given(STORIES, STORIES)
def test_an_old_story_does_not_change_the_status_of_a_new_one(old: list[Step], new: list[Step]) -> None:
    """Only what an old stamp or an old error explains may differ, so the old story has others."""
    other = [Entry(e.seq, e.at, e.kind, e.level, e.text, e.page, None, _renamed(e.data)) for e in tell(old)]
    later = [
        Entry(100 + e.seq, 100 * STEP_MS + e.at, e.kind, e.level, e.text, e.page, None, e.data)
        for e in tell(new)
    ]
    alone = judge(later, PAGE, Wanted(after=100))
    after = judge([*other, *later], PAGE, Wanted(after=100))
    assert (after.status, after.modules, after.open) == (alone.status, alone.modules, alone.open)


def _renamed(data: Any) -> dict[str, Any]:
    told = dict(data)
    if "stamp" in told:
        told["stamp"] = -told["stamp"]
    if "stamps" in told:
        told["stamps"] = [-stamp for stamp in told["stamps"]]
    for name in ("file", "message"):
        if name in told:
            told[name] = f"other {told[name]}"
    return told


@given(STORIES, FILES)
def test_an_error_after_the_last_update_is_never_an_update(steps: list[Step], file: str) -> None:
    told = Told()
    for step in steps:
        step(told)
    assert error(told, file).verdict().status == "error"


@given(STORIES, FILES)
def test_a_module_that_throws_after_the_last_update_is_never_an_update(steps: list[Step], file: str) -> None:
    told = Told()
    for step in steps:
        step(told)
    assert told.threw(5, file).verdict().status == "error"


@given(STORIES, st.sampled_from([PAGE, NONE, Known(is_served=False), Known(visible=False)]))
def test_a_verdict_is_complete(steps: list[Step], known: Known) -> None:
    found = judge(tell(steps), known, ALL)
    assert (found.status == "error") == (found.error is not None)
    assert found.status != "nothing" or (found.reason and not found.modules)
    assert found.error is None or found.error["message"]
