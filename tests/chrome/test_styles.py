"""What is told of the rules of an element, against a real Chromium."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pageside.chrome.find import Target, find
from pageside.chrome.loading import Maps, load_text
from pageside.chrome.navigation import navigate
from pageside.chrome.properties import INHERITED
from pageside.chrome.styles import Inspected, inspect
from pageside.chrome.tab import Tab
from pageside.errors import ChromeError, InvalidArguments
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def look(tab: Tab, site: Site, html: str, selector: str, *properties: str, **more: Any) -> Inspected:
    await navigate(tab, site.page(html))
    element = await find(tab, Target(selector=selector))
    return await inspect(tab, element, properties=properties or None, project=Path("/nowhere"), **more)


def brief(inspected: Inspected) -> list[tuple[Any, ...]]:
    """Selector, specificity, what it says, at-rules, what is overridden; those of the browser left out."""
    return [
        (rule["selector"], rule["specificity"], rule["properties"], rule.get("at"), rule.get("overridden"))
        for rule in inspected.cascade_rules
        if rule["source"] != "user agent"
    ]


AT_RULES = """<!doctype html><style>
@layer base, theme;
@layer theme { .a { color: red; order: 4 !important } }
@layer base { @layer inner { .a { color: blue; order: 8 !important } } }
@media (min-width: 10px) { @supports (display: grid) { .a { opacity: .5 } } }
.wrap { container: box / inline-size;
  & .a { z-index: 1; @media (min-width: 1px) { z-index: 2 } }
}
@container box (min-width: 1px) { .a { widows: 3 } }
@scope (.wrap) to (.zz) { :scope .a { orphans: 3 } }
</style><div class=wrap><p class=a>x</p></div>"""


async def test_rules_are_told_strongest_first_with_what_is_around_them(tab: Tab, site: Site) -> None:
    inspected = await look(
        tab, site, AT_RULES, ".a", "color", "order", "opacity", "z-index", "widows", "orphans"
    )
    assert brief(inspected) == [
        (":scope .a", "0,2,0", {"orphans": "3"}, ["@scope (.wrap) to (.zz)"], None),
        (".wrap .a", "0,2,0", {"z-index": "2"}, ["@media (min-width: 1px)"], None),
        (".wrap .a", "0,2,0", {"z-index": "1"}, None, ["z-index"]),
        (".a", "0,1,0", {"widows": "3"}, ["@container box (min-width: 1px)"], None),
        (".a", "0,1,0", {"opacity": ".5"}, ["@media (min-width: 10px)", "@supports (display: grid)"], None),
        (".a", "0,1,0", {"color": "red", "order": "4 !important"}, ["@layer theme"], ["order"]),
        (".a", "0,1,0", {"color": "blue", "order": "8 !important"}, ["@layer base.inner"], ["color"]),
    ]
    assert inspected.computed_styles["order"] == "8"
    assert inspected.cascade_rules[0]["source"].endswith(":10 (<style>)")


SHORTHANDS = """<!doctype html><style>
p { --gap: 3px; margin: var(--gap) 5px; colour: red; width: nonsense; margin-inline-start: 7px }
p { margin-top: 1px; all: revert-layer }
</style><p align=center style="padding: 2px; padding-left: 4px">x</p>"""


async def test_shorthands_with_variables_and_what_is_invalid(tab: Tab, site: Site) -> None:
    inspected = await look(tab, site, SHORTHANDS.replace("; all: revert-layer", ""), "p")
    rules = {str(rule["properties"]): rule for rule in inspected.cascade_rules}
    inline = rules["{'padding': '2px', 'padding-left': '4px'}"]
    assert (inline["source"], inline["specificity"]) == ("style attribute", "inline")
    first = next(rule for rule in inspected.cascade_rules if "--gap" in rule["properties"])
    assert first["invalid"] == {"colour": "red", "width": "nonsense"}
    assert "overridden" not in first  # right and bottom of the shorthand are in effect
    sides = await look(
        tab, site, SHORTHANDS.replace("; all: revert-layer", ""), "p", "margin-top", "margin-left"
    )
    told = {(rule["source"], name) for rule in sides.cascade_rules for name in rule.get("overridden", ())}
    assert ("user agent", "margin-block-start") in told
    first = next(rule for rule in sides.cascade_rules if "margin" in rule["properties"])
    assert first["overridden"] == ["margin"]
    assert sides.computed_styles == {"margin-top": "1px", "margin-left": "7px"}
    assert {"text-align": "-webkit-center"} in [rule["properties"] for rule in inspected.cascade_rules]


async def test_a_whole_that_is_reverted_takes_nothing_with_it_that_is_stronger(tab: Tab, site: Site) -> None:
    inspected = await look(tab, site, SHORTHANDS, "p", "margin-top", "padding-left")
    assert inspected.computed_styles == {"margin-top": "16px", "padding-left": "4px"}
    in_effect = [
        (rule["source"], name)
        for rule in inspected.cascade_rules
        for name in rule["properties"]
        if name not in rule.get("overridden", ()) and name != "all"
    ]
    assert in_effect == [("style attribute", "padding-left"), ("user agent", "margin-block-start")]


INHERITING = """<!doctype html><style>
@property --own { syntax: '<length>'; inherits: false; initial-value: 1px }
:root { --size: 20px; --unused: 1; --base: var(--size); --own: 5px }
.outer { color: teal; margin: 3px; font: italic 12px serif }
.inner { letter-spacing: var(--base); color: inherit }
</style><div class=outer><section><p class=inner>x</p></section></div>"""


async def test_only_what_is_really_inherited_is_told_of_ancestors(tab: Tab, site: Site) -> None:
    inspected = await look(tab, site, INHERITING, ".inner")
    rules = [
        (rule["selector"], rule.get("inherited_from"), rule["properties"], rule.get("overridden"))
        for rule in inspected.cascade_rules
        if rule["source"] != "user agent"
    ]
    assert rules == [
        (".inner", None, {"letter-spacing": "var(--base)", "color": "inherit"}, None),
        (".outer", "div.outer", {"color": "teal", "font": "italic 12px serif"}, None),
        (":root", "html", {"--size": "20px", "--base": "var(--size)"}, None),
    ]


SHADOW = """<!doctype html><style>
x-card { color: purple } x-card::part(t) { color: orange; width: 3px } .s { height: 1px }
</style><x-card><span class=s>slot</span></x-card><script>
customElements.define('x-card', class extends HTMLElement { constructor() {
  super();
  const root = this.attachShadow({mode: 'MODE'});
  root.innerHTML = '<style>:host { color: blue !important } ::slotted(.s) { width: 1px; height: 2px !important }' +
    '</style><b><slot></slot></b><i part=t style="width: 1px; top: 0">t</i>';
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('i { top: 1px }');
  root.adoptedStyleSheets = [sheet];
}})</script>"""


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_rules_of_all_trees_that_meet_in_an_element(tab: Tab, site: Site, mode: str) -> None:
    html = SHADOW.replace("MODE", mode)
    slotted = await look(tab, site, html, ".s", "width", "height", "color")
    assert brief(slotted)[:2] == [
        (".s", "0,1,0", {"height": "1px"}, None, ["height"]),
        ("::slotted(.s)", "0,1,1", {"width": "1px", "height": "2px !important"}, None, None),
    ]
    inherited = [(r["selector"], r["inherited_from"]) for r in slotted.cascade_rules if "inherited_from" in r]
    assert inherited == [("x-card", "x-card"), (":host", "x-card")]
    host = await look(tab, site, html, "x-card", "color")
    assert brief(host) == [
        ("x-card", "0,0,1", {"color": "purple"}, None, ["color"]),
        (":host", "0,1,0", {"color": "blue !important"}, None, None),
    ]
    if mode == "open":
        part = await look(tab, site, html, "x-card >>> i", "width", "color", "top")
        assert brief(part)[:3] == [
            ("x-card::part(t)", "0,0,2", {"color": "orange", "width": "3px"}, None, None),
            ("(style attribute)", "inline", {"width": "1px", "top": "0"}, None, ["width"]),
            ("i", "0,0,1", {"top": "1px"}, None, ["top"]),
        ]
        assert part.cascade_rules[2]["source"] == "constructed sheet:1"


MOVING = """<!doctype html><style>
@keyframes grow { from { width: 100px } to { width: 200px } }
p { animation: grow 1000s infinite; width: 5px } p::before { content: 'x' } p::after { content: none }
</style><p>x</p>"""


async def test_animations_and_pseudo_elements(tab: Tab, site: Site) -> None:
    inspected = await look(tab, site, MOVING, "p", "width", pseudo_elements=True)
    animated, rule = inspected.cascade_rules[:2]
    assert (animated["selector"], list(animated["properties"])) == ("@keyframes grow", ["width"])
    assert rule["overridden"] == ["width"]
    named = await look(tab, site, MOVING, "p", "content", "width", pseudo_elements=True)
    before = next(each for each in named.pseudo_elements if each["pseudo"] == "::before")
    assert [rule["properties"] for rule in before["cascade_rules"]] == [{"content": "'x'"}]
    assert (await look(tab, site, MOVING, "p")).pseudo_elements == []


async def test_all_computed_styles_or_those_asked_for(tab: Tab, site: Site) -> None:
    html = "<!doctype html><p style='--a: 1px; padding: 1px 2px; color: red'>x</p>"
    every = (await look(tab, site, html, "p")).computed_styles
    assert every == {**every, "color": "rgb(255, 0, 0)", "--a": "1px"}
    assert len(every) > 300
    some = await look(tab, site, html, "p", "color", "--a", "padding")
    assert list(some.computed_styles.items()) == [
        ("color", "rgb(255, 0, 0)"),
        ("--a", "1px"),
        ("padding-top", "1px"),
        ("padding-right", "2px"),
        ("padding-bottom", "1px"),
        ("padding-left", "2px"),
    ]


async def test_a_property_that_there_is_not_is_named(tab: Tab, site: Site) -> None:
    with pytest.raises(InvalidArguments, match="'marginTop' is no CSS property"):
        await look(tab, site, "<!doctype html><p>x</p>", "p", "color", "marginTop")


async def test_boxes_count_from_the_viewport(tab: Tab, site: Site) -> None:
    style = (
        "position:absolute;left:100px;top:50px;width:30px;height:20px;padding:1px;border:2px solid;margin:4px"
    )
    inspected = await look(tab, site, f"<!doctype html><body style='margin:0'><p style='{style}'>x</p>", "p")
    assert inspected.boxes is not None
    assert inspected.boxes.rectangles() == {
        "content": {"x": 107, "y": 57, "width": 30, "height": 20},
        "padding": {"x": 106, "y": 56, "width": 32, "height": 22},
        "border": {"x": 104, "y": 54, "width": 36, "height": 26},
        "margin": {"x": 100, "y": 50, "width": 44, "height": 34},
    }
    assert not inspected.boxes.is_turned()
    turned = await look(tab, site, f"<p style='{style};transform:rotate(9deg)'>x</p>", "p")
    assert turned.boxes is not None
    assert turned.boxes.is_turned()
    assert (await look(tab, site, "<p hidden>x</p>", "p")).boxes is None


async def test_frames_are_inspected_in_their_own_process(tab: Tab, site: Site) -> None:
    inner = site.other_origin + site.path("<!doctype html><style>\n\n#q { order: 3 }</style><p id=q>x</p>")
    html = f"<!doctype html><body style='margin:0'><iframe src='{inner}'></iframe>"
    inspected = await look(tab, site, html, "#q", "order")
    assert [rule["selector"] for rule in inspected.cascade_rules] == ["#q"]
    assert inspected.cascade_rules[0]["source"].endswith(":3 (<style>)")
    assert inspected.boxes is not None
    assert inspected.boxes.rectangles()["border"]["y"] == 16


async def test_linked_sheets_with_a_map_of_their_own(tab: Tab, site: Site) -> None:
    told = {"version": 3, "sources": ["../src/a.scss"], "mappings": "AAAA;AAKA"}
    where = site.path(json.dumps(told), "application/json")
    sheet = site.path(f"p {{ order: 1 }}\nb {{ order: 2 }}\n/*# sourceMappingURL={where} */", "text/css")
    inspected = await look(tab, site, f"<link rel=stylesheet href='{sheet}'><b>x</b>", "b", "order")
    assert inspected.cascade_rules[0]["source"] == "src/a.scss:6"


async def test_a_map_that_cannot_be_read_leaves_the_served_place(tab: Tab, site: Site) -> None:
    for where in (
        site.path("rubbish", "application/json"),
        "/nowhere.map",
        "data:application/json;base64,%%",
    ):
        sheet = site.path(f"b {{ order: 2 }}\n/*# sourceMappingURL={where} */", "text/css")
        inspected = await look(tab, site, f"<link rel=stylesheet href='{sheet}'><b>x</b>", "b", "order")
        assert inspected.cascade_rules[0]["source"] == f"{sheet.removeprefix('/')}:1"


async def test_what_is_loaded_comes_with_the_pages_cookies_and_is_bounded(
    tab: Tab, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await navigate(tab, site.page("<!doctype html><script>document.cookie = 'who=me'</script>"))
    long = "ö" * 1_500_000
    assert await load_text(tab.session, tab.id, site.origin + site.path(long, "text/plain")) == long
    assert await load_text(tab.session, tab.id, "data:,a%20b") == "a b"
    with pytest.raises(ChromeError, match="HTTP 404"):
        await load_text(tab.session, tab.id, f"{site.origin}/nowhere")
    monkeypatch.setattr("pageside.chrome.loading.MAX_BYTES", 1000)
    with pytest.raises(ChromeError, match="larger than 1000 bytes"):
        await load_text(tab.session, tab.id, site.origin + site.path(long, "text/plain"))


async def test_maps_of_scripts_are_loaded_once(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page("<!doctype html>"))
    told = {"version": 3, "sources": ["app.ts"], "mappings": "AAEA"}
    where = site.path(json.dumps(told), "application/json")
    script = site.origin + site.path(f"x()\n//# sourceMappingURL={where}\n", "text/javascript")
    maps = Maps()
    first = await maps.of_script(tab.session, tab.id, script)
    assert first is not None
    place = first.original(0, 0)
    assert place is not None
    assert (place.url, place.line) == (f"{site.origin}/made/app.ts", 3)
    assert await maps.of_script(tab.session, tab.id, script) is first
    maps.forget()
    assert await maps.of_script(tab.session, tab.id, script) is not first
    assert await maps.of_script(tab.session, tab.id, f"{site.origin}/nowhere.js") is None


MEASURE = Path(__file__).with_name("inherited.js")


async def test_the_table_of_inherited_properties_is_chromes(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page("<!doctype html><body>"))
    found: dict[str, bool | None] = await tab.evaluate(MEASURE.read_text("utf-8"))
    told = {name: is_inherited for name, is_inherited in found.items() if is_inherited is not None}
    assert len(told) > 350
    assert {name for name, is_inherited in told.items() if is_inherited} - INHERITED <= {"font-variant"}
    assert {name for name, is_inherited in told.items() if not is_inherited} & INHERITED == set()
