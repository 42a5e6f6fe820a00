"""`python -m soak.companion <descriptor> serve …`: Pageside's command, and a witness in its process.

SIGUSR1: how many tasks and timers its loop has. SIGUSR2: how many objects of Pageside's classes there are, and how
much they hold. Each is answered by a line of JSON on the descriptor. The product itself has no such door.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sized
from typing import Any

from pageside.cli import main


def tasks() -> dict[str, Any]:
    """The loop's tasks by what they run, and how many callbacks it has scheduled."""
    loop = asyncio.get_running_loop()
    names = Counter(_name(task) for task in asyncio.all_tasks(loop))
    return {"tasks": dict(names), "timers": len(getattr(loop, "_scheduled", ()))}


def _name(task: asyncio.Task[Any]) -> str:
    return str(getattr(task.get_coro(), "__qualname__", task.get_name()))


def census() -> dict[str, int]:
    """`Class` → how many there are, and `Class.attribute` → how many things all of them hold there together."""
    gc.collect()
    found: Counter[str] = Counter()
    for each in gc.get_objects():
        kind = type(each)
        if str(kind.__module__).startswith("pageside"):
            found[kind.__qualname__] += 1
            for name, value in _attributes(each):
                found[f"{kind.__qualname__}.{name}"] += len(value)
    return dict(found) | {"objects": len(gc.get_objects())}


def _attributes(each: object) -> Iterator[tuple[str, Sized]]:
    """Its containers, whether it has a `__dict__` or slots."""
    slots = [name for kind in type(each).__mro__ for name in getattr(kind, "__slots__", ())]
    for name in [*getattr(each, "__dict__", ()), *slots]:
        value = getattr(each, name, None) if isinstance(name, str) else None
        if isinstance(value, Sized) and not isinstance(value, str):
            yield name, value


def watch(descriptor: int) -> None:
    """Answer the two signals from now on."""

    def say(what: Any) -> None:
        with os.fdopen(os.dup(descriptor), "w", encoding="utf-8") as file:
            file.write(json.dumps(what) + "\n")

    signal.signal(signal.SIGUSR1, lambda *_: say(tasks()))
    signal.signal(signal.SIGUSR2, lambda *_: say(census()))


if __name__ == "__main__":
    watch(int(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
