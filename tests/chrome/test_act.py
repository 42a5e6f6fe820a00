"""Clicking, hovering, filling, dragging, pressing, uploading: as a person would, or a clear word why not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pageside.chrome import act
from pageside.chrome.activity import settled
from pageside.chrome.documents import call
from pageside.chrome.find import Target, find
from pageside.chrome.navigation import navigate
from pageside.chrome.tab import Tab
from pageside.chrome.waits import until_seen
from pageside.errors import (
    CommandTimeout,
    DialogOpen,
    ElementNotFound,
    ElementNotReady,
    InvalidArguments,
)
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

GO = Target(selector="#go")
LOG = """<script>
const log = [];
const on = (element, ...types) => types.forEach((type) =>
  element.addEventListener(type, (event) => log.push(event.type + (event.isTrusted ? '' : '!'))));
</script>"""


async def opened(tab: Tab, site: Site, body: str) -> None:
    await navigate(tab, site.page(f"<meta charset=utf-8>{LOG}{body}"))


async def log(tab: Tab) -> list[str]:
    await settled(tab)
    events: list[str] = await tab.evaluate("log")
    return events


async def test_a_click_is_made_of_trusted_events(tab: Tab, site: Site) -> None:
    await opened(
        tab, site, "<button id=go>Go</button><script>on(go, 'pointerdown', 'mouseup', 'click')</script>"
    )
    done = await act.click(tab, GO)
    assert done.what == "<button#go>"
    assert await log(tab) == ["pointerdown", "mouseup", "click"]


async def test_a_double_click_and_a_right_click(tab: Tab, site: Site) -> None:
    await opened(tab, site, "<button id=go>Go</button><script>on(go, 'dblclick', 'contextmenu')</script>")
    await act.click(tab, GO, count=2)
    await act.click(tab, GO, button="right")
    assert await log(tab) == ["dblclick", "contextmenu"]


@pytest.mark.parametrize(
    "body",
    [
        "<button>Save</button>",
        "<div role=button tabindex=0>Save</div>",
        "<input type=submit value=Save>",
        "<button aria-label=Save>💾</button>",
        "<button><b>Sa</b>ve</button>",
        "<label>Save <input type=checkbox></label>",
        "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = '<button>Save</button>'</script>",
        "<iframe srcdoc='<button>Save</button>'></iframe>",
        "<p>Save as many as you like</p><button>Save</button>",
    ],
)
async def test_words_on_an_element_find_it(tab: Tab, site: Site, body: str) -> None:
    await opened(tab, site, body)
    await until_seen(tab, selector="button, [role=button], input")
    element = await find(tab, Target(text="save"))
    assert await call(element.document, "role", element) in ("button", "checkbox")


async def test_what_covers_an_element_is_said(tab: Tab, site: Site) -> None:
    await opened(
        tab,
        site,
        "<button id=go>Go</button><div class='cover' style='position:fixed;inset:0'></div>"
        "<script>on(go, 'click')</script>",
    )
    with pytest.raises(ElementNotReady, match=r"another element covers it: <div\.cover>"):
        await act.click(tab, GO)
    assert await log(tab) == []


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("<button id=go disabled>Go</button>", "it is disabled"),
        ("<fieldset disabled><button id=go>Go</button></fieldset>", "it is disabled"),
        ("<button id=go style='display:none'>Go</button>", "it is not visible"),
        ("<button id=go style='visibility:hidden'>Go</button>", "it is not visible"),
        ("<button id=go style='position:fixed;left:-500px'>Go</button>", "it is outside the viewport"),
    ],
)
async def test_what_cannot_be_clicked_says_why(tab: Tab, site: Site, body: str, why: str) -> None:
    await opened(tab, site, body)
    began = asyncio.get_running_loop().time()
    with pytest.raises(ElementNotReady, match=why):
        await act.click(tab, GO)
    assert asyncio.get_running_loop().time() - began < 8


@pytest.mark.parametrize(
    "body",
    [
        "<button id=go disabled>Go</button><script>setTimeout(() => go.disabled = false, 300)</script>",
        "<style>#go { animation: slide 1s } @keyframes slide { from { margin-left: 400px } }</style>"
        "<button id=go>Go</button>",
        "<div style='height: 3000px'></div><button id=go>Go</button>",
        "<div style='height: 200px; overflow: auto'><div style='height: 900px'></div><button id=go>Go</button></div>",
        "<div style='position: sticky; top: 0; height: 80px; background: red'></div>"
        "<div style='height: 2000px'></div><button id=go>Go</button><div style='height: 2000px'></div>",
        "<style>html { scroll-behavior: smooth }</style><div style='height: 5000px'></div><button id=go>Go</button>",
        "<div style='transform: rotate(20deg) scale(1.5); margin: 200px'><button id=go>Go</button></div>",
        "<div style='zoom: 2'><button id=go>Go</button></div>",
    ],
    ids=["late", "moving", "below", "scroller", "sticky", "smooth", "transformed", "zoomed"],
)
async def test_what_can_be_clicked_after_some_patience_is(tab: Tab, site: Site, body: str) -> None:
    await opened(tab, site, f"{body}<script>on(go, 'click')</script>")
    await act.click(tab, GO)
    assert await log(tab) == ["click"]


async def test_an_element_in_a_frame_of_another_origin_is_clicked_and_filled(tab: Tab, site: Site) -> None:
    inner = site.path(
        "<div style='height: 700px'></div><input id=name><button id=go>Go</button>"
        "<script>go.onclick = () => { go.textContent = document.querySelector('input').value }</script>"
    )
    await opened(
        tab, site, f"<p style='height: 900px'></p><iframe src='{site.other_origin}{inner}'></iframe>"
    )
    await until_seen(tab, selector="#go")
    await act.fill(tab, Target(selector="#name"), "Ada")
    await act.click(tab, GO)
    await until_seen(tab, texts=["Ada"])


@pytest.mark.parametrize(
    ("body", "value", "expected"),
    [
        ("<input id=go value=old>", "new", "new"),
        ("<input id=go value=old>", "", ""),
        ("<textarea id=go>old</textarea>", "two\nlines", "two\nlines"),
        ("<input id=go type=date>", "2026-02-03", "2026-02-03"),
        ("<input id=go type=range min=0 max=10>", "7", "7"),
        ("<input id=go type=color>", "#ff0000", "#ff0000"),
        ("<input id=go type=number>", "12.5", "12.5"),
        ("<select id=go><option value=a>Apple<option value=b>Pear</select>", "Pear", "b"),
    ],
)
async def test_filling_gives_the_value_and_the_events(
    tab: Tab, site: Site, body: str, value: str, expected: str
) -> None:
    await opened(tab, site, f"{body}<script>on(go, 'input', 'change')</script>")
    await act.fill(tab, GO, value)
    assert await tab.evaluate("go.value") == expected
    events = [each.removesuffix("!") for each in await log(tab)]
    assert events[-2:] == ["input", "change"]


async def test_an_editable_element_and_a_checkbox_are_filled(tab: Tab, site: Site) -> None:
    await opened(tab, site, "<div id=text contenteditable>old <b>text</b></div><input id=box type=checkbox>")
    await act.fill(tab, Target(selector="#text"), "new")
    await act.fill(tab, Target(selector="#box"), "true")
    await act.fill(tab, Target(selector="#box"), "true")
    assert await tab.evaluate("[text.innerText, box.checked]") == ["new", True]


@pytest.mark.parametrize(
    ("body", "value", "why"),
    [
        ("<select id=go><option>Apple</select>", "Pear", 'it has no option "Pear"; there are: "Apple"'),
        ("<input id=go type=date>", "tomorrow", "is no value of <input type=date>"),
        ("<input id=go type=file>", "x", "use upload_file"),
        ("<p id=go>text</p>", "x", "it takes no text"),
        ("<input id=go type=checkbox>", "maybe", 'switched with "true" or "false"'),
    ],
)
async def test_what_cannot_be_filled_says_why(tab: Tab, site: Site, body: str, value: str, why: str) -> None:
    await opened(tab, site, body)
    with pytest.raises(InvalidArguments, match=why):
        await act.fill(tab, GO, value)


async def test_a_read_only_field_says_so(tab: Tab, site: Site) -> None:
    await opened(tab, site, "<input id=go readonly>")
    with pytest.raises(ElementNotReady, match="read-only"):
        await act.fill(tab, GO, "x")


async def test_a_form_names_the_field_that_failed(tab: Tab, site: Site) -> None:
    await opened(tab, site, "<input id=a><input id=b disabled>")
    with pytest.raises(ElementNotReady, match=r"Element 2 of 2: .*it is disabled"):
        await act.fill_form(tab, [(Target(selector="#a"), "1"), (Target(selector="#b"), "2")])
    assert await tab.evaluate("[a.value, b.value]") == ["1", ""]


async def test_keys_are_pressed(tab: Tab, site: Site) -> None:
    await opened(
        tab,
        site,
        "<form onsubmit='event.preventDefault(); log.push(`sent`)'><input id=go></form>"
        "<script>on(go, 'keydown')</script>",
    )
    await act.fill(tab, GO, "one")
    await act.press(tab, "Control+A")
    await act.press(tab, "x")
    await act.press(tab, "Shift+?")
    await act.press(tab, "Enter")
    assert (await log(tab))[-1] == "sent"
    assert await tab.evaluate("go.value") == "x?"


async def test_html_drag_and_drop(tab: Tab, site: Site) -> None:
    await opened(
        tab,
        site,
        "<p id=a draggable=true>A</p><p id=b style='height: 80px; background: #eee'>B</p>"
        "<script>a.ondragstart = (e) => e.dataTransfer.setData('text', 'hi');"
        "b.ondragover = (e) => e.preventDefault(); b.ondrop = (e) => log.push(e.dataTransfer.getData('text'))</script>",
    )
    await act.drag(tab, Target(selector="#a"), Target(selector="#b"))
    assert await log(tab) == ["hi"]


async def test_a_drag_of_pointer_events(tab: Tab, site: Site) -> None:
    await opened(
        tab,
        site,
        "<div id=a style='width: 50px; height: 50px; background: red; touch-action: none'></div>"
        "<div id=b style='margin: 200px; width: 50px; height: 50px; background: blue'></div>"
        "<script>a.onpointerdown = (e) => { a.setPointerCapture(e.pointerId); };"
        "a.onpointerup = (e) => log.push(document.elementsFromPoint(e.x, e.y)[0].id)</script>",
    )
    await act.drag(tab, Target(selector="#a"), Target(selector="#b"))
    assert await log(tab) == ["b"]


async def test_files_are_given_to_an_input_and_through_a_button(tab: Tab, site: Site, tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_text("hello", "utf-8")
    await opened(
        tab,
        site,
        "<input id=file type=file style='display: none'><button id=go onclick='file.click()'>Choose</button>",
    )
    await act.upload(tab, GO, [file])
    assert await tab.evaluate("file.files[0].text()") == "hello"
    await tab.evaluate("file.value = ''")
    await act.upload(tab, Target(selector="#file"), [file])
    assert await tab.evaluate("file.files[0].name") == "note.txt"


async def test_a_dialog_ends_the_click_and_everything_else_until_it_is_answered(tab: Tab, site: Site) -> None:
    await opened(tab, site, "<button id=go onclick='log.push(confirm(`Sure?`))'>Go</button>")
    done = await act.click(tab, GO)
    assert "confirm 'Sure?'" in done.notes[0]
    with pytest.raises(DialogOpen):
        await tab.evaluate("1")
    await tab.session("Page.handleJavaScriptDialog", accept=True)
    await settled(tab)
    assert await tab.evaluate("log") == [True]


async def test_waiting_goes_on_through_a_navigation(tab: Tab, site: Site) -> None:
    target = site.path("<p>Arrived at last</p>")
    await opened(tab, site, f"<script>setTimeout(() => location.href = '{target}', 300)</script>")
    assert await until_seen(tab, texts=["Never", "Arrived at"]) == "Arrived at"


async def test_waiting_for_something_to_go(tab: Tab, site: Site) -> None:
    await opened(tab, site, "<p id=out>Loading</p><script>setTimeout(() => out.remove(), 200)</script>")
    assert await until_seen(tab, texts=["Loading"], gone=True) is None


async def test_waiting_in_vain_ends_in_time(tab: Tab, site: Site) -> None:
    await opened(tab, site, "<p>Here <span hidden>not seen</span></p>")
    with pytest.raises(CommandTimeout, match=r"'not seen' did not appear within 0\.5 s"):
        await until_seen(tab, texts=["not seen"], seconds=0.5)


async def test_what_is_not_there_and_what_is_no_selector(tab: Tab, site: Site) -> None:
    await opened(tab, site, "<p>Here</p>")
    with pytest.raises(ElementNotFound, match="No element of the tab matches selector '#nope'"):
        await act.click(tab, Target(selector="#nope"))
    with pytest.raises(InvalidArguments, match="not a valid CSS selector"):
        await act.click(tab, Target(selector="a[["))
    with pytest.raises(ElementNotFound, match="belongs to no document that is open now"):
        await act.click(tab, Target(uid="999_1"))


async def test_a_uid_of_a_removed_element_says_so(tab: Tab, site: Site) -> None:
    await opened(tab, site, "<button id=go>Go</button>")
    element = await find(tab, GO)
    uid = await call(element.document, "uid", element)
    await tab.evaluate("go.remove()")
    with pytest.raises(ElementNotFound, match=f"uid {uid} is no longer on the page"):
        await act.click(tab, Target(uid=uid))


@pytest.mark.parametrize(
    ("body", "value", "why"),
    [
        ("<input id=go type=number value=3>", "abc", "took nothing of the value"),
        ("<input id=go oninput='this.value = ``'>", "x", "it is empty"),
    ],
)
async def test_a_field_that_takes_nothing_is_no_success(
    tab: Tab, site: Site, body: str, value: str, why: str
) -> None:
    await opened(tab, site, body)
    with pytest.raises(InvalidArguments, match=why):
        await act.fill(tab, GO, value)


async def test_what_a_field_makes_of_the_value_is_told(tab: Tab, site: Site) -> None:
    await opened(tab, site, "<input id=go maxlength=5>")
    done = await act.fill(tab, GO, "abcdefgh")
    assert done.notes == ['It did not take it as given: it holds "abcde" (maxlength=5).']


async def test_a_label_stands_for_its_field(tab: Tab, site: Site) -> None:
    await opened(tab, site, "<label id=label>Name <input id=go></label>")
    await act.fill(tab, Target(selector="#label"), "Ada")
    assert await tab.evaluate("go.value") == "Ada"


async def test_a_point_outside_of_the_viewport_is_refused(tab: Tab, site: Site) -> None:
    await opened(tab, site, "<p>Here</p>")
    with pytest.raises(InvalidArguments, match="outside of the viewport"):
        await act.click(tab, (99_999, 5))


async def test_several_files_for_an_input_of_one_are_refused(tab: Tab, site: Site, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.txt", "b.txt")]
    for file in files:
        file.write_text("x", "utf-8")
    await opened(tab, site, "<input id=go type=file>")
    with pytest.raises(InvalidArguments, match="takes one file"):
        await act.upload(tab, GO, files)
    assert await tab.evaluate("go.files.length") == 0
