"""Thin tables of names and handlers over the operations; their schemas stand in `contract/tools.json`."""
