"""The text that an agent reads of a page, and what it can rely on."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from textwrap import dedent

import pytest
import pytest_asyncio
from playwright.async_api import Page

from support import toolkit
from support.snippets import SNIPPETS
from support.toolkit import Toolkit

pytestmark = pytest.mark.asyncio(loop_scope="module")
MANY = (toolkit.PAGES / "many.html").as_uri()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page() -> AsyncIterator[Page]:
    """One page for all tests here."""
    async with toolkit.chromium_page() as opened:
        yield opened


def lines(text: str) -> str:
    """A text block of a test without its margin."""
    return dedent(text).strip()


async def many(page: Page, elements: int) -> Toolkit:
    """A business page of about so many elements."""
    await page.goto(f"{MANY}?n={elements}")
    return await toolkit.install(page)


async def uid_of(kit: Toolkit, line: str) -> str:
    """The uid in the line that has these words."""
    found = re.search(rf"uid=(\S+) {re.escape(line)}", await kit.text())
    assert found, line
    return found[1]


async def test_a_page_reads_like_this(page: Page) -> None:
    kit = await many(page, 1)
    assert await kit.text() == lines(
        """
        uid=1_1 banner
         uid=1_2 heading "Many elements" level=1
         uid=1_3 navigation "Main"
          uid=1_4 link "Home"
          uid=1_5 link "Orders"
        uid=1_6 main
         uid=1_7 region "Section 1"
          uid=1_8 heading "Section 1" level=2
          "Some words about section 1, with stress and a"
          uid=1_9 link "link 1"
          uid=1_10 textbox "Name 1" value="Value 1"
          uid=1_11 textbox "Mail 1"
          uid=1_12 checkbox "Remember 1" checked
          uid=1_13 combobox "Colour 1" value="Green" options="Red|Green"
          uid=1_14 button "Save 1"
          uid=1_15 button "Delete 1" disabled
          uid=1_16 list
           uid=1_17 listitem "Item 1.1"
           uid=1_18 listitem "Item 1.2"
           uid=1_19 listitem "Item 1.3"
           uid=1_20 link "Item 1 link"
          uid=1_21 table
           uid=1_22 row
            uid=1_23 cell "Row 1.1"
            uid=1_24 cell "1"
            uid=1_25 cell "done"
            uid=1_26 link "Edit 1.1"
           uid=1_27 row
            uid=1_28 cell "Row 1.2"
            uid=1_29 cell "2"
            uid=1_30 cell "done"
            uid=1_31 link "Edit 1.2"
        """
    )


async def test_interactive_tells_what_can_be_done_and_where(page: Page) -> None:
    kit = await toolkit.show(
        page,
        """<main><h1>Shop</h1><h2>News</h2><p>None today</p><h2>Orders</h2>
        <table aria-label=Orders><tr><th>Who<th>Do
        <tr><td>Ann<td><button>Cancel</button><tr><td>Ben<td><button>Cancel</button></table>
        <ul><li>Plain<li>Tea <button>Buy</button></ul><div onclick='1'>Card</div>
        <p style='cursor:pointer'>Hand</p><p tabindex=0>Focus</p><p tabindex=-1>Not</p></main>
        <footer>Nothing to do</footer>""",
    )
    assert await kit.text(interactive=True) == lines(
        """
        uid=1_1 main
         uid=1_2 heading "Shop" level=1
         uid=1_3 heading "Orders" level=2
         uid=1_4 table "Orders"
          uid=1_5 row "Ann"
           uid=1_6 button "Cancel"
          uid=1_7 row "Ben"
           uid=1_8 button "Cancel"
         uid=1_9 listitem "Tea"
          uid=1_10 button "Buy"
         uid=1_11 generic "Card" clickable
         uid=1_12 paragraph "Hand" clickable
         uid=1_13 paragraph "Focus"
        """
    )


async def test_states_are_told(page: Page) -> None:
    kit = await toolkit.show(
        page,
        """<input aria-label=a required readonly value='x "y"'><input type=checkbox aria-label=b>
        <script>document.querySelector('[type=checkbox]').indeterminate = true</script>
        <input aria-label=c aria-invalid=true aria-describedby=d><p id=d>Wrong</p>
        <button aria-haspopup=menu aria-expanded=false>e</button><button aria-pressed=false>f</button>
        <div role=checkbox aria-checked=mixed tabindex=0>g</div><div aria-busy=true role=log>h</div>
        <input type=number aria-label=i min=1 max=9 value=5 autofocus>
        <select multiple aria-label=j><option selected>k</select>
        <a href=# aria-disabled=true>l</a><input type=email aria-label=m>""",
    )
    await page.locator("[type=email]").focus()
    await page.keyboard.type("x")
    await page.keyboard.press("Tab")
    await page.locator("[type=number]").focus()
    assert await kit.text() == lines(
        r"""
        uid=1_1 textbox "a" required readonly value="x \"y\""
        uid=1_2 checkbox "b" checked=mixed
        uid=1_3 textbox "c" invalid description="Wrong"
        "Wrong"
        uid=1_4 button "e" haspopup=menu collapsed
        uid=1_5 button "f" pressed=false
        uid=1_6 checkbox "g" checked=mixed
        uid=1_7 log "h" busy
        uid=1_8 spinbutton "i" min=1 max=9 value="5" focused
        uid=1_9 listbox "j" multiselectable
         uid=1_10 option "k" selected
        uid=1_11 link "l" disabled
        uid=1_12 textbox "m" invalid value="x"
        """
    )


