"""What a tab logged and fetched since this watcher looked last: each watcher gets everything once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pageside.chrome.console import Entry
from pageside.chrome.requests import Request
from pageside.chrome.tab import Tab
from pageside.core.marks import Mark
from pageside.core.portions import portion
from pageside.hubs.sessions import Watcher
from pageside.operations.marks import marks_of

ROOM = 100_000
"""Characters of one answer, roughly."""
ROW_CHARS = 120
"""Of a row besides its text."""

CONSOLE, ERRORS, NETWORK = "console", "errors", "network"
"""What marks are for."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class News(Generic[T]):
    """`dropped`: how many others the buffer had no room for. `left`: how many do not fit into the answer.

    Call `read()` when they have been told: the watcher's next look begins after them.
    """

    items: Sequence[T]
    dropped: int
    left: int
    read: Callable[[], None]


def console_news(
    tab: Tab, watcher: Watcher, *, what: str = CONSOLE, levels: Collection[str] = (), newest: bool = False
) -> News[Entry]:
    """Messages of these levels, or all; if they are too many the oldest, or the `newest`."""
    marks, console = marks_of(tab), tab.console
    mark = marks.get(watcher.key, what)
    fitting = [entry for entry in console.since(mark) if not levels or entry.level in levels]
    items, left = fit(fitting, lambda entry: len(entry.text), newest=newest)
    # What is left comes next time, what is of other levels does not.
    reached = _reached(mark, items[-1]) if left and not newest else console.end
    return News(items, console.missed(mark), left, lambda: marks.set(watcher.key, what, reached))


def _reached(mark: Mark, last: Entry) -> Mark:
    earlier = mark.times if last.id == mark.number else 0
    return Mark(last.id, earlier + last.count)


def network_news(tab: Tab, watcher: Watcher, *, part: str = "", newest: bool = False) -> News[Request]:
    """Requests whose URL contains `part`, case ignored; those that were under way before come again when they end.

    What does not fit `part` stays new.
    """
    marks, network = marks_of(tab), tab.network
    mark = marks.get(watcher.key, NETWORK)
    since = network.since(mark)
    fitting = [request for request in since if part.casefold() in request.url.casefold()]
    items, left = fit(fitting, lambda request: len(request.url), newest=newest)
    looked = since[: since.index(items[-1]) + 1] if left and not newest else since
    reached = network.after(mark, looked, items)
    return News(items, network.missed(mark), left, lambda: marks.set(watcher.key, NETWORK, reached))


def fit(items: Sequence[T], chars: Callable[[T], int], *, newest: bool) -> tuple[Sequence[T], int]:
    """Those that one answer can carry, and how many others there are; `items` begin with the oldest."""
    chosen = items[portion([chars(item) + ROW_CHARS for item in items], ROOM, newest=newest)]
    return chosen, len(items) - len(chosen)
