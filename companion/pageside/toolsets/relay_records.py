"""Tools of `relay` about what a tab logged and fetched: each agent reads on where it stopped."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from pageside.chrome.console import Entry
from pageside.chrome.requests import Request
from pageside.chrome.sources import Sources, sources_of
from pageside.chrome.tab import Tab
from pageside.core.dates import iso_time
from pageside.core.patterns import parse_pattern
from pageside.errors import InvalidArguments
from pageside.operations.read_news import CONSOLE, ERRORS, News, console_news, network_news
from pageside.operations.watch_console import watch_console as watch
from pageside.toolsets.base import Answer, Args, Context
from pageside.toolsets.relay_tab import tab_of

log = logging.getLogger(__name__)

PLACES_SECONDS = 3.0
"""For source maps that are not loaded yet; then places are told as they run."""
URL_CHARS = 500
"""Of a URL in a list; get_network_request_detail tells it whole."""


# The console


async def get_console_logs(context: Context, args: Args) -> Answer:
    tab = await tab_of(context, args)
    news = console_news(tab, context.watcher, what=CONSOLE, newest=not args["clear"])
    return await _messages(context, tab, news, args, "messages")


async def get_page_errors(context: Context, args: Args) -> Answer:
    tab = await tab_of(context, args)
    levels = ("error", "warning")
    news = console_news(tab, context.watcher, what=ERRORS, levels=levels, newest=not args["clear"])
    return await _messages(context, tab, news, args, "errors or warnings")


async def _messages(context: Context, tab: Tab, news: News[Entry], args: Args, what: str) -> Answer:
    rows = await message_rows(context, tab, news.items)
    if args["clear"]:
        news.read()
    return Answer(_told("messages", rows, news, args, what), from_page=True)


async def watch_console(context: Context, args: Args) -> Answer:
    tab = await tab_of(context, args)
    pattern, seconds = parse_pattern(args["pattern"]), float(args["timeout"])
    seen = await watch(tab, context.watcher, pattern, seconds, context.report)
    data = {"matches": await message_rows(context, tab, seen.entries), "waited": round(seen.waited, 2)}
    if not seen.entries:
        others = f"; {seen.others} other messages are in get_console_logs" if seen.others else ""
        data["note"] = f"Nothing fitted within {seconds:g} s{others}."
    elif seen.left:
        data["note"] = f"{seen.left} older ones are left out."
    return Answer(data, from_page=True)


async def message_rows(context: Context, tab: Tab, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    places = await _places(context, tab, entries)
    return [_row(tab, entry, place) for entry, place in zip(entries, places, strict=True)]


def _row(tab: Tab, entry: Entry, place: str | None) -> dict[str, Any]:
    kind = entry.origin.kind
    optional = {
        "place": place,
        "count": entry.count if entry.count > 1 else None,
        "uncaught": entry.uncaught or None,
        "from": f"{kind} {entry.origin.url}" if kind != "page" else None,
        "earlierDocument": entry.navigation != tab.console.navigation or None,
    }
    return {
        "timestamp": iso_time(entry.at),
        "level": "warn" if entry.level == "warning" else entry.level,
        "text": entry.text,
        **{name: told for name, told in optional.items() if told is not None},
    }


async def _places(context: Context, tab: Tab, entries: Sequence[Entry]) -> list[str | None]:
    """Where each was logged; of errors and warnings as it was authored, of others if that is known already."""
    if all(entry.source is None for entry in entries):
        return [None] * len(entries)
    sources = await sources_of(tab, context.world.project)
    try:
        async with asyncio.timeout(PLACES_SECONDS):
            await asyncio.gather(*(_learn(sources, entry) for entry in entries))
    except TimeoutError:
        log.debug("places are told as they run: their source maps take too long")
    return [sources.known_place(entry.source) if entry.source is not None else None for entry in entries]


async def _learn(sources: Sources, entry: Entry) -> None:
    if entry.source is not None and entry.level in ("error", "warning"):
        await sources.place(entry.source)


# The network


async def get_network_requests(context: Context, args: Args) -> Answer:
    tab = await tab_of(context, args)
    news = network_news(tab, context.watcher, part=args.get("filter", ""), newest=not args["clear"])
    number = context.chrome.number(tab.id)
    rows = [_request(number, request) for request in news.items]
    if args["clear"]:
        news.read()
    return Answer(_told("requests", rows, news, args, "requests"), from_page=True)


def _request(tab: int, request: Request) -> dict[str, Any]:
    url = request.url
    optional = {
        "status": request.status,
        "ms": request.ms,
        "size": request.size or None,
        "failure": request.blocked or request.failure,
        "cache": request.cache,
        "redirectedTo": _id(tab, request.redirected_to),
        "outcome": request.outcome if request.outcome != "finished" else None,
    }
    return {
        "requestId": _id(tab, request.id),
        "timestamp": iso_time(request.at),
        "method": request.method,
        "url": url if len(url) <= URL_CHARS else f"{url[:URL_CHARS]}…",
        "type": request.type,
        **{name: told for name, told in optional.items() if told is not None},
    }


def _id(tab: int, request: int | None) -> str | None:
    """Requests are counted in each tab, so the tab's number is a part of it."""
    return f"{tab}.{request}" if request is not None else None


