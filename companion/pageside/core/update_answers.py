"""What a page told of the updates that it was sent: applied, or failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pageside.core.timeline import Entry

Name = tuple[object, object]
"""Of an updated module: its path, and the path of the module that changed."""


class Answers:
    """The answers of one page.

    The stamp alone does not tell two updates apart: what a module gives on to those that import it has the stamp of its
    own update.
    """

    def __init__(self, page: Iterable[Entry]) -> None:
        self._by_stamp: dict[object, list[Entry]] = {}
        for entry in page:
            if entry.data.get("event") in ("applied", "failed"):
                for stamp in stamps_of(entry):
                    self._by_stamp.setdefault(stamp, []).append(entry)

    def to(self, sent: Entry) -> list[Entry]:
        """Those to that update. A page that has loaded nothing of it answers without naming a module."""
        names = names_of_updates(sent)
        answers = self._by_stamp.get(sent.data.get("stamp"), ())
        return [each for each in answers if not updates_of(each) or names & names_of_updates(each)]

    def applied(self, sent: Entry) -> list[Entry]:
        return [entry for entry in self.to(sent) if entry.data["event"] == "applied"]


def updates_of(entry: Entry) -> Sequence[Mapping[str, Any]]:
    return entry.data.get("updates") or ()


def name_of(update: Mapping[str, Any]) -> Name:
    return update.get("path"), update.get("acceptedPath")


def names_of_updates(entry: Entry) -> set[Name]:
    return {name_of(update) for update in updates_of(entry)}


def stamps_of(entry: Entry) -> set[object]:
    return set(entry.data.get("stamps") or ())
