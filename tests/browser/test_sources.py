"""Exact file:line:column for React 19 and 18, on first load and after hot updates."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Page, expect

from support.agents import agent
from support.app import DevServer, copy_example, dev_server, edit, place, save
from support.overlay import Overlay
from support.sources import Heading, Spot, check_through_edits, seen

pytestmark = pytest.mark.asyncio(loop_scope="session")


REACT_19 = [
    Spot(
        ".menu article:nth-of-type(2)",
        "src/components/DishCard.tsx",
        'className="dish"',
        "DishCard",
        ("DishCard", "App"),
    ),
    Spot(
        "article .button",
        "src/components/DishCard.tsx",
        "aria-pressed={chosen}",
        "DishCard",
        ("DishCard", "App"),
    ),
    Spot("article .tag", "src/components/DishCard.tsx", 'className="tag"', "DishCard", ("DishCard", "App")),
    Spot(
        "article polyline",
        "src/components/Sparkline.tsx",
        "<polyline",
        "Sparkline",
        ("Sparkline", "DishCard", "App"),
    ),
    Spot(
        ".search input", "src/components/SearchField.tsx", "ref={ref}", "SearchField", ("SearchField", "App")
    ),
    Spot(".choice", "src/App.tsx", 'className="choice"', "App", ("Poll", "App")),
    Spot(".poll li", "src/components/Poll.tsx", "<li key", "Poll", ("Poll", "App")),
    Spot(".table tbody tr:nth-child(2)", "src/components/Table.tsx", "<tr key", "Table", ("Table", "App")),
    Spot(".table td", "src/components/Table.tsx", "<td key", "Table", ("Table", "App")),
    Spot(".controls", "src/components/Header.tsx", 'className="controls"', "Header", ("Header", "App")),
    Spot(".intro .lead", "src/App.tsx", 'className="lead"', "App", ("App",)),
    Spot(".stat.urgent", "src/components/Stat.tsx", "'stat urgent'", "Stat", ("Stat", "App")),
]

REACT_18 = [
    Spot("h1", "src/App.tsx", "Reading list</h1>", "App", ("App",)),
    Spot("input", "src/App.tsx", "ref={ref}", "SearchField", ("SearchField", "App")),
    Spot("ul", "src/App.tsx", "<ul>", "List", ("List", "App")),
    Spot("li:nth-child(2)", "src/App.tsx", "<li key", "App", ("List", "App")),
    Spot(".badge", "src/App.tsx", 'className="badge"', "Badge", ("Badge", "List", "App")),
    Spot("section", "src/App.tsx", 'className="card"', "Card", ("Card", "App")),
    Spot("svg path", "src/App.tsx", "<path", "Tick", ("Tick", "List", "App")),
    Spot("a.more", "src/App.tsx", 'className="more"', "App", ("App",)),
]


@pytest_asyncio.fixture(loop_scope="session", params=["vite-react", "vite-react18"])
async def served(request: pytest.FixtureRequest) -> AsyncIterator[tuple[DevServer, list[Spot]]]:
    """Each React example with its spots."""
    spots = {"vite-react": REACT_19, "vite-react18": REACT_18}[request.param]
    async with dev_server(copy_example(request.param)) as server:
        yield server, spots


async def test_every_kind_of_element_has_its_exact_place_before_and_after_hot_updates(
    context: BrowserContext, served: tuple[DevServer, list[Spot]]
) -> None:
    server, spots = served
    text = "What’s for lunch?" if "vite-react-" in server.project.name else "Reading list"
    await check_through_edits(context, server, spots, Heading("src/App.tsx", text))


async def test_an_element_of_a_package_leads_to_the_users_call_site(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    file = shared_app.project / "src" / "components" / "VegetarianSwitch.tsx"
    async with agent(await shared_app.mcp_url()) as client:
        for selector, marker in ((".switch", "<Switch.Root"), (".switch-thumb", "<Switch.Thumb")):
            source = await seen(client, selector)
            assert (source["file"], source["line"], source["column"]) == (
                "src/components/VegetarianSwitch.tsx",
                *place(file, marker),
            )
            assert source["component"] == "VegetarianSwitch"
        await overlay.page.get_by_role("switch").click()
        source = await seen(client, ".switch")
        assert (source["line"], source["column"]) == place(file, "<Switch.Root")


async def test_a_conditional_that_appears_later_has_its_place(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    await overlay.page.get_by_role("searchbox").fill("nothing like this")
    async with agent(await shared_app.mcp_url()) as client:
        source = await seen(client, ".empty p")
        file = shared_app.project / "src" / "App.tsx"
        assert (source["file"], source["line"], source["column"]) == (
            "src/App.tsx",
            *place(file, "Nothing on today"),
        )


async def test_the_owner_stack_names_the_call_site_of_each_owner(
    context: BrowserContext, shared_app: DevServer
) -> None:
    await Overlay.open(context, shared_app)
    async with agent(await shared_app.mcp_url()) as client:
        source = await seen(client, "article polyline")
    src = shared_app.project / "src"
    sites = [(frame["component"], frame["file"], frame["line"], frame["column"]) for frame in source["stack"]]
    assert sites == [
        (
            "Sparkline",
            "src/components/DishCard.tsx",
            *place(src / "components/DishCard.tsx", "<Sparkline"),
        ),
        ("DishCard", "src/App.tsx", *place(src / "App.tsx", "<DishCard")),
        ("App", "src/main.tsx", *place(src / "main.tsx", "<App")),
    ]


async def test_an_element_that_a_script_made_has_the_place_around_it_and_says_why(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    await overlay.page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<output id=\"made\">made</output>')"
    )
    async with agent(await shared_app.mcp_url()) as client:
        source = await seen(client, "#made")
    body = (shared_app.project / "index.html").read_text("utf-8").split("<body")[0].count("\n") + 1
    assert (source["file"], source["line"], source["exact"]) == ("index.html", body, False)
    assert "script" in source["reason"]
    assert source["fix"]


HELD = """import { Anchor } from 'anchors';
import { useState } from 'react';

