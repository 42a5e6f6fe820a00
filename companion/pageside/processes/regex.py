"""Looks for a regular expression in texts, in a process of its own.

Python's `re` cannot be interrupted and lets no other thread run, and a pattern of an agent may take for ever; a
process can be ended.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pageside.errors import InvalidArguments

log = logging.getLogger(__name__)

MATCH_SECONDS = 2
"""For one look at all the texts there are."""
START_SECONDS = 10.0
_PROGRAM = Path(__file__).with_name("regex_program.py")
_MAX_ANSWER_BYTES = 1 << 24


class Regex:
    """`async with Regex(pattern) as regex: await regex.fits(texts)`; the process begins with the first texts."""

    def __init__(self, pattern: str, *, seconds: int = MATCH_SECONDS) -> None:
        self._pattern, self._seconds = pattern, seconds
        self._process: asyncio.subprocess.Process | None = None
        self._is_valid = True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            if not self.is_over:
                self._process.kill()
            # Also ends the transport; a process that is killed takes no time.
            await asyncio.shield(asyncio.ensure_future(self._process.communicate()))

    @property
    def is_over(self) -> bool:
        """Whether there is no process, or it has ended."""
        return self._process is None or self._process.returncode is not None

    async def fits(self, texts: Sequence[str]) -> list[bool]:
        """Which texts have a match, case ignored; none if it is no regular expression.

        Raises `InvalidArguments` when looking takes longer than `seconds`.
        """
        if self._process is None and self._is_valid and texts:
            self._process = await self._start()
            self._is_valid = bool(await self._ask(self._pattern, START_SECONDS))
        if not self._is_valid or not texts:
            return [False] * len(texts)
        fitting = set(await self._ask(list(texts), self._seconds + 1.0))
        return [number in fitting for number in range(len(texts))]

    async def _start(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", str(_PROGRAM), str(self._seconds)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_MAX_ANSWER_BYTES,
        )

    async def _ask(self, question: object, seconds: float) -> Any:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(seconds):
                self._process.stdin.write(json.dumps(question).encode() + b"\n")
                await self._process.stdin.drain()
                answer = await self._process.stdout.readline()
        except (TimeoutError, ConnectionError):
            answer = b""
        if not answer:
            raise InvalidArguments(
                f"'pattern': the regular expression took longer than {self._seconds} s.",
                data={"argument": "pattern"},
                fix="Use a simpler one, without a repetition inside a repetition, or a plain text.",
            )
        return json.loads(answer)
