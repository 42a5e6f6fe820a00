"""Loads what a page refers to, as the page itself would (its cookies, its server), and the source maps of it."""

from __future__ import annotations

import asyncio
import base64
import codecs
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from urllib.parse import urljoin

from pageside.chrome.session import Session
from pageside.chrome.sourcemap import BadSourceMap, SourceMap, decode_data_url, mapping_url, parse
from pageside.errors import ChromeError, CommandTimeout

log = logging.getLogger(__name__)

MAX_BYTES = 30_000_000
"""Larger files are not loaded."""
_CHUNK = 1 << 20
_SECONDS = 8.0
_KEPT_MAPS = 128


async def load_text(session: Session, frame_id: str | None, url: str) -> str:
    """The text behind a URL, fetched by Chrome with the page's cookies; raises `ChromeError` if it cannot be had.

    `frame_id` is the frame in whose name it is fetched; None only for sessions of workers.
    """
    if url.startswith("data:"):
        try:
            return decode_data_url(url)
        except BadSourceMap as error:
            raise ChromeError(str(error)) from None
    frame = {"frameId": frame_id} if frame_id else {}
    answer = await session(
        "Network.loadNetworkResource",
        seconds=_SECONDS,
        url=url,
        options={"disableCache": False, "includeCredentials": True},
        **frame,
    )
    resource = answer["resource"]
    if not resource.get("success"):
        status = resource.get("httpStatusCode")
        why = f"HTTP {status:g}" if status else resource.get("netErrorName")
        raise ChromeError(f"{url[:300]} cannot be loaded: {why}.", data={"url": url[:300]})
    try:
        return await _read(session, resource["stream"], url)
    finally:
        await session("IO.close", handle=resource["stream"])


async def _read(session: Session, stream: str, url: str) -> str:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    texts: list[str] = []
    size = 0
    while True:
        chunk = await session("IO.read", handle=stream, size=_CHUNK)
        raw = base64.b64decode(chunk["data"]) if chunk.get("base64Encoded") else chunk["data"].encode()
        size += len(raw)
        if size > MAX_BYTES:
            raise ChromeError(f"{url[:300]} is larger than {MAX_BYTES} bytes.", data={"url": url[:300]})
        texts.append(decoder.decode(raw, final=bool(chunk["eof"])))
        if chunk["eof"]:
            return "".join(texts)


class Maps:
    """The source maps of one tab; each is loaded and read once, also when it turned out to be none."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[tuple[str, str], asyncio.Task[SourceMap | None]] = OrderedDict()

    def forget(self) -> None:
        """The tab shows something else: files may have changed under the same URLs."""
        self._tasks.clear()

    async def of_script(self, session: Session, frame_id: str | None, url: str) -> SourceMap | None:
        """The map of the script of that URL, named by its own `//# sourceMappingURL=`; None if it has none."""

        async def find() -> SourceMap | None:
            named = mapping_url(await load_text(session, frame_id, url))
            return await _load_map(session, frame_id, url, named) if named else None

        return await self._once(("script", url), find) if url.startswith(("http", "file")) else None

    def loaded(self, url: str) -> SourceMap | None:
        """The map of a script, if it was loaded already."""
        task = self._tasks.get(("script", url))
        return task.result() if task is not None and task.done() and not task.cancelled() else None

    async def of_sheet(
        self, session: Session, frame_id: str | None, sheet_id: str, base: str, map_url: str
    ) -> SourceMap | None:
        """The map of a style sheet, as its header in CDP names it; `base` is the sheet's own URL."""
        return await self._once(
            (f"sheet {session.id}", sheet_id), lambda: _load_map(session, frame_id, base, map_url)
        )

    async def _once(
        self, key: tuple[str, str], find: Callable[[], Awaitable[SourceMap | None]]
    ) -> SourceMap | None:
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(_or_none(key, find))
            while len(self._tasks) > _KEPT_MAPS:
                self._tasks.popitem(last=False)
        # Shielded: others wait for it too, and one of them may give up.
        return await asyncio.shield(task)


async def _or_none(key: tuple[str, str], find: Callable[[], Awaitable[SourceMap | None]]) -> SourceMap | None:
    """What cannot be mapped is shown as Chrome has it."""
    try:
        return await find()
    except (ChromeError, CommandTimeout, BadSourceMap) as error:
        log.debug("no source map for %s: %s", key[1][:300], error)
        return None


async def _load_map(session: Session, frame_id: str | None, base: str, named: str) -> SourceMap:
    if named.startswith("data:"):
        return await asyncio.to_thread(parse, named, base)
    url = urljoin(base, named)
    return await asyncio.to_thread(parse, await load_text(session, frame_id, url), url)
