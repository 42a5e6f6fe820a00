"""Who wants to know when something happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVarTuple

What = TypeVarTuple("What")


class Signal(Generic[*What]):
    """Told within the step in which it happens: who listens must not wait, and may look around only after that step."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[*What], None]] = []

    def listen(self, listener: Callable[[*What], None]) -> Callable[[], None]:
        """Call it with what happens, from now on; what is returned ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, *what: *What) -> None:
        """It happens in this step."""
        for listener in list(self._listeners):
            listener(*what)
