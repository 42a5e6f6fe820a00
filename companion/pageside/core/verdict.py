"""The verdict on an edit: what the page shows of it, or why it shows nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pageside.core.modules import same_file
from pageside.core.timeline import Entry, Wanted
from pageside.core.update_story import Known, Story, event_of

Status = Literal["updated", "reloaded", "error", "nothing"]

NO_PAGE = "No page is connected, so nobody ran it. Open the app in a browser."
SAW_NOTHING = (
    "The dev server saw no file change in that time. Is the file saved, in the dev server's folder, "
    "and not ignored by its watcher?"
)
DOWN = "The dev server is down: it went away, and none is connected. Start it again."
NEVER_UP = "No dev server with the Pageside plugin is connected. Start it, and open its page."
CLOSED = "The page was closed or left before it had it."
CUT_OFF = "The page has lost its connection to the dev server. Reload it."
NEVER_CONNECTED = (
    "The page has had no connection to the dev server for hot updates since it was loaded: "
    "something blocks its WebSocket. Reload the page to see the new code."
)
HIDDEN = "The page is hidden, and browsers hold hidden pages back. Bring it to the front."
HANGS = "The page did not take it in that time: it hangs, or stands at a breakpoint or a dialog."
RESTARTING = "The dev server restarts, and has not come back yet."
SHOWN_FILES = 3


@dataclass(frozen=True, slots=True)
class Module:
    """One that was updated: the URL of what ran anew, the file that it comes from, js or css."""

    path: str
    file: str
    type: str
    accepted: str = ""
    """The URL of the module that changed, where another one accepted it."""

    def to_json(self) -> dict[str, str]:
        told = {"path": self.path, "file": self.file, "type": self.type, "acceptedPath": self.accepted}
        return {key: value for key, value in told.items() if value}

    @property
    def names(self) -> tuple[str, ...]:
        return (self.file,) if self.file else (self.accepted, self.path)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said now; while it is `open`, more may come that changes it."""

    status: Status
    open: bool = False
    reason: str = ""
    error: Mapping[str, Any] | None = None
    modules: Sequence[Module] = ()
    idle: bool = False
    """Nothing has happened at all."""
    changed: Sequence[str] = ()
    """The files that the dev server saw change and that are part of the page."""

    def covers(self, file: str) -> bool:
        """True if that file's code is now newer on the page."""
        if self.status == "reloaded":
            return True
        names = [name for module in self.modules for name in module.names]
        # Another module may have taken in a file that changed; while some of it is still to come, nobody knows which.
        names += self.changed if self.status == "updated" and not self.open else ()
        return any(same_file(name, file) for name in names)


def judge(entries: Iterable[Entry], known: Known, cut: Wanted) -> Verdict:
    """The verdict on what `cut` takes of a page's and its project's entries; earlier ones only explain later ones."""
    story = Story(entries, known, cut)
    rules = (_failed, _reloaded, _updated, _changed)
    verdict = next((said for rule in rules if (said := rule(story)) is not None), None) or _silent(story)
    if verdict.open and not known.is_served:
        verdict = _without_server(story, verdict)
    return replace(verdict, modules=_modules(story, verdict), changed=_known_files(story))


def _failed(story: Story) -> Verdict | None:
    error = story.error()
    if error is None:
        return None
    return Verdict("error", bool(story.pending or story.unsent or story.is_reload_pending), error=error)


def _reloaded(story: Story) -> Verdict | None:
    if not story.reloads and not story.was_overtaken:
        return None
    why = _why_reloaded(story)
    if not story.known.page:
        return Verdict("nothing", bool(story.unsent), f"{why} {NO_PAGE}".strip())
    if story.is_reload_pending:
        return Verdict("nothing", True, f"{why} {_why_not(story)}".strip())
    return Verdict("reloaded", bool(story.pending or story.unsent), why)


def _why_reloaded(story: Story) -> str:
    if any(event_of(entry) == "restart" for entry in story.reloads):
        return "The dev server restarted."
    files = [str(entry.data["file"]) for entry in story.reloads if entry.data.get("file")]
    return f"The dev server asked for a full reload because of {_named(files)}." if files else ""


