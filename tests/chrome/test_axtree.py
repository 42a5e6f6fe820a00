"""The verbose snapshot is Chrome's own tree, with the uids of the short one."""

from __future__ import annotations

import re

import pytest

from pageside.chrome.axtree import full_tree
from pageside.chrome.navigation import navigate
from pageside.chrome.snapshot import snapshot
from pageside.chrome.tab import Tab
from pageside.chrome.waits import until_seen
from pageside.errors import InvalidArguments
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = """<meta charset=utf-8><h1>Order</h1><label>Name <input id=name value=Ada></label>
<label>Code <input autocomplete=one-time-code value=123456></label><button disabled>Send</button>"""


def uid_of(text: str, what: str) -> str:
    found = re.search(rf"uid=(\S+) {what}", text)
    assert found is not None, text
    return found.group(1)


async def test_both_snapshots_give_an_element_the_same_uid(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(PAGE))
    short, full = (await snapshot(tab)).text, (await full_tree(tab, max_chars=10_000)).text
    for what in ('button "Send"', 'textbox "Name"', 'heading "Order"'):
        assert uid_of(short, what) == uid_of(full, what)
    assert 'button "Send" disabled' in full


async def test_frames_of_other_origins_are_in_their_places(tab: Tab, site: Site) -> None:
    inner = site.path("<button>Inside</button>")
    page = f"<p>Before</p><iframe src='{site.other_origin}{inner}'></iframe><p>After</p>"
    await navigate(tab, site.page(page))
    await until_seen(tab, texts=["Inside"])
    for text in ((await full_tree(tab, max_chars=10_000)).text, (await snapshot(tab)).text):
        assert text.index("Before") < text.index('button "Inside"') < text.index("After")


async def test_secrets_are_not_told(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(PAGE + "<p data-private>my secret</p>"))
    for text in ((await full_tree(tab, max_chars=10_000)).text, (await snapshot(tab)).text):
        assert "123456" not in text
        assert "Ada" in text
    assert "my secret" not in (await full_tree(tab, max_chars=10_000)).text


async def test_pages_of_it_are_whole(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page("".join(f"<p><button>Button {n}</button>" for n in range(60))))
    seen: list[str] = []
    start: int | None = 0
    while start is not None:
        page = await full_tree(tab, max_chars=600, start=start)
        seen += re.findall(r'button "(Button \d+)"', page.text)
        start = page.next
    assert seen == [f"Button {n}" for n in range(60)]


async def test_frames_of_the_same_origin_are_told_too(tab: Tab, site: Site) -> None:
    frames = "".join(f"<iframe src='{site.path(f'<button>Inside {n}</button>')}'></iframe>" for n in range(3))
    await navigate(tab, site.page(f"<button>Outside</button>{frames}"))
    full = (await full_tree(tab, max_chars=10_000)).text
    named = ["Outside", *(f"Inside {n}" for n in range(3))]
    assert len({uid_of(full, f'button "{name}"') for name in named}) == len(named)


async def test_there_is_nothing_past_the_end(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(PAGE))
    for ask in (snapshot(tab, start=9_999), full_tree(tab, max_chars=10_000, start=9_999)):
        with pytest.raises(InvalidArguments) as refused:
            await ask
        assert 0 < refused.value.data["lines"] < 30
        assert "-" not in refused.value.message


async def test_a_page_of_it_goes_on_in_the_same_tree(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page("".join(f"<p><button>Button {n}</button>" for n in range(60))))
    first = await full_tree(tab, max_chars=600)
    assert first.next is not None
    await tab.evaluate("document.querySelectorAll('p').forEach((p, n) => { if (n < 30) p.remove() }); 0")
    second = await full_tree(tab, max_chars=600, start=first.next)
    told = [int(n) for text in (first.text, second.text) for n in re.findall(r'button "Button (\d+)"', text)]
    assert told == list(range(len(told)))
    assert 'button "Button 30"' in (await full_tree(tab, max_chars=600)).text
    await navigate(tab, site.page(PAGE))
    with pytest.raises(InvalidArguments):
        await full_tree(tab, max_chars=600, start=first.next)
