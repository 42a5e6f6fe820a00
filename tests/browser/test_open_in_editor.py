"""From the overlay into the editor, by Vite's own endpoint."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, expect

from support.app import DevServer, copy_example, dev_server, place
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")

CARD = "src/components/DishCard.tsx"


class Editor:
    """A command that tells what it was asked to open."""

    def __init__(self, folder: Path) -> None:
        self.command, self._told = folder / "editor.sh", folder / "opened"
        os.mkfifo(self._told)
        self.command.write_text(f"#!/bin/sh\n{{ printf '%s\\n' \"$@\"; echo; }} > '{self._told}'\n")
        self.command.chmod(0o755)
        self._reader = asyncio.StreamReader()

    async def start(self) -> None:
        # Read and write, so that it stays open between two commands.
        pipe = os.fdopen(os.open(self._told, os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(self._reader), pipe)
        self.stop = transport.close

    async def opened(self) -> list[str]:
        """[file, line, column] of what it opens next."""
        told = await asyncio.wait_for(self._reader.readuntil(b"\n\n"), 30)
        return told.decode().strip().split("\n")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def edited(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[DevServer, Editor]]:
    """The example behind a base path, and the editor of whoever runs it."""
    editor = Editor(tmp_path_factory.mktemp("editor"))
    await editor.start()
    environment = {"LAUNCH_EDITOR": str(editor.command)}
    project = copy_example("vite-react")
    async with dev_server(project, arguments=("--base", "/noon/"), environment=environment) as server:
        yield server, editor
    editor.stop()


async def test_the_place_in_the_note_and_in_the_panel_opens_in_the_editor(
    context: BrowserContext, edited: tuple[DevServer, Editor]
) -> None:
    server, editor = edited
    line, column = place(server.project / CARD, "<h3")
    expected = [str(server.project / CARD), str(line), str(column)]
    overlay = await Overlay.open(context, server)
    await overlay.pick(overlay.page.locator("article h3").first)
    note = overlay.root.get_by_role("dialog")
    link = note.get_by_role("button", name=f"Open {CARD}:{line} in editor", exact=True)
    await link.click()
    assert await editor.opened() == expected
    await expect(note).to_be_visible()
    await overlay.write("Larger")
    panel = await overlay.show_panel()
    item = panel.get_by_role("button", name=f"Open {CARD}:{line} in editor").first
    await item.focus()
    await overlay.page.keyboard.press("Enter")
    assert await editor.opened() == expected
    # The list is drawn again with every change, the button is not.
    await overlay.page.evaluate("dispatchEvent(new StorageEvent('storage', { key: null }))")
    await expect(item).to_be_focused()
    await overlay.page.keyboard.press("Escape")
    await expect(panel).to_be_hidden()

    await asyncio.to_thread(editor.command.unlink)
    await overlay.pick(overlay.page.locator("article h3").first)
    await link.click()
    told = overlay.root.locator(".toast").filter(has_text="set LAUNCH_EDITOR")
    await expect(told).to_be_visible(timeout=20_000)
