"""A page as the wire sees it: real sockets, the protocol of `docs/protocol.md`, no browser."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Protocol, Self

import aiohttp

from pageside.contract import CHANNEL


class Served(Protocol):
    """What a page must know of its companion, which its dev server's plugin knows from the registry."""

    @property
    def url(self) -> str: ...
    @property
    def page_token(self) -> str: ...


Tool = Callable[[dict[str, Any]], Awaitable[Any]]
PREFIX: str = CHANNEL["prefix"]
ROUTES: dict[str, str] = CHANNEL["routes"]


async def _finds_nothing(_args: dict[str, Any]) -> Any:
    return {"found": "lost"}


class WirePage:
    """Opens a stream and connects; answers calls with `tools`, and keeps those it has no tool for in `calls`.

    Agents' reads look for the element of an inspection again: without a tool for it, it is lost.
    """

    def __init__(
        self,
        companion: Served,
        url: str = "http://localhost:5173/",
        title: str = "Shop",
        *,
        joins: bool = True,
    ) -> None:
        """`joins`: open and connect at `async with`; else that is left to the test."""
        self._joins, self._joined = joins, False
        self.id = secrets.token_urlsafe(16)
        self.channel = secrets.token_urlsafe(16)
        self.key = secrets.token_urlsafe(16)
        self.url, self.title, self.visible = url, title, True
        self.tools: dict[str, Tool] = {}
        self.calls: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.cancels: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.items: asyncio.Queue[list[dict[str, Any]]] = asyncio.Queue()
        self.activity: asyncio.Queue[list[dict[str, Any]]] = asyncio.Queue()
        self.brakes: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.session = aiohttp.ClientSession(
            companion.url,
            headers={CHANNEL["headers"]["pageToken"]: companion.page_token},
            timeout=aiohttp.ClientTimeout(total=None),
        )
        self._reader: asyncio.Task[None] | None = None
        self._answers: set[asyncio.Task[None]] = set()
        self.ended = asyncio.Event()

    async def open(self, replaces: str | list[str] | None = None, **more: Any) -> dict[str, Any]:
        """Open the stream, connect, and return what `connect` answered. May be done again: the document is the same."""
        await self.open_stream()
        return await self.connect(replaces=replaces, **more)

    async def open_stream(self) -> dict[str, Any]:
        """Open the stream and return what `hello` says."""
        hello: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self.ended = asyncio.Event()
        self._reader = asyncio.create_task(self._read(hello, self.ended))
        return await asyncio.wait_for(hello, 5)

    async def drop_stream(self) -> None:
        """The stream is lost; the document lives on."""
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)

    async def connect(self, *, replaces: str | list[str] | None = None, **more: Any) -> dict[str, Any]:
        body = {
            "page": self.id,
            "key": self.key,
            "channel": self.channel,
            "info": self.info(),
            "changes": [],
            "known": {},
            **({} if self._joined else {"age": 0}),
            **({"replaces": [replaces]} if isinstance(replaces, str) else {"replaces": replaces or []}),
            **more,
        }
        answer: dict[str, Any]
        status, answer = await self.post("connect", body)
        assert status == 200, answer
        self._joined = True
        return answer

    def info(self) -> dict[str, Any]:
        viewport = {"width": 1280, "height": 720, "devicePixelRatio": 1}
        return {
            "url": self.url,
            "title": self.title,
            "visible": self.visible,
            "focused": True,
            "viewport": viewport,
            "userAgent": "test",
        }

    async def post(self, route: str, body: dict[str, Any]) -> tuple[int, Any]:
        async with self.session.post(PREFIX + ROUTES[route], json=body) as response:
            text = await response.text()
            return response.status, json.loads(text) if text else None

    async def send(self, route: str, **body: Any) -> tuple[int, Any]:
        """POST with this page's id and key."""
        return await self.post(route, {"page": self.id, "key": self.key, **body})

    async def answer(self, call: dict[str, Any], result: Any) -> int:
        status, _ = await self.send("answer", id=call["id"], result=result)
        return status

    async def fail(self, call: dict[str, Any], code: str, message: str) -> int:
        status, _ = await self.send("answer", id=call["id"], error={"code": code, "message": message})
        return status

    async def note(self, description: str, **fields: Any) -> str:
        """The user makes an inspection; its id."""
        change = self.creation(description, **fields)
        status, answer = await self.send("changes", changes=[change])
        assert (status, answer["results"][0]["ok"]) == (200, True), answer
        return str(change["item"]["id"])

    def creation(self, description: str, **fields: Any) -> dict[str, Any]:
        """What a page sends when the user makes an inspection."""
        item = {
            "id": secrets.token_urlsafe(8),
            "description": description,
            "sourceInfo": {"file": "src/App.tsx", "line": 12, "column": 7, "component": "App"},
            "selector": "#buy",
            "url": self.url,
            "title": self.title,
            **fields,
        }
        return {"change": secrets.token_urlsafe(8), "at": 1, "kind": "create", "item": item}

    async def change(self, *changes: dict[str, Any]) -> list[dict[str, Any]]:
        """The user changes something; what came of each."""
        status, answer = await self.send("changes", changes=list(changes))
        assert status == 200, answer
        return list(answer["results"])

    async def _read(self, hello: asyncio.Future[dict[str, Any]], ended: asyncio.Event) -> None:
        url = f"{PREFIX}{ROUTES['stream']}?channel={self.channel}"
        try:
            async with self.session.get(url) as response:
                assert response.status == 200, await response.text()
                event = ""
                async for raw in response.content:
                    line = raw.decode().rstrip("\n")
                    if line.startswith("event: "):
                        event = line.removeprefix("event: ")
                    elif line.startswith("data: ") and event == "hello":
                        hello.set_result(json.loads(line.removeprefix("data: ")))
                    elif line.startswith("data: "):
                        self._take(event, json.loads(line.removeprefix("data: ")))
        except aiohttp.ClientError:
            ended.set()
        ended.set()

    def _take(self, event: str, data: dict[str, Any]) -> None:
        if event == "cancel":
            self.cancels.put_nowait(data)
        elif event == "inspections":
            self.items.put_nowait(data["items"])
        elif event == "activity":
            self.activity.put_nowait(data["entries"])
        elif event == "brakes":
            self.brakes.put_nowait(data)
        elif data["tool"] in {"find_element", *self.tools}:
            task = asyncio.create_task(self._run(data))
            self._answers.add(task)
            task.add_done_callback(self._answers.discard)
        else:
            self.calls.put_nowait(data)

    async def _run(self, call: dict[str, Any]) -> None:
        tool = self.tools.get(call["tool"], _finds_nothing)
        await self.answer(call, await tool(call["args"]))

    async def next_call(self) -> dict[str, Any]:
        return await asyncio.wait_for(self.calls.get(), 5)

    async def next_cancel(self) -> dict[str, Any]:
        return await asyncio.wait_for(self.cancels.get(), 5)

    async def next_items(self) -> list[dict[str, Any]]:
        return await asyncio.wait_for(self.items.get(), 5)

    async def vanish(self) -> None:
        """The socket ends without a word."""
        await self.drop_stream()
        for task in self._answers:
            task.cancel()
        await self.session.close()

    async def __aenter__(self) -> Self:
        if self._joins:
            await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.vanish()
