"""With the browser's own zoom (Ctrl and +): pictures show what they should, and px are CSS px."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from chrome.conftest import chrome_settings
from chrome.test_marked import AREAS, FRAMES, RIGHT, TARGET, count, frame, page
from pageside.chrome import act
from pageside.chrome.browser import Browser
from pageside.chrome.capture import Clip, Image, screenshot
from pageside.chrome.element_clip import element_clip
from pageside.chrome.emulated import Viewport
from pageside.chrome.find import Target, find
from pageside.chrome.marking import marked
from pageside.chrome.navigation import navigate
from pageside.chrome.tab import Tab
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

STEPS = {1.1: "+", 1.5: "+++", 0.75: "---"}
GREEN = "rgb(0, 128, 0)"
SHARE = """async (data, wanted) => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + data)).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data: pixels } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  let found = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    if (`rgb(${pixels[at]}, ${pixels[at + 1]}, ${pixels[at + 2]})` === wanted) found += 1;
  }
  return { share: found / (bitmap.width * bitmap.height), size: [bitmap.width, bitmap.height] };
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def own(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    """One that this module may zoom: Chrome keeps the zoom of a host for all its tabs."""
    browser = Browser(chrome_settings(2), tmp_path_factory.mktemp("zoomed"))
    yield browser
    await browser.close()


@pytest_asyncio.fixture(loop_scope="session", params=STEPS)
async def zoomed(
    own: Browser, site: Site, request: pytest.FixtureRequest
) -> AsyncIterator[tuple[Tab, float]]:
    """A tab, and how much it is zoomed."""
    zoom: float = request.param
    tab = await own.new_tab(site.page("<p>zoomed</p>"))
    for step in STEPS[zoom]:
        await act.press(tab, f"Control+{step}")
    assert await tab.evaluate("devicePixelRatio") == pytest.approx(zoom)
    yield tab, zoom
    await navigate(tab, site.page("<p>zoomed no more</p>"))
    await act.press(tab, "Control+0")
    await own.close_tab(tab.id)


async def seen(tab: Tab, image: Image) -> tuple[float, list[int]]:
    """How much of the picture is green, and its size."""
    await navigate(tab, "about:blank")
    read = await tab.evaluate(f"({SHARE})({json.dumps(image.data)}, {json.dumps(GREEN)})")
    return read["share"], read["size"]


def green(width: int, height: int, above: int = 300) -> str:
    return page(
        f"<div id=t style='width:{width}px;height:{height}px;margin-left:150px;background:{GREEN}'></div>",
        above=above,
    )


def assert_right(counts: dict[str, int], area: float) -> None:
    """Of few px the outlines are a good part; but no box may lie over what is not its own."""
    right = {name: counts.get(name, 0) for name in RIGHT}
    for name in ("content", "padding"):
        assert right[f"{name} {name}"] > 0.6 * AREAS[name] * area, counts
    assert right["page margin"] > 500 * area, counts
    assert sum(counts.values()) - sum(right.values()) < 0.01 * sum(right.values()), counts


@pytest.mark.parametrize(("width", "height"), [(200, 100), (300, 2400)])
async def test_the_picture_of_an_element_shows_it_alone(
    zoomed: tuple[Tab, float], site: Site, width: int, height: int
) -> None:
    tab, zoom = zoomed
    await navigate(tab, site.page(green(width, height, above=1500)))
    clip = await element_clip(tab, await find(tab, Target(selector="#t")))
    image = await screenshot(tab, clip=clip)
    share, size = await seen(tab, image)
    assert share > 0.97
    assert size == pytest.approx([width * zoom, height * zoom], abs=2)
    assert size == pytest.approx([image.width, image.height], abs=1)


async def test_the_picture_of_the_page_shows_all_of_it(zoomed: tuple[Tab, float], site: Site) -> None:
    tab, zoom = zoomed
    await navigate(tab, site.page(f"<body style='margin:0;background:{GREEN}'><div style='height:2000px'>"))
    width = await tab.evaluate("innerWidth")
    share, size = await seen(tab, await screenshot(tab, full_page=True))
    assert share > 0.99
    assert size == pytest.approx([width * zoom, 2000 * zoom], abs=2)


async def test_boxes_are_drawn_where_the_element_is(zoomed: tuple[Tab, float], site: Site) -> None:
    tab, zoom = zoomed
    await navigate(tab, site.page(page(TARGET, above=1200)))
    picture = await marked(tab, await find(tab, Target(selector="#t")))
    assert picture.image is not None, picture.why_not
    assert_right(await count(tab, picture.image), zoom**2)


@pytest.mark.parametrize("name", ["of the same origin", "of another process", "of another process, turned"])
async def test_so_they_are_in_frames(zoomed: tuple[Tab, float], site: Site, name: str) -> None:
    tab, zoom = zoomed
    _, style, area = FRAMES[name]
    # Of another process needs another site; both are zoomed, as the zoom is that of the tab.
    host = site.other_origin if "another" in name else site.origin
    inner = host + site.path(page(TARGET, above=700))
    await navigate(tab, site.page(page(frame(inner, style), above=800)))
    picture = await marked(tab, await find(tab, Target(selector="#t")))
    assert picture.image is not None, picture.why_not
    assert_right(await count(tab, picture.image), area * zoom**2)


async def test_resizing_gives_css_px_at_once(zoomed: tuple[Tab, float], site: Site) -> None:
    tab, zoom = zoomed
    await navigate(tab, site.page("<p>size"))
    slack = 0 if zoom >= 1 else 1
    for wanted in ((900, 700), (640, 480)):
        size = await tab.emulation.resize(*wanted)
        assert size == pytest.approx(wanted, abs=slack)
        assert list(size) == await tab.evaluate("[innerWidth, innerHeight]")
        assert tab.emulation.now.viewport is None
    await tab.emulation.change(viewport=Viewport(500, 400))
    assert await tab.emulation.resize(600, 450) == pytest.approx((600, 450), abs=slack)
    await tab.emulation.reset()


async def test_a_part_counts_from_the_corner_of_the_document(zoomed: tuple[Tab, float], site: Site) -> None:
    tab, _ = zoomed
    await navigate(tab, site.page(green(200, 100, above=100)))
    share, _ = await seen(tab, await screenshot(tab, clip=Clip(155, 105, 190, 90)))
    assert share == 1
