"""The names of the toolsets are known without loading them: what `pageside stdio` needs to attach is little."""

from __future__ import annotations

import subprocess
import sys

import mcp_types
from mcp.shared import inbound

from pageside.core.toolset_names import TOOLSETS
from pageside.toolsets import every
from pageside.web import mcp_versions

HEAVY = ("jinja2", "jsonschema", "mcp", "mcp_types", "PIL", "pychrome", "pydantic", "requests", "sqlite3")


def test_every_toolset_has_its_name_in_the_list() -> None:
    assert tuple(each.name for each in every.TOOLSETS) == TOOLSETS


def test_what_attaches_to_a_companion_loads_nothing_that_only_a_companion_needs() -> None:
    program = f"import pageside.cli, pageside.web.stdio, sys; print(*sys.modules.keys() & {HEAVY})"
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert loaded.stdout.split() == []


def test_the_names_that_the_bridge_writes_are_those_of_the_protocol() -> None:
    assert mcp_versions.VERSION == inbound.MCP_PROTOCOL_VERSION_HEADER.lower()
    assert mcp_versions.VERSION_KEY == mcp_types.PROTOCOL_VERSION_META_KEY
