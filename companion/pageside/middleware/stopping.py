"""Hearing in time that the app's server is told to stop: it waits for all answers to end, and streams never do."""

from __future__ import annotations

import asyncio
import signal
import threading
import weakref
from collections.abc import Callable
from types import FrameType

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_callbacks: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, list[weakref.WeakMethod[Callable[[], None]]]]
_callbacks = weakref.WeakKeyDictionary()


def before_stop(loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
    """Call the method in the loop at a signal that stops the process, before the server's own handler runs.

    Only where the server has a handler and runs in the main thread; elsewhere the process just ends.
    """
    _callbacks.setdefault(loop, []).append(weakref.WeakMethod(callback))
    if threading.current_thread() is not threading.main_thread():
        return
    for number in _SIGNALS:
        before = signal.getsignal(number)
        if callable(before) and not isinstance(before, _Telling):
            signal.signal(number, _Telling(before))


class _Telling:
    """Tells the streams to end, then does what was done before."""

    def __init__(self, before: Callable[[int, FrameType | None], object]) -> None:
        self._before = before

    def __call__(self, number: int, frame: FrameType | None) -> None:
        for loop, methods in list(_callbacks.items()):
            if not loop.is_closed():
                for method in methods:
                    loop.call_soon_threadsafe(_call, method)
        self._before(number, frame)


def _call(method: weakref.WeakMethod[Callable[[], None]]) -> None:
    callback = method()
    if callback is not None:
        callback()
