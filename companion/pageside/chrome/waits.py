"""Waiting until a text or a selector is seen in a tab, or is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from pageside.chrome.acting import MARGIN_SECONDS
from pageside.chrome.documents import call
from pageside.chrome.find import documents, selector_error
from pageside.chrome.session import CommandFailed
from pageside.chrome.tab import Tab
from pageside.errors import CommandTimeout, ElementNotFound, PagesideError, TabDisconnected


async def until_seen(
    tab: Tab,
    *,
    texts: Sequence[str] = (),
    selector: str | None = None,
    gone: bool = False,
    seconds: float = 10.0,
) -> str | None:
    """The text or selector that is seen now (None: all are gone); raises `CommandTimeout`.

    Looks into every frame, and goes on through navigations.
    """
    wanted = {"texts": list(texts), "gone": gone, **({"selector": selector} if selector else {})}
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while (left := deadline - loop.time()) > 0:
        found = await _round(tab, wanted, min(left, 0.5), everywhere=gone)
        if found is not None:
            return None if found is True else str(found)
    what = f"selector {selector!r}" if selector else " or ".join(map(repr, texts))
    verb = "go away" if gone else "appear"
    raise CommandTimeout(
        f"{what} did not {verb} within {seconds:g} s.",
        fix="Look at the page (take_snapshot), then wait for what it will show.",
    )


async def _round(tab: Tab, wanted: dict[str, Any], seconds: float, *, everywhere: bool) -> str | bool | None:
    """Half a second at a time in all frames, so that a navigation costs one round at most."""
    asks: set[asyncio.Task[Any]] = set()
    try:
        async for document in documents(tab):
            ask = call(document, "waitFor", wanted, round(seconds * 1000), seconds=seconds + MARGIN_SECONDS)
            asks.add(asyncio.ensure_future(ask))
        total = len(asks)
        found: list[str | bool] = []
        while asks:
            ended, asks = await asyncio.wait(asks, return_when=asyncio.FIRST_COMPLETED)
            found += [answer for answer in map(_answer, ended) if answer is not None]
            if found and (not everywhere or len(found) == total):
                return found[0]
    except PagesideError as error:
        if tab.session.broken is not None or not _may_pass(error):
            raise selector_error(f"selector {wanted.get('selector')!r}", error) from None
        # The document was replaced: the next round asks the new one.
        await asyncio.sleep(0.02)
    finally:
        for waiting in asks:
            waiting.cancel()
        await asyncio.gather(*asks, return_exceptions=True)
    return None


def _may_pass(error: PagesideError) -> bool:
    """Documents and frames come and go while one waits; everything else ends the wait."""
    return isinstance(error, CommandFailed | CommandTimeout | TabDisconnected | ElementNotFound)


def _answer(ask: asyncio.Task[Any]) -> Any:
    error = ask.exception()
    if error is not None:
        raise error
    return ask.result()
