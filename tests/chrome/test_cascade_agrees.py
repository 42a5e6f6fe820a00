"""What `inspect` calls the winner is what Chrome computes: on generated sheets, and for every property."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pageside.chrome.documents import handle
from pageside.chrome.styles import inspect
from pageside.chrome.tab import Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

INITIAL = {"order": "0", "z-index": "auto", "orphans": "2", "widows": "2", "--x": "", "margin-left": "0px"}
KEYWORDS = ["inherit", "initial", "unset", "revert", "revert-layer"]
PLAIN = ["order", "z-index", "orphans", "widows", "--x"]
SIDES = ["margin-left", "margin-inline-start", "margin-inline", "margin"]
AROUND = [
    "{}",
    "@layer one {{ {} }}",
    "@layer two {{ {} }}",
    "@layer one.inner {{ {} }}",
    "@layer {{ {} }}",
    "@media all {{ {} }}",
    "@supports (order: 1) {{ {} }}",
    "@scope (body) {{ {} }}",
    "@layer two {{ @layer {{ {} }} }}",
    "body {{ {} }}",
]
OWN = ["#t", ".a", "b", ".a.b", ":is(#t, .none)", ":where(#t)", "i > b, b", "body .a", "*"]
PARENT = ["#p", "i", "body > i", "*"]
HOST = [":host", ":host(.a)", ":host(#t)"]


@dataclass(frozen=True)
class Numbered:
    """A declaration whose value gives it away."""

    name: str
    keyword: str | None
    important: bool
    number: int

    def __str__(self) -> str:
        own = f"{self.number}px" if self.name.startswith("margin") else str(self.number)
        return f"{self.name}: {self.keyword or own}{' !important' if self.important else ''}"


def declarations(draw: st.DrawFn, sides: list[str]) -> str:
    count = draw(st.integers(1, 3))
    return "; ".join(
        str(
            Numbered(
                draw(st.sampled_from([*PLAIN, *sides])),
                draw(st.sampled_from([None, None, None, None, *KEYWORDS])),
                draw(st.booleans()),
                draw(st.integers(10, 10_000)),
            )
        )
        for _ in range(count)
    )


@st.composite
def sheets(draw: st.DrawFn, selectors: list[str], sides: list[str] = SIDES) -> str:
    rules = []
    for _ in range(draw(st.integers(1, 5))):
        rule = f"{draw(st.sampled_from(selectors))} {{ {declarations(draw, sides)} }}"
        rules.append(draw(st.sampled_from(AROUND)).format(rule))
    return "\n".join(rules)


@st.composite
def styles(draw: st.DrawFn) -> str:
    return declarations(draw, SIDES) if draw(st.booleans()) else ""


MAKE = """(sheet, host, own, parent) => {
  document.body.innerHTML = '<style></style><i id=p><b id=t class="a b">x</b></i>';
  document.querySelector('style').textContent = sheet;
  const t = document.getElementById('t');
  t.style.cssText = own;
  t.parentNode.style.cssText = parent;
  if (host) {
    const span = document.createElement('span');
    span.id = 't';
    span.className = 'a b';
    span.style.cssText = own;
    const root = span.attachShadow({mode: 'open'});
    const inner = new CSSStyleSheet();
    inner.replaceSync(host);
    root.adoptedStyleSheets = [inner];
    t.replaceWith(span);
  }
  return Object.fromEntries(['t', 'p'].map((id) => {
    const style = getComputedStyle(document.getElementById(id));
    const names = ['order', 'z-index', 'orphans', 'widows', '--x', 'margin-left'];
    return [id, Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name).trim()]))];
  }));
}"""


async def compare(tab: Tab, sheet: str, host: str, own: str, parent: str) -> None:
    given_styles = json.dumps([sheet, host, own, parent])
    actual = await tab.evaluate(f"({MAKE})(...{given_styles})")
    element = await handle(await tab.top(), "findBySelector", "#t", label="t")
    assert element is not None
    for names in (PLAIN, ["margin-left"]):
        inspected = await inspect(tab, element, properties=names, project=Path("/nowhere"))
        for name in names:
            expected = predicted(inspected.cascade_rules, name, INITIAL[name], actual["p"][name])
            assert actual["t"][name] == expected, (name, sheet, host, own, parent, inspected.cascade_rules)


def predicted(rules: list[dict[str, Any]], name: str, initial: str, of_parent: str) -> str:
    """The computed value that follows from the declarations that are not overridden."""
    names = {*SIDES} if name == "margin-left" else {name}
    effective = [
        (value.removesuffix("!important").strip(), "inherited_from" in rule)
        for rule in rules
        for each, value in rule["properties"].items()
        if each in names and each not in rule.get("overridden", ())
    ]
    own = [value for value, is_inherited in effective if not is_inherited]
    values = [value for value, _ in effective if value not in KEYWORDS]
    if "inherit" in own and name not in ("orphans", "widows", "--x"):
        return of_parent
    assert len(values) <= 1, effective
    return values[0] if values else initial


@settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(sheets(OWN + PARENT), styles(), styles())
async def test_the_winner_is_what_chrome_computes(tab: Tab, sheet: str, own: str, parent: str) -> None:
    await compare(tab, sheet, "", own, parent)


@settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(sheets(OWN), sheets(HOST, SIDES[:2]), styles())
# Chrome tells of constructed sheets with their shorthands put together anew, in which the numbers are not to be found.
async def test_it_is_so_too_where_shadow_trees_meet(tab: Tab, sheet: str, host: str, own: str) -> None:
    await compare(tab, sheet, host, own, "")
