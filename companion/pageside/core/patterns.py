"""What an agent looks for in messages: a text, or a regular expression. What fits either way is meant."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SLASHED = re.compile(r"/(.+)/[dgimsuvy]{0,8}", re.DOTALL)
_SPECIAL = frozenset(r".^$*+?{}[]\|()")


@dataclass(frozen=True, slots=True)
class Pattern:
    """`text` to look for; `expression` to try as well, where it says more than the text does. Case is ignored."""

    text: str
    expression: str | None

    def is_in(self, message: str) -> bool:
        """Whether the message has the text in it; the expression is somebody else's to try."""
        return self.text.casefold() in message.casefold()


def parse_pattern(written: str) -> Pattern:
    """Of `/…/` and `/…/i`, as in JavaScript, what is between the slashes is the expression."""
    slashed = _SLASHED.fullmatch(written)
    expression = slashed[1] if slashed else written
    if _SPECIAL.isdisjoint(expression):
        return Pattern(expression, None)
    return Pattern(written, expression)
