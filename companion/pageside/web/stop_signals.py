"""Signals that ask a process to end."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress


def stop_on_signals(stop: asyncio.Event) -> None:
    """Set `stop` at SIGINT, SIGTERM and SIGHUP."""
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None:
            continue
        with suppress(NotImplementedError):  # Windows: Ctrl-C arrives as KeyboardInterrupt
            loop.add_signal_handler(number, stop.set)
