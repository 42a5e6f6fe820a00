"""Frameworks that own their HTML: each example under its own dev server, in a copy that a test may edit."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import shutil
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from support.app import REPOSITORY, WORKSPACE, DevServer, dev_server, save
from support.node import node
from support.sockets import free_ports

PLUGIN = "vite-plugin-pageside"
BUILD_SECONDS = 180.0
_GENERATED = (".*", "node_modules", "dist", "build", "routeTree.gen.ts")
_QUIET = {"ASTRO_TELEMETRY_DISABLED": "1", "NUXT_TELEMETRY_DISABLED": "1"}


@dataclass(frozen=True)
class Framework:
    """How an example of `examples/` is served and built."""

    name: str
    """Its folder."""
    program: str
    """What its `npm run dev` and `npm run build` call, below node_modules."""
    built: tuple[str, ...]
    """The folders that a build writes, with the same bytes each time."""
    anew: tuple[str, ...] = ()
    """The folders in them that are others with each build."""

    def command(self, name: str) -> tuple[str, ...]:
        return (str(node()), f"node_modules/{self.program}", name)


@asynccontextmanager
async def copy_of(framework: Framework) -> AsyncIterator[Path]:
    """A copy of the example with the plugin as it is built now; removed at the end."""
    target = WORKSPACE / f"{framework.name}-{secrets.token_hex(4)}"
    await asyncio.to_thread(_copy, REPOSITORY / "examples" / framework.name, target)
    try:
        yield target
    finally:
        await asyncio.to_thread(shutil.rmtree, target, ignore_errors=True)


def _copy(source: Path, target: Path) -> None:
    """Its node_modules are hard links: frameworks look at real paths, and no two may share a cache."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(*_GENERATED))
    modules = target / "node_modules"
    shutil.copytree(
        source / "node_modules",
        modules,
        symlinks=True,
        copy_function=os.link,
        ignore=shutil.ignore_patterns(".vite", ".cache", PLUGIN),
    )
    plugin, packed = REPOSITORY / "vite-plugin", modules / PLUGIN
    for part in ("dist", "client"):
        shutil.copytree(plugin / part, packed / part)
    shutil.copy(plugin / "package.json", packed)


@asynccontextmanager
async def served(framework: Framework, project: Path, *, enabled: bool = True) -> AsyncIterator[DevServer]:
    """Its dev server, with or without the plugin."""
    port = str(free_ports(1)[0])
    environment = {**_QUIET, "PAGESIDE_ENABLED": str(int(enabled))}
    command = (*framework.command("dev"), "--port", port)
    async with dev_server(project, command=command, environment=environment) as server:
        yield server


@asynccontextmanager
async def put_back(project: Path, files: Iterable[str]) -> AsyncIterator[None]:
    """Afterwards the files are as they were, for who comes next."""
    texts = {project / file: (project / file).read_text("utf-8") for file in files}
    try:
        yield
    finally:
        for file, text in texts.items():
            save(file, text)


async def build(framework: Framework, project: Path, *, enabled: bool) -> dict[str, str]:
    """Build it; every written file with the hash of its bytes."""
    for folder in framework.built:
        await asyncio.to_thread(shutil.rmtree, project / folder, ignore_errors=True)
    process = await asyncio.create_subprocess_exec(
        *framework.command("build"),
        cwd=project,
        env={**os.environ, **_QUIET, "PAGESIDE_ENABLED": str(int(enabled))},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(BUILD_SECONDS):
            output, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, output.decode(errors="replace")
    return await asyncio.to_thread(_hashes, framework, project)


def _hashes(framework: Framework, project: Path) -> dict[str, str]:
    files = [file for folder in framework.built for file in sorted((project / folder).rglob("*"))]
    return {
        str(file): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.is_file() and not set(framework.anew).intersection(file.parts)
    }
