"""An event loop in a thread of its own for apps that have none: it answers on Pageside's paths; no app waits for it.

Only an app with Pageside on imports this, for it takes longer to import than many an app.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import threading
from collections.abc import AsyncGenerator, Coroutine
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, TypeVar

from pageside.errors import ShuttingDown
from pageside.middleware.door import Door
from pageside.middleware.exchange import Answer, Asked
from pageside.middleware.options import Options

log = logging.getLogger("pageside")

STOP_SECONDS = 2.0
T = TypeVar("T")


class Side:
    """An event loop in a thread of its own, with the door in it."""

    def __init__(self, options: Options) -> None:
        self.pid = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._gate = threading.Lock()
        self._is_stopped = False
        self._thread = threading.Thread(target=self._run, name="pageside", daemon=True)
        self._thread.start()
        self._door = self._wait(_new_door(options))
        # Before threads are joined and modules taken down.
        atexit.register(self.stop)

    def serves(self, url: str) -> None:
        """The app is reached there; nobody waits for what that brings about."""
        with self._gate:
            if not self._is_stopped:
                self._loop.call_soon_threadsafe(self._told, url)

    def answer(self, asked: Asked) -> Answer:
        """What the door answers; `ShuttingDown` once `stop()` was called."""
        return self._wait(self._door.answer(asked))

    def streamed(self, stream: AsyncGenerator[bytes]) -> Streamed:
        """An answer's stream as WSGI servers read it."""
        return Streamed(self, stream)

    def next(self, stream: AsyncGenerator[bytes]) -> bytes | None:
        """The next chunk; None at the end, which `stop()` is too."""
        with suppress(ShuttingDown):
            return self._wait(_next(stream))
        return None

    def close(self, stream: AsyncGenerator[bytes]) -> None:
        """Let go of what the stream holds; `stop()` has done so already."""
        with suppress(ShuttingDown):
            self._wait(_close(stream))

    def _told(self, url: str) -> None:
        self._door.link.serves(url)
        self._door.link.start()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        # What is handed over before `stop()` is awaited or cancelled by it: no server's thread waits for ever.
        with self._gate:
            if self._is_stopped:
                work.close()
                raise ShuttingDown("The app is stopping.")
            waiting = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return waiting.result()
        except CancelledError:
            raise ShuttingDown("The app is stopping.") from None

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def stop(self) -> None:
        """End the thread; nothing to do in a fork, which has none."""
        if self.pid != os.getpid():
            return
        with self._gate:
            if self._is_stopped:
                return
            self._is_stopped = True
            closing = asyncio.run_coroutine_threadsafe(self._end(), self._loop)
        atexit.unregister(self.stop)
        try:
            closing.result(STOP_SECONDS)
        except TimeoutError:
            log.debug("the middleware's event loop did not end in time")
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(STOP_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    async def _end(self) -> None:
        try:
            await self._door.close()
        finally:
            left = asyncio.all_tasks() - {asyncio.current_task()}
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
            await self._loop.shutdown_asyncgens()


async def _new_door(options: Options) -> Door:
    return Door(options)


async def _next(stream: AsyncGenerator[bytes]) -> bytes | None:
    return await anext(stream, None)


async def _close(stream: AsyncGenerator[bytes]) -> None:
    await stream.aclose()


class Streamed:
    """An answer that comes as the companion writes it."""

    def __init__(self, side: Side, stream: AsyncGenerator[bytes]) -> None:
        self._side, self._stream = side, stream

    def __iter__(self) -> Streamed:
        return self

    def __next__(self) -> bytes:
        chunk = self._side.next(self._stream)
        if chunk is None:
            raise StopIteration
        return chunk

    def close(self) -> None:
        """The client has gone, or all is sent."""
        self._side.close(self._stream)
