"""Exact file:line:column for Vue 3, on first load and after edits that Vue's plugin does not send on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, expect

from support.agents import agent
from support.app import DevServer, copy_example, dev_server, edit, place
from support.sources import Heading, Spot, check_through_edits, seen

pytestmark = pytest.mark.asyncio(loop_scope="session")

APP, CARD, TABLE = "src/App.vue", "src/components/PlantCard.vue", "src/components/DataTable.vue"

SPOTS = [
    Spot(".brand", APP, 'class="brand"', "App", ("App",)),
    Spot(".sprig path", APP, "<path", "App", ("App",)),
    Spot(".eyebrow", APP, 'class="eyebrow"', "App", ("App",)),
    Spot("h1", APP, "Who is thirsty today?</h1>", "App", ("App",)),
    Spot(".lead", APP, 'v-if="thirsty.length > 0"', "App", ("App",)),
    Spot(
        ".room:nth-of-type(2)",
        "src/components/RoomFilter.vue",
        "<button",
        "RoomFilter",
        ("RoomFilter", "App"),
    ),
    Spot(".plant:nth-of-type(2)", CARD, 'class="plant"', "PlantCard", ("PlantCard", "App")),
    Spot(".plant .latin", CARD, 'class="latin"', "PlantCard", ("PlantCard", "App")),
    Spot(".badge", APP, "['badge'", "App", ("App",)),
    Spot(".plant .note", APP, 'v-html="plant.note"', "App", ("App",)),
    Spot(
        ".growth polyline",
        "src/components/GrowthLine.vue",
        "<polyline",
        "GrowthLine",
        ("GrowthLine", "PlantCard", "App"),
    ),
    Spot(".table th", TABLE, "<th ", "DataTable", ("DataTable", "App")),
    Spot(".table tbody", TABLE, "<TransitionGroup", "DataTable", ("TransitionGroup", "DataTable", "App")),
    Spot(".table .row:nth-child(3)", TABLE, "<tr v-for", "DataTable", ("DataTable", "App")),
    Spot(".table .name", APP, 'class="name"', "App", ("App",)),
    Spot(".panel h3", "src/components/CardPanel.vue", "<h3", "CardPanel", ("CardPanel", "App")),
    Spot(
        ".panel-foot",
        "src/components/CardPanel.vue",
        'v-if="$slots.footer"',
        "CardPanel",
        ("CardPanel", "App"),
    ),
    Spot(".sum", APP, 'class="sum"', "App", ("App",)),
    Spot(".stat .value", "src/components/StatLine.vue", "<component", "StatLine", ("StatLine", "App")),
    Spot(".library", APP, "<AppFooter", "App", ("AppFooter", "App")),
    Spot(".library em", APP, "<AppFooter", "App", ("AppFooter", "App")),
]


def with_library(project: Path) -> Path:
    """Add a package with a component, compiled as packages are, and use it."""
    package = project / "node_modules" / "windowsill-footer"
    package.mkdir()
    (package / "package.json").write_text(
        '{"name": "windowsill-footer", "type": "module", "main": "index.js"}'
    )
    (package / "index.js").write_text(
        "import { defineComponent, h } from 'vue';\n"
        "export const AppFooter = defineComponent({ name: 'AppFooter', setup: (_, { slots }) => () =>\n"
        "  h('footer', [h('p', { class: 'library' }, [h('em', 'from a package'), slots.default?.()])]) });\n"
    )
    edit(
        project / APP,
        "import { daysLeft",
        "import { AppFooter } from 'windowsill-footer';\nimport { daysLeft",
    )
    edit(project / APP, "  </main>", '    <AppFooter class="wide">Thanks</AppFooter>\n  </main>')
    return project


RENDERED = {
    "vite.config.ts": """
import { readFileSync } from 'node:fs';
import vue from '@vitejs/plugin-vue';
import { defineConfig, type ViteDevServer } from 'vite';
import { pageside } from 'vite-plugin-pageside';

async function page(server: ViteDevServer): Promise<string> {
  const { render } = await server.ssrLoadModule('/src/render.ts');
  const app = `<div id="app">${await render()}</div>`;
  const html = readFileSync('index.html', 'utf8').replace('<div id="app"></div>', app);
  return server.transformIndexHtml('/rendered', html.replace('main.ts', 'hydrate.ts'));
}

