"""Exact file:line:column for Vue 3, on first load and after edits that Vue's plugin does not send on."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, expect

from support.agents import agent
from support.app import DevServer, copy_example, dev_server, edit, place
from support.overlay import Overlay
from support.sources import Heading, Spot, check_spots, check_through_edits, seen, sites

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.usefixtures("no_warnings")]

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


REFS = {
    "src/BoundRefs.vue": """<script setup lang="ts">
import { ref } from 'vue';
const one = ref();
const many = ref([]);
const held = { one, many };
const spread = { ref: one, title: 'spread' };
const called = (element: unknown) => Object.assign(window, { called: !!element });
</script>
<template>
  <b :ref="held.one" id="bound">{{ many.length }}</b>
  <i v-for="n in 3" :ref="held.many" :key="n" class="each" />
  <u :ref="called" id="called" />
  <s ref="named" id="named" />
  <p v-bind="spread" id="spread" />
</template>
""",
    "src/refs.ts": """
import { createApp } from 'vue';
import BoundRefs from './BoundRefs.vue';

const { $refs } = createApp(BoundRefs).mount(document.body.appendChild(document.createElement('div')));
export const keys = () => Object.keys($refs);
""",
}


def with_rendering(project: Path) -> Path:
    """Let the server render the page, too, at `/rendered`."""
    for name, text in (RENDERED | REFS).items():
        (project / name).write_text(text)
    return project


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def served() -> AsyncIterator[DevServer]:
    """The example, which uses a package and can be rendered on the server."""
    async with dev_server(with_rendering(with_library(copy_example("vite-vue")))) as server:
        yield server


async def test_places_stay_exact_through_edits(context: BrowserContext) -> None:
    async with dev_server(with_library(copy_example("vite-vue"))) as server:
        await check_through_edits(context, server, SPOTS, Heading(APP, "Who is thirsty today?"))


async def test_what_no_template_made_says_so(context: BrowserContext, served: DevServer) -> None:
    await Overlay.open(context, served)
    app = served.project / APP
    async with agent(await served.mcp_url()) as client:
        html = await seen(client, ".note em")
        made = await seen(client, ".tip")
    assert (html["line"], html["column"]) == place(app, 'v-html="plant.note"')
    assert (html["file"], html["exact"], "v-html of <div>" in html["reason"]) == (APP, False, True)
    assert (made["line"], made["column"]) == place(app, "<CareTip")
    assert (made["file"], made["exact"]) == (APP, False)
    assert "src/components/CareTip.ts" in made["reason"]


async def test_what_appears_later_has_its_place_and_owners_their_call_sites(
    context: BrowserContext, served: DevServer
) -> None:
    page = (await Overlay.open(context, served)).page
    await page.get_by_role("button", name="Care").first.click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    dialog, app = served.project / "src" / "components" / "CareDialog.vue", served.project / APP
    async with agent(await served.mcp_url()) as client:
        title = await seen(client, ".care-title")
        water = await seen(client, ".care .water")
        line = await seen(client, ".growth polyline")
    assert (title["line"], title["column"], title["exact"]) == (*place(dialog, 'class="care-title"'), True)
    assert sites(title)[0] == ("CareDialog", APP, *place(app, "<CareDialog"))
    assert (water["file"], water["line"], water["column"]) == (APP, *place(app, "button water"))
    assert sites(line) == [
        ("GrowthLine", CARD, *place(served.project / CARD, "<GrowthLine")),
        ("PlantCard", APP, *place(app, "<PlantCard")),
        ("App", "", 0, 0),
    ]


async def test_a_server_rendered_page_keeps_its_html_when_vue_takes_it_over(
    context: BrowserContext, served: DevServer
) -> None:
    page = await context.new_page()
    await page.goto(served.url)
    await page.locator("h1").wait_for()
    made = await page.locator("#app").inner_html()
    await page.goto(served.url + "rendered")
    await page.wait_for_function("document.querySelector('#app')?.__vue_app__")
    after = await page.locator("#app").inner_html()
    assert after == await page.evaluate("before")
    assert without_comments(made) == without_comments(after)
    assert await page.evaluate("document.querySelector('.badge').__vnode.props.ref_key.split(':')[0]") == APP


async def test_bound_refs_have_their_places_and_refs_only_the_keys_that_were_named(
    context: BrowserContext, served: DevServer
) -> None:
    page = (await Overlay.open(context, served)).page
    assert await page.evaluate("import('/src/refs.ts').then(({ keys }) => keys())") == ["named"]
    assert await page.locator("#bound").text_content() == "3"
    assert await page.evaluate("window.called")
    file = "src/BoundRefs.vue"
    spots = [
        Spot(f"#{name}", file, f'id="{name}"', "BoundRefs") for name in ("bound", "called", "named", "spread")
    ]
    async with agent(await served.mcp_url()) as client:
        await check_spots(client, served.project, [*spots, Spot(".each", file, "<i v-for", "BoundRefs")])


def without_comments(html: str) -> str:
    return re.sub(r"<!--.*?-->", "", html)
