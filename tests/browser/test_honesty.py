"""Where there is no exact place, the agent is told why and what to do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client
from playwright.async_api import BrowserContext

from support.agents import agent
from support.app import DevServer, copy_example, dev_server, edit, place
from support.overlay import Overlay
from support.sources import seen

pytestmark = pytest.mark.asyncio(loop_scope="session")

PUT_INTO_PAGE = """() => {
  document.querySelector('h1').insertAdjacentHTML('beforeend', '<i id="made">made</i>');
  const aside = document.createElement('aside');
  aside.id = 'extension';
  aside.innerHTML = '<img src="chrome-extension://abcdef/icon.png">';
  document.documentElement.append(aside);
  customElements.define('shut-box', class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: 'closed' }).innerHTML = '<p>inside</p>'; }
  });
}"""


def check(source: dict[str, Any], reason: str, fix: str) -> None:
    assert source["exact"] is False, source
    assert reason in source["reason"], source
    assert fix in source["fix"], source


@asynccontextmanager
async def page_of(context: BrowserContext, server: DevServer) -> AsyncIterator[tuple[Overlay, Client]]:
    overlay = await Overlay.open(context, server)
    async with agent(await server.mcp_url()) as client:
        yield overlay, client


async def test_what_no_template_of_the_project_has_says_who_put_it_there(
    context: BrowserContext, app: DevServer
) -> None:
    source = app.project / "src" / "App.tsx"
    edit(
        source, "<main>", '<main><shut-box style={{ display: "block" }} /><iframe sandbox="" srcDoc="<p>" />'
    )
    async with page_of(context, app) as (overlay, client):
        await overlay.page.evaluate(PUT_INTO_PAGE)
        made = await seen(client, "#made")
        check(made, "innerHTML or a script put it into <h1>", "dom: true")
        assert (made["line"], made["column"], made["component"]) == (
            *place(source, "What’s for lunch?"),
            "App",
        )
        check(await seen(client, "#extension"), "browser extension", "Nothing in the project")
        for selector, reason in (("shut-box", "closed shadow root"), ("iframe", "another origin")):
            found = await seen(client, selector)
            assert (found["exact"], found["line"]) == (True, place(source, f"<{selector}")[0])
            assert reason in found["reason"]
            assert found["fix"]
        await overlay.page.route("**/__pageside__/resolve", lambda route: route.abort())
        check(await seen(client, "h1"), "dev server did not answer", "reload the page")


async def test_production_builds_of_a_framework_are_told(context: BrowserContext) -> None:
    async with (
        dev_server(copy_example("vite-react"), environment={"NODE_ENV": "production"}) as server,
        page_of(context, server) as (_, client),
    ):
        check(await seen(client, "h1"), "React runs in its production build", "mode development")


SERVED = """import { pageside } from 'vite-plugin-pageside';

const page = '<!doctype html><script type="module" src="/@vite/client"></script><h1>From a server</h1>';
const served = {
  name: 'served',
  configureServer: ({ middlewares }) =>
    void middlewares.use('/served', (_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(page);
    }),
};
export default { plugins: [served, pageside()] };
"""


async def test_html_of_a_server_and_what_options_leave_out_are_told(context: BrowserContext) -> None:
    project = copy_example("vite-vanilla")
    config = project / "vite.config.ts"
    config.write_text(SERVED, "utf-8")
    async with dev_server(project) as server, page_of(context, server) as (overlay, client):
        await overlay.page.goto(f"{server.url}served")
        await overlay.page.locator("pageside-overlay").wait_for(state="attached")
        check(await seen(client, "h1"), "came in the server's HTML", "hydrate")
        await overlay.page.evaluate("window.old = true")
    config.write_text(SERVED.replace("pageside()", "pageside({ markup: false })"), "utf-8")
    async with dev_server(project) as server, page_of(context, server) as (_, client):
        check(await seen(client, "h1"), "The option markup of pageside() is off", "Remove markup: false")
