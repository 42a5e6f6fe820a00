"""The command of an agent's entry, started as the agent does: how long until it has answered with its tools?

A file of the project says what is started, and whoever wrote that file may be anybody: so only what is this very
program is started, or one of that name outside of the project.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import mcp_types as t
import psutil
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from pageside import __version__
from pageside.core.agent_files import own_flags
from pageside.doctor.asking import aside
from pageside.doctor.entries import program
from pageside.doctor.report import Finding, note, ok, problem
from pageside.doctor.sight import Case

SECONDS = 4.0
END_SECONDS = 1.0
_FLAGS = ("--toolsets", "--client-id", "--no-chrome")
"""What may stand behind `stdio` in an entry that is started."""


def may_start(argv: Sequence[str], root: Path) -> tuple[str, ...] | None:
    """The words to start, without the flags that say where; None for what is not certain to be ours."""
    words = list(argv)
    if "stdio" not in words:
        return None
    before = words[: words.index("stdio")]
    path = program(before[0], root)
    if path is None or not _is_ours(before, Path(path), root):
        return None
    flags = own_flags(words)
    if any(flag.startswith("-") and flag.partition("=")[0] not in _FLAGS for flag in flags):
        return None
    return (path, *before[1:], "stdio", "--project", str(root))


def _is_ours(before: list[str], path: Path, root: Path) -> bool:
    if before[1:] == ["-P", "-m", "pageside"]:
        return os.path.samefile(path, sys.executable)
    own = Path(sys.executable).with_name(path.name)
    is_this = own.is_file() and os.path.samefile(path, own)
    is_named = path.stem == "pageside" and len(before) == 1
    return is_named and (is_this or not path.resolve().is_relative_to(root.resolve()))


@dataclass(slots=True)
class Listed:
    """What came, and how long it took."""

    tools: int = 0
    seconds: float = 0.0


async def start(argv: tuple[str, ...], case: Case) -> Finding:
    """Shake hands and list the tools; a companion that it has to run itself is one for the moment."""
    told = f"{Path(argv[0]).name} {' '.join(argv[1 : argv.index('stdio') + 1])}"
    listed = Listed()
    folder = await aside(tempfile.TemporaryDirectory, prefix="pageside-doctor-")
    listing = asyncio.create_task(_list_tools(argv, case, folder.name, listed), name="doctor-start")
    try:
        await asyncio.wait({listing}, timeout=SECONDS)
        is_late = not listing.done()
    finally:
        await _end(listing, folder.name)
        await aside(folder.cleanup)
    if listed.seconds:
        return ok(f"`{told}` lists {listed.tools} tools after {listed.seconds:.1f} s")
    if is_late:
        return note(
            f"`{told}` has not listed its tools within {SECONDS:g} s.",
            "Try it again when the machine has less to do; agents wait longer.",
        )
    return problem(f"`{told}` does not speak MCP: {_reason(listing.exception())}.", f"Run it by hand: {told}")


async def _list_tools(argv: tuple[str, ...], case: Case, folder: str, listed: Listed) -> None:
    said = await aside(open, os.devnull, "w")
    server = StdioServerParameters(
        command=argv[0], args=list(argv[1:]), env=_environment(case, folder), cwd=folder
    )
    info = t.Implementation(name="Pageside doctor", version=__version__)
    began = time.monotonic()
    try:
        transport = stdio_client(server, errlog=said)
        async with Client(transport, client_info=info, mode="legacy") as client:
            listed.tools = len((await client.list_tools()).tools)
            listed.seconds = time.monotonic() - began
    finally:
        await aside(said.close)


async def _end(listing: asyncio.Task[None], folder: str) -> None:
    """It ends by itself when its stdin does; what does not within a second is killed."""
    listing.cancel()
    await asyncio.wait({listing}, timeout=END_SECONDS)
    if not listing.done():
        await aside(_kill_those_in, folder)
        await asyncio.wait({listing}, timeout=END_SECONDS)


def _kill_those_in(folder: str) -> None:
    """Our children that work in that folder, which is nobody else's."""
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if os.path.realpath(child.cwd()) == os.path.realpath(folder):
                child.kill()


def _environment(case: Case, folder: str) -> dict[str, str]:
    """Of whoever runs the doctor, not of the entry; where no companion runs, one that touches nothing."""
    if case.sight.port is not None:
        return dict(os.environ) | {"PAGESIDE_STATE_DIR": str(case.settings.state)}
    own = {"PAGESIDE_STATE_DIR": folder, "PAGESIDE_PORT": "0"}
    return dict(os.environ) | own | {"PAGESIDE_TAB_PORT": "off", "PAGESIDE_CHROME": "off"}


def _reason(error: BaseException | None) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__