async def test_nothing_private_is_told(page: Page) -> None:
    kit = await toolkit.show(
        page,
        """<input type=password aria-label=a value=hunter2><input autocomplete=cc-number aria-label=b value=hunter2>
        <input autocomplete=one-time-code aria-label=c value=hunter2>
        <input data-private aria-label=d value=hunter2><div data-private>hunter2 <b>hunter2</b></div>
        <button data-private>hunter2</button><a href=#>To <span data-private>hunter2</span></a>
        <ul data-private><li>hunter2<li><a href=#>hunter2</a></ul>
        <label>Mine <input type=checkbox><input type=password value=hunter2></label>
        <div role=textbox contenteditable data-private>hunter2</div>""",
    )
    for text in (await kit.text(), await kit.text(verbose=True), await kit.text(interactive=True)):
        assert "hunter2" not in text
        assert text.count('value="<redacted>"') == 6
    assert lines('link "To <redacted>"') in await kit.text()


async def test_uids_stay_with_their_elements(page: Page) -> None:
    kit = await toolkit.show(page, "<main><button>One</button><button>Two</button></main>")
    before = await kit.text()
    two = await uid_of(kit, 'button "Two"')
    await page.evaluate("document.querySelector('main').prepend(document.createElement('hr'))")
    await page.evaluate("document.querySelector('main').append(document.querySelector('button'))")
    after = await kit.text()
    assert await uid_of(kit, 'button "Two"') == two
    assert set(re.findall("uid=.*", before)) < set(re.findall("uid=.*", after))
    assert await kit.call("function(uid) { return this.element(uid).textContent }", two) == "Two"


async def test_the_uid_of_what_is_gone_names_nothing(page: Page) -> None:
    kit = await toolkit.show(page, "<button>One</button><iframe srcdoc='<button>In</button>'></iframe>")
    await page.frame_locator("iframe").get_by_role("button").wait_for()
    uids = [await uid_of(kit, 'button "One"'), await uid_of(kit, 'button "In"')]
    look = "function(uid) { return this.element(uid) !== null }"
    assert [await kit.call(look, uid) for uid in [*uids, "1_99", "2_1", "x"]] == [True, True, *[False] * 3]
    await page.evaluate("document.querySelectorAll('button, iframe').forEach((it) => it.remove())")
    assert [await kit.call(look, uid) for uid in uids] == [False, False]


async def test_a_part_of_the_page_can_be_told_alone(page: Page) -> None:
    kit = await many(page, 300)
    whole = await kit.text()
    part = await kit.text("section:nth-of-type(2)")
    assert part.startswith('uid=1_32 region "Section 2"')
    assert part.replace("\n", "\n ") in whole
    assert await kit.text("select") == lines(
        f"""
        uid={await uid_of(kit, "combobox")} combobox "Colour 1" value="Green" options="Red|Green"
         uid=1_{len(re.findall("uid=", whole)) + 1} option "Red"
         uid=1_{len(re.findall("uid=", whole)) + 2} option "Green" selected
        """
    )


async def test_past_its_end_there_is_nothing(page: Page) -> None:
    kit = await many(page, 30)
    past = await kit.snapshot(start=9_999)
    assert (past["text"], past["next"]) == ("", None)
    assert past["nodes"] > 30


@pytest.mark.parametrize("interactive", [False, True])
@pytest.mark.parametrize("max_chars", [1, 700, 5000])
async def test_pages_of_a_snapshot_cover_all_once(page: Page, max_chars: int, interactive: bool) -> None:
    kit = await many(page, 300)
    whole = await kit.snapshot(interactive=interactive)
    assert whole["next"] is None
    told: list[str] = []
    start: int | None = 0
    while start is not None:
        part = await kit.snapshot(max_chars=max_chars, interactive=interactive, start=start)
        *rows, note = part["text"].split("\n") if part["next"] else [*part["text"].split("\n"), ""]
        assert len(rows) == 1 or len(part["text"]) <= max_chars
        told += rows
        start = part["next"]
        if start is not None:
            assert start == len(told)
            assert note.startswith(f"… {whole['nodes'] - start} more lines")
            assert f"from={start}" in note
    assert told == whole["text"].split("\n")
    assert len(told) == whole["nodes"]


