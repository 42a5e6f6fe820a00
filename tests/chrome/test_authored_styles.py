"""Rules are told by the file and line that a person wrote, as a real Vite serves them: sass, Tailwind, plain CSS."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pageside.chrome.browser import Browser
from pageside.chrome.find import Target, find
from pageside.chrome.styles import inspect
from pageside.chrome.tab import Tab
from support.app import WORKSPACE, dev_server

pytestmark = pytest.mark.asyncio(loop_scope="session")

FIXTURE = Path(__file__).parents[1] / "support" / "styled"
LOADED = """new Promise((resolve) => {
  const look = () => document.body?.dataset.ready ? resolve(true) : requestAnimationFrame(look);
  look();
})"""


@asynccontextmanager
async def styled(chrome: Browser, maps: str) -> AsyncIterator[tuple[Tab, Path]]:
    project = WORKSPACE / f"styled-{maps}"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(FIXTURE, project)
    async with dev_server(project, environment={"SOURCEMAPS": maps}) as server:
        tab = await chrome.new_tab(server.url)
        await tab.evaluate(LOADED)
        yield tab, project
        await chrome.close_tab(tab.id)


async def sources(tab: Tab, project: Path, selector: str, *properties: str) -> dict[str, str]:
    """Selector (and property) -> where it was written."""
    element = await find(tab, Target(selector=selector))
    inspected = await inspect(tab, element, properties=properties, project=project)
    return {
        f"{rule['selector']} {', '.join(rule['properties'])}": rule["source"]
        for rule in inspected.cascade_rules
        if "inherited_from" not in rule and rule["source"] != "user agent"
    }


async def test_through_source_maps(chrome: Browser) -> None:
    async with styled(chrome, "on") as (tab, project):
        assert await sources(tab, project, "#sass", "box-shadow", "opacity") == {
            ".card box-shadow": "src/site.scss:5",
            ".card opacity": "src/_mixins.scss:5",
        }
        assert await sources(tab, project, ".title", "letter-spacing", "word-spacing") == {
            ".card .title letter-spacing": "src/site.scss:9",
            ".card .title:not(.small) word-spacing": "src/site.scss:12",
        }
        assert await sources(tab, project, "#plain", "order") == {".plain order": "src/plain.css:2"}
        wind = await sources(tab, project, "#wind", "border-radius", "margin-top", "box-sizing")
        assert wind.pop(".btn border-radius") == "src/wind.css:4"
        assert list(wind) == [".mt-4 margin-top", "* box-sizing, margin"]
        for source in wind.values():
            assert source.startswith("node_modules/tailwindcss/index.css:")


async def test_without_source_maps_no_line_is_claimed_that_was_not_written(chrome: Browser) -> None:
    async with styled(chrome, "off") as (tab, project):
        found = await sources(tab, project, "#sass", "box-shadow", "opacity")
        assert found[".card box-shadow"] == "src/site.scss (line 5 of what it compiles to)"
        assert found[".card opacity"] == "src/site.scss (line 1 of what it compiles to)"
        assert await sources(tab, project, "#plain", "order") == {".plain order": "src/plain.css:2"}
        wind = await sources(tab, project, "#wind", "border-radius")
        assert "of what it compiles to" in wind[".btn border-radius"]


async def test_an_edit_is_followed(chrome: Browser) -> None:
    async with styled(chrome, "on") as (tab, project):
        file = project / "src" / "plain.css"
        file.write_text("\n\n\n" + file.read_text().replace("order: 7", "order: 8"))
        await tab.evaluate(
            "new Promise((resolve) => { const look = () =>"
            " getComputedStyle(document.getElementById('plain')).order === '8' ? resolve(1) :"
            " requestAnimationFrame(look); look(); })"
        )
        assert await sources(tab, project, "#plain", "order") == {".plain order": "src/plain.css:5"}
