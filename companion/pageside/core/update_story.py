"""What a timeline says about hot updates: what dev servers saw and sent, and what became of it on one page.

What a dev server tells and what a page tells come in batches of their own, so that only the order inside each of the
two is sure. Stamps join them: a page names the stamps of the updates that it applied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from pageside.core.modules import same_file, touches
from pageside.core.timeline import Entry, Wanted

_BROKEN = re.compile(r"Failed to reload (\S+?)\. This could be due to")
"""What Vite's client logs when it has fetched an update and could not run it."""


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
        self.applied = {stamp for entry in self.page for stamp in _applied(entry)}
        self._failed = {
            stamp for entry in self.page if event_of(entry) == "failed" for stamp in _stamps(entry)
        }
        told = {stamp for entry in self.page if not cut.takes(entry) for stamp in _applied(entry)}
        self.sent = [entry for entry in self.new("sent") if _stamp(entry) not in told]
        self.loads = [entry.at for entry in self.news(self.page, "loaded")]
        self.reloads = [
            *(entry for entry in self.new("full-reload", "restart") if self.concerns(entry)),
            *self.news(self.page, "reloading"),
        ]

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
        return any(load >= entry.at for load in self.loads)

    @property
    def pending(self) -> list[Entry]:
        """Updates that were sent and of which the page has not told what became of them."""
        left = [entry for entry in self.sent if self.known.page and not self._has_landed(entry)]
        return [entry for entry in left if _stamp(entry) not in self._failed]

    @property
    def landed(self) -> list[Entry]:
        """Updates that are on the page; where there is none, all that were sent."""
        known = {_stamp(entry) for entry in self.server if event_of(entry) == "sent"}
        unannounced = [entry for entry in self.news(self.page, "applied") if not known & _applied(entry)]
        return [e for e in self.sent if not self.known.page or self._has_landed(e)] + unannounced

    def _has_landed(self, sent: Entry) -> bool:
        return _stamp(sent) in self.applied or self.is_loaded_after(sent)

    @property
    def was_overtaken(self) -> bool:
        """The page was loaded anew before it had applied what was sent."""
        return any(self.is_loaded_after(e) and _stamp(e) not in self.applied for e in self.sent)

    @property
    def is_reload_pending(self) -> bool:
        return self.known.page and any(not self.is_loaded_after(entry) for entry in self.reloads)

    @property
    def unsent(self) -> list[Entry]:
        """Changes of known modules after which the dev server has said nothing yet."""
        last = max((e.seq for e in self.new("sent", "full-reload", "error", "restart")), default=0)
        return [entry for entry in self.new("change") if entry.seq > last and entry.data.get("modules")]

    @property
    def invalidated(self) -> list[Entry]:
        """Modules that asked for an update of those who use them, which has not come yet."""
        asked = self.news(self.page, "invalidated")
        return [entry for entry in asked if not self._is_followed(entry) and not self.is_loaded_after(entry)]

    def _is_followed(self, entry: Entry, path: str = "") -> bool:
        """Another update than the one that the entry came with was applied after it.

        What a page tells while it applies an update comes before it tells that it applied it.
        """
        later = [e for e in self.page if e.seq > entry.seq and (not path or touches(e.data, path))]
        own = _stamps(entry)
        return len({stamp for each in later for stamp in _applied(each)} - own) > (0 if own else 1)

    # Errors

    def error(self) -> dict[str, Any] | None:
        """What stands in the way now: the newest that was not mended."""
        return self._servers_error() or self._pages_error() or self._broken_module()

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
        """What the page was told and the dev server's plugin was not."""
        known = [entry for entry in self.server if event_of(entry) == "error"]
        left = [
            entry
            for entry in self.news(self.page, "failed")
            if not any(_is_same_error(entry, other) for other in known)
            and not self._is_followed(entry)
            and not self.is_loaded_after(entry)
        ]
        return _problem(left[-1]) if left else None

    def _broken_module(self) -> dict[str, Any] | None:
        """A module that was fetched and could not be run."""
        for entry in reversed(self.page):
            path = broken_path(entry)
            if path is None or not self.cut.takes(entry):
                continue
            if not self._is_followed(entry, path) and not self.is_loaded_after(entry):
                return {"message": self._why_broken(entry), "file": self._file_of(path)}
        return None

    def _why_broken(self, broken: Entry) -> str:
        before = [
            e for e in self.page if e.seq < broken.seq and is_console_error(e) and broken_path(e) is None
        ]
        return before[-1].text if before and self.cut.takes(before[-1]) else broken.text

    def _file_of(self, path: str) -> str:
        updates = [update for entry in self.sent for update in entry.data.get("updates") or ()]
        named = [str(each["file"]) for each in updates if each.get("path") == path and each.get("file")]
        return named[-1] if named else path.lstrip("/")


def event_of(entry: Entry) -> str | None:
    return entry.data.get("event") if entry.kind in ("update", "navigation", "server") else None


def is_console_error(entry: Entry) -> bool:
    return entry.kind == "console" and entry.level == "error"


def broken_path(entry: Entry) -> str | None:
    """The URL of the module that the page could not replace, if the entry tells that."""
    found = _BROKEN.search(entry.text) if is_console_error(entry) else None
    return found[1] if found else None


def bears_on_updates(entry: Entry) -> bool:
    """True if a verdict may change with it."""
    return event_of(entry) is not None or broken_path(entry) is not None


def _stamp(entry: Entry) -> object:
    return entry.data.get("stamp")


def _stamps(entry: Entry) -> set[object]:
    return set(entry.data.get("stamps") or ())


def _applied(entry: Entry) -> set[object]:
    return _stamps(entry) if event_of(entry) == "applied" else set()


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
