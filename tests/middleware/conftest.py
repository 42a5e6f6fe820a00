"""A real Chromium for pages of real Python servers."""

from __future__ import annotations

from browser.conftest import browser, context, no_blocking

__all__ = ["browser", "context", "no_blocking"]
