"""What pages and workers log and throw is there once, formatted, without secrets, and named by its authored place."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pageside.chrome.browser import Browser
from pageside.chrome.console import Entry
from pageside.chrome.navigation import navigate
from pageside.chrome.sources import sources_of
from pageside.chrome.tab import Tab
from pageside.errors import InvalidArguments
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROOT = Path(__file__).parents[2]
BUNDLER = Path(__file__).parents[1] / "support" / "bundle.mjs"


async def until(tab: Tab, fits: Callable[[Entry], bool]) -> Entry:
    """The first message that fits, when it is there."""
    async with asyncio.timeout(5):
        while True:
            for entry in tab.console.entries(preserved=True):
                if fits(entry):
                    return entry
            await tab.evaluate("new Promise((done) => setTimeout(done, 20))")


async def logged(tab: Tab, site: Site, script: str) -> list[Entry]:
    """What a page with that script logged."""
    await navigate(tab, site.page(f"<!doctype html><script>{script}; console.log('the end')</script>"))
    await until(tab, lambda entry: entry.text == "the end")
    return [
        entry
        for entry in tab.console.entries()
        if entry.text != "the end" and "favicon" not in str(entry.source)
    ]


@pytest.mark.parametrize(
    ("script", "text"),
    [
        (
            "console.log('%s is %d years and %f m %%', 'Ada', '36.9', 1.5, 'more', {a: 1})",
            "Ada is 36 years and 1.5 m % more {a: 1}",
        ),
        ("console.log('%cbig%c small', 'font: 9px', '')", "big small"),
        ("console.log('100%', 5, '%d')", "100% 5 %d"),
        ("console.log('%d %o', 'no number')", "NaN %o"),
        (
            "console.log({a: 'x', b: [1], c: null, get d() { return 1 }})",
            '{a: "x", b: Array(1), c: null, d: (…)}',
        ),
        ("console.log([1, 'a', undefined, {b: 2}])", '[1, "a", undefined, Object]'),
        ("console.log(new Map([['a', 1]]), new Set(['x']))", 'Map(1) {"a" => 1} Set(1) {"x"}'),
        (
            "console.log(null, undefined, true, 12n, -0, NaN, Symbol('s'), /x/g)",
            "null undefined true 12n -0 NaN Symbol(s) /x/g",
        ),
        ("console.log(function named(a, b) { return a })", "ƒ function named(a, b)"),
        ("console.log(new (class Shop { constructor() { this.name = 'x' } })())", 'Shop {name: "x"}'),
        ("console.log(new Uint8Array([1, 2]))", "Uint8Array(2) [1, 2]"),
        ("console.assert(1 > 2, 'of course')", "Assertion failed: of course"),
        ("console.count('clicks')", "clicks: 1"),
    ],
)
async def test_messages_read_as_in_devtools(tab: Tab, site: Site, script: str, text: str) -> None:
    (entry,) = await logged(tab, site, script)
    assert entry.text == text


async def test_secrets_are_gone_from_every_kind_of_message(tab: Tab, site: Site) -> None:
    script = """
      console.log({password: 'hunter2', nested: {token: 'hunter2'}}, new Map([['apiKey', 'hunter2']]));
      console.log('Authorization: Bearer hunter2hunter2hunter2');
      console.warn('http://x/?access_token=hunter2'); console.log(JSON.stringify({client_secret: 'hunter2'}));
      console.error(new Error('GET /login?password=hunter2 failed'));
      Promise.reject(new Error('/x?token=hunter2')); setTimeout(() => { throw {token: 'hunter2'} });
      const img = new Image(); img.src = '/missing.png?token=hunter2'"""
    await logged(tab, site, script)
    await until(tab, lambda entry: "missing.png" in str(entry.source))
    await until(tab, lambda entry: entry.uncaught and "token" in entry.text and "{" in entry.text)
    assert "hunter2" not in repr(tab.console.entries(preserved=True))


async def test_messages_have_level_place_time_and_count(tab: Tab, site: Site) -> None:
    entries = await logged(
        tab, site, "\nfor (let i = 0; i < 7; i++) console.warn('again');\nconsole.debug('other')"
    )
    again, other = entries
    assert (again.level, again.count, other.level) == ("warning", 7, "debug")
    assert again.source is not None
    assert (again.source.line, again.source.column) == (2, 37)
    now = await tab.evaluate("Date.now()")
    assert now - 10_000 < again.at <= now
    assert tab.console.entries(["warn"]) == [again]
    assert tab.console.entries(["verbose"]) == [other]
    assert tab.console.entry(again.id) is again


async def test_messages_of_earlier_documents_are_kept_apart(tab: Tab, site: Site) -> None:
    await logged(tab, site, "console.log('first')")
    await logged(tab, site, "console.log('second')")
    texts = [entry.text for entry in tab.console.entries(["log"])]
    assert texts == ["second", "the end"]
    assert [entry.text for entry in tab.console.entries(["log"], preserved=True)] == [
        "first",
        "the end",
        "second",
        "the end",
    ]


async def test_what_was_logged_before_pageside_came_is_told_once(
    chrome: Browser, tab: Tab, site: Site
) -> None:
    await logged(tab, site, "console.log('early'); setTimeout(() => { throw new Error('early too') })")
    await until(tab, lambda entry: entry.uncaught)
    opened = await tab.evaluate("window.open(location.href) !== null")
    assert opened
    info = next(each for each in await chrome.tabs() if each.id != tab.id and site.origin in each.url)
    other = await chrome.tab(info.id)
    await until(other, lambda entry: entry.uncaught)
    texts = [
        entry.text.partition("\n")[0]
        for entry in other.console.entries(preserved=True)
        if "early" in entry.text
    ]
    assert sorted(texts) == ["Uncaught Error: early too", "early"]
    await chrome.close_tab(info.id)


async def test_a_long_message_is_cut_with_a_note(tab: Tab, site: Site) -> None:
    (entry,) = await logged(tab, site, "console.log('x'.repeat(50000))")
    assert entry.text.endswith("… [42000 more characters]")
    assert len(entry.text) < 8_100


async def test_workers_tell_everything_once(tab: Tab, site: Site) -> None:
    worker = site.path(
        "console.log('from the worker'); setTimeout(() => { throw new Error('of the worker') })",
        "text/javascript",
    )
    await logged(tab, site, f"new Worker('{worker}')")
    await until(tab, lambda entry: "of the worker" in entry.text)
    told = [entry for entry in tab.console.entries() if "the worker" in entry.text]
    assert [(entry.origin.kind, entry.count, entry.uncaught) for entry in told] == [
        ("worker", 1, False),
        ("worker", 1, True),
    ]
    assert told[0].origin.url.endswith(worker)


async def test_service_workers_are_heard_too(tab: Tab, site: Site) -> None:
    worker = site.path("console.log('from the service worker')", "text/javascript")
    await logged(tab, site, f"navigator.serviceWorker.register('{worker}')")
    entry = await until(tab, lambda entry: "service worker" in entry.text)
    assert (entry.origin.kind, entry.count) == ("service_worker", 1)


async def test_frames_of_other_processes_are_heard_too(tab: Tab, site: Site) -> None:
    inner = site.other_origin + site.path("<script>console.log('from the frame')</script>")
    await navigate(tab, site.page(f"<!doctype html><iframe src='{inner}'></iframe>"))
    entry = await until(tab, lambda entry: entry.text == "from the frame")
    assert (entry.origin.kind, entry.count) == ("iframe", 1)


async def test_a_rejection_that_is_handled_late_is_no_error_any_more(tab: Tab, site: Site) -> None:
    await logged(tab, site, "const late = Promise.reject(new Error('late')); window.late = late")
    entry = await until(tab, lambda entry: entry.uncaught)
    assert entry.level == "error"
    await tab.evaluate("new Promise((done) => { late.catch(() => 0); setTimeout(done, 50) })")
    assert (entry.revoked, entry.uncaught, entry.level) == (True, False, "debug")


async def test_stacks_name_the_authored_places(tab: Tab, site: Site, tmp_path: Path) -> None:
    source = tmp_path / "src" / "shop.ts"
    source.parent.mkdir()
    source.write_text(
        "interface Item { price: number }\n"
        "export function total(items: Item[] | undefined): number {\n"
        "  return (items as Item[]).reduce((sum, item) => sum + item.price, 0);\n"
        "}\n\n"
        "function checkout(): void {\n  console.warn('checking out');\n  total(undefined);\n}\n\n"
        "setTimeout(() => [1].forEach(checkout), 10);\n"
    )
    node = shutil.which("node")
    assert node is not None
    await asyncio.to_thread(
        subprocess.run, [node, str(BUNDLER), str(source), str(tmp_path)], check=True, cwd=ROOT
    )

    built = tmp_path / "out"
    mapping = site.path((built / "app.js.map").read_text(), "application/json")
    code = (built / "app.js").read_text().replace("=app.js.map", f"={mapping}")
    script = site.path(code, "text/javascript")
    await navigate(tab, site.page(f"<!doctype html><script src='{script}'></script>"))
    thrown = await until(tab, lambda entry: entry.uncaught)
    warning = await until(tab, lambda entry: entry.text == "checking out")
    sources = await sources_of(tab, tmp_path)
    assert warning.source is not None
    assert sources.known_place(warning.source).startswith(script.removeprefix("/"))
    stack = await sources.stack(thrown.frames)
    assert [frame["at"].rpartition(":")[0] for frame in stack][:2] == ["src/shop.ts:3", "src/shop.ts:8"]
    assert [frame["function"] for frame in stack][:2] == ["total", thrown.frames[1].function]
    assert thrown.frames[0].function != "total"
    assert (await sources.place(warning.source)) == "src/shop.ts:7:11"
    assert sources.known_place(warning.source) == "src/shop.ts:7:11"


async def test_unknown_and_dropped_messages_are_refused(tab: Tab) -> None:
    with pytest.raises(InvalidArguments, match="does not exist"):
        tab.console.entry(999_999)


async def test_a_flood_is_bounded_and_hurts_nobody(chrome: Browser, tab: Tab, site: Site) -> None:
    other = await chrome.new_tab("about:blank")
    await navigate(tab, site.page("<!doctype html><title>A flood</title>"))
    before = tab.console.seen
    loop = asyncio.get_running_loop()
    flood = asyncio.ensure_future(
        tab.evaluate(
            """new Promise((done) => { let n = 0; const start = performance.now();
              const more = () => {
                const due = Math.min(20000, (performance.now() - start) * 10);
                while (n < due) console.log('message ' + n++, {token: 'hunter2', n});
                n < 20000 ? setTimeout(more) : done(n); };
              more(); })""",
            seconds=30,
        )
    )
    waits = []
    while not flood.done():
        asked = loop.time()
        await other.evaluate("1 + 1", seconds=10)
        waits.append(loop.time() - asked)
        await asyncio.sleep(0.02)
    assert await flood == 20_000
    assert tab.console.seen - before >= 20_000
    entries = tab.console.entries(["log"])
    assert len(entries) <= len(tab.console.entries(preserved=True)) == tab.settings.console_size
    assert entries[-1].text == "message 19999 {token: <redacted>, n: 20000}"
    assert tab.console.dropped >= 20_000 - tab.settings.console_size
    with pytest.raises(InvalidArguments, match="was dropped"):
        tab.console.entry(before + 1)
    assert waits, "the other tab was asked meanwhile, and answered"
    await chrome.close_tab(other.id)
