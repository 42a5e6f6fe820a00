"""The simple way to check what an edit did: wait, then read the console."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pageside.core.dates import iso_time
from pageside.core.timeline import Entry
from pageside.operations.read_news import CONSOLE, console_news
from pageside.operations.updates import told
from pageside.operations.wait_and_check import wait_and_check as wait
from pageside.toolsets.base import Answer, Args, Context
from pageside.toolsets.relay_records import message_rows
from pageside.toolsets.relay_tab import tab_of

MAX_MESSAGES = 100


async def wait_and_check(context: Context, args: Args) -> Answer:
    """With what Chrome logged; where none is connected, with what the page reported."""
    needs_chrome = "tab" in args or context.chrome.endpoint is not None or not context.world.pages.all()
    tab = await tab_of(context, args) if needs_chrome else None
    checked = await wait(context.world, context.watcher, float(args["seconds"]), context.report)
    data: dict[str, Any] = {"waited": round(checked.waited, 2)}
    if checked.verdict is not None:
        data["update"] = told(checked.verdict)
    if tab is None:
        return Answer({**data, **_reported(checked.logged)}, from_page=True)
    news = console_news(tab, context.watcher, what=CONSOLE, newest=True)
    data["messages"] = await message_rows(context, tab, news.items)
    news.read()
    left = {"note": f"{news.left} older ones are left out."} if news.left else {}
    return Answer({**data, **left}, from_page=True)


def _reported(entries: Sequence[Entry]) -> dict[str, Any]:
    left = max(0, len(entries) - MAX_MESSAGES)
    note = {"note": f"{left} older ones are left out."} if left else {}
    return {"messages": [_message(entry) for entry in entries[left:]], **note}


def _message(entry: Entry) -> dict[str, Any]:
    level = "warn" if entry.level == "warning" else entry.level
    uncaught = {"uncaught": True} if entry.data.get("uncaught") else {}
    return {"timestamp": iso_time(entry.at), "level": level, "text": entry.text, **uncaught}


HANDLERS = {"wait_and_check": wait_and_check}
