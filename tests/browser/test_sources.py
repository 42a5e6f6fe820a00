"""Exact file:line:column for React 19 and 18, on first load and after hot updates."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from mcp import Client
from playwright.async_api import BrowserContext, expect

from support.agents import agent, call
from support.app import DevServer, copy_example, dev_server, edit, place, save
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")


@dataclass(frozen=True)
class Spot:
    """An element of the example: how to find it, where its tag stands, in which component."""

    selector: str
    file: str
    marker: str
    component: str
    owners: tuple[str, ...] = ("App",)
    """The owner stack, from the element outwards; each with the place where it is used."""


REACT_19 = [
    Spot(
        ".menu article:nth-of-type(2)",
        "components/DishCard.tsx",
        'className="dish"',
        "DishCard",
        ("DishCard", "App"),
    ),
    Spot(
        "article .button", "components/DishCard.tsx", "aria-pressed={chosen}", "DishCard", ("DishCard", "App")
    ),
    Spot("article .tag", "components/DishCard.tsx", 'className="tag"', "DishCard", ("DishCard", "App")),
    Spot(
        "article polyline",
        "components/Sparkline.tsx",
        "<polyline",
        "Sparkline",
        ("Sparkline", "DishCard", "App"),
    ),
    Spot(".search input", "components/SearchField.tsx", "ref={ref}", "SearchField", ("SearchField", "App")),
    Spot(".choice", "App.tsx", 'className="choice"', "App", ("Poll", "App")),
    Spot(".poll li", "components/Poll.tsx", "<li key", "Poll", ("Poll", "App")),
    Spot(".table tbody tr:nth-child(2)", "components/Table.tsx", "<tr key", "Table", ("Table", "App")),
    Spot(".table td", "components/Table.tsx", "<td key", "Table", ("Table", "App")),
    Spot(".controls", "components/Header.tsx", 'className="controls"', "Header", ("Header", "App")),
    Spot(".intro .lead", "App.tsx", 'className="lead"', "App"),
    Spot(".stat.urgent", "components/Stat.tsx", "'stat urgent'", "Stat", ("Stat", "App")),
]

REACT_18 = [
    Spot("h1", "App.tsx", "Reading list</h1>", "App"),
    Spot("input", "App.tsx", "ref={ref}", "SearchField", ("SearchField", "App")),
    Spot("ul", "App.tsx", "<ul>", "List", ("List", "App")),
    Spot("li:nth-child(2)", "App.tsx", "<li key", "App", ("List", "App")),
    Spot(".badge", "App.tsx", 'className="badge"', "Badge", ("Badge", "List", "App")),
    Spot("section", "App.tsx", 'className="card"', "Card", ("Card", "App")),
    Spot("svg path", "App.tsx", "<path", "Tick", ("Tick", "List", "App")),
    Spot("a.more", "App.tsx", 'className="more"', "App"),
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
    overlay = await Overlay.open(context, server)
    source = server.project / "src"
    await overlay.page.evaluate("window.firstLoad = true")
    async with agent(await server.mcp_url()) as client:
        await _check_all(client, source, spots)
        for file in sorted({spot.file for spot in spots}):
            text = (source / file).read_text("utf-8")
            save(source / file, "// one line\n// more above\n" + text)
        heading = "What’s for lunch?" if "vite-react-" in server.project.name else "Reading list"
        edit(source / "App.tsx", f"{heading}</h1>", f"{heading} (edited)</h1>")
        await expect(overlay.page.locator("h1")).to_contain_text("(edited)")
        edited = [
            Spot(s.selector, s.file, s.marker.replace("</h1>", " (edited)</h1>"), s.component, s.owners)
            for s in spots
        ]
        await _check_all(client, source, edited)
        assert await overlay.page.evaluate("window.firstLoad"), "the page was reloaded, not hot-updated"


async def _check_all(client: Client, source: Path, spots: list[Spot]) -> None:
    wrong = []
    for spot in spots:
        seen = await _seen(client, spot.selector)
        line, column = place(source / spot.file, spot.marker)
        expected = (f"src/{spot.file}", line, column, True, spot.component)
        found = tuple(seen.get(key) for key in ("file", "line", "column", "exact", "component"))
        owners = tuple(frame["component"] for frame in seen["stack"])
        if found != expected or owners != spot.owners:
            wrong.append((spot.selector, found, expected, owners, spot.owners, seen.get("reason")))
    assert not wrong, "\n".join(map(str, wrong))


async def _seen(client: Client, selector: str) -> dict[str, Any]:
    context = await call(client, "capture_element_context", selector=selector)
    seen: dict[str, Any] = context["element"]["sourceInfo"]
    return seen


async def test_an_element_of_a_package_leads_to_the_users_call_site(
    context: BrowserContext, app: DevServer
) -> None:
    overlay = await Overlay.open(context, app)
    file = app.project / "src" / "components" / "VegetarianSwitch.tsx"
    async with agent(await app.mcp_url()) as client:
        for selector, marker in ((".switch", "<Switch.Root"), (".switch-thumb", "<Switch.Thumb")):
            seen = await _seen(client, selector)
            assert (seen["file"], seen["line"], seen["column"]) == (
                "src/components/VegetarianSwitch.tsx",
                *place(file, marker),
            )
            assert seen["component"] == "VegetarianSwitch"
        await overlay.page.get_by_role("switch").click()
        seen = await _seen(client, ".switch")
        assert (seen["line"], seen["column"]) == place(file, "<Switch.Root")


async def test_a_conditional_that_appears_later_has_its_place(
    context: BrowserContext, app: DevServer
) -> None:
    overlay = await Overlay.open(context, app)
    await overlay.page.get_by_role("searchbox").fill("nothing like this")
    async with agent(await app.mcp_url()) as client:
        seen = await _seen(client, ".empty p")
        file = app.project / "src" / "App.tsx"
        assert (seen["file"], seen["line"], seen["column"]) == (
            "src/App.tsx",
            *place(file, "Nothing on today"),
        )


async def test_the_owner_stack_names_the_call_site_of_each_owner(
    context: BrowserContext, app: DevServer
) -> None:
    await Overlay.open(context, app)
    async with agent(await app.mcp_url()) as client:
        seen = await _seen(client, "article polyline")
    source = app.project / "src"
    sites = [(frame["component"], frame["file"], frame["line"], frame["column"]) for frame in seen["stack"]]
    assert sites == [
        (
            "Sparkline",
            "src/components/DishCard.tsx",
            *place(source / "components/DishCard.tsx", "<Sparkline"),
        ),
        ("DishCard", "src/App.tsx", *place(source / "App.tsx", "<DishCard")),
        ("App", "src/main.tsx", *place(source / "main.tsx", "<App")),
    ]


async def test_an_element_without_source_says_why(context: BrowserContext, app: DevServer) -> None:
    overlay = await Overlay.open(context, app)
    await overlay.page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<output id=\"made\">made</output>')"
    )
    async with agent(await app.mcp_url()) as client:
        seen = await _seen(client, "#made")
    assert (seen["file"], seen["line"], seen["exact"]) == ("", 0, False)
    assert seen["reason"]
