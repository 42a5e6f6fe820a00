"""What `Regex` runs: reads a pattern, then lists of texts, as lines of JSON; answers which numbers fit.

It ends when nobody listens any more, and, where there are alarms, by itself when a text takes too long.
"""

from __future__ import annotations

import json
import re
import signal
import sys


def main() -> None:
    seconds = int(sys.argv[1])
    pattern: re.Pattern[str] | None = None
    for line in sys.stdin:
        question = json.loads(line)
        _alarm(seconds)
        if pattern is None:
            pattern = _compiled(question)
            _answer(pattern is not None)
        else:
            _answer([number for number, text in enumerate(question) if pattern.search(text)])
        _alarm(0)


def _alarm(seconds: int) -> None:
    if sys.platform != "win32":
        # Nobody handles it, so it ends the process even in the midst of a match.
        signal.alarm(seconds)


def _compiled(written: str) -> re.Pattern[str] | None:
    try:
        return re.compile(written, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError):
        return None


def _answer(told: object) -> None:
    sys.stdout.write(f"{json.dumps(told)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
