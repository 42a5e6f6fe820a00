"""How often each thing is measured: enough to be told, or just enough to see that it works."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """Of a whole run."""

    rounds: int
    """Of each Chrome operation."""
    tries: int
    """Of each situation, without thinking."""
    thoughts: int
    """Tries with thinking."""
    starts: int
    """Of each server."""
    builds: int
    """Of each project, with each inspector."""
    share: float
    """Of a project's components."""
    loads: int
    """Of the page, with the overlay and without."""
    calls: int
    saves: int


WHOLE = Effort(rounds=10, tries=3, thoughts=2, starts=5, builds=2, share=1, loads=7, calls=200, saves=6)
QUICK = Effort(rounds=2, tries=1, thoughts=1, starts=1, builds=1, share=0.1, loads=2, calls=30, saves=2)
