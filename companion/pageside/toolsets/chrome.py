"""The toolset `chrome`: 26 tools under `chrome_<name>`, to see, use and measure pages."""

from __future__ import annotations

from pageside.toolsets import (
    chrome_emulation,
    chrome_input,
    chrome_observe,
    chrome_pages,
    chrome_performance,
    chrome_records,
)
from pageside.toolsets.base import toolset

PREFIX = "chrome_"

_PARTS = (
    chrome_pages,
    chrome_observe,
    chrome_input,
    chrome_emulation,
    chrome_records,
    chrome_performance,
)

CHROME = toolset(
    "chrome",
    {f"{PREFIX}{name}": handler for part in _PARTS for name, handler in part.HANDLERS.items()},
    large={f"{PREFIX}take_screenshot"},
)
