"""Which page an agent means: the one it names, else the one it is bound to, else the one last used."""

from __future__ import annotations

from pageside.errors import PageAmbiguous, PageNotConnected
from pageside.hubs.page import Page, find
from pageside.hubs.sessions import Watcher
from pageside.operations.gate import reach_page
from pageside.operations.world import World


async def choose_page(world: World, watcher: Watcher, wanted: str | None) -> Page:
    """Return a connected page or raise `PageNotConnected` or `PageAmbiguous`, with what there is.

    Raises what the door to pages raises, too.
    """
    page = await _chosen(world, watcher, wanted)
    await reach_page(world, page)
    # It may have been reloaded while the user was asked.
    return page if world.pages.get(page.id) is page else await _chosen(world, watcher, wanted)


async def _chosen(world: World, watcher: Watcher, wanted: str | None) -> Page:
    if wanted is not None:
        return await _named(world, wanted)
    bound = world.sessions.bound_page(watcher.key)
    page = world.pages.get(bound) if bound is not None else None
    if page is None:
        connected = world.pages.all()
        if not connected:
            raise PageNotConnected(await _nobody(world))
        page = connected[0]
        world.sessions.bind(watcher.key, page.id)
    return page


def connected_page(world: World, page_id: str) -> Page:
    """The page of exactly that id; raises `PageNotConnected`."""
    page = world.pages.get(page_id)
    if page is None:
        raise PageNotConnected(f"The page {page_id!r} is not connected.")
    return page


async def _named(world: World, wanted: str) -> Page:
    pages = world.pages.all()
    found = find(pages, wanted)
    if len(found) == 1:
        return found[0]
    if found:
        raise PageAmbiguous(
            f"{len(found)} pages match {wanted!r}.",
            data={"pages": [page.summary() for page in found]},
        )
    if not pages:
        raise PageNotConnected(await _nobody(world))
    message = f"No page of {world.project.name} matches {wanted!r}.{await _others(world)}"
    raise PageNotConnected(message, data={"pages": [page.summary() for page in pages]})


async def _nobody(world: World) -> str:
    urls = world.leases.urls()
    if urls:
        return f"No page is connected. The dev server is at {' and '.join(urls)}: open it."
    nobody = f"No page is connected, and no dev server with the Pageside plugin runs for {world.project}."
    return nobody + await _others(world)


async def _others(world: World) -> str:
    others = await world.neighbours()
    return f" Other companions run for: {', '.join(others)}." if others else ""