def _updated(story: Story) -> Verdict | None:
    if not story.sent and not story.landed:
        return None
    if not story.known.page:
        return Verdict("nothing", bool(story.unsent), f"{_sent(story.sent)}. {NO_PAGE}")
    if story.pending:
        reason = f"{_sent(story.pending)}. {_why_not(story)}"
        return Verdict("updated" if story.landed else "nothing", True, reason)
    if story.invalidated:
        path = story.invalidated[-1].data.get("path")
        reason = f"{path} cannot be replaced while it runs, and the dev server sent nothing further."
        return Verdict("nothing", True, reason)
    if not story.updates:
        reason = f"{_sent(story.sent)}, which this page has not loaded."
        return Verdict("nothing", bool(story.unsent), reason)
    return Verdict("updated", bool(story.unsent))


def _changed(story: Story) -> Verdict | None:
    if story.unsent:
        reason = (
            f"The dev server saw {_files(story.unsent)} change, and sent the page nothing for it: "
            "a plugin took it, only the server's side uses it, or hot updates are off (server.hmr)."
        )
        return Verdict("nothing", True, reason)
    changes = story.new("change")
    if not changes:
        return None
    if not story.known.page:
        return Verdict("nothing", reason=f"The dev server saw {_files(changes)} change. {NO_PAGE}")
    reason = (
        f"The dev server saw {_files(changes)} change, but no module of the page uses it: "
        "it is not in the module graph."
    )
    return Verdict("nothing", reason=reason)


def _silent(story: Story) -> Verdict:
    if _is_cut_off(story):
        return Verdict("nothing", True, f"{CUT_OFF} {SAW_NOTHING}", idle=True)
    loaded = "The page was loaded anew. " if story.loads else ""
    return Verdict("nothing", True, loaded + SAW_NOTHING, idle=True)


def _without_server(story: Story, verdict: Verdict) -> Verdict:
    """Nothing more comes, unless the dev server is about to be back."""
    if story.new("restart"):
        return Verdict("nothing", True, RESTARTING)
    was_there = any(event_of(entry) == "gone" for entry in story.server)
    down = DOWN if was_there else NEVER_UP
    return replace(verdict, open=False, reason=down if verdict.idle else f"{verdict.reason} {down}".strip())


def _why_not(story: Story) -> str:
    """Why the page has not done what it was sent."""
    if not story.known.present:
        return CLOSED
    if _is_cut_off(story):
        return CUT_OFF
    if not story.known.visible:
        return HIDDEN
    return NEVER_CONNECTED if _connection(story) == "loaded" else HANGS


def _is_cut_off(story: Story) -> bool:
    """The page has no connection to its dev server any more, as far as it has told."""
    return _connection(story) == "disconnected"


def _connection(story: Story) -> str | None:
    """What the page told last that says something of its connection to the dev server."""
    told = [event_of(entry) for entry in story.page]
    signs = ("connected", "applied", "failed", "disconnected", "loaded")
    return next((event for event in reversed(told) if event in signs), None)


def _modules(story: Story, verdict: Verdict) -> list[Module]:
    """Those that are on the page, each once, in the order in which they were sent."""
    if verdict.status == "nothing":
        return []
    found: dict[tuple[str, str], Module] = {}
    for update in story.updates:
        path, accepted = str(update.get("path", "")), str(update.get("acceptedPath", ""))
        kind = str(update.get("type", "")).removesuffix("-update")
        module = Module(path, str(update.get("file") or ""), kind, accepted if accepted != path else "")
        found[path, accepted] = module
    broken = str((verdict.error or {}).get("file") or "")
    return [each for each in found.values() if not any(same_file(name, broken) for name in each.names)]


def _known_files(story: Story) -> list[str]:
    changes = [entry for entry in story.new("change") if entry.data.get("modules")]
    return list(dict.fromkeys(str(entry.data.get("file")) for entry in changes))


def _sent(sent: Sequence[Entry]) -> str:
    return f"The dev server sent an update of {_named([name for entry in sent for name in _names(entry)])}"


def _names(sent: Entry) -> list[str]:
    return [str(each.get("file") or each.get("path")) for each in sent.data.get("updates") or ()]


def _files(changes: Sequence[Entry]) -> str:
    return _named([str(entry.data.get("file")) for entry in changes])


def _named(names: Sequence[str]) -> str:
    unique = list(dict.fromkeys(names))
    more = f" and {len(unique) - SHOWN_FILES} more" if len(unique) > SHOWN_FILES else ""
    return ", ".join(unique[:SHOWN_FILES]) + more
