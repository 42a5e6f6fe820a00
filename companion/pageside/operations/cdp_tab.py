"""The commands of `AnyTab` in a tab that Chrome shows over CDP: by the engine that all Chrome tools have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pageside.chrome import act
from pageside.chrome.acting import Done
from pageside.chrome.activity import settled
from pageside.chrome.browser import Browser
from pageside.chrome.capture import Image
from pageside.chrome.console import Entry
from pageside.chrome.find import Target
from pageside.chrome.navigation import go, location, navigate, status
from pageside.chrome.scripts import evaluate
from pageside.chrome.tab import Tab
from pageside.contract import TABS
from pageside.core.dates import iso_time
from pageside.core.redaction import redact_url
from pageside.errors import TabDisconnected
from pageside.operations.gate import script_permit
from pageside.operations.read_news import fit
from pageside.operations.shots import MAX_SIDE_PX, Shot, shoot_to_fit

COMMAND_SECONDS: float = TABS["commandMs"] / 1000


@dataclass(frozen=True, slots=True)
class CdpTab:
    """An `AnyTab`."""

    chrome: Browser
    tab: Tab

    # Going somewhere

    async def navigate(self, url: str, *, seconds: float) -> dict[str, Any]:
        async with self.tab.lock:
            loaded = await navigate(self.tab, url, seconds=seconds)
            return await self._arrived(loaded)

    async def go(self, by: int) -> dict[str, Any]:
        async with self.tab.lock:
            loaded = await go(self.tab, by, seconds=COMMAND_SECONDS)
            return await self._arrived(loaded)

    async def _arrived(self, loaded: bool) -> dict[str, Any]:
        code = {"status": status(self.tab)}
        if loaded and self.tab.dialog is None:
            place = await location(self.tab)
            return {"url": redact_url(place["url"]), "title": place["title"], **code}
        url, title = await self._listed()
        return {"url": url, "title": title, **code, **({} if loaded else {"loading": True})}

    async def _listed(self) -> tuple[str, str]:
        """URL and title as Chrome lists them: a page that hangs or shows a dialog tells nothing."""
        tabs = await self.chrome.tabs(launch=False)
        here = next((each for each in tabs if each.id == self.tab.id), None)
        return (redact_url(here.url), here.title) if here is not None else ("", "")

    # Seeing

    async def screenshot(
        self, name: str, selector: str | None, width: int | None, height: int | None
    ) -> dict[str, Any]:
        element = Target(selector=selector) if selector is not None else None
        limit = (min(width or MAX_SIDE_PX, MAX_SIDE_PX), min(height or MAX_SIDE_PX, MAX_SIDE_PX))
        async with self.tab.lock:
            await settled(self.tab)
            image = await shoot_to_fit(self.tab, Shot(element=element), limit)
        return {"name": name, **_shown(image)}

    async def logs(self, most: int) -> dict[str, Any]:
        async with self.tab.lock:
            if self.tab.dialog is None:
                await settled(self.tab)
        console = self.tab.console
        entries = console.entries(preserved=True)
        newest, left = fit(entries[-most:], lambda entry: len(entry.text), newest=True)
        gone = console.dropped + left
        return {"logs": _told(newest), **({"dropped": gone} if gone else {})}

    # Acting

    async def click(self, selector: str) -> dict[str, Any]:
        return await self._did(await act.click(self.tab, Target(selector=selector)))

    async def hover(self, selector: str) -> dict[str, Any]:
        return await self._did(await act.hover(self.tab, Target(selector=selector)))

    async def fill(self, selector: str, value: str) -> dict[str, Any]:
        return await self._did(await act.fill(self.tab, Target(selector=selector), value), value=value)

    async def select(self, selector: str, value: str) -> dict[str, Any]:
        return await self._did(await act.select(self.tab, Target(selector=selector), value), value=value)

    async def _did(self, done: Done, **more: str) -> dict[str, Any]:
        if not done.what:
            # A dialog came before the element was found: nothing was done.
            raise self.tab.dialog_error()
        if self.tab.dialog is None:
            await settled(self.tab)
        url, _ = await self._listed()
        if self.tab.is_closed:
            raise TabDisconnected("It was done, and the tab closed.")
        dialog = self.tab.dialog
        notes = done.notes if dialog is None else [_open_dialog(dialog)]
        note = {"note": " ".join(notes)} if notes else {}
        return {"success": True, "element": done.what, "url": url, **more, **note}

    async def evaluate(self, code: str) -> dict[str, Any]:
        value = await evaluate(self.tab, code, seconds=COMMAND_SECONDS, permit=script_permit())
        return {"result": value.json}


def _open_dialog(dialog: dict[str, Any]) -> str:
    return f"A dialog opened: {dialog.get('type')} {dialog.get('message')!r}. The user has to answer it."


def _shown(image: Image) -> dict[str, Any]:
    return {"mime": image.mime, "data": image.data, "width": image.width, "height": image.height}


def _told(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [
        {
            "timestamp": iso_time(entry.at),
            "level": entry.level,
            "message": entry.text,
            **({"count": entry.count} if entry.count > 1 else {}),
        }
        for entry in reversed(entries)
    ]
