"""One operation as data: how each server is asked, and what must be true afterwards.

'@element:…', '@request:…', '@tab:…' stand for a server's own reference, '$name' for a value of the round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.raw import Way
from bench.servers import Step

Ways = Mapping[str, Sequence[Step]]
"""Steps by the name of the dialect."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of the table."""

    name: str
    ways: Ways
    raw: Way | None = None
    raw_after: Way | None = None
    page: str = "work"
    ready: str = ""
    """Awaited in the page by the witness when it was opened."""
    look: bool = False
    """A snapshot before, which gives references."""
    begin: Ways = field(default_factory=dict)
    """Once, before the rounds."""
    before: str = ""
    """JavaScript of the witness before each round."""
    holds: str = ""
    """JavaScript that must be true right afterwards, as the witness sees it."""
    says: tuple[str, ...] = ()
    """What the answer's text must hold."""
    size: str = ""
    """JavaScript: [width, height] that the picture must have."""
    serves: str = ""
    """A page that must have been asked for once."""
    after: Ways = field(default_factory=dict)
    """Not measured; its answers must hold `proof`."""
    proof: str = ""
    end: Ways = field(default_factory=dict)
