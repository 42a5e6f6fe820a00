"""The marked picture, by its pixels: each box is drawn exactly over what it is the box of."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import product

import pytest

from pageside.chrome.capture import Image
from pageside.chrome.documents import call
from pageside.chrome.find import Target, find
from pageside.chrome.marking import marked
from pageside.chrome.navigation import navigate
from pageside.chrome.tab import Tab
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

BOX = (
    "width:80px;height:40px;padding:10px 15px;border:5px solid rgb(0,200,0);margin:12px 25px;"
    "background:linear-gradient(rgb(0,0,255),rgb(0,0,255)) content-box, rgb(255,0,0) padding-box"
)
TARGET = f"<div id=t class='card big' style='{BOX}'></div>"
AREAS = {"content": 80 * 40, "padding": 110 * 60 - 80 * 40, "border": 120 * 70 - 110 * 60}
BASES = {"content": (0, 0, 255), "padding": (255, 0, 0), "border": (0, 200, 0), "page": (255, 255, 255)}
MARKS = {
    "content": (111, 168, 220),
    "padding": (147, 196, 125),
    "border": (255, 229, 153),
    "margin": (246, 178, 107),
    "none": None,
}
RIGHT = {"content content", "padding padding", "border border", "page margin", "page none"}
COUNT = """async (data, palette) => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + data)).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const pixels = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
  const counts = {};
  for (let at = 0; at < pixels.length; at += 4) {
    for (const [name, colour] of palette) {
      if (colour.every((value, index) => Math.abs(value - pixels[at + index]) < 5)) {
        counts[name] = (counts[name] ?? 0) + 1;
        break;
      }
    }
  }
  return counts;
}"""


def blended(base: tuple[int, int, int], mark: tuple[int, int, int] | None) -> list[int]:
    return [round(0.7 * b + 0.3 * m) for b, m in zip(base, mark, strict=True)] if mark else list(base)


PALETTE = [
    (f"{base} {mark}", blended(BASES[base], MARKS[mark]))
    for base, mark in sorted(product(BASES, MARKS), key=lambda pair: " ".join(pair) not in RIGHT)
]


async def count(tab: Tab, image: Image) -> dict[str, int]:
    """How many pixels show which part of the element under which mark."""
    await navigate(tab, "about:blank")
    found: dict[str, int] = await tab.evaluate(f"({COUNT})({json.dumps(image.data)}, {json.dumps(PALETTE)})")
    return found


def page(body: str, html: str = "", above: int = 0) -> str:
    return (
        f"<!doctype html><html style='{html}'><body style='margin:0;background:#fff'>"
        f"<div style='height:{above}px'></div>{body}<div style='height:{above}px'></div>"
    )


def frame(url: str, style: str) -> str:
    return f"<iframe src='{url}' style='width:400px;height:300px;border:4px solid #fff;{style}'></iframe>"


@dataclass
class Case:
    """`area` is how many px of the picture there are for a px of the element's own, at ratio 1."""

    html: str
    area: float = 1.0
    ratio: float = 1.0
    pinch: float = 1.0


CASES = {
    "as it is": Case(page(TARGET)),
    "scrolled": Case(page(TARGET, above=1500)),
    "in a scroller": Case(
        page(
            f"<div id=s style='overflow:auto;height:200px;width:300px'><div style='height:800px'></div>{TARGET}"
            "<div style='height:800px'></div></div>",
            above=900,
        )
    ),
    "turned": Case(
        page(
            f"<div style='transform:rotate(30deg) scale(1.4);width:150px;margin-left:200px'>{TARGET}</div>",
            above=200,
        ),
        area=1.96,
    ),
    "zoomed": Case(page(f"<div style='zoom:1.5'>{TARGET}</div>", "zoom:1.2", above=700), area=3.24),
    "in a zoomed html that is moved": Case(
        page(TARGET, "zoom:1.5;transform:translate(40px,30px) scale(1.2);transform-origin:0 0"), area=3.24
    ),
    "with two px for each": Case(page(TARGET, above=700), ratio=2),
    "with three px for each": Case(page(TARGET, above=700), ratio=3),
    "with one and a half px for each": Case(page(TARGET, above=700), ratio=1.5),
    "pinched": Case(page(TARGET, above=900), pinch=1.5, ratio=2),
    "fixed": Case(page(f"<div style='position:fixed;bottom:9px;right:9px'>{TARGET}</div>", above=2000)),
    "under a dialog": Case(
        page(f"<dialog id=d style='border:0;background:#fff'>{TARGET}</dialog><script>d.showModal()</script>")
        + "<style>dialog::backdrop{background:none}</style>"
    ),
    "styled against": Case(
        page(TARGET, above=500)
        + "<style>[popover],div:not([id]){opacity:.5!important} body~div,html>div{display:none!important;zoom:3}"
        "*{transition:all 5s} html{writing-mode:vertical-rl;direction:rtl}</style>"
    ),
}


