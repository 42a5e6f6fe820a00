"""A real Chromium with the extension, a companion in this process, and pages on a real server."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from support.extension import Extension, chromium_with_extension
from support.site import Site, serve_site


@pytest.fixture(autouse=True)
def no_blocking() -> None:
    """Playwright runs in this loop, and a session's fixtures outlive a test."""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def extension(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Extension]:
    """One for all tests that do not end its worker."""
    async with chromium_with_extension(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def site() -> AsyncIterator[Site]:
    async with serve_site() as running:
        yield running
