"""Projects as `npm create vite` makes them: set up by one command, and every element knows where it is written."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext

from packages.conftest import Built
from support.agents import agent
from support.app import dev_server, place
from support.installed import Installed, ran
from support.overlay import Overlay
from support.sources import seen

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(600)]

CREATE_VITE = "create-vite@9.3.0"
TEMPLATES = ("react-ts", "vue-ts", "svelte-ts", "solid-ts", "preact-ts", "lit-ts", "vanilla-ts")
MARKERS = {"h1": "Get started</h1>", "#docs h2": "Documentation</h2>"}
"""What stands on the first page of each template, and once in its sources."""
INSIDE = {"lit-ts": "my-element >>> "}
"""Before the selectors of what is in a shadow root: in Lit's, all but the `h1` of index.html."""


def created(folder: Path, template: str) -> Path:
    """A new project with what it depends on, as its README says."""
    ran("npx", "--yes", CREATE_VITE, "app", "--template", template, "--no-interactive", cwd=folder)
    ran("npm", "install", "--no-audit", "--no-fund", cwd=folder / "app")
    return folder / "app"


def set_up(pageside: Installed, project: Path, tarball: Path) -> str:
    """What `pageside setup` says; here it has the Node of the project."""
    path = os.pathsep.join([pageside.path, os.environ["PATH"]])
    words = ("setup", "--yes", "--agents", "claude", "--plugin", str(tarball))
    return ran(*pageside.command, *words, cwd=project, variables=pageside.variables() | {"PATH": path})


def written(project: Path, marker: str) -> str:
    """The only source file in which that stands, relative to the project."""
    files = [file for file in (project / "src").rglob("*") if file.is_file() and file.suffix != ".png"]
    # Lit's has one element there, which it puts into a slot.
    files.append(project / "index.html")
    (found,) = [file for file in files if marker in file.read_text("utf-8", "replace")]
    return found.relative_to(project).as_posix()


@pytest.mark.parametrize("template", TEMPLATES)
async def test_a_new_project_is_set_up_by_one_command_and_its_elements_know_where_they_are_written(
    template: str, context: BrowserContext, built: Built, pageside: Installed, tmp_path: Path
) -> None:
    project = await asyncio.to_thread(created, tmp_path, template)
    said = await asyncio.to_thread(set_up, pageside, project, built.tarball)
    assert "vite-plugin-pageside" in json.loads((project / "package.json").read_text())["devDependencies"], (
        said
    )
    command = (shutil.which("node") or "node", "node_modules/vite/bin/vite.js", "--port", "0")
    environment = {"VIRTUAL_ENV": str(Path(pageside.path).parent)}
    async with dev_server(project, command=command, environment=environment) as server:
        await Overlay.open(context, server)
        async with agent(await server.mcp_url()) as client:
            inside = {"#docs h2": INSIDE.get(template, "")}
            found = {each: await seen(client, inside.get(each, "") + each) for each in MARKERS}
    expected = {
        selector: (written(project, marker), *place(project / written(project, marker), marker), True)
        for selector, marker in MARKERS.items()
    }
    places = {
        selector: tuple(source.get(key) for key in ("file", "line", "column", "exact"))
        for selector, source in found.items()
    }
    assert places == expected, found
    await asyncio.to_thread(ran, "npm", "run", "build", cwd=project)
    built_files = [file for file in (project / "dist").rglob("*") if file.suffix in (".js", ".html", ".css")]
    assert built_files
    assert not [file for file in built_files if "pageside" in file.read_text("utf-8")]
