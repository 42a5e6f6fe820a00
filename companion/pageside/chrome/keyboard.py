"""Typing as a person does: into what has the focus, after a click on it if it is named."""

from __future__ import annotations

from pageside.chrome import act
from pageside.chrome import input as events
from pageside.chrome.acting import Done, acting, followed, found, or_once_settled
from pageside.chrome.activity import activity_of
from pageside.chrome.documents import Document, call
from pageside.chrome.find import Target, documents
from pageside.chrome.session import Session
from pageside.chrome.tab import Tab
from pageside.errors import ElementNotReady


async def type_text(
    tab: Tab, text: str, target: Target | None = None, *, clear: bool = False, submit: bool = False
) -> Done:
    """Put `text` behind what the field holds (`clear`: in its place), then press Enter (`submit`).

    Raises `ElementNotReady` when what has the focus takes no text. What is chosen or switched gets its value at once.
    """
    if target is not None:
        await activity_of(tab).loaded()
        element = await found(tab, target)
        if await call(element.document, "isFileInput", element):
            raise ElementNotReady(
                f"{element.label} takes files, not text.",
                fix="Ask the user to choose them, or set them in a script, from a DataTransfer.",
            )
        if await call(element.document, "isSetAtOnce", element):
            return await act.fill(tab, target, text)
        await act.click(tab, target)
    async with acting(tab) as done:
        where = "all" if clear else "end" if target is not None else "keep"
        document, place = await _field(tab, where)
        done.what = place["what"]
        await followed(done)
        if "end" in place:
            await events.press(document.session, "End")
        if text:
            await _put(document.session, text)
        elif clear:
            await events.press(document.session, "Delete")
        note = await call(document, "typed") if text else ""
        done.notes += [note] if note else []
        if submit:
            await events.press(document.session, "Enter")
    return done


async def _put(session: Session, text: str) -> None:
    """At once, but the last letter by its key: pages that listen to keys then hear of the whole text."""
    has_key = text[-1].isascii() and (text[-1].isdigit() or text[-1].islower())
    if text[:-1] or not has_key:
        await events.insert_text(session, text[:-1] if has_key else text)
    if has_key:
        await events.press(session, text[-1])


async def _field(tab: Tab, where: str) -> tuple[Document, dict[str, str]]:
    """What has the focus, perhaps only after the click has had its effect."""
    return await or_once_settled(tab, lambda: _focused(tab, where), ElementNotReady)


async def _focused(tab: Tab, where: str) -> tuple[Document, dict[str, str]]:
    async for document in documents(tab):
        place = await call(document, "focusedField", where)
        if place is not None and "error" not in place:
            return document, place
        if place is not None:
            raise ElementNotReady(
                f"Nothing takes the text: {place['error']}.",
                fix="Name the field by ref or selector, or click into it first.",
            )
    raise ElementNotReady(
        "Nothing takes the text: no document of the tab has the keyboard.",
        fix="Name the field by ref or selector, or click into it first.",
    )
