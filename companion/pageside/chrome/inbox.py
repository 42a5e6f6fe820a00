"""From the receive thread to the loop: messages and at last the end, in the order in which they came."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import threading
from collections.abc import Callable
from typing import Any, Self

BATCH = 200
"""Messages that are delivered before the loop may do something else."""
MAX_WAITING = 50_000
"""Messages that the loop has not taken yet; then the receive thread waits, and Chrome with it."""
MAX_WAITING_SIZE = 64_000_000
"""The same for their size as JSON, in characters; a single message may be larger."""
ROOM_SECONDS = 60.0

Message = dict[str, Any]


class Inbox:
    """Stands where pychrome keeps its event queue and its queues per call."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        deliver: Callable[[Message], None],
        ended: Callable[[str], None],
        size: Callable[[], int],
    ) -> None:
        """`deliver` and `ended` are called on the loop; `size()` is that of the message just received."""
        self._loop, self._deliver, self._ended, self._size = loop, deliver, ended, size
        self._waiting: collections.deque[tuple[Message | str, int]] = collections.deque()
        self._waiting_size = 0
        self._awake = False
        self._lock = threading.Lock()
        self._room = threading.Event()
        self._room.set()

    # What pychrome asks of `method_results`

    def __contains__(self, call_id: object) -> bool:
        return True

    def __getitem__(self, call_id: object) -> Self:
        return self

    # On the receive thread

    def put(self, message: Message) -> None:
        if not isinstance(message, dict):
            raise ValueError("a message of Chrome is no JSON object")
        self._room.wait(ROOM_SECONDS)
        self._add(message, self._size())

    def end(self, reason: str) -> None:
        """Nothing comes after this."""
        # The loop may be closed already.
        with contextlib.suppress(RuntimeError):
            self._add(reason, 0)

    def _add(self, item: Message | str, size: int) -> None:
        with self._lock:
            self._waiting.append((item, size))
            self._waiting_size += size
            if self._is_full():
                self._room.clear()
            wake, self._awake = not self._awake, True
        if wake:
            self._loop.call_soon_threadsafe(self._drain)

    def _is_full(self) -> bool:
        return len(self._waiting) >= MAX_WAITING or self._waiting_size >= MAX_WAITING_SIZE

    # On the loop

    def let_go(self) -> None:
        """The connection ends: nobody has to wait for room any more."""
        self._room.set()

    def _drain(self) -> None:
        with self._lock:
            batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
            self._waiting_size -= sum(size for _, size in batch)
            self._awake = bool(self._waiting)
            if not self._is_full():
                self._room.set()
        if self._awake:
            self._loop.call_soon(self._drain)
        for item, _ in batch:
            if isinstance(item, str):
                self._ended(item)
            else:
                self._deliver(item)
