"""Pieces of HTML as pages are made of: what our snapshot and Chrome's own accessibility tree are compared on."""

from __future__ import annotations

import re
from pathlib import Path

_FILE = Path(__file__).with_suffix(".html")
_PIECES = re.split(r"^<!-- (.*) -->\n", _FILE.read_text("utf-8"), flags=re.MULTILINE)[1:]

SNIPPETS: dict[str, str] = dict(zip(_PIECES[::2], _PIECES[1::2], strict=True))
"""What it is about, and the HTML of a body."""
