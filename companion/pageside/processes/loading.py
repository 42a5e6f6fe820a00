"""Loading what a process keeps until it ends."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loaded_for_good() -> Iterator[None]:
    """Around imports: the garbage collector looks neither now nor later at what they make.

    A companion imports some 100,000 objects. To look at them again and again takes a tenth of its start, and later
    holds up a call now and then for as long as ten calls take.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()
