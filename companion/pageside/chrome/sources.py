"""Where the places that Chrome tells of were authored: `file:line:column` in the project."""

from __future__ import annotations

import asyncio
import logging
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import PurePath
from typing import Any

from pageside.chrome.authored import Authored
from pageside.chrome.loading import Maps, load_text
from pageside.chrome.session import Params
from pageside.chrome.sourcemap import SourceMap
from pageside.chrome.stacks import Frame, Place
from pageside.chrome.tab import Tab
from pageside.errors import ChromeError, CommandTimeout

log = logging.getLogger(__name__)

_ORIGIN_SECONDS = 2.0
_IDENTIFIER = re.compile(r"[\w$]+")


@dataclass(frozen=True, slots=True)
class Sources:
    """Those of what a tab shows now; made by `sources_of`."""

    tab: Tab
    maps: Maps
    authored: Authored

    async def place(self, place: Place) -> str:
        """`file:line:column` where the source map of the file tells, else the place as it runs."""
        return self._named(place, await self._map(place) if place.line else None)

    def known_place(self, place: Place) -> str:
        """The same, as far as it can be said without loading anything."""
        return self._named(place, self.maps.loaded(place.url))

    async def _map(self, place: Place) -> SourceMap | None:
        return await self.maps.of_script(self.tab.session, self.tab.id, place.url)

    def _named(self, place: Place, source_map: SourceMap | None) -> str:
        original = source_map.original(*_from_zero(place)) if source_map and place.line else None
        if original is not None:
            return f"{self.authored.short(original.url)}:{original.line}:{original.column}"
        return str(place._replace(url=self.authored.short(place.url)))

    async def stack(self, frames: Iterable[Frame]) -> list[dict[str, Any]]:
        """`[{"function", "at": "src/App.tsx:12:5", "async"?: true}]`, the innermost call first."""
        frames = list(frames)
        places = await asyncio.gather(*(self.place(frame.place) for frame in frames))
        names = await self._functions(frames)
        return [
            {"function": name, "at": at} | ({"async": True} if frame.asynchronous else {})
            for frame, name, at in zip(frames, names, places, strict=True)
        ]

    async def _functions(self, frames: list[Frame]) -> list[str]:
        """What the functions were called before a bundler renamed them, where their caller's source map tells."""
        names = [frame.function for frame in frames]
        texts: dict[str, list[str]] = {}
        for number, (callee, caller) in enumerate(pairwise(frames)):
            source_map = self.maps.loaded(caller.place.url) if caller.place.line else None
            name = source_map.name(*_from_zero(caller.place)) if source_map else None
            if not name or name == callee.function or caller.asynchronous:
                continue
            url = caller.place.url
            if url not in texts:
                texts[url] = (await self._text(url)).split("\n")
            # Something else may have been called there, as `map` in `list.map(e)`, which then called the function.
            if _identifier(texts[url], caller.place) == callee.function:
                names[number] = name
        return names

    async def positions(self, wanted: Iterable[tuple[str, int]]) -> dict[tuple[str, int], str]:
        """The authored places of positions (URL, characters from the script's beginning)."""
        found: dict[tuple[str, int], str] = {}
        by_url: dict[str, list[int]] = {}
        for url, position in wanted:
            by_url.setdefault(url, []).append(position)
        for url, positions in by_url.items():
            ends = await self._line_ends(url)
            for position in positions:
                found[url, position] = await self.place(_place(url, position, ends))
        return found

    async def _line_ends(self, url: str) -> list[int]:
        """After how many characters each line of the script ends; none if it cannot be had."""
        lines = (await self._text(url)).splitlines(keepends=True)
        return list(accumulate(len(line.encode("utf-16-le")) // 2 for line in lines))

    async def _text(self, url: str) -> str:
        """Of a script; '' if it cannot be had."""
        try:
            return await load_text(self.tab.session, self.tab.id, url)
        except (ChromeError, CommandTimeout) as error:
            log.debug("positions are not known: %s", error)
            return ""


def _from_zero(place: Place) -> tuple[int, int]:
    return place.line - 1, max(0, place.column - 1)


def _identifier(lines: list[str], place: Place) -> str:
    """The one that stands there."""
    line, column = _from_zero(place)
    found = _IDENTIFIER.match(lines[line], column) if line < len(lines) else None
    return found[0] if found else ""


def _place(url: str, position: int, ends: list[int]) -> Place:
    line = bisect_right(ends, position) if position >= 0 else len(ends)
    if line >= len(ends):
        return Place(url, 0, 0)
    return Place(url, line + 1, position - (ends[line - 1] if line else 0) + 1)


def maps_of(tab: Tab) -> Maps:
    """The tab's own, forgotten when it shows something else."""
    return tab.part(_maps)


def _maps(tab: Tab) -> Maps:
    maps = Maps()

    def navigated(params: Params) -> None:
        if "parentId" not in params["frame"]:
            maps.forget()

    tab.session.on("Page.frameNavigated", navigated)
    return maps


async def sources_of(tab: Tab, project: PurePath) -> Sources:
    """How places in the tab are called in that project."""
    try:
        origin = str(await tab.evaluate("location.origin", seconds=_ORIGIN_SECONDS))
    except (ChromeError, CommandTimeout) as error:
        log.debug("the page's origin is not known: %s", error)
        origin = ""
    return Sources(tab, maps_of(tab), Authored(project, origin))
