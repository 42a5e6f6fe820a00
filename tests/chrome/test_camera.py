"""One element, two views: what is picked in the page is a node of Chrome, and Chrome takes its picture."""

from __future__ import annotations

import pytest

from pageside.chrome.bridge import element_of, place_of, uid_of
from pageside.chrome.browser import Browser
from pageside.chrome.navigation import navigate
from pageside.chrome.snapshot import snapshot
from pageside.chrome.tab import Tab
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

CLIENT = """<script>
const own = { secret: '%s', element: () => document.querySelector('#go'), id: () => 'p1' };
Object.defineProperty(globalThis, Symbol.for('pageside.page'), { value: own });
</script>"""
PAGE = f"{CLIENT}<h1>Shop</h1><button id=go style='background: rgb(0, 128, 0)'>Buy</button>"


async def test_the_picked_element_has_the_uid_of_snapshots(chrome: Browser, tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(PAGE % "one"))
    place = await place_of(chrome, "one", f"{site.origin}/other")
    assert place is not None
    assert place.tab is tab
    element = await element_of(place, "p1")
    assert element is not None
    assert f'uid={await uid_of(element)} button "Buy"' in (await snapshot(tab)).text


async def test_of_many_tabs_of_one_url_the_right_one_is_found(chrome: Browser, site: Site) -> None:
    urls = [site.page(PAGE % f"secret {n}") for n in range(6)]
    tabs = [await chrome.new_tab(url) for url in urls]
    for n, tab in enumerate(tabs):
        place = await place_of(chrome, f"secret {n}", urls[n])
        assert place is not None
        assert place.tab is tab
    for tab in tabs:
        await chrome.close_tab(tab.id)
    assert await place_of(chrome, "secret 1", urls[1]) is None


async def test_a_page_in_a_frame_of_another_origin_is_found(chrome: Browser, tab: Tab, site: Site) -> None:
    inner = site.path(PAGE % "framed")
    await navigate(tab, site.page(f"<iframe src='{site.other_origin}{inner}'></iframe>"))
    place = await place_of(chrome, "framed", f"{site.other_origin}{inner}")
    assert place is not None
    assert place.session is not tab.session
    assert await element_of(place, "p1") is not None
