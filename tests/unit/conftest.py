"""Property tests: no time limit for an example (two busy cores), the same examples in every run of the check."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("pageside", deadline=None, max_examples=100, derandomize=True)
settings.load_profile("pageside")
