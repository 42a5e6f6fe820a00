"""Which pages of the inspector client a tab of Chrome shows: asked once for each document, then known."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pageside.chrome.bridge import secret_of
from pageside.chrome.session import Session
from pageside.chrome.tab import Tab
from pageside.hubs.page import Page

MAX_DOCUMENTS = 1024
MAX_TABS = 256

Lookup = Callable[[str], Page | None]


@dataclass(frozen=True, slots=True)
class _Known:
    """The page of a document; with none, it may get one when another page connects."""

    page: str | None
    as_of: int


class TabPages:
    """A document is known by its own world: that is never used twice."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._last: OrderedDict[str, list[str]] = OrderedDict()
        self._joined = 0

    async def of(self, tab: Tab, pages: list[Page], get: Lookup) -> list[Page]:
        """Those of the tab's documents, its own before those of its frames; without a question if they are known.

        A tab that cannot answer shows what it showed before.
        """
        if not pages:
            return []
        worlds = [(session, world) for session in tab.sessions() for world in _worlds(tab, session)]
        unknown = [(session, world) for session, world in worlds if not self._is_known(world, get)]
        secrets = {page.secret: page.id for page in pages if page.secret}
        joined = self._joined
        told = await asyncio.gather(*(secret_of(session, world) for session, world in unknown))
        for (_, world), secret in zip(unknown, told, strict=True):
            if secret is not None:
                self._remember(world, _Known(secrets.get(secret), joined))
        found = [self._known[world].page for _, world in worlds if world in self._known]
        shown = [page for page in found if page is not None]
        if not shown and (not worlds or None in told):
            shown = self._last.get(tab.id, [])
        self._keep(tab.id, shown)
        return _present(shown, get)

    def last(self, target_id: str, get: Lookup) -> list[Page]:
        """What the tab of that id showed when it was asked last."""
        return _present(self._last.get(target_id, []), get)

    def _is_known(self, world: str, get: Lookup) -> bool:
        known = self._known.get(world)
        if known is None:
            return False
        return known.as_of == self._joined if known.page is None else get(known.page) is not None

    def _remember(self, world: str, known: _Known) -> None:
        self._known[world] = known
        self._known.move_to_end(world)
        while len(self._known) > MAX_DOCUMENTS:
            self._known.popitem(last=False)

    def _keep(self, target_id: str, shown: Iterable[str]) -> None:
        self._last[target_id] = list(shown)
        self._last.move_to_end(target_id)
        while len(self._last) > MAX_TABS:
            self._last.popitem(last=False)

    def page_connected(self, page: str, predecessor: str | None) -> None:
        """A page joined, perhaps in the place of another."""
        self._joined += 1
        for shown in self._last.values():
            if predecessor in shown:
                shown[shown.index(predecessor)] = page


def _worlds(tab: Tab, session: Session) -> list[str]:
    """The document of the tab itself first."""
    own = tab.documents.main_world(session, tab.id)
    return sorted(tab.documents.main_worlds(session), key=lambda world: world != own)


def _present(pages: Iterable[str], get: Lookup) -> list[Page]:
    found = (get(page) for page in pages)
    return [page for page in found if page is not None]
