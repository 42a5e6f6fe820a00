"""Compares what Pageside says of elements with where they stand in the example's files, before and after edits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client
from playwright.async_api import BrowserContext, Page, expect

from support.agents import agent, call
from support.app import DevServer, place, save
from support.overlay import Overlay


@dataclass(frozen=True)
class Spot:
    """An element of an example: how to find it, where its tag stands, in which component."""

    selector: str
    file: str
    """Relative to the project."""
    marker: str
    """A text that stands once in the file, in or at the start of the element's tag."""
    component: str
    owners: tuple[str, ...] | None = None
    """The owner stack, from the element outwards; None: not compared."""


@dataclass(frozen=True)
class Heading:
    """Where an edit shows in the page: the text of its first `h1`, which stands in `file`."""

    file: str
    text: str


@dataclass(frozen=True)
class Above:
    """What is put above everything else in a file, so that all its places move."""

    lines: str = "// one line\n// more above\n"
    of: Mapping[str, str] = field(
        default_factory=lambda: {
            ".vue": "<!-- one line -->\n<!-- more above -->\n",
            ".svelte": "<!-- one line -->\n<!-- more above -->\n",
            ".html": "<!-- one line -->\n<!-- more above -->\n",
            ".astro": "\n\n",
        }
    )

    def put(self, file: Path, heading: Heading | None = None) -> None:
        """Save the file with the lines above, at once with the edit of a heading that stands in it."""
        text = self.of.get(file.suffix, self.lines) + file.read_text("utf-8")
        if heading:
            assert text.count(f"{heading.text}</h1>") == 1, f"{file.name} has no such heading"
            text = text.replace(f"{heading.text}</h1>", f"{heading.text} (edited)</h1>")
        save(file, text)


async def seen(client: Client, selector: str) -> dict[str, Any]:
    """What an agent sees of the source of the first visible element that matches."""
    context = await call(client, "capture_element_context", selector=selector)
    source: dict[str, Any] = context["element"]["sourceInfo"]
    return source


def sites(source: dict[str, Any]) -> list[tuple[str, str, int, int]]:
    """Each owner with its call site."""
    return [(frame["component"], frame["file"], frame["line"], frame["column"]) for frame in source["stack"]]


async def check_spots(client: Client, project: Path, spots: Sequence[Spot]) -> None:
    """Every spot is told at its exact place, with its component and its owners; all that are wrong are named."""
    wrong = []
    for spot in spots:
        source = await seen(client, spot.selector)
        expected = (spot.file, *place(project / spot.file, spot.marker), True, spot.component)
        found = tuple(source.get(key) for key in ("file", "line", "column", "exact", "component"))
        owners = tuple(frame["component"] for frame in source["stack"])
        if found != expected or spot.owners not in (None, owners):
            wrong.append((spot.selector, found, expected, owners, spot.owners, source.get("reason")))
    assert not wrong, "\n".join(map(str, wrong))


async def _at_once(_: Page) -> None:
    """A page that its own code has made can be looked at when it is there."""


async def check_through_edits(
    context: BrowserContext,
    server: DevServer,
    spots: Sequence[Spot],
    heading: Heading,
    *,
    stays: bool = True,
    ready: Callable[[Page], Awaitable[None]] = _at_once,
) -> None:
    """On first load; then with lines put above in each file and one edit inside. `stays`: no reload."""
    overlay = await Overlay.open(context, server)
    await ready(overlay.page)
    await overlay.page.evaluate("window.firstLoad = true")
    async with agent(await server.mcp_url()) as client:
        await check_spots(client, server.project, spots)
        for file in sorted({spot.file for spot in spots} | {heading.file}):
            Above().put(server.project / file, heading if file == heading.file else None)
        await expect(overlay.page.locator("h1").first).to_contain_text("(edited)")
        if stays:
            assert await overlay.page.evaluate("window.firstLoad"), "the page was reloaded, not hot-updated"
        else:
            await overlay.connected()
            await ready(overlay.page)
        edited = [
            Spot(s.selector, s.file, s.marker.replace("</h1>", " (edited)</h1>"), s.component, s.owners)
            for s in spots
        ]
        await check_spots(client, server.project, edited)
