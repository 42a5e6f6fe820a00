"""The official conformance suite (npm), run as people run it."""

from __future__ import annotations

import asyncio
import json
import re
from asyncio.subprocess import PIPE, STDOUT
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.fixture import fixture_server, hosted
from conformance.scenarios import WARNINGS, Run
from support.node import node

SECONDS = 120.0
SUMMARY_CHARACTERS = 4000
PACKAGES = Path(__file__).parents[2] / "node_modules"
_RESULT = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The checks of each scenario, and the end of what the suite printed: its summary, or why it broke off."""

    checks: dict[str, list[dict[str, Any]]]
    exit_code: int
    output: str


async def outcome(run: Run, folder: Path) -> Outcome:
    """Run it against a server of its own, with the results in `folder`."""
    async with hosted(fixture_server()) as url:
        exit_code, output = await _suite(run, url, folder)
    return Outcome(_read(folder), exit_code, output)


async def _suite(run: Run, url: str, folder: Path) -> tuple[int, str]:
    command = [str(node()), str(PACKAGES / run.line / "dist" / "index.js"), "server", "--url", url]
    options = ["--suite", "all", "--spec-version", run.revision, "-o", str(folder)]
    process = await asyncio.create_subprocess_exec(*command, *options, stdout=PIPE, stderr=STDOUT)
    try:
        async with asyncio.timeout(SECONDS):
            output, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return process.returncode, output.decode()[-SUMMARY_CHARACTERS:]


def _read(folder: Path) -> dict[str, list[dict[str, Any]]]:
    found = {}
    for path in folder.glob("*/checks.json"):
        named = _RESULT.fullmatch(path.parent.name)
        assert named is not None, path
        found[named[1]] = json.loads(path.read_text())
    return found


def complaints(run: Run, scenario: str, checks: list[dict[str, Any]]) -> list[str]:
    """A line for each check that did not succeed."""
    may_warn = WARNINGS.get((run.line, scenario), set())
    return [
        f"{check['id']} {check['status']}: {check.get('errorMessage')} {json.dumps(check.get('details'))}"
        for check in checks
        if check["status"] not in ("SUCCESS", "INFO")
        and not (check["status"] == "WARNING" and check["id"] in may_warn)
    ]
