"""Exact places in plain pages: index.html, templates, innerHTML and elements made by scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import BrowserContext

from support.agents import agent
from support.app import DevServer
from support.overlay import Overlay
from support.sources import Heading, Spot, check_through_edits, seen

pytestmark = pytest.mark.asyncio(loop_scope="session")
EXAMPLE = "vite-vanilla"

PAGE, MAIN = "index.html", "src/main.ts"
VANILLA = [
    Spot("body", PAGE, "<body>", "index.html", ()),
    Spot(".brand", PAGE, 'class="brand"', "index.html", ()),
    Spot(".peak", PAGE, 'class="peak"', "index.html", ()),
    Spot("h1", PAGE, "Walks from the last stop</h1>", "index.html", ()),
    Spot(".lead em", PAGE, "<em>both", "index.html", ()),
    Spot(".hint", PAGE, 'class="hint"', "index.html", ()),
    Spot("#walks", PAGE, 'id="walks"', "index.html", ()),
    Spot("td.out", PAGE, 'class="out"', "index.html", ()),
    Spot("td.back", PAGE, 'class="back"', "index.html", ()),
    Spot("summary", PAGE, "<summary", "index.html", ()),
    Spot(".todo:nth-child(2)", PAGE, 'class="todo"', "index.html", ()),
    Spot(".todo .what", PAGE, 'class="what"', "index.html", ()),
    Spot(".walk", MAIN, 'class="walk"', "main.ts", ()),
    Spot(".walk:nth-child(2) h2", MAIN, "<h2>", "main.ts", ()),
    Spot(".early", MAIN, 'class="early"', "main.ts", ()),
    Spot(".sum", MAIN, 'class="sum"', "main.ts", ()),
    Spot(".sum i", MAIN, "<i>", "main.ts", ()),
]


def call_of(file: Path, marker: str, name: str) -> tuple[int, int]:
    """(line, column) of a name within the only line that has the marker."""
    lines = file.read_text("utf-8").splitlines()
    (line,) = [number for number, text in enumerate(lines) if marker in text]
    return line + 1, lines[line].index(name) + 1


def told(source: dict[str, Any]) -> tuple[str, int, int]:
    return source["file"], source["line"], source["column"]


async def test_pages_and_markup_in_scripts_are_exact_before_and_after_edits(
    context: BrowserContext, served: DevServer
) -> None:
    await check_through_edits(
        context, served, VANILLA, Heading(PAGE, "Walks from the last stop"), stays=False
    )


async def test_elements_made_by_scripts_lead_to_the_code_that_made_them(
    context: BrowserContext, served: DevServer
) -> None:
    overlay = await Overlay.open(context, served)
    src = served.project / "src"
    async with agent(await served.mcp_url()) as client:
        made = {
            "polyline": call_of(src / "profile.ts", "'polyline'", "createElementNS"),
            ".profile svg": call_of(src / "profile.ts", "'svg'", "createElementNS"),
            ".count": call_of(src / "checklist.ts", "createElement('p')", "createElement"),
        }
        for selector, at in made.items():
            source = await seen(client, selector)
            assert (source["line"], source["column"], source["exact"]) == (*at, True), (selector, source)
        helper = await seen(client, ".divider")
        assert told(helper) == (
            "src/checklist.ts",
            *call_of(src / "checklist.ts", "createElement(tag)", "createElement"),
        )
        assert (helper["exact"], "createElement" in helper["reason"]) == (False, True)
        variable = await seen(client, ".climb")
        assert told(variable)[:2] == (
            MAIN,
            call_of(src / "main.ts", "'beforeend', stats", "insertAdjacentHTML")[0],
        )
        assert (variable["exact"], "insertAdjacentHTML" in variable["reason"]) == (False, True)
        function = await seen(client, ".long")
        assert told(function)[:2] == (MAIN, call_of(src / "main.ts", "walks.innerHTML", "innerHTML")[0])
        assert (function["exact"], "innerHTML" in function["reason"]) == (False, True)
        assert function["fix"]
        html = (await seen(client, "article.walk"))["elementInfo"]
    assert "data-pageside" not in str(html)
    assert await overlay.page.evaluate("document.documentElement.dataset.js") == "on"