def assert_exact(counts: dict[str, int], area: float) -> None:
    right = {name: counts.get(name, 0) for name in RIGHT}
    wrong = {name: number for name, number in counts.items() if name not in RIGHT}
    for name, expected in AREAS.items():
        # The outlines take their part of the border, of which it has little.
        assert right[f"{name} {name}"] > (0.3 if name == "border" else 0.7) * expected * area, counts
    assert right["page margin"] > 500 * area, counts
    assert sum(wrong.values()) < 0.01 * sum(right.values()), counts


async def show(tab: Tab, case: Case, url: str) -> None:
    await tab.session("Emulation.setPageScaleFactor", pageScaleFactor=1)
    await navigate(tab, url)
    await tab.session(
        "Emulation.setDeviceMetricsOverride",
        width=800,
        height=600,
        deviceScaleFactor=case.ratio,
        mobile=False,
    )
    await tab.session("Emulation.setPageScaleFactor", pageScaleFactor=case.pinch)


async def take(tab: Tab, selector: str = "#t") -> Image:
    picture = await marked(tab, await find(tab, Target(selector=selector)))
    assert picture.image is not None, picture.why_not
    return picture.image


@pytest.mark.parametrize("name", CASES)
async def test_boxes_lie_where_the_element_is(tab: Tab, site: Site, name: str) -> None:
    case = CASES[name]
    await show(tab, case, site.page(case.html))
    image = await take(tab)
    assert_exact(await count(tab, image), case.area * case.ratio**2)


FRAMES = {
    "of the same origin": ("origin", "zoom:1.25", 1.5625),
    "of the same origin, turned": ("origin", "transform:rotate(20deg) scale(1.5);margin:120px", 2.25),
    "of another process": ("other_origin", "", 1.0),
    "of another process, turned": ("other_origin", "transform:rotate(20deg) scale(1.5);margin:120px", 2.25),
    "of another process, zoomed and padded": ("other_origin", "zoom:1.25;padding:7px 11px", 1.5625),
}


@pytest.mark.parametrize("ratio", [1, 2])
@pytest.mark.parametrize("name", FRAMES)
async def test_so_they_do_in_frames(tab: Tab, site: Site, name: str, ratio: int) -> None:
    host, style, area = FRAMES[name]
    inner = getattr(site, host) + site.path(page(TARGET, above=700))
    await show(tab, Case("", ratio=ratio), site.page(page(frame(inner, style), above=800)))
    image = await take(tab)
    assert_exact(await count(tab, image), area * ratio**2)


async def test_so_they_do_in_frames_within_frames(tab: Tab, site: Site) -> None:
    inner = site.origin + site.path(page(TARGET, above=700))
    between = site.other_origin + site.path(
        page(frame(inner, "zoom:1.25;width:300px;height:200px"), above=400)
    )
    await show(tab, Case("", ratio=2), site.page(page(frame(between, "zoom:1.1;padding:6px"), above=900)))
    image = await take(tab)
    assert_exact(await count(tab, image), (1.25 * 1.1) ** 2 * 4)


async def test_it_is_so_within_an_element_larger_than_the_window(tab: Tab, site: Site) -> None:
    large = BOX.replace("width:80px;height:40px", "width:600px;height:2500px")
    await show(tab, Case(""), site.page(page(f"<div id=t style='{large}'></div>", above=300)))
    image = await take(tab)
    counts = await count(tab, image)
    assert counts["content content"] > 0.97 * 600 * 2500 * image.scale**2
    wrong = {name: number for name, number in counts.items() if name not in RIGHT}
    assert sum(wrong.values()) < 0.01 * sum(counts.values()), counts


