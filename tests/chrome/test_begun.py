"""A look at a document that has only begun."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from pageside.chrome.snapshot import snapshot
from pageside.chrome.tab import Tab
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_it_waits_for_something_to_see(tab: Tab, site: Site) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/html"})
        await response.prepare(request)
        # Chrome shows nothing of a document before it has some of it.
        await response.write(b"<!doctype html><title>Slow</title>" + b" " * 4096)
        asked.set()
        await go_on.wait()
        await response.write(b"<button>Buy</button>")
        return response

    await tab.evaluate(f"location.href = {site.origin + site.handle(answer)!r}; 0")
    await asked.wait()
    await shows(tab, "document.title", "Slow")
    look = asyncio.create_task(snapshot(tab))
    assert not (await asyncio.wait({look}, timeout=0.5))[0]
    go_on.set()
    assert 'button "Buy"' in (await look).text


async def test_it_waits_for_what_is_drawn_after_the_load(tab: Tab, site: Site) -> None:
    style = "<style>body { min-height: 100vh }</style>"
    script = "<script>window.draw = () => { document.querySelector('div').innerHTML = '<p>Drawn' }</script>"
    page = site.page(f"<!doctype html>{style}{script}<div></div>")
    await tab.evaluate(f"location.href = {page!r}; 0")
    await shows(tab, "document.readyState + typeof window.draw", "completefunction")
    look = asyncio.create_task(snapshot(tab))
    assert not (await asyncio.wait({look}, timeout=0.3))[0]
    await tab.evaluate("draw()")
    assert "Drawn" in (await look).text


async def test_a_page_that_stays_empty_is_seen_as_it_is(tab: Tab, site: Site) -> None:
    empty = site.page("")
    await tab.evaluate(f"location.href = {empty!r}; 0")
    await shows(tab, "document.readyState + location.protocol", "completehttp:")
    assert (await snapshot(tab)).text == "(nothing is shown)"
    assert (await snapshot(tab, interactive=True)).text == "(nothing that can be operated)"


async def shows(tab: Tab, expression: str, value: str) -> None:
    """Return when it has that value there."""
    async with asyncio.timeout(10):
        seen = None
        while seen != value:
            seen = await tab.evaluate(expression)
