"""What was measured where: versions, the machine, and what else ran on it."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import psutil

import pageside
from bench import inspectors, peers
from support import chromium
from support.app import REPOSITORY

PACKAGES = {
    "Vite": "vite",
    "React": "react",
    "Vue": "vue",
    "Solid": "solid-js",
    "Preact": "preact",
    "Svelte": "svelte",
}
"""Of the projects in which places are measured."""


async def about(missing: Mapping[str, str]) -> dict[str, Any]:
    """All that a reader needs to know besides the numbers; `missing` are peers that are not there."""
    others = {**peers.VERSIONS, **inspectors.VERSIONS}
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"{round(psutil.virtual_memory().total / 2**30)} GiB",
        "load": round(os.getloadavg()[0], 1),
        "versions": {
            "Pageside": pageside.__version__,
            **{name: number for name, number in others.items() if name not in missing},
            "Chromium": await _told(chromium.find() or "chromium"),
            "Python": platform.python_version(),
            "its MCP SDK": version("mcp"),
            "Node": await _told("node"),
            **await asyncio.to_thread(_packages),
        },
    }


def _packages() -> dict[str, str]:
    files = {
        name: REPOSITORY / "node_modules" / package / "package.json" for name, package in PACKAGES.items()
    }
    return {name: json.loads(file.read_text("utf-8"))["version"] for name, file in files.items()}


async def _told(program: str) -> str:
    """The number in what it says to `--version`."""
    process = await asyncio.create_subprocess_exec(
        program, "--version", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    told, _ = await process.communicate()
    found = re.search(rb"\d+(\.\d+)+", told)
    return found[0].decode() if found else "?"