async def test_frames_of_the_same_origin_are_told_in_place(page: Page) -> None:
    kit = await toolkit.show(
        page,
        """<main><iframe title=Inner srcdoc="<h1>In</h1><iframe srcdoc='<p>Deep'></iframe>"></iframe></main>""",
    )
    await page.frame_locator("iframe").frame_locator("iframe").get_by_text("Deep").wait_for()
    snapshot = await kit.snapshot()
    assert snapshot["text"] == lines(
        """
        uid=1_1 main
         uid=1_2 Iframe "Inner"
          uid=1_3 heading "In" level=1
          uid=1_4 Iframe
           "Deep"
        """
    )
    assert snapshot["frames"] == []


async def test_frames_of_other_origins_are_places_to_fill(page: Page) -> None:
    await page.context.route("http://other.test/", lambda route: route.fulfill(body="<p>Other</p>"))
    kit = await toolkit.show(
        page,
        "<h1>Top</h1><div role=group aria-label=G><iframe title=Ads src=http://other.test/></iframe></div>",
    )
    await page.frame_locator("iframe").get_by_text("Other").wait_for()
    snapshot = await kit.snapshot()
    frame = await uid_of(kit, 'Iframe "Ads"')
    assert snapshot["frames"] == [{"line": 2, "uid": frame, "depth": 1}]
    assert snapshot["text"].split("\n")[2] == f' uid={frame} Iframe "Ads"'
    assert (await kit.snapshot(interactive=True))["frames"] == [{"line": 2, "uid": frame, "depth": 1}]


async def test_only_a_verbose_snapshot_has_addresses(page: Page) -> None:
    kit = await toolkit.show(page, f"<a href=/cart title='{'long ' * 40}'>Cart</a>")
    assert "cart" not in await kit.text()
    assert 'url="http://snippet.test/cart"' in await kit.text(verbose=True)
    assert len(await kit.text()) < 200 < len(await kit.text(verbose=True))


async def test_long_texts_are_cut(page: Page) -> None:
    kit = await toolkit.show(page, f"<button>{'n' * 500}</button><p>{'t' * 5000}</p>")
    button, text = (await kit.text()).split("\n")
    assert len(re.findall("n", button)) == 200
    assert button.endswith('n…"')
    assert len(text) == 1002
    kit = await toolkit.show(page, f"<button>{'😀' * 150}</button>")
    assert await kit.text() == f'uid=1_1 button "{"😀" * 99}…"'


async def test_the_overlay_is_not_part_of_the_page(page: Page) -> None:
    kit = await toolkit.show(page, "<pageside-overlay>Ours</pageside-overlay><p>Theirs</p>")
    assert await kit.text() == '"Theirs"'


async def test_a_label_is_what_people_click_if_its_field_is_hidden(page: Page) -> None:
    kit = await toolkit.show(page, "<label><input type=checkbox checked hidden> Dark mode</label>")
    line = 'uid=1_1 LabelText "Dark mode" checkbox checked clickable'
    assert [await kit.text(), await kit.text(interactive=True)] == [line, line]


async def test_the_toolkit_leaves_nothing_in_the_page(page: Page) -> None:
    await toolkit.show(page, SNIPPETS["landmarks"])
    before = await page.evaluate("[document.documentElement.outerHTML, Object.keys(globalThis).length]")
    kit = await toolkit.install(page)
    await kit.text()
    assert (
        await page.evaluate("[document.documentElement.outerHTML, Object.keys(globalThis).length]") == before
    )


async def test_a_big_page_is_told_in_few_words(page: Page) -> None:
    kit = await many(page, 2000)
    text = await kit.text()
    assert len(text) / 4 < 8_900
    assert len(await kit.text(interactive=True)) < len(text) * 0.7


async def test_a_modal_dialog_in_a_frame_hides_only_its_frame(page: Page) -> None:
    kit = await toolkit.show(
        page,
        """<button>Out</button><iframe title=F srcdoc="<button>Behind</button>
        <dialog id=d aria-label=D><button>In</button></dialog><script>d.showModal()</script>"></iframe>
        <x-a><template shadowrootmode=open><b>After</b></template></x-a>""",
    )
    await page.frame_locator("iframe").get_by_role("dialog").wait_for()
    assert await kit.text() == lines(
        """
        uid=1_1 button "Out"
        uid=1_2 Iframe "F" focused
         uid=1_3 dialog "D" modal
          uid=1_4 button "In" focused
        "After"
        """
    )


async def test_what_is_nested_too_deep_ends_in_an_ellipsis(page: Page) -> None:
    kit = await toolkit.show(
        page,
        """<h1>Top</h1><script>
        let inner = document.body;
        for (let level = 0; level < 1000; level += 1) {
          inner = inner.appendChild(document.createElement(level % 2 ? 'li' : 'ul'));
        }
        inner.textContent = 'Bottom';
        </script>""",
    )
    text = await kit.text()
    assert text.startswith('uid=1_1 heading "Top" level=1')
    assert text.endswith(' "…"')
