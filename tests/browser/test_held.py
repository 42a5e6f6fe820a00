"""Props, state and event handlers of what is picked, as an agent sees them, in the example of each framework."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, expect

from support.agents import agent, call
from support.app import DevServer, copy_example, dev_server
from support.overlay import Overlay
from support.sources import seen

pytestmark = pytest.mark.asyncio(loop_scope="session")


@dataclass(frozen=True)
class Handler:
    """One that is expected: its event, its function's name, and the text that stands at its place."""

    event: str
    name: str
    file: str
    text: str
    via: str
    on: str | None = None


@dataclass(frozen=True)
class Held:
    """What an element's component has, and what handles the element's events."""

    selector: str
    props: Mapping[str, str] = field(default_factory=dict)
    """By name; of long values how they begin."""
    state: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By name: what keeps it, and the value."""
    handlers: tuple[Handler, ...] = ()


REACT = [
    Held(
        "h1",
        state={
            "orders": ("useState", '[{"person": "Amara", "dish": "falafel"}, '),
            "query": ("useState", '""'),
            "onlyVegetarian": ("useState", "false"),
            "search": ("useRef", "<input>"),
        },
    ),
    Held(
        "article:nth-of-type(2) .button",
        props={
            "dish": '{"id": "falafel", ',
            "orders": "2",
            "chosen": "false",
            "onToggle": "ƒ toggle",
        },
        handlers=(Handler("click", "", "src/components/DishCard.tsx", "() => onToggle(dish)}", "react"),),
    ),
    Held(
        ".switch",
        props={"checked": "false", "onChange": "ƒ bound dispatchSetState"},
        state={"id": ("useId", '"')},
        handlers=(
            Handler("click", "handleEvent", "", "", "react"),
            Handler("checkedchange", "setOnlyVegetarian", "src/App.tsx", "setOnlyVegetarian]", "component"),
        ),
    ),
]
PREACT = [
    Held(
        "h1",
        state={
            "query": ("useState", '""'),
            "ticket": ("useState", "null"),
            "search": ("useRef", "<input>"),
        },
    ),
    Held(
        "article button",
        props={"class": '"buy"', "onClick": "ƒ onClick", "children": '"Ticket"'},
        handlers=(Handler("click", "", "src/components/Departure.tsx", "() => onBuy(ferry)}", "preact"),),
    ),
]
VUE = [
    Held(
        "h1",
        state={
            "plants": ("ref", '[{"id": "monstera", '),
            "room": ("ref", '""'),
            "open": ("ref", "null"),
            "rooms": ("computed", '["Living room", "Bathroom", "Kitchen"]'),
            "shown": ("computed", '[{"id": "monstera", '),
            "thirsty": ("computed", '[{"id": "monstera", '),
        },
    ),
    Held(
        ".plant .button",
        props={"plant": '{"id": "monstera", ', "class": '"lifted"'},
        state={"left": ("computed", "-1"), "share": ("computed", "0")},
        handlers=(Handler("click", "", "src/components/PlantCard.vue", "$emit('open')", "vue"),),
    ),
]
SVELTE = [
    Held(
        "h1",
        state={
            "place": ("$state", '""'),
            "shown": ("$derived", '[{"id": "F12", '),
            "next": ("$derived", '{"id": "F12", '),
        },
    ),
    Held(
        ".place",
        props={"places": '["Lindholm", "Gåsö", "Vinga light"]', "place": '""'},
        handlers=(Handler("click", "", "src/components/PlaceFilter.svelte", "() => {", "svelte"),),
    ),
    Held(".at", props={"crossing": '{"id": "F12", ', "children": "ƒ"}, state={"full": ("$derived", "false")}),
]
SOLID = [
    Held(
        "h1",
        state={"queue": ("signal", '["harbour", "maps"]'), "opened": ("signal", "null")},
    ),
    Held(
        "article .actions .button",
        props={"aria-pressed": "true", "onClick": "ƒ onClick", "children": '"…"'},
        handlers=(
            Handler(
                "click",
                "",
                "src/components/EpisodeCard.tsx",
                "() => props.onToggle(props.episode)}",
                "solid",
            ),
        ),
    ),
]
LIT = [
    Held(
        "glass-house >>> .all",
        state={"thirsty": ("state", '["fern", "olive"]')},
        handlers=(Handler("click", "waterAll", "src/glass-house.ts", "private waterAll() {", "source"),),
    ),
    Held(
        "glass-house >>> plant-card >>> button",
        props={"plant": '{"id": "monstera", ', "thirsty": "undefined"},
        handlers=(
            Handler("click", "", "src/plant-card.ts", "() => this.dispatchEvent(", "source"),
            Handler(
                "water",
                "",
                "src/glass-house.ts",
                "() => this.water(plant)}",
                "source",
                "glass-house >>> li:nth-of-type(1) > plant-card",
            ),
        ),
    ),
]
EXAMPLES = {
    "vite-react": REACT,
    "vite-preact": PREACT,
    "vite-vue": VUE,
    "vite-svelte": SVELTE,
    "vite-solid": SOLID,
    "vite-lit": LIT,
}
CHANGES = {
    "vite-react": (".switch", "h1", "onlyVegetarian", "true"),
    "vite-preact": ("article button", "h1", "ticket", '{"id": "f1", '),
    "vite-vue": (".rooms .room:nth-of-type(2)", "h1", "room", '"Living room"'),
    "vite-svelte": (".place:nth-of-type(2)", "h1", "place", '"Lindholm"'),
    "vite-solid": (".clear", "h1", "queue", "[]"),
    "vite-lit": ("glass-house >> .all", "glass-house", "thirsty", "[]"),
}
"""What is clicked, and which state of which element has which value then."""


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=EXAMPLES)
async def served(request: pytest.FixtureRequest) -> AsyncIterator[tuple[str, DevServer]]:
    async with dev_server(copy_example(request.param)) as server:
        yield request.param, server


def _handler(project: Path, told: Mapping[str, Any]) -> Handler:
    """With the text at the place that is told, up to the end of its line."""
    text = ""
    if told["file"]:
        line = (project / told["file"]).read_text("utf-8").split("\n")[told["line"] - 1]
        text = line[told["column"] - 1 :]
    return Handler(told["event"], told["name"], told["file"], text, told["via"], told.get("on"))


def _differences(held: Held, source: Mapping[str, Any], project: Path) -> list[object]:
    props = {each["name"]: each["value"] for each in source.get("props", [])}
    state = {each["name"]: (each["kind"], each["value"]) for each in source.get("state", [])}
    handlers = [_handler(project, each) for each in source.get("handlers", [])]
    wrong: list[object] = []
    if list(props) != list(held.props) or not all(props[name].startswith(held.props[name]) for name in props):
        wrong.append(("props", props))
    if list(state) != list(held.state) or not all(
        kind == held.state[name][0] and value.startswith(held.state[name][1])
        for name, (kind, value) in state.items()
    ):
        wrong.append(("state", state))
    if len(handlers) != len(held.handlers) or not all(
        found.text.startswith(wanted.text)
        and (found.event, found.name, found.file, found.via, found.on)
        == (wanted.event, wanted.name, wanted.file, wanted.via, wanted.on)
        for found, wanted in zip(handlers, held.handlers, strict=True)
    ):
        wrong.append(("handlers", handlers))
    return wrong


async def test_the_component_of_an_element_is_told_with_its_props_state_and_handlers_as_they_are_now(
    context: BrowserContext, served: tuple[str, DevServer]
) -> None:
    name, server = served
    overlay = await Overlay.open(context, server)
    clicked, element, state, value = CHANGES[name]
    async with agent(await server.mcp_url()) as client:
        for held in EXAMPLES[name]:
            wrong = _differences(held, await seen(client, held.selector), server.project)
            assert not wrong, (held.selector, wrong)
        await overlay.page.locator(clicked).first.click()
        changed = await seen(client, element)
        now = {each["name"]: each["value"] for each in changed["state"]}
        assert value in now[state]


SECRETIVE = """
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

