"""Who wants to know that something changed; what it was, they look up themselves."""

from __future__ import annotations

from collections.abc import Callable


class Changes:
    """Told of within the step in which they happen: who listens must not wait, and may look only after that step."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call it whenever something changes, from now on; what is returned ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self) -> None:
        """Something changes in this step."""
        for listener in list(self._listeners):
            listener()
