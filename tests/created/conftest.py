"""What a new user has: the published files, installed by pip and npm."""

from __future__ import annotations

import pytest

from browser.conftest import browser, context, no_blocking
from packages.conftest import Built, built
from support.installed import Installed, installed

__all__ = ["browser", "built", "context", "no_blocking"]


@pytest.fixture(scope="session")
def pageside(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel with all that it depends on, as pip finds it."""
    return installed(tmp_path_factory.mktemp("installed"), built.wheel, borrowed=False)