CUT_OFF = {
    "a scroller": lambda site, large: f"<div style='overflow:auto;width:300px;height:200px'>{large}</div>",
    "a frame": lambda site, large: frame(site.path(page(large)), ""),
}


@pytest.mark.parametrize("name", CUT_OFF)
async def test_of_a_large_element_in_something_small_the_window_is_enough(
    tab: Tab, site: Site, name: str
) -> None:
    large = f"<div id=t style='{BOX.replace('width:80px;height:40px', 'width:600px;height:2500px')}'></div>"
    await show(tab, Case(""), site.page(page(CUT_OFF[name](site, large), above=800)))
    image = await take(tab)
    assert image.height <= 600
    counts = await count(tab, image)
    assert counts["content content"] > 20_000
    # Boxes are drawn whole, also where a scroller hides them: over the page, but never over another box.
    wrong = {name: number for name, number in counts.items() if name not in RIGHT and name[:4] != "page"}
    assert sum(wrong.values()) < 0.01 * sum(counts.values()), counts


WATCH = """addEventListener('load', () => {
  window.records = [];
  new MutationObserver((r) => records.push(...r)).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true
  });
})"""


async def test_the_page_is_left_as_it_was(tab: Tab, site: Site) -> None:
    case = CASES["in a scroller"]
    await show(tab, case, site.page(case.html.replace("<body", f"<script>{WATCH}</script><body", 1)))
    state = "[document.documentElement.outerHTML, scrollX, scrollY, document.getElementById('s').scrollTop]"
    await tab.evaluate("scrollTo(0, 77); document.getElementById('s').scrollTop = 33; 0")
    before = await tab.evaluate(state)
    assert before[2:] == [77, 33]
    await take(tab)
    assert await tab.evaluate(state) == before
    seen = await tab.evaluate("records.map((r) => [r.type, r.target.localName, r.addedNodes.length])")
    assert seen == [["childList", "html", 1], ["childList", "html", 0]]


OVERLAY = """(async () => {
  window.overlay = document.createElement('pageside-overlay');
  overlay.attachShadow({mode: 'open'});
  document.documentElement.append(overlay);
  await null;
  records.length = 0;
})()"""


async def test_a_page_with_the_overlay_does_not_even_notice(tab: Tab, site: Site) -> None:
    await show(tab, CASES["as it is"], site.page(page(f"<script>{WATCH}</script>{TARGET}")))
    await tab.evaluate(OVERLAY)
    image = await take(tab)
    assert await tab.evaluate("[records.length, overlay.shadowRoot.children.length]") == [0, 0]
    assert_exact(await count(tab, image), 1)


async def test_trusted_types_and_a_strict_policy_do_not_stand_in_the_way(tab: Tab, site: Site) -> None:
    policy = "default-src 'none'; style-src 'unsafe-inline'; require-trusted-types-for 'script'"
    await show(tab, CASES["as it is"], site.page(page(TARGET), Content_Security_Policy=policy))
    image = await take(tab)
    assert_exact(await count(tab, image), 1)


@pytest.mark.parametrize(
    ("style", "why"),
    [
        ("display:none", "div#t.card.big has display: none."),
        ("display:contents", "div#t.card.big has display: contents, so only its contents are displayed."),
    ],
)
async def test_what_has_no_box_has_no_picture_and_says_why(
    tab: Tab, site: Site, style: str, why: str
) -> None:
    await show(tab, CASES["as it is"], site.page(page(f"<div id=t class='card big' style='{style}'>x</div>")))
    picture = await marked(tab, await find(tab, Target(selector="#t")))
    assert (picture.image, picture.why_not) == (None, why)


async def test_what_lies_in_something_hidden_says_so(tab: Tab, site: Site) -> None:
    await show(
        tab, CASES["as it is"], site.page(page(f"<p hidden><b>{TARGET}</b></p><p hidden><b id=b>x</b></p>"))
    )
    element = await find(tab, Target(selector="#b"))
    assert (await marked(tab, element)).why_not == "p has display: none."
    assert await call(element.document, "tagOf", element) == "b#b"


async def test_a_picture_shows_twenty_px_around_the_margin_box(tab: Tab, site: Site) -> None:
    await show(tab, CASES["as it is"], site.page(page(f"<div style='padding:50px'>{TARGET}</div>")))
    image = await take(tab)
    assert (image.width, image.height) == (120 + 50 + 40, 70 + 24 + 40)
