"""Which declaration wins: the CSS cascade as pure rules (css-cascade-5 and -6).

Chrome gives the rules that match an element weakest first, already ordered by layer, specificity, scope and place. What
is decided here is what that order does not say: `!important`, which turns origins, trees and layers around; the style
attribute; animations; `all`, `revert` and its kind; inheritance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from pageside.chrome.properties import is_inherited

NOT_IN_ALL = ("direction", "unicode-bidi")


class Origin(IntEnum):
    """Where declarations come from, weakest first (as long as nothing is `!important`)."""

    USER_AGENT = 0
    USER = 1
    HINTS = 2
    AUTHOR = 3
    ANIMATION = 4
    TRANSITION = 5


@dataclass(frozen=True, slots=True)
class Declaration:
    """One longhand (or `all`, or a custom property) of a block; `value` lower-case and without `!important`."""

    name: str
    value: str = ""
    important: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """The declarations of one rule or style attribute.

    `tree`, `layer` and `order` are ranks: higher wins among normal declarations. `depth` is 0 for the element itself,
    1 for its parent and so on.
    """

    declarations: tuple[Declaration, ...]
    origin: Origin = Origin.AUTHOR
    tree: int = 0
    attached: bool = False
    layer: int = 0
    order: int = 0
    depth: int = 0


Rank = tuple[int, int, int, int, int, int]
Inherits = Callable[[str], bool]

_IMPORTANT = {Origin.AUTHOR: 6, Origin.USER: 7, Origin.USER_AGENT: 8}
_TRANSITION = 9


def rank(block: Block, declaration: Declaration, place: int) -> Rank:
    """Compares declarations of one element: the greater one wins; `place` counts within the block."""
    if block.origin is Origin.TRANSITION:
        return (_TRANSITION, 0, 0, 0, block.order, place)
    if declaration.important and block.origin in _IMPORTANT:
        level = _IMPORTANT[block.origin]
        return (level, -block.tree, int(block.attached), -block.layer, block.order, place)
    return (block.origin, block.tree, int(block.attached), block.layer, block.order, place)


@dataclass(frozen=True, slots=True)
class _Candidate:
    rank: Rank
    index: int
    block: Block
    declaration: Declaration


class Cascade:
    """The declarations of an element and those it may inherit."""

    def __init__(self, blocks: Sequence[Block], inherits: Inherits = is_inherited) -> None:
        self._inherits = inherits
        self._deepest = max((block.depth for block in blocks), default=0)
        self._found: defaultdict[tuple[str, int], list[_Candidate]] = defaultdict(list)
        for index, block in enumerate(blocks):
            for place, declaration in enumerate(block.declarations):
                candidate = _Candidate(rank(block, declaration, place), index, block, declaration)
                self._found[declaration.name, block.depth].append(candidate)

    def effective(self, name: str) -> list[tuple[int, str]]:
        """The declarations that make up the value of a longhand, deciding one first: (index of the block, name there).

        More than one only where one passes the decision on (`inherit`, `revert` …); empty if nothing is declared.
        """
        used: list[tuple[int, str]] = []
        for depth in range(1 + self._deepest):
            decided = list(_decided(self._candidates(name, depth)))
            used += [(each.index, each.declaration.name) for each in decided]
            final = decided[-1].declaration.value if decided else "unset"
            if final not in _PASSED_ON or not self._inherits(name):
                break
        return used

    def _candidates(self, name: str, depth: int) -> list[_Candidate]:
        """Strongest first."""
        found = self._found.get((name, depth), [])
        if not name.startswith("--") and name not in NOT_IN_ALL:
            found = [*found, *self._found.get(("all", depth), [])]
        return sorted(found, key=lambda each: each.rank, reverse=True)


def _decided(candidates: Iterable[_Candidate]) -> Iterator[_Candidate]:
    """The winner; and where it reverts, what it reverts to."""
    left = list(candidates)
    while left:
        winner = left.pop(0)
        yield winner
        rolled_back = _ROLLED_BACK.get(winner.declaration.value)
        if rolled_back is None:
            return
        left = [each for each in left if not rolled_back(winner, each)]


def _cascade_origin(block: Block) -> Origin:
    """Hints and animations are reverted with what the author says."""
    return block.origin if block.origin < Origin.HINTS else Origin.AUTHOR


def _layer(block: Block) -> tuple[Origin, int, bool, int]:
    return (block.origin, block.tree, block.attached, block.layer)


_PASSED_ON = ("inherit", "unset", "revert", "revert-layer", "revert-rule")
_ROLLED_BACK: dict[str, Callable[[_Candidate, _Candidate], bool]] = {
    # Also where it is important: what lies above then is rolled back too.
    "revert": lambda winner, other: _cascade_origin(other.block) >= _cascade_origin(winner.block),
    "revert-layer": lambda winner, other: _layer(other.block) >= _layer(winner.block),
    "revert-rule": lambda winner, other: winner.index == other.index,
}
"""What is left out after such a winner."""
