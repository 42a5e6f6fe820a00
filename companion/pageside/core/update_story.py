"""What a timeline says about hot updates: what dev servers saw and sent, and what became of it on one page.

What a dev server tells and what a page tells come in batches of their own, so that only the order inside each of the
two is sure. Stamps join them: a page names the stamps of the updates that it applied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from pageside.core.modules import names_of, same_file, touches
from pageside.core.timeline import Entry, Wanted
from pageside.core.update_answers import Answers, name_of, names_of_updates, stamps_of, updates_of

JITTER_MS = 100.0
"""By so much the times that a dev server and a page tell may differ, on a busy machine."""
RELOAD_MS = 1000.0
"""So much earlier than the dev server's word at most is the page's that it reloads because of it."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is so now, as far as it matters for a verdict."""

    page: bool = True
    """There is a page to judge by, or was one."""
    present: bool = True
    """It is connected."""
    visible: bool = True
    url: str = ""
    servers: frozenset[str] | None = None
    """The dev servers that serve the page; None: it may be any."""
    is_served: bool = True
    """Some dev server is connected."""


class Story:
    """The entries of kinds that matter, apart for dev servers and page, each in the order in which they were told."""

    def __init__(self, entries: Iterable[Entry], known: Known, cut: Wanted) -> None:
        ordered = sorted(entries, key=lambda entry: entry.seq)
        self.known, self.cut = known, cut
        self.server = [entry for entry in ordered if entry.page is None and self._is_of_page(entry)]
        self.page = [entry for entry in ordered if entry.page is not None and known.page]
        self._answers = Answers(self.page)
        self.sent = [entry for entry in self.new("sent") if not self._was_told(entry)]
        self.loads = self.news(self.page, "loaded")
        self._leaving = self.news(self.page, "reloading")
        asked = self.new("full-reload", "restart")
        self.reloads = [
            *(entry for entry in asked if self.concerns(entry) and not self._came_to_nothing(entry)),
            *self._leaving,
        ]

    def _came_to_nothing(self, asked: Entry) -> bool:
        """A restart that failed: the dev server goes on as it was."""
        later = (event_of(entry) for entry in self.server if entry.seq > asked.seq)
        end = next((event for event in later if event in ("restart", "restart-failed")), None)
        return event_of(asked) == "restart" and end == "restart-failed"

    def _was_told(self, sent: Entry) -> bool:
        """The page's answer came before the cut, and the dev server's word later."""
        return any(not self.cut.takes(answer) for answer in self._answers.to(sent))

    def _is_of_page(self, entry: Entry) -> bool:
        servers, server = self.known.servers, entry.data.get("server")
        return servers is None or server is None or server in servers

    def new(self, *events: str) -> list[Entry]:
        """What the dev servers told since the cut."""
        return self.news(self.server, *events)

    def news(self, stream: Sequence[Entry], *events: str) -> list[Entry]:
        return [entry for entry in stream if event_of(entry) in events and self.cut.takes(entry)]

    def concerns(self, reload: Entry) -> bool:
        """False for the reload of another HTML page, as Vite's client has it."""
        path = str(reload.data.get("path") or "")
        if not path.endswith(".html") or path == "/index.html" or not self.known.url:
            return True
        shown = urlsplit(self.known.url).path
        return f"{shown}index.html".endswith(path) if shown.endswith("/") else shown.endswith(path)

    # Updates

    def is_loaded_after(self, entry: Entry) -> bool:
        """A document was loaded after it, and has it anyway."""
        if entry.page is not None:
            return any(load.seq > entry.seq for load in self.loads)
        # In doubt, a document that has come already when it is told is an earlier one.
        return any(load.at >= entry.at - (JITTER_MS if load.seq > entry.seq else 0) for load in self.loads)

    @cached_property
    def pending(self) -> list[Entry]:
        """Updates that were sent and of which the page has not told what became of them."""
        left = [entry for entry in self.sent if self.known.page and not self._answers.to(entry)]
        return [entry for entry in left if not self.is_loaded_after(entry)]

    @cached_property
    def landed(self) -> list[Entry]:
        """Updates that are on the page; where there is none, all that were sent."""
        sent = [entry for entry in self.server if event_of(entry) == "sent"]
        announced = {answer.seq for entry in sent for answer in self._answers.to(entry)}
        applied = self.news(self.page, "applied")
        return [entry for entry in self.sent if not self.known.page or self._has_landed(entry)] + [
            entry for entry in applied if entry.seq not in announced
        ]

    def _has_landed(self, sent: Entry) -> bool:
        return bool(self._answers.applied(sent)) or self.is_loaded_after(sent)

    @cached_property
    def updates(self) -> list[Mapping[str, Any]]:
        """Of those that landed: what this page has loaded, and could run."""
        return [update for entry in self.landed for update in self._own_updates(entry)]

    def _own_updates(self, landed: Entry) -> Sequence[Mapping[str, Any]]:
        applied = self._answers.applied(landed) if event_of(landed) == "sent" else []
        if not applied:
            return updates_of(landed)
        own = {name for answer in applied for name in names_of_updates(answer)}
        return [update for update in updates_of(landed) if name_of(update) in own]

    @cached_property
    def was_overtaken(self) -> bool:
        """The page was loaded anew before it had applied what was sent."""
        return any(self.is_loaded_after(entry) and not self._answers.to(entry) for entry in self.sent)

    @cached_property
    def is_reload_pending(self) -> bool:
        return self.known.page and not all(map(self._is_reloaded, self.reloads))

    def _is_reloaded(self, asked: Entry) -> bool:
        followed = [entry for entry in self._leaving if self.is_loaded_after(entry)]
        is_told_by_page = asked.page is None and any(e.at >= asked.at - RELOAD_MS for e in followed)
        return is_told_by_page or self.is_loaded_after(asked)

    @cached_property
    def unsent(self) -> list[Entry]:
        """Changes of known modules after which the dev server has said nothing yet."""
        last = max((e.seq for e in self.new("sent", "full-reload", "error", "restart")), default=0)
        return [entry for entry in self.new("change") if entry.seq > last and entry.data.get("modules")]

    @cached_property
    def invalidated(self) -> list[Entry]:
        """Modules that asked for an update of those who use them, which has not come yet."""
        asked = self.news(self.page, "invalidated")
        return [entry for entry in asked if not self._is_answered(entry) and not self.is_loaded_after(entry)]

    def _is_answered(self, asked: Entry) -> bool:
        """A page tells that first, then that it applied what came with it, then what came for it."""
        later = [entry for entry in self.page if entry.seq > asked.seq and event_of(entry) == "applied"]
        path = asked.data.get("path")
        own = later[:1] if later and any(path in name for name in names_of_updates(later[0])) else []
        return len(later) > len(own)

    # Errors

    def error(self) -> dict[str, Any] | None:
        """What stands in the way now: the newest that was not mended."""
        return self._servers_error() or self._pages_error()

    def _servers_error(self) -> dict[str, Any] | None:
        left = [entry for entry in self.new("error") if not self._is_mended(entry)]
        return _problem(left[-1]) if left else None

    def _is_mended(self, error: Entry) -> bool:
        later = [entry for entry in self.server if entry.seq > error.seq]
        file = str(error.data.get("file") or "")
        changed = False
        for entry in later:
            event = event_of(entry)
            if event == "restart" or (event == "full-reload" and self.concerns(entry)):
                return True
            if event == "mended" and touches(entry.data, file):
                return True
            if event == "sent" and (changed or not file or touches(entry.data, file)):
                return True
            changed = changed or (event == "change" and touches(entry.data, file))
        return False

    def _pages_error(self) -> dict[str, Any] | None:
        """What the page alone knows: modules that it loaded and could not run, and what the dev server did not tell."""
        known = [entry for entry in self.server if event_of(entry) == "error"]
        left = [
            entry
            for entry in self.news(self.page, "failed")
            if not any(_is_same_error(entry, other) for other in known) and not self._is_overcome(entry)
        ]
        if not left:
            return None
        found = {**_problem(left[-1]), **self._failed_file(left[-1])}
        return {**found, **self._deleted(str(found.get("file") or ""))}

    def _is_overcome(self, failed: Entry) -> bool:
        """A later update of the same modules was applied, or the page is new."""
        own, names = stamps_of(failed), names_of(failed.data)
        applied = [entry for entry in self.page if entry.seq > failed.seq and event_of(entry) == "applied"]
        later = [entry for entry in applied if stamps_of(entry) - own]
        mended = any(not names or any(touches(entry.data, name) for name in names) for entry in later)
        return mended or self.is_loaded_after(failed)

    def _deleted(self, file: str) -> dict[str, str]:
        """Why a module whose file is gone cannot be loaded."""
        last = [entry for entry in self.server if event_of(entry) == "change" and touches(entry.data, file)][
            -1:
        ]
        is_gone = any(entry.data.get("type") == "delete" for entry in last)
        return {"message": f"{file} was deleted, and is still imported."} if is_gone else {}

    def _failed_file(self, failed: Entry) -> dict[str, str]:
        """The file of a module that failed, where only its URL was told."""
        urls = [update.get("acceptedPath") for update in updates_of(failed)]
        updates = [update for entry in self.sent for update in updates_of(entry)]
        files = [
            str(each["file"]) for each in updates if each.get("acceptedPath") in urls and each.get("file")
        ]
        return {"file": files[-1]} if files and not failed.data.get("file") else {}


def event_of(entry: Entry) -> str | None:
    return entry.data.get("event") if entry.kind in ("update", "navigation", "server") else None


def bears_on_updates(entry: Entry) -> bool:
    """True if a verdict may change with it."""
    return event_of(entry) is not None


_PROBLEM = ("message", "file", "line", "column", "frame", "plugin")


def _problem(entry: Entry) -> dict[str, Any]:
    known = {key: entry.data[key] for key in _PROBLEM if entry.data.get(key) is not None}
    return {"message": entry.text, **known}


def _is_same_error(one: Entry, other: Entry) -> bool:
    first, second = one.data, other.data
    if first.get("message") == second.get("message"):
        return True
    is_same_place = same_file(str(first.get("file") or ""), str(second.get("file") or ""))
    return is_same_place and first.get("line") == second.get("line")
