"""What a field holds after it was filled is told, also when it is not what was wanted."""

from __future__ import annotations

from typing import Any

import pytest

from pageside.chrome import input as events
from pageside.chrome.documents import Handle, call
from pageside.chrome.find import Target, find
from pageside.chrome.navigation import navigate
from pageside.chrome.tab import Tab
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

GO = Target(selector="#go")
MASK = "oninput='this.value = this.value.replace(/[^0-9]/g, ``).replace(/^(..)/, `$1/`)'"
CONTROLLED = "value=mine oninput='queueMicrotask(() => { this.value = `mine` })'"


async def prepared(element: Handle, value: str) -> dict[str, Any]:
    """What filling begins with, without where the element is."""
    told: dict[str, Any] = await call(element.document, "prepare", element, value, 1000)
    return {name: each for name, each in told.items() if name not in ("x", "y", "what")}


async def typed(tab: Tab, site: Site, body: str, value: str) -> dict[str, Any]:
    """What is told after the value was typed into #go."""
    await navigate(tab, site.page(f"<meta charset=utf-8>{body}"))
    element = await find(tab, GO)
    assert (await prepared(element, value)) == {"type": True}
    await events.insert_text(element.session, value)
    told: dict[str, Any] = await call(element.document, "filled", element, value)
    return told


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("<input id=go value=old>", "new"),
        ("<input id=go type=number>", "-1.50"),
        ("<textarea id=go></textarea>", "two\r\nlines"),
        ("<div id=go contenteditable>old</div>", "two  words"),
        ("<div id=go contenteditable>old</div>", "two\nlines"),
        ("<label id=go>Name <input></label>", "Ada"),
        ("<label id=go for=it>Name</label><input id=it>", "Ada"),
    ],
)
async def test_a_field_that_took_the_value_has_nothing_to_tell(
    tab: Tab, site: Site, body: str, value: str
) -> None:
    assert await typed(tab, site, body, value) == {}


@pytest.mark.parametrize(
    ("body", "value", "why"),
    [
        ("<input id=go type=number>", "abc", "<input type=number> took nothing of the value, it is empty"),
        (f"<input id=go {CONTROLLED}>", "yours", 'took nothing of the value, it holds "mine" as before'),
        ("<input id=go type=password oninput='this.value = ``'>", "hunter2", "it is empty"),
    ],
)
async def test_a_field_that_took_nothing_is_an_error(
    tab: Tab, site: Site, body: str, value: str, why: str
) -> None:
    told = await typed(tab, site, body, value)
    assert why in told["error"]


@pytest.mark.parametrize(
    ("body", "value", "note"),
    [
        ("<input id=go maxlength=5>", "abcdefgh", 'it holds "abcde" (maxlength=5)'),
        ("<input id=go value=abcde maxlength=5>", "abcdefgh", 'it holds "abcde" (maxlength=5)'),
        (f"<input id=go {MASK}>", "1234", 'it holds "12/34"'),
        ("<input id=go onchange='this.value = this.value.trim()'>", " Ada ", 'it holds "Ada"'),
        ("<input id=go type=number>", "12abc", 'it holds "12"'),
        ("<input id=go type=password maxlength=5>", "hunter2", "it holds 5 characters (maxlength=5)"),
    ],
)
async def test_a_field_that_changed_the_value_tells_what_it_holds(
    tab: Tab, site: Site, body: str, value: str, note: str
) -> None:
    told = await typed(tab, site, body, value)
    assert note in told["note"]
    assert "hunt" not in told["note"]


SELECT = "<select id=go multiple><option>Apple<option selected>Pear<option disabled>Plum</select>"


@pytest.mark.parametrize(
    ("value", "told", "chosen"),
    [
        ("Apple\nPear", {"done": '"Apple", "Pear"'}, ["Apple", "Pear"]),
        ("", {"done": ""}, []),
        ("Apple, Pear", {"error": 'no option "Apple, Pear"'}, ["Pear"]),
        ("Apple, Pear", {"error": "several, one a line"}, ["Pear"]),
        ("Apple\nFig", {"error": 'no option "Fig"'}, ["Pear"]),
        ("Apple\nPlum", {"error": 'disabled: "Plum"'}, ["Pear"]),
    ],
)
async def test_a_list_takes_several_values_or_says_how(
    tab: Tab, site: Site, value: str, told: dict[str, str], chosen: list[str]
) -> None:
    await navigate(tab, site.page(SELECT))
    element = await find(tab, GO)
    answer = await prepared(element, value)
    assert answer.keys() == told.keys()
    assert all(text in answer[key] for key, text in told.items())
    assert await tab.evaluate("[...go.selectedOptions].map((each) => each.label)") == chosen


async def test_a_label_does_not_get_around_what_its_control_refuses(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page("<label id=go>Name <input id=it readonly></label>"))
    element = await find(tab, GO)
    answer = await prepared(element, "Ada")
    assert answer == {"error": "what it labels, <input#it>, is read-only"}


async def test_whether_a_file_input_takes_several_is_known(tab: Tab, site: Site) -> None:
    for attribute, many in (("", False), ("multiple", True), ("webkitdirectory", True)):
        await navigate(tab, site.page(f"<input id=go type=file {attribute}>"))
        element = await find(tab, GO)
        assert await call(element.document, "takesMany", element) is many
