"""Fixtures that every test layer shares."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from blockbuster import BlockBuster, blockbuster_ctx

from pageside.settings import ChromeSettings, Settings
from pageside.web.app import Companion
from support import app, warm

app.companions = warm.folder
os.environ["PAGESIDE_TAB_PORT"] = "off"
"""Whatever tests start: there is one tab port on a machine."""

REAL_PROGRAMS = (
    *("browser", "chrome", "conformance", "console", "extension", "frameworks"),
    *("middleware", "protocol", "web", "wire"),
)
"""Folders whose tests run Chromium, Vite or other programs, which a busy machine may starve."""


LIMIT_SECONDS = 50.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test with real programs that fails is run again, twice at most; the summary names it.

    The short ones come last, so that no worker ends long before the others.
    """
    items.sort(key=lambda item: item.path.parent.name == "unit")
    for item in items:
        if item.path.parent.name in REAL_PROGRAMS:
            item.add_marker(pytest.mark.flaky(reruns=2))
        if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
            own = item.get_closest_marker("timeout")
            item.obj = _bounded(item.obj, own.args[0] if own is not None else LIMIT_SECONDS)


def _bounded(test: Callable[..., Awaitable[None]], seconds: float) -> Callable[..., Awaitable[None]]:
    """pytest-timeout's signal may strike in a background task, which takes the failure, and the test waits for ever."""

    @functools.wraps(test)
    async def bounded(*args: Any, **kwargs: Any) -> None:
        async with asyncio.timeout(seconds):
            await test(*args, **kwargs)

    return bounded


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Why a test had to be run again: the first cause, which is another than the last one's where state was left."""
    runs: Counter[str] = Counter()
    for report in terminalreporter.stats.get("rerun", []):
        runs[report.nodeid] += 1
        terminalreporter.section(f"run {runs[report.nodeid]} of {report.nodeid}: {report.when}")
        terminalreporter.write_line(report.longreprtext)
        for name, text in report.sections:
            terminalreporter.write_line(f"{name}:\n{text}")


@pytest.fixture(autouse=True)
def no_blocking(request: pytest.FixtureRequest) -> Iterator[BlockBuster | None]:
    """A call that blocks the event loop inside Pageside fails the test."""
    with blockbuster_ctx("pageside") as guard:
        yield guard


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A project and a state folder of its own, any free port, no Chrome; scripts may run anywhere."""
    project = tmp_path / "shop"
    project.mkdir()
    return Settings(
        project=project,
        port=0,
        state=tmp_path / "state",
        chrome=ChromeSettings(enabled=False),
        script_origins=("*",),
    )


@pytest.fixture
async def companion(settings: Settings) -> AsyncIterator[Companion]:
    """A companion on real sockets in this process."""
    running = await Companion.start(settings)
    yield running
    await running.stop()
