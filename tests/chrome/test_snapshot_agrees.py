"""Roles, names and what is hidden, compared with the accessibility tree that Chrome makes of the same page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page

from support import toolkit
from support.snippets import SNIPPETS
from support.toolkit import Toolkit

Json = dict[str, Any]

OURS = {
    "DescriptionList": "generic",
    "DisclosureTriangle": "button",
    "Figcaption": "generic",
    "LayoutTable": "table",
    "LayoutTableCell": "cell",
    "LayoutTableRow": "row",
    "Legend": "generic",
    "MathMLIdentifier": "generic",
    "MathMLMath": "math",
    "SvgRoot": "generic",
    "image": "img",
    "none": "generic",
    "sectionfooter": "generic",
    "sectionheader": "generic",
}
"""What ARIA, or a shorter word, says for Chrome's own role; Chrome guesses which tables are but layout."""

KINDS = {
    "color": "ColorWell",
    "datetime-local": "DateTime",
    "file": "button",
    "month": "DateTime",
    "time": "InputTime",
    "week": "DateTime",
}
"""Chrome's roles for kinds of fields that ARIA has none for: ours tell the kinds apart, for filling them."""

DIFFERENT = {
    ("an empty label", "textbox"): "an empty label says nothing; what else there is helps more",
    ("icon fonts", "button"): "nobody can read the letters of an icon font",
    ("figure", "figure"): "HTML-AAM: the caption is the name",
    (
        "definitions",
        "term",
    ): "ARIA: terms are not named by their contents; their lines show the text all the same",
    ("media", "Audio"): "Chrome tells that there is nothing to play",
    ("media", "Video"): "Chrome tells that there is nothing to play",
}
"""(snippet, our role) whose names differ on purpose, and why."""

_TEXT = {"InlineTextBox", "LineBreak", "ListMarker", "RootWebArea", "StaticText"}
_TAKE = """function() {
    const {text} = this.snapshot({maxChars: 1e6});
    this.told = new Set([...text.matchAll(/uid=(\\S+)/g)].map(([, uid]) => this.element(uid)));
    this.seen = new Set();
}"""
_LOOK = """function(node) {
    if (node.nodeType !== 1) return null;
    const root = node.getRootNode();
    if (root !== document && root.host.shadowRoot !== root) return null;
    this.seen.add(node);
    let told = node;
    while (told && !this.told.has(told)) told = told.parentElement ?? told.getRootNode().host;
    const type = node.localName === 'input' ? node.type : '';
    return {role: this.role(node), name: this.name(node), type, told: !!told, html: node.outerHTML};
}"""
_EXTRA = "function() { return [...this.told].filter((it) => !this.seen.has(it)).map((it) => it.outerHTML) }"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page() -> AsyncIterator[Page]:
    """One page for all snippets."""
    async with toolkit.chromium_page() as opened:
        yield opened


async def chromes(kit: Toolkit) -> list[Json]:
    """Chrome's nodes that stand for elements, and are not ignored."""
    tree = await kit.session.send("Accessibility.getFullAXTree")
    return [
        node
        for node in tree["nodes"]
        if not node["ignored"] and node["role"]["value"] not in _TEXT and "backendDOMNodeId" in node
    ]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("about", SNIPPETS)
async def test_the_snapshot_says_what_chrome_says(page: Page, about: str) -> None:
    kit = await toolkit.show(page, SNIPPETS[about])
    await kit.call(_TAKE)
    nodes = await chromes(kit)
    handles = await asyncio.gather(*(kit.node(node["backendDOMNodeId"]) for node in nodes))
    looks = await asyncio.gather(*(kit.call(_LOOK, handle) for handle in handles))
    pairs = [(node, ours) for node, ours in zip(nodes, looks, strict=True) if ours is not None]
    assert pairs
    for node, ours in pairs:
        assert_same_role(node, ours)
        if (about, ours["role"]) not in DIFFERENT:
            assert ours["name"] == " ".join(node["name"]["value"].split()), ours
        assert ours["told"] or not is_operable(node), ours
    assert await kit.call(_EXTRA) == []


def assert_same_role(node: Json, ours: Json) -> None:
    """Chrome's role, or what we say for it."""
    role = node["role"]["value"]
    if ours["type"] in KINDS:
        assert role == KINDS[ours["type"]]
    else:
        assert ours["role"].replace("none", "generic") == OURS.get(role, role), ours


def is_operable(node: Json) -> bool:
    """True if Chrome lets one focus it."""
    can = {it["name"]: it["value"].get("value") for it in node.get("properties", [])}
    return bool(can.get("focusable")) and not can.get("disabled")


def test_every_difference_is_still_one_of_a_snippet() -> None:
    assert {about for about, _ in DIFFERENT} <= set(SNIPPETS)
