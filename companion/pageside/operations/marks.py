"""Where each watcher goes on reading in a tab's console and network; forgotten with the watcher and with the tab."""

from __future__ import annotations

from pageside.chrome.tab import Tab
from pageside.core.marks import Marks
from pageside.operations.world import World


def marks_of(tab: Tab) -> Marks:
    """The tab's own: a tab that is watched anew has other numbers, and no marks."""
    return tab.part(_marks)


def _marks(_tab: Tab) -> Marks:
    return Marks()


def forget_marks(world: World) -> None:
    """When a watcher's session ends."""

    def closed(key: str) -> None:
        for browser in world.chromes.all:
            for tab in browser.attached:
                marks_of(tab).forget(key)

    world.sessions.closed.listen(closed)