async def get_network_request_detail(context: Context, args: Args) -> Answer:
    number, _, reqid = args["requestId"].rpartition(".")
    tab = await tab_of(context, {"tab": int(number)} if number else args)
    request = _known(tab, int(reqid))
    own = context.chrome.number(tab.id)
    has_body = request.type != "websocket"
    optional = {
        "statusText": request.status_text,
        "mimeType": request.mime,
        "protocol": request.protocol,
        "redirectedFrom": _id(own, request.redirected_from),
        "initiator": await _initiator(context, tab, request),
        "timing": request.timing,
        "blockedCookies": request.blocked_cookies,
        "frames": None if has_body else {"sent": request.frames_sent, "received": request.frames_received},
        "requestHeaders": request.request_headers,
        "responseHeaders": request.response_headers,
        "requestBody": await tab.network.post_data(request.id),
        "responseBody": await tab.network.body(request.id) if has_body else None,
    }
    told = {name: value for name, value in optional.items() if value not in (None, "", {}, [])}
    return Answer({**_request(own, request), "url": request.url, **told}, from_page=True)


def _known(tab: Tab, reqid: int) -> Request:
    try:
        return tab.network.request(reqid)
    except InvalidArguments as error:
        why = error.message.partition(": ")[2]
        raise InvalidArguments(
            f"'requestId': {why}",
            data={"argument": "requestId"},
            fix="Call get_network_requests with clear false for the ids there are.",
        ) from None


async def _initiator(context: Context, tab: Tab, request: Request) -> str | None:
    """Who asked for it, and where in the project."""
    initiator = request.initiator
    if initiator is None or initiator.place is None:
        return initiator.type if initiator is not None else None
    sources = await sources_of(tab, context.world.project)
    return f"{initiator.type} {await sources.place(initiator.place)}"


# Both


def _told(key: str, rows: list[dict[str, Any]], news: News[Any], args: Args, what: str) -> dict[str, Any]:
    notes = []
    if news.dropped:
        notes.append(f"{news.dropped} older ones were dropped: the buffer was full.")
    if news.left:
        notes.append(
            f"{news.left} more come with the next call."
            if args["clear"]
            else f"{news.left} older ones are left out; with clear true you read from the oldest on."
        )
    if not rows:
        notes.append(f"No {what}{' that match' if 'filter' in args else ''} since you looked last.")
    note = {"note": " ".join(notes)} if notes else {}
    dropped = {"dropped": news.dropped} if news.dropped else {}
    return {key: rows, **dropped, **note}


HANDLERS = {
    "get_console_logs": get_console_logs,
    "get_page_errors": get_page_errors,
    "watch_console": watch_console,
    "get_network_requests": get_network_requests,
    "get_network_request_detail": get_network_request_detail,
}