const rendered = {
  name: 'rendered',
  configureServer(server: ViteDevServer) {
    server.middlewares.use('/rendered', (_, response, next) => {
      response.setHeader('content-type', 'text/html');
      page(server).then((html) => response.end(html), next);
    });
  },
};

export default defineConfig({ plugins: [vue(), pageside(), rendered] });
""",
    "src/render.ts": """
import { createSSRApp } from 'vue';
import { renderToString } from 'vue/server-renderer';
import App from './App.vue';

export const render = () => renderToString(createSSRApp(App));
""",
    "src/hydrate.ts": """
import { createSSRApp } from 'vue';
import App from './App.vue';

const app = document.getElementById('app')!;
Object.assign(window, { before: app.innerHTML });
createSSRApp(App).mount(app);
""",
}


def with_rendering(project: Path) -> Path:
    """Let the server render the page, too, at `/rendered`."""
    for name, text in RENDERED.items():
        (project / name).write_text(text)
    return project


async def test_places_stay_exact_through_edits_and_what_made_by_code_says_so(context: BrowserContext) -> None:
    async with dev_server(with_rendering(with_library(copy_example("vite-vue")))) as server:
        warnings: list[str] = []
        context.on("console", lambda m: warnings.append(m.text) if m.type in ("warning", "error") else None)
        await check_through_edits(context, server, SPOTS, Heading(APP, "Who is thirsty today?"))
        async with agent(await server.mcp_url()) as client:
            html = await seen(client, ".note em")
            made = await seen(client, ".tip")
        src = server.project / "src"
        assert (html["line"], html["column"]) == place(src / "App.vue", 'v-html="plant.note"')
        assert (html["file"], html["exact"], "v-html of <div>" in html["reason"]) == (APP, False, True)
        assert (made["line"], made["column"]) == place(src / "App.vue", "<CareTip")
        assert (made["file"], made["exact"]) == (APP, False)
        assert "src/components/CareTip.ts" in made["reason"]
        await stacks_and_portals(server, context)
        await hydration(server, context)
        assert warnings == []


async def stacks_and_portals(server: DevServer, context: BrowserContext) -> None:
    """What appears later has its place, and each owner its call site."""
    page = context.pages[0]
    await page.get_by_role("button", name="Care").first.click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    src = server.project / "src"
    dialog, app = src / "components" / "CareDialog.vue", src / "App.vue"
    async with agent(await server.mcp_url()) as client:
        title = await seen(client, ".care-title")
        water = await seen(client, ".care .water")
        line = await seen(client, ".growth polyline")
    assert (title["line"], title["column"], title["exact"]) == (*place(dialog, 'class="care-title"'), True)
    assert next((f["component"], f["line"], f["column"]) for f in title["stack"]) == (
        "CareDialog",
        *place(app, "<CareDialog"),
    )
    assert (water["file"], water["line"], water["column"]) == (APP, *place(app, "button water"))
    assert [(f["component"], f["file"], f["line"], f["column"]) for f in line["stack"]] == [
        ("GrowthLine", CARD, *place(server.project / CARD, "<GrowthLine")),
        ("PlantCard", APP, *place(app, "<PlantCard")),
        ("App", "", 0, 0),
    ]


async def hydration(server: DevServer, context: BrowserContext) -> None:
    """A page that the server rendered has the same elements, before and after Vue takes it over, and their places."""
    await context.pages[0].reload()
    await context.pages[0].locator("h1").wait_for()
    made: str = await context.pages[0].locator("#app").inner_html()
    page = await context.new_page()
    await page.goto(server.url + "rendered")
    await page.wait_for_function("document.querySelector('#app').__vue_app__")
    after: str = await page.locator("#app").inner_html()
    assert after == await page.evaluate("before")
    assert _without_comments(made) == _without_comments(after)
    assert await page.evaluate("document.querySelector('.badge').__vnode.props.ref_key.split(':')[0]") == APP


def _without_comments(html: str) -> str:
    return re.sub(r"<!--.*?-->", "", html)
