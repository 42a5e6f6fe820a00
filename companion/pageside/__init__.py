"""Pageside: point at an element in your dev page, your coding agent sees it."""

__version__ = "0.1.0"
