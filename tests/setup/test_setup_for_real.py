"""A project set up with the real npm, served by the real Vite, and its agent's entry started by a real MCP client."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from pageside.setup.packages import PLUGIN
from setup.conftest import Machine
from support.agents import DEFAULT_TOOLS, call, stdio_environment
from support.app import DevServer, dev_server

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="a PATH of our own"),
    pytest.mark.timeout(120),
]

REPOSITORY = Path(__file__).resolve().parents[2]
REAL_HOME = Path.home()
SHAPES = {
    "vite.config.ts": (
        "import type { UserConfig } from 'vite';\n\nexport default { plugins: [] } satisfies UserConfig;\n"
    ),
    "vite.config.mjs": (
        "import { defineConfig, mergeConfig } from 'vite';\nconst more = [];\n"
        "export default defineConfig(async ({ mode }) => {\n"
        "  const base = { define: { MODE: mode } };\n"
        "  return mergeConfig(base, {\n    plugins: [\n      // none yet\n      ...more,\n    ],\n  });\n});\n"
    ),
    "vite.config.cjs": "const plugins = [].filter(Boolean);\nmodule.exports = { plugins };\n",
}


def packed(folder: Path) -> Path:
    """The plugin as npm would publish it."""
    command = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", str(folder)]
    name = subprocess.run(command, cwd=REPOSITORY / "vite-plugin", capture_output=True, text=True, check=True)
    return folder / name.stdout.strip().splitlines()[-1]


def project_with_vite(machine: Machine) -> None:
    version = json.loads((REPOSITORY / "node_modules/vite/package.json").read_text())["version"]
    package = {"name": "shop", "private": True, "type": "module", "devDependencies": {"vite": version}}
    (machine.project / "package.json").write_text(json.dumps(package, indent=2) + "\n")
    (machine.project / "index.html").write_text("<!doctype html><title>Shop</title><h1>Shop</h1>\n")
    subprocess.run(
        ["npm", "install", "--prefer-offline"], cwd=machine.project, capture_output=True, check=True
    )


@pytest.fixture
def real_npm(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """With the cache and the registry of whoever runs the tests."""
    npm = shutil.which("npm", path=os.defpath) or shutil.which("npm")
    assert npm is not None
    (machine.bin / "npm").symlink_to(npm)
    monkeypatch.setenv("npm_config_cache", str(REAL_HOME / ".npm"))
    monkeypatch.setenv("npm_config_userconfig", str(REAL_HOME / ".npmrc"))
    return machine


async def document(url: str) -> str:
    async with aiohttp.ClientSession() as http, http.get(url, headers={"accept": "text/html"}) as answer:
        assert answer.status == 200
        return await answer.text()


async def test_a_project_is_set_up_served_used_by_its_agent_and_left_as_it_was(
    real_npm: Machine, tmp_path: Path
) -> None:
    machine = real_npm
    tarball = await asyncio.to_thread(packed, tmp_path)
    await asyncio.to_thread(project_with_vite, machine)
    before = machine.files()
    flags = ("--agents", "claude", "--yes", "--plugin", str(tarball))
    vite = ("node", "node_modules/vite/bin/vite.js", "--port", "0")
    for name, shape in SHAPES.items():
        config = machine.project / name
        config.write_text(shape)
        assert await asyncio.to_thread(machine.setup, *flags) == 0, machine.said
        assert PLUGIN in (machine.project / "package.json").read_text()
        async with dev_server(machine.project, command=vite, state=machine.state) as server:
            assert "/__pageside__/" in await document(server.url)
            if shape == next(iter(SHAPES.values())):
                await agent_uses(machine, server)
        config.unlink()

    assert await asyncio.to_thread(machine.setup, "--undo") == 0, machine.said
    assert machine.files() == before
    assert not (machine.project / "node_modules" / PLUGIN).exists()


async def agent_uses(machine: Machine, server: DevServer) -> None:
    """By the entry as it stands: it finds the companion of the dev server, and runs none of its own."""
    companion = await server.companion()
    entry = json.loads((machine.project / ".mcp.json").read_text())["mcpServers"]["pageside"]
    environment = stdio_environment() | {"PAGESIDE_STATE_DIR": str(machine.state)}
    parameters = StdioServerParameters(**entry, env=environment, cwd=str(machine.project))
    async with Client(stdio_client(parameters), mode="legacy", read_timeout_seconds=30) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == DEFAULT_TOOLS
        assert (await call(client, "list_inspections"))["total"] == 0
    assert (await server.companion())["pid"] == companion["pid"]