function SignIn({ apiKey }: { apiKey: string; seen: string }) {
  const [form, setForm] = useState({ user: 'ada', password: 'correct horse' });
  const [draft, setDraft] = useState('battery staple');
  const [bearer] = useState('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLXNlY3JldA');
  return (
    <form className="sign-in" onSubmit={() => setForm(form)}>
      <input type="password" value={draft} onChange={(event) => setDraft(event.target.value)} />
      <button type="submit" data-bearer={bearer.length} data-key={apiKey.length}>Go</button>
    </form>
  );
}

const place = document.body.appendChild(document.createElement('div'));
document.cookie = 'visit=8f14e45fce';
createRoot(place).render(<SignIn apiKey="sk-live-1234567890" seen={document.cookie} />);
"""
COOKIE = {"name": "seen", "value": '"visit=[redacted]"'}


@pytest.mark.parametrize("served", ["vite-react"], indirect=True)
async def test_secrets_in_props_and_state_stay_in_the_page(
    context: BrowserContext, served: tuple[str, DevServer]
) -> None:
    _, server = served
    (server.project / "src" / "secretive.tsx").write_text(SECRETIVE, "utf-8")
    overlay = await Overlay.open(context, server)
    await overlay.page.evaluate("import('/src/secretive.tsx').then(() => {})")
    button = overlay.page.locator(".sign-in button")
    await expect(button).to_be_visible()
    async with agent(await server.mcp_url()) as client:
        source = await seen(client, ".sign-in button")
        await overlay.pick(button)
        await overlay.write("Wider")
        await call(client, "wait_for_inspection")
    assert [each["name"] for each in source["state"]] == ["form", "draft", "bearer"]
    assert source["props"] == [{"name": "apiKey", "value": "[redacted]"}, COOKIE]
    assert [(each["event"], each.get("on")) for each in source["handlers"]] == [("submit", ".sign-in")]
    kept = (await overlay.page.evaluate("JSON.stringify(localStorage)")).encode()
    stored = await asyncio.to_thread(lambda: [file.read_bytes() for file in server.state.rglob("*.sqlite3*")])
    assert "ada" in str(source)
    assert b"ada" in b"".join(stored)
    for secret in ("correct horse", "battery staple", "eyJ", "c2lnbmF0", "sk-live", "8f14e45fce"):
        assert secret not in str(source)
        assert secret.encode() not in kept + b"".join(stored)
