"""Rounds of one operation, interleaved and in rotated order, each effect looked at over another connection."""

from __future__ import annotations

import base64
import json
import struct
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.cdp import targets
from bench.operation import Operation
from bench.pages import Pages
from bench.servers import NoReference, Stand, Step

WARM_UP = 2
SCROLLBAR_PX = 16
"""Some show it in pictures, some do not."""
_PNG = b"\x89PNG"


@dataclass(slots=True)
class Row:
    """What one server did in the rounds of one operation."""

    ms: list[float] = field(default_factory=list)
    tokens: int = 0
    """Bytes of text in the last answer / 4; pictures are not in it."""
    picture_bytes: int = 0
    calls: int = 0
    """Calls that the operation takes."""
    tried: int = 0
    """Rounds; one that could not even be asked for has no time."""
    held: int = 0
    """Rounds in which the effect was there."""
    missed: str = ""
    """What was wrong the last time."""

    def json(self) -> dict[str, Any]:
        return asdict(self)


async def measured(
    operation: Operation, stands: Sequence[Stand], pages: Pages, rounds: int
) -> dict[str, Row]:
    """Rows by server; one that does not get ready for the operation is left out with a reason."""
    rows: dict[str, Row] = {}
    trials = []
    for stand in stands:
        trial = Trial(operation, stand, pages)
        if stand.raw is not None and operation.raw is None:
            continue
        try:
            await trial.begin()
            trials.append(trial)
            rows[stand.name] = trial.row
        except NoReference as error:
            rows[stand.name] = Row(missed=str(error)[:300])
    for number in range(WARM_UP + rounds):
        turn = number % len(trials)
        for trial in trials[turn:] + trials[:turn]:
            await trial.round(number >= WARM_UP)
    for trial in trials:
        await trial.steps(operation.end)
    return rows


class Trial:
    """One operation on one stand."""

    def __init__(self, operation: Operation, stand: Stand, pages: Pages) -> None:
        self.operation, self.stand, self.pages = operation, stand, pages
        self.row = Row()
        self._values: dict[str, str] = {}
        self._count = 0

    async def begin(self) -> None:
        """Open the page, and look at it where references are needed."""
        url = self.pages.url(self.operation.page)
        self._values = {"page": url}
        await self._open(url)
        await self.stand.watch(url)
        if self.operation.ready:
            await self.stand.witness.value(self.operation.ready)
        server = self.stand.server
        if server is not None and self.operation.look:
            await server.do([server.dialect.snapshot])
        self._fresh()
        await self.steps(self.operation.begin)

    async def _open(self, url: str) -> None:
        if self.stand.server is not None:
            answer = await self.stand.server.do([(self.stand.server.dialect.navigate, {"url": url})])
            if answer.failed:
                raise NoReference(answer.text)
        elif self.stand.raw is not None:
            async with self.stand.raw.expecting("Page.loadEventFired"):
                await self.stand.raw("Page.navigate", url=url)

    def _fresh(self) -> None:
        """Values of the next round."""
        self._count += 1
        if not (self.operation.begin and "second" in self._values):
            self._values |= {"second": self.pages.url("second")}
        self._values |= {"text": f"text {self._count}"}
        self._values |= {name: self.pages.url(name) for name in ("work", "10000")}

    async def steps(self, ways: Any) -> str:
        """Do what is not measured; what was said."""
        server = self.stand.server
        steps: Sequence[Step] = ways.get(server.dialect.name, ()) if server is not None else ()
        return (await server.do(steps, self._values)).text if server is not None and steps else ""

    async def round(self, counts: bool) -> None:
        self._fresh()
        self.row.tried += counts
        if self.operation.before:
            await self.stand.witness.value(self.operation.before)
        try:
            said, pictures, ms = await self._do()
        except NoReference as error:
            self.row.missed = str(error)[:300]
            return
        wrong = await self._wrong(said, pictures)
        after = await self.steps(self.operation.after)
        if self.stand.raw is not None and self.operation.raw_after is not None:
            await self.operation.raw_after(self.stand.raw, self._values)
        if self.operation.proof and self.operation.proof not in after:
            wrong = wrong or "the next call went elsewhere"
        if counts:
            self.row.ms.append(ms)
            self.row.tokens = len(said.encode()) // 4
            self.row.picture_bytes = sum(len(each) for each in pictures) * 3 // 4
            self.row.held += not wrong
            self.row.missed = wrong or self.row.missed

    async def _do(self) -> tuple[str, list[str], float]:
        server, operation = self.stand.server, self.operation
        if server is not None:
            steps = operation.ways[server.dialect.name]
            self.row.calls = len(steps)
            answer = await server.do(steps, self._values)
            return ("FAILED " if answer.failed else "") + answer.text, answer.images, answer.ms
        assert self.stand.raw is not None
        assert operation.raw is not None
        start = time.perf_counter()
        picture = await operation.raw(self.stand.raw, self._values)
        return "", [picture] if picture else [], (time.perf_counter() - start) * 1000

    async def _wrong(self, said: str, pictures: list[str]) -> str:
        """What is not as it must be; '' if all is."""
        operation, witness = self.operation, self.stand.witness
        if said.startswith("FAILED"):
            return said[:300]
        if operation.holds:
            expression = operation.holds.replace("{text}", json.dumps(self._values["text"]))
            if await witness.value(expression) is not True:
                return f"not true: {expression[:100]}"
        missing = [part for part in operation.says if part not in said] if self.stand.server else []
        if missing:
            return f"not said: {missing}"
        if operation.serves:
            return await self._unserved()
        return await self._wrong_size(pictures) if operation.size else ""

    async def _unserved(self) -> str:
        """The tab was opened, which its server knows, and is gone again."""
        url = self._values[self.operation.serves]
        if url not in self.pages.asked:
            return f"{url} was never asked for"
        left = [each["url"] for each in await targets(self.stand.observer) if each["url"] == url]
        return f"{url} is still open" if left else ""

    async def _wrong_size(self, pictures: list[str]) -> str:
        if not pictures:
            return "no picture"
        wanted = await self.stand.witness.value(self.operation.size)
        data = base64.b64decode(pictures[0])
        kind = "PNG" if data.startswith(_PNG) else "JPEG"
        if kind not in self.operation.name:
            return f"a {kind} of {len(data)} bytes"
        size = picture_size(data)
        near = abs(size[0] - wanted[0]) <= SCROLLBAR_PX and abs(size[1] - wanted[1]) <= 2
        return "" if near else f"{size[0]}x{size[1]} instead of {wanted[0]}x{wanted[1]}"


def picture_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels of a PNG or JPEG."""
    if data.startswith(_PNG):
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    at = 2
    while data[at] == 0xFF and at + 9 < len(data):
        kind, length = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return 0, 0
