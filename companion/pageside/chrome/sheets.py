"""The style sheets of one session, and what to call the place of a rule: the authored file and its line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from pageside.chrome.authored import Authored
from pageside.chrome.loading import Maps
from pageside.chrome.session import CommandFailed, Params, Session

VITE_ATTRIBUTE = "data-vite-dev-id"
"""Where Vite's dev server says which file a `<style>` was made of."""
_COMPILED = (".scss", ".sass", ".less", ".styl", ".stylus")
_MAX_FILE_BYTES = 2_000_000


@dataclass(slots=True)
class Sheets:
    """What Chrome told of the sheets while CSS is enabled."""

    session: Session
    maps: Maps
    authored: Authored
    headers: dict[str, Params] = field(default_factory=dict)
    _files: dict[str, list[str]] = field(default_factory=dict)

    async def source(self, sheet_id: str, line: int, column: int, selector: str) -> str:
        """`file:line` of a place in a sheet (counting from 0); `selector` stands there."""
        header = self.headers.get(sheet_id)
        if header is None:
            return "unknown sheet"
        return await self._mapped(header, line, column) or await self._unmapped(header, line, selector)

    async def _mapped(self, header: Params, line: int, column: int) -> str | None:
        named = header.get("sourceMapURL")
        if not named:
            return None
        found = await self.maps.of_sheet(
            self.session, header.get("frameId"), header["styleSheetId"], header.get("sourceURL", ""), named
        )
        place = found.original(line, column) if found is not None else None
        return f"{self.authored.short(place.url)}:{place.line}" if place is not None else None

    async def _unmapped(self, header: Params, line: int, selector: str) -> str:
        made_of = await self._vite_file(header)
        if made_of is not None:
            name = self.authored.short(made_of)
            is_same = await self._stands_in(name, line, selector)
            return f"{name}:{line + 1}" if is_same else f"{name} (line {line + 1} of what it compiles to)"
        url = header.get("sourceURL", "")
        if header.get("isConstructed"):
            return f"{self.authored.short(url) if url else 'constructed sheet'}:{line + 1}"
        if header.get("isInline"):
            return f"{self.authored.short(url)}:{line + 1 + int(header.get('startLine', 0))} (<style>)"
        return f"{self.authored.short(url) if url else 'inserted sheet'}:{line + 1}"

    async def _vite_file(self, header: Params) -> str | None:
        owner = header.get("ownerNode")
        if owner is None:
            return None
        try:
            node = (await self.session("DOM.describeNode", backendNodeId=owner))["node"]
        except CommandFailed:
            # The element was replaced meanwhile.
            return None
        given = node.get("attributes", [])
        return dict(zip(given[::2], given[1::2], strict=False)).get(VITE_ATTRIBUTE)

    async def _stands_in(self, name: str, line: int, selector: str) -> bool:
        """True if the project's file has the selector in that very line: then it was not compiled."""
        if name.endswith(_COMPILED):
            return False
        lines = self._files.get(name)
        if lines is None:
            lines = self._files[name] = await asyncio.to_thread(_lines, self.authored.project, name)
        return line < len(lines) and selector in lines[line]


def _lines(project: PurePath, name: str) -> list[str]:
    root = Path(project).resolve()
    try:
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            return []
        if path.stat().st_size > _MAX_FILE_BYTES:
            return []
        return path.read_text("utf-8", "replace").splitlines()
    except (OSError, ValueError):
        # What is no file has no lines.
        return []


@asynccontextmanager
async def open_sheets(session: Session, maps: Maps, authored: Authored) -> AsyncIterator[Sheets]:
    """Chrome's view of the sheets, for as long as it is needed: it costs the page something."""
    sheets = Sheets(session, maps, authored)

    def added(params: Params) -> None:
        sheets.headers[params["header"]["styleSheetId"]] = params["header"]

    stop = session.on("CSS.styleSheetAdded", added)
    try:
        await session("DOM.enable")
        await session("CSS.enable")
        yield sheets
    finally:
        stop()
        await session("CSS.disable")
        await session("DOM.disable")
