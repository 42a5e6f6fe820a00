"""Exact file:line:column for Solid, on first load and after hot updates."""

from __future__ import annotations

import pytest
from playwright.async_api import BrowserContext

from support.agents import agent
from support.app import DevServer, place
from support.overlay import Overlay
from support.sources import Heading, Spot, check_spots, check_through_edits, seen

pytestmark = pytest.mark.asyncio(loop_scope="session")
EXAMPLE = "vite-solid"

APP = "src/App.tsx"
CARD = "src/components/EpisodeCard.tsx"
SOLID = [
    Spot("h1", APP, "For the walk home</h1>", "App", ("App",)),
    Spot(".brand", APP, 'class="brand"', "App", ("App",)),
    Spot(".episodes", "src/components/List.tsx", "class={props.class}", "List", ("List", "App")),
    Spot(".episodes li:nth-child(2)", "src/components/List.tsx", 'class="item"', "List", ("List", "App")),
    Spot("article", CARD, 'class="episode"', "EpisodeCard", ("EpisodeCard", "List", "App")),
    Spot("article h3", CARD, "<h3>", "EpisodeCard", ("EpisodeCard", "List", "App")),
    Spot(".episode .tag", CARD, 'class="tag"', "EpisodeCard", ("EpisodeCard", "List", "App")),
    Spot("article .length", CARD, 'class="length"', "EpisodeCard", ("EpisodeCard", "List", "App")),
    Spot(
        "article .button",
        "src/components/Button.tsx",
        "<button",
        "Button",
        ("Button", "EpisodeCard", "List", "App"),
    ),
    Spot(
        "article rect:nth-child(3)",
        "src/components/Wave.tsx",
        'class="bar"',
        "Wave",
        ("Wave", "EpisodeCard", "List", "App"),
    ),
    Spot(".badge", APP, 'class="badge"', "App", ("Panel", "App")),
    Spot(".arrival", APP, 'class="arrival"', "App", ("Panel", "App")),
    Spot(".queued", APP, 'class="queued"', "App", ("List", "Panel", "App")),
    Spot(".hint", APP, '<Dynamic component="h3"', "App", ("Panel", "App")),
    Spot(".panel-head h2", "src/components/Panel.tsx", "<h2>", "Panel", ("Panel", "App")),
    Spot("#root", "index.html", 'id="root"', "index.html", ()),
]


async def test_every_kind_of_element_has_its_exact_place_before_and_after_hot_updates(
    context: BrowserContext, served: DevServer
) -> None:
    pages = [spot for spot in SOLID if spot.file.endswith(".html")]
    async with agent(await served.mcp_url()) as client:
        overlay = await Overlay.open(context, served)
        await check_spots(client, served.project, pages)
        await overlay.page.close()
    sources = [spot for spot in SOLID if spot not in pages]
    await check_through_edits(context, served, sources, Heading(APP, "For the walk home"))


async def test_owners_have_call_sites_and_portals_their_places(
    context: BrowserContext, served: DevServer
) -> None:
    overlay = await Overlay.open(context, served)
    src = served.project / "src"
    await overlay.page.get_by_role("button", name="Notes").first.click()
    async with agent(await served.mcp_url()) as client:
        await check_spots(
            client,
            served.project,
            [
                Spot(".notes", "src/components/Notes.tsx", 'class="notes"', "Notes", ("Notes", "App")),
                Spot(".close", "src/components/Notes.tsx", 'class="button close"', "Notes", ("Notes", "App")),
            ],
        )
        inside = await seen(client, ".prose p")
        wave = await seen(client, "article rect")
        markup = await overlay.page.locator("article").first.evaluate("node => node.outerHTML")
    assert inside["exact"] is False
    assert (inside["line"], inside["column"]) == place(src / "components/Notes.tsx", 'class="prose"')
    assert "innerHTML" in inside["reason"]
    assert "__pageside" not in markup
    sites = [(frame["component"], frame["file"], frame["line"], frame["column"]) for frame in wave["stack"]]
    assert sites == [
        ("Wave", CARD, *place(served.project / CARD, "<Wave")),
        ("EpisodeCard", APP, *place(src / "App.tsx", "<EpisodeCard")),
        ("List", APP, *place(src / "App.tsx", '<List<Episode> items={EPISODES} class="episodes"')),
        ("App", "src/index.tsx", *place(src / "index.tsx", "<App")),
    ]
