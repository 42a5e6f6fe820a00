"""The keys of the web console: codes that open it once, and tokens for as long as the companion lives."""

from __future__ import annotations

import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

CODE_SECONDS = 600.0
MAX_CODES = 20
MAX_TOKENS = 20


class ConsoleKeys:
    """Nothing of it is written down: all of it ends with the companion. `now()` in seconds, never going back."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._codes: OrderedDict[str, float] = OrderedDict()
        """With the time at which each expires, the oldest first."""
        self._tokens: OrderedDict[str, None] = OrderedDict()

    def new_code(self) -> str:
        """A code of 256 bits, good for one `enter` within ten minutes; past 20 the oldest is good no more."""
        self._forget_expired()
        while len(self._codes) >= MAX_CODES:
            self._codes.popitem(last=False)
        code = secrets.token_urlsafe(32)
        self._codes[code] = self._now() + CODE_SECONDS
        return code

    def enter(self, code: str) -> str | None:
        """A token for a code, which is spent with that; None for a wrong, spent or expired one.

        Past 20 tokens the oldest is revoked.
        """
        self._forget_expired()
        found = _among(code, self._codes)
        if found is None:
            return None
        del self._codes[found]
        while len(self._tokens) >= MAX_TOKENS:
            self._tokens.popitem(last=False)
        token = secrets.token_urlsafe(32)
        self._tokens[token] = None
        return token

    def holds(self, token: str) -> bool:
        """Whether it is the token of a console that may call."""
        return _among(token, self._tokens) is not None

    def _forget_expired(self) -> None:
        now = self._now()
        while self._codes and next(iter(self._codes.values())) <= now:
            self._codes.popitem(last=False)


def _among(given: str, known: Iterable[str]) -> str | None:
    """The one that it equals; how long that takes tells nothing of any of them."""
    # Bytes that are no UTF-8 arrive as surrogates.
    wanted, found = given.encode(errors="surrogatepass"), None
    for each in known:
        if hmac.compare_digest(wanted, each.encode()):
            found = each
    return found