export function Held() {
  const [kept] = useState(() => [
    <p key="1" className="kept-1" />,
    <p key="2" className="kept-2" />,
    <p key="3" className="kept-3" />,
  ]);
  return (
    <nav>
      {kept}
      <>
        <Anchor name="first" />
        <Anchor name="second" />
        <Anchor name="third" />
      </>
      <em className="ending">as it was</em>
    </nav>
  );
}
"""
ANCHOR = """import { createElement, memo } from 'react';
export const Anchor = memo(function Anchor({ name }) { return createElement('a', { className: name }, name); });
"""


async def save_until(page: Page, file: Path, text: str, ending: str) -> None:
    """Save it, again if need be: of two saves that follow at once, Vite's watcher may miss the second."""
    for _ in range(4):
        save(file, text)
        try:
            await expect(page.locator(".ending")).to_have_text(ending, timeout=2_000)
        except AssertionError:
            continue
        return
    raise AssertionError(f"{file.name} was saved 4 times, and the page does not show {ending!r}")


async def test_what_was_not_rendered_again_is_never_told_at_the_place_of_another(
    context: BrowserContext,
) -> None:
    project = copy_example("vite-react")
    package = project / "node_modules" / "anchors"
    package.mkdir()
    (package / "package.json").write_text('{"name": "anchors", "type": "module", "main": "index.js"}')
    (package / "index.js").write_text(ANCHOR)
    held = project / "src" / "Held.tsx"
    held.write_text(HELD)
    edit(project / "src" / "App.tsx", "<main>", "<main><Held />")
    edit(
        project / "src" / "App.tsx",
        "import { DishCard }",
        "import { Held } from './Held';\nimport { DishCard }",
    )
    markers = {f".kept-{n}": f'<p key="{n}"' for n in (1, 2, 3)}
    markers |= {f".{name}": f'<Anchor name="{name}"' for name in ("first", "second", "third")}
    async with dev_server(project) as server:
        page = (await Overlay.open(context, server)).page
        await page.evaluate("window.firstLoad = true")
        async with agent(await server.mcp_url()) as client:
            for number, above in enumerate(("// one\n", "// one\n// two\n", "")):
                save(held, "{/* open")
                await save_until(
                    page, held, above + HELD.replace("as it was", f"edit {number}"), f"edit {number}"
                )
                for selector, marker in markers.items():
                    source = await seen(client, selector)
                    found = (source["file"], source["line"], source["column"], source["exact"])
                    assert found == ("src/Held.tsx", *place(held, marker), True), f"{selector}: {source}"
        assert await page.evaluate("window.firstLoad")
