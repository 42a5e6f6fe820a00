"""A tab pretends what it was told, over navigations, in frames of other sites, and after a new connection."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from chrome.conftest import chrome_settings
from pageside.chrome.browser import Browser
from pageside.chrome.emulated import Emulated, Geolocation, Viewport, check_locale, check_time_zone
from pageside.chrome.navigation import navigate
from pageside.chrome.tab import Tab
from pageside.errors import ChromeError, DialogOpen, InvalidArguments
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = "<!doctype html><meta name=viewport content='width=device-width'><title>A page</title>"
SEEN = """({
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  still: matchMedia('(prefers-reduced-motion: reduce)').matches,
  agent: navigator.userAgent, zone: new Date(0).getHours(), number: (1.5).toLocaleString(),
  languages: [navigator.language, ...navigator.languages].join(),
})"""
WIDE = {
    "dark": True,
    "still": True,
    "agent": "Pageside/1",
    "zone": 9,
    "number": "1,5",
    "languages": "de-DE,de-DE,de",
}
AGENT = "[navigator.userAgent, JSON.stringify(navigator.userAgentData)]"
LOOP = """(() => { const start = performance.now(); let x = 0;
  for (let i = 0; i < 3e7; i++) x += Math.sqrt(i); return performance.now() - start })()"""


async def pretend(tab: Tab) -> None:
    await tab.emulation.change(
        color_scheme="dark",
        reduced_motion=True,
        user_agent="Pageside/1",
        time_zone="Asia/Tokyo",
        locale="de-DE",
    )


async def test_what_is_pretended_survives_navigations_also_to_other_sites(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(PAGE))
    before = await tab.evaluate(SEEN)
    await pretend(tab)
    assert await tab.evaluate(SEEN) == WIDE
    await navigate(tab, site.page(PAGE))
    assert await tab.evaluate(SEEN) == WIDE
    await navigate(tab, site.other_origin + site.path(PAGE))
    assert await tab.evaluate(SEEN) == WIDE
    await tab.emulation.reset()
    # A document that saw other `navigator.languages` keeps them: Chrome gives them anew to the next one.
    kept = {"languages": "en-US,de-DE,de"}
    assert await tab.evaluate(SEEN) == before | kept
    await navigate(tab, site.other_origin + site.path(PAGE))
    assert await tab.evaluate(SEEN) == before
    assert tab.emulation.now == Emulated()


async def test_frames_of_other_processes_pretend_the_same(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(PAGE))
    await pretend(tab)
    inner = site.other_origin + site.path(PAGE)
    await navigate(tab, site.page(f"{PAGE}<iframe src='{inner}'></iframe>"))
    (frame,) = tab.frames.values()
    assert await tab.evaluate(SEEN, session=frame) == WIDE


async def test_workers_send_the_user_agent_too(tab: Tab, site: Site) -> None:
    await tab.emulation.change(user_agent="Pageside/2")
    worker = site.path("postMessage(navigator.userAgent)", "text/javascript")
    await navigate(tab, site.page(PAGE))
    told = await tab.evaluate(
        f"new Promise((done) => {{ new Worker('{worker}').onmessage = (e) => done(e.data) }})"
    )
    assert told == "Pageside/2"


async def test_a_new_connection_finds_the_tab_as_it_was(tmp_path: Path, site: Site) -> None:
    browser = Browser(chrome_settings(), tmp_path)
    try:
        tab = await browser.new_tab(site.page(PAGE))
        await pretend(tab)
        connection = await browser.ensure()
        await connection.close()
        again = await browser.tab(tab.id)
        assert again is not tab
        assert await again.evaluate(SEEN) == WIDE
        assert again.emulation.now == tab.emulation.now
    finally:
        await browser.close()


async def test_a_slower_processor_takes_longer(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(PAGE))
    await tab.evaluate(LOOP)
    plain = min([await tab.evaluate(LOOP) for _ in range(3)])
    await tab.emulation.change(cpu_rate=6)
    await navigate(tab, site.page(PAGE))
    slow = await tab.evaluate(LOOP)
    assert slow > plain * 2


async def test_a_slow_network_takes_longer_and_offline_fails(tab: Tab, site: Site) -> None:
    path = site.path("x" * 20_000, "text/plain")
    fetch = f"""(async () => {{ const start = performance.now(); await (await fetch('{path}?' + start)).text();
      return performance.now() - start }})()"""
    await navigate(tab, site.page(PAGE))
    await tab.emulation.change(network="Slow 3G")
    assert await tab.evaluate(fetch) > 1_900
    await tab.emulation.change(network="Offline")
    assert await tab.evaluate("navigator.onLine") is False
    with pytest.raises(ChromeError, match="Failed to fetch"):
        await tab.evaluate(fetch)
    await tab.emulation.change(network="No emulation")
    assert await tab.evaluate("navigator.onLine") is True
    assert await tab.evaluate(fetch) < 1_900


async def test_a_place_is_told_without_asking(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(PAGE))
    await tab.emulation.change(geolocation=Geolocation(48.5, 9.25, 10))
    told = await tab.evaluate(
        """new Promise((done) => navigator.geolocation.getCurrentPosition(
          ({coords: c}) => done([c.latitude, c.longitude, c.accuracy]), (e) => done(e.message)))"""
    )
    assert told == [48.5, 9.25, 10]
    await tab.emulation.reset()


async def test_a_viewport_of_another_device(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(PAGE))
    await tab.emulation.change(
        viewport=Viewport(390, 844, device_scale_factor=3, is_mobile=True, has_touch=True)
    )
    seen = "[innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints, screen.orientation.type]"
    expected: list[Any] = [390, 844, 3, 5, "portrait-primary"]
    assert await tab.evaluate(seen) == expected
    await navigate(tab, site.page(PAGE))
    assert await tab.evaluate(seen) == expected
    assert await tab.emulation.resize(400, 500) == (400, 500)
    await tab.emulation.reset()
    assert (await tab.evaluate(seen))[2:4] == [1, 0]


@pytest.mark.parametrize("size", [(1024, 600), (333, 500), (1600, 1200)])
async def test_resizing_gives_exactly_that_viewport(tab: Tab, site: Site, size: tuple[int, int]) -> None:
    await navigate(tab, site.page(PAGE))
    assert await tab.emulation.resize(*size) == size
    assert await tab.evaluate("[innerWidth, innerHeight]") == list(size)


@pytest.mark.parametrize(
    ("changes", "argument"),
    [
        ({"cpu_rate": 0.5}, "cpuThrottlingRate"),
        ({"cpu_rate": 21}, "cpuThrottlingRate"),
        ({"network": "5G"}, "networkConditions"),
        ({"color_scheme": "sepia"}, "colorScheme"),
        ({"geolocation": Geolocation(91, 0)}, "geolocation"),
        ({"viewport": Viewport(0, 100)}, "viewport"),
        ({"locale": "zz-bad-!!"}, "locale"),
        ({"locale": "de_DE"}, "locale"),
    ],
)
async def test_what_cannot_be_is_refused_and_nothing_is_done(
    tab: Tab, changes: dict[str, Any], argument: str
) -> None:
    with pytest.raises(InvalidArguments) as refused:
        await tab.emulation.change(reduced_motion=True, **changes)
    assert refused.value.data["argument"] == argument
    assert tab.emulation.now == Emulated()


async def test_what_chrome_refuses_leaves_everything_as_it_was(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(PAGE))
    with pytest.raises(ChromeError):
        await tab.emulation.change(time_zone="Mars/Olympus", color_scheme="dark")
    assert tab.emulation.now == Emulated()
    assert (await tab.evaluate(SEEN))["dark"] is False


async def test_under_a_dialog_nothing_is_resized(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(PAGE))
    before = await tab.emulation.resize(900, 600)
    opened = asyncio.ensure_future(tab.session.event("Page.javascriptDialogOpening"))
    await tab.evaluate("setTimeout(() => alert('wait')); 0")
    await opened
    with pytest.raises(DialogOpen):
        await tab.emulation.resize(500, 500)
    await tab.session("Page.handleJavaScriptDialog", accept=True)
    assert await tab.evaluate("[innerWidth, innerHeight]") == list(before)


async def test_a_time_zone_that_chrome_does_not_know_is_refused_also_after_another(
    tab: Tab, site: Site
) -> None:
    await navigate(tab, site.page(PAGE))
    await tab.emulation.change(time_zone="Asia/Tokyo")
    with pytest.raises(ChromeError, match="Invalid timezone"):
        await tab.emulation.change(time_zone="Mars/Olympus")
    assert tab.emulation.now.time_zone == "Asia/Tokyo"
    assert (await tab.evaluate(SEEN))["zone"] == 9


async def test_servers_are_asked_for_the_language_of_the_locale(tab: Tab, site: Site) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(
            text=f"<p id=asked>{request.headers.get('Accept-Language')}", content_type="text/html"
        )

    url = site.origin + site.handle(answer)
    await navigate(tab, site.page(PAGE))
    agent = await tab.evaluate(AGENT)
    await tab.emulation.change(locale="de-DE")
    assert await tab.evaluate(AGENT) == agent
    await navigate(tab, url)
    assert (await tab.evaluate("asked.textContent")).startswith("de-DE,de;q=")
    await tab.emulation.change(user_agent="Pageside/1")
    await navigate(tab, url)
    assert await tab.evaluate("[navigator.userAgent, navigator.language]") == ["Pageside/1", "de-DE"]
    await tab.emulation.change(locale="")
    await navigate(tab, url)
    assert not (await tab.evaluate("asked.textContent")).startswith("de")
    assert await tab.evaluate("navigator.userAgent") == "Pageside/1"


async def test_places_that_are_not_known_are_refused_with_what_is_near(tab: Tab, site: Site) -> None:
    await check_time_zone("Europe/Berlin")
    with pytest.raises(InvalidArguments, match=r"'timezone' is 'asia/tokio'.* Asia/Tokyo"):
        await check_time_zone("asia/tokio")
    with pytest.raises(InvalidArguments, match="'timezone' is 'Mars/X'"):
        await check_time_zone("Mars/X")
    for locale in ("de-DE", "en", "zh-Hans-CN", "es-419", "ca-valencia", "de-DE-u-co-phonebk"):
        await check_locale(tab, locale)
    for locale in ("zz-ZZ", "zz-bad-!!", "de_DE", "d", "germanlanguage", '"]+alert()'):
        with pytest.raises(InvalidArguments, match="'locale' is"):
            await check_locale(tab, locale)
