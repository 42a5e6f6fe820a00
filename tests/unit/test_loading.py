"""What is loaded for good is no business of the garbage collector."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import gc
from pageside.processes.loading import loaded_for_good
collected = []
gc.callbacks.append(lambda phase, info: collected.append(phase))
gc.set_threshold(10)
with loaded_for_good():
    collected.clear()
    kept = [[] for _ in range(1000)]
    assert not collected
assert gc.isenabled()
assert gc.get_freeze_count() >= 1000
later = [[] for _ in range(100)]
assert collected
assert not {id(each) for each in kept} & {id(each) for each in gc.get_objects()}
gc.disable()
with loaded_for_good():
    pass
assert not gc.isenabled()
"""


def test_it_is_not_looked_at_while_it_is_loaded_nor_afterwards() -> None:
    """In a process of its own: what is frozen stays so."""
    subprocess.run([sys.executable, "-c", SCRIPT], check=True, timeout=30)
