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


def installed(folder: Path = FOLDER, versions: Mapping[str, str] = VERSIONS) -> bool:
    """They are there, in the pinned versions."""
    return all(_version(folder, peer) == version for peer, version in versions.items())


def _version(folder: Path, peer: str) -> str | None:
    file = folder / "node_modules" / peer / "package.json"
    return str(json.loads(file.read_text("utf-8"))["version"]) if file.exists() else None


async def install(folder: Path = FOLDER, versions: Mapping[str, str] = VERSIONS) -> bool:
    """Have them; False, with a line that says why, where that cannot be."""
    if installed(folder, versions):
        return True
    npm = shutil.which("npm")
    if npm is None:
        return _without("npm is not there")
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {"private": True, "dependencies": versions}
    (folder / "package.json").write_text(json.dumps(wanted, indent=2), "utf-8")
    print(f"Installing {', '.join(versions)} into {folder.name}/ …", file=sys.stderr)
    process = await asyncio.create_subprocess_exec(
        *(
            npm,
            "install",
            "--no-fund",
            "--no-audit",
            "--ignore-scripts",
            "--fetch-retries=1",
            "--loglevel=error",
        ),
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
        return _without(f"npm took longer than {INSTALL_SECONDS:g} s")
    said = " ".join(errors.decode().split())[:200]
    return installed(folder, versions) or _without(said or "npm installed something else")


def _without(why: str) -> bool:
    print(f"What ours is compared with could not be installed, so it is left out: {why}", file=sys.stderr)
    return False
