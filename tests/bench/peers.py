"""Other Chrome servers for agents, from npm, in a folder of their own that git ignores."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parents[2] / ".pageside" / "peers"
VERSIONS = {"chrome-devtools-mcp": "1.11.0", "@playwright/mcp": "0.0.83"}
"""Pinned: the newest when the numbers in docs/benchmarks.md were taken."""
INSTALL_SECONDS = 180.0
_PROGRAMS = {
    "chrome-devtools-mcp": "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js",
    "@playwright/mcp": "@playwright/mcp/cli.js",
}


def command(peer: str, port: int) -> list[str]:
    """What starts that peer for the browser on `port`, without its telemetry."""
    url = f"http://127.0.0.1:{port}"
    flags = {
        "chrome-devtools-mcp": ["--browserUrl", url, "--no-usage-statistics", "--no-performance-crux"],
        "@playwright/mcp": ["--cdp-endpoint", url],
    }
    return ["node", str(FOLDER / "node_modules" / _PROGRAMS[peer]), *flags[peer]]


async def install(folder: Path = FOLDER, versions: Mapping[str, str] = VERSIONS) -> dict[str, str]:
    """Have them in the pinned versions; those that could not be had, and why."""
    missing = {}
    for name, version in versions.items():
        if _version(folder, name) != version:
            print(f"Installing {name} {version} into .pageside/{folder.name} …", file=sys.stderr)
            why = await _install(folder, f"{name}@{version}")
            if _version(folder, name) != version:
                print(f"{name}: {why}", file=sys.stderr)
                missing[name] = "could not be installed"
    return missing


def _version(folder: Path, name: str) -> str | None:
    file = folder / "node_modules" / name / "package.json"
    return str(json.loads(file.read_text("utf-8"))["version"]) if file.exists() else None


async def _install(folder: Path, package: str) -> str:
    """Let npm do it; what it complains of."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not there"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "package.json").exists():
        # Or npm would take the folder above for the project.
        (folder / "package.json").write_text('{"private": true}\n', "utf-8")
    process = await asyncio.create_subprocess_exec(
        *(npm, "install", "--save-exact", "--no-fund", "--no-audit", "--ignore-scripts"),
        *("--fetch-retries=1", "--loglevel=error", package),
        cwd=folder,
        stdout=DEVNULL,
        stderr=PIPE,
    )
    try:
        async with asyncio.timeout(INSTALL_SECONDS):
            _, errors = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return f"npm took longer than {INSTALL_SECONDS:g} s"
    return " ".join(errors.decode().split())[:200] or "npm installed something else"
