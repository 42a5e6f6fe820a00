"""Is it true, and is it seen? Clicks whose effect comes late, and what the agent's next look shows.

Each try is made without thinking between click and look, and with a second of it. Without thinking the servers take
turns, so that times are theirs; with thinking they run side by side, for only the truth counts then.
"""

from __future__ import annotations

import asyncio
import re
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.cdp import CdpError, targets
from bench.pages import Pages
from bench.servers import Answer, NoReference, Stand
from bench.situations import Made, Situation, make

THINKING_SECONDS = 1.0


@dataclass(slots=True)
class Found:
    """What one server did with one situation, in so many tries."""

    tries: int = 0
    seen: int = 0
    """The agent was told, by the next look or by the answer itself."""
    true: int = 0
    """It was so in the page, over the independent connection, at that moment."""
    click_ms: list[float] = field(default_factory=list)
    look_ms: list[float] = field(default_factory=list)
    missed: str = ""

    def json(self) -> dict[str, Any]:
        return asdict(self)

    def summary(self) -> str:
        """For the terminal."""
        click, look = statistics.median(self.click_ms), statistics.median(self.look_ms)
        return f"seen {self.seen}/{self.tries} true {self.true}/{self.tries} click {click:.0f} look {look:.0f} ms"


async def situation(
    one: Situation, stands: Sequence[Stand], pages: Pages, tries: int, *, thinking: bool
) -> dict[str, Found]:
    """What each server did."""
    found = {stand.name: Found() for stand in stands}
    made = make(one, pages.site)
    for number in range(tries):
        turn = number % len(stands)
        order = [*stands[turn:], *stands[:turn]]
        if thinking:
            await asyncio.gather(*(_attempt(made, stand, found[stand.name], True) for stand in order))
        else:
            for stand in order:
                await _attempt(made, stand, found[stand.name], False)
    return found


async def _attempt(made: Made, stand: Stand, found: Found, thinking: bool) -> None:
    found.tries += 1
    server = stand.server
    assert server is not None
    url = made.fresh_url()
    await server.do([(server.dialect.navigate, {"url": url}), server.dialect.snapshot])
    await stand.watch(url)
    before = {each["targetId"] for each in await targets(stand.observer)}
    dialogs: list[str] = []
    stop = stand.observer.listen(
        lambda session, event, _params: (
            dialogs.append(session) if event == "Page.javascriptDialogOpening" else None
        )
    )
    try:
        if made.situation.start:
            await stand.witness.value(made.situation.start)
        clicked = await server.do([_click(stand)])
        found.click_ms.append(clicked.ms)
        if thinking:
            await asyncio.sleep(THINKING_SECONDS)
        looked = Answer() if dialogs else await server.do([server.dialect.snapshot])
        found.look_ms.append(looked.ms)
        await _judge(made, stand, found, clicked, looked.text, bool(dialogs), before)
    except NoReference as error:
        found.missed = str(error)[:300]
    finally:
        stop()
        await _tidy(stand, bool(dialogs), before)


def _click(stand: Stand) -> tuple[str, dict[str, Any]]:
    assert stand.server is not None
    named = {"uid": '@element:button "Go"'}
    ways = {
        "pageside": ("chrome_click", named),
        "chrome-devtools-mcp": ("click", named),
        "@playwright/mcp": ("browser_click", {"target": named["uid"]}),
    }
    return ways[stand.server.dialect.name]


async def _judge(
    made: Made,
    stand: Stand,
    found: Found,
    clicked: Answer,
    looked: str,
    dialog: bool,
    before: set[str],
) -> None:
    one = made.situation
    if one.kind == "dialog":
        true, seen = dialog, bool(re.search(r"dialog|alert", clicked.text, re.IGNORECASE))
    elif one.kind == "tab":
        true = bool({each["targetId"] for each in await targets(stand.observer)} - before)
        seen = bool(re.search(f"opened page|{made.path}", clicked.text))
    elif one.kind == "refused":
        true = await _holds(stand, "!window.clicked")
        seen = clicked.failed
    else:
        true = await _holds(stand, one.holds)
        seen = one.shows in looked
    found.true += true
    found.seen += seen
    if not (true and seen):
        found.missed = f"true {true}, seen {seen}: {clicked.text[:200]!r} then {looked[:200]!r}"


async def _holds(stand: Stand, expression: str) -> bool:
    try:
        return await stand.witness.value(expression) is True
    except CdpError:
        # The document is being replaced: not yet.
        return False


async def _tidy(stand: Stand, dialog: bool, before: set[str]) -> None:
    """No dialog and no new tab may meet the next try."""
    if dialog:
        try:
            await stand.witness("Page.handleJavaScriptDialog", accept=True)
        except CdpError as error:
            # The server may have answered it itself.
            if "No dialog" not in str(error):
                raise
    for each in await targets(stand.observer):
        if each["targetId"] not in before:
            await stand.observer.send("Target.closeTarget", targetId=each["targetId"])
