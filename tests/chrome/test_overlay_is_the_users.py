"""What an agent presses and types reaches the page, and never the overlay, where only the user answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from pageside.chrome import act, keyboard
from pageside.chrome.acting import Done
from pageside.chrome.find import Target
from pageside.chrome.navigation import navigate
from pageside.chrome.tab import Tab
from pageside.errors import ElementNotReady
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

BODY = """<meta charset=utf-8><button id=below style="position:fixed;left:0;top:0;width:80px;height:40px">Below</button>
<button id=free style="margin-top:200px">Free</button><input id=words>
<script>
  globalThis.heard = [];
  const host = document.createElement('pageside-overlay');
  const root = host.attachShadow({mode: 'open'});
  root.innerHTML = `<div style="position:fixed;left:0;top:0;width:100px;height:60px"><button id=yes>Yes</button>
    <input id=note><input id=file type=file><div class=banner hidden>Pick</div><div class=letter hidden>A</div></div>`;
  for (const type of ['click', 'input', 'change', 'keydown'])
    root.addEventListener(type, (event) => heard.push(`overlay ${type}`));
  document.body.append(host);
  for (const id of ['below', 'free'])
    document.getElementById(id).addEventListener('click', () => heard.push(id));
  document.addEventListener('keydown', ({ key }) => heard.push(key));
</script>"""

Act = Callable[[Tab], Awaitable[Done]]


def within(selector: str) -> Target:
    return Target(selector=f"pageside-overlay >>> {selector}")


ATTEMPTS: dict[str, Act] = {
    "its button": lambda tab: act.click(tab, within("#yes")),
    "a point of it": lambda tab: act.click(tab, (20.0, 10.0)),
    "a double click": lambda tab: act.click(tab, (20.0, 10.0), count=2),
    "what it covers": lambda tab: act.click(tab, Target(selector="#below")),
    "its field": lambda tab: act.fill(tab, within("#note"), "yes"),
    "typing into its field": lambda tab: keyboard.type_text(tab, "yes", within("#note")),
    "its file input": lambda tab: act.upload(tab, within("#file"), [Path(__file__)]),
    "dropping on it": lambda tab: act.drag(tab, Target(selector="#free"), within("#yes")),
}


@pytest.mark.parametrize("what", ATTEMPTS)
async def test_an_agent_cannot_use_the_overlay(tab: Tab, site: Site, what: str) -> None:
    await navigate(tab, site.page(BODY))
    with pytest.raises(ElementNotReady, match="only the user may use"):
        await ATTEMPTS[what](tab)
    assert await tab.evaluate("heard") == []


async def test_keys_stay_away_from_an_overlay_that_has_the_keyboard(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(BODY))
    await tab.evaluate("root.querySelector('#note').focus()")
    for attempt in (act.press(tab, "Enter"), keyboard.type_text(tab, "yes")):
        with pytest.raises(ElementNotReady, match="overlay"):
            await attempt
    assert await tab.evaluate("heard") == []


async def test_a_letter_that_would_answer_is_not_pressed_and_other_keys_are(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(BODY))
    await tab.evaluate("root.querySelector('.letter').hidden = false; 1")
    with pytest.raises(ElementNotReady, match="by its letter"):
        await act.press(tab, "a")
    await act.press(tab, "Tab")
    await tab.evaluate("words.focus()")
    await act.press(tab, "a")
    assert await tab.evaluate("heard") == ["Tab", "a"]


async def test_no_input_comes_between_while_the_user_points(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(BODY))
    await tab.evaluate("root.querySelector('.banner').hidden = false; 1")
    free = Target(selector="#free")
    for attempt in (act.click(tab, free), act.click(tab, (300.0, 300.0)), act.press(tab, "a")):
        with pytest.raises(ElementNotReady, match="the user is pointing"):
            await attempt
    await tab.evaluate("setTimeout(() => { root.querySelector('.banner').hidden = true }, 200); 1")
    await act.click(tab, free)
    assert await tab.evaluate("heard") == ["free"]
