"""Chrome tools about what a tab logged and fetched."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pageside.chrome.console import MESSAGE_TYPES, Entry
from pageside.chrome.requests import REQUEST_TYPES, Request
from pageside.chrome.sources import Sources, maps_of, sources_of
from pageside.chrome.stacks import Place, frames_in
from pageside.chrome.tab import Tab
from pageside.core.dates import iso_time
from pageside.core.short_lists import SAME, dittos, without_origin
from pageside.errors import InvalidArguments
from pageside.operations.choose_tab import choose_tab
from pageside.operations.files import output_path
from pageside.toolsets.base import Answer, Args, Context

PAGE_SIZE = 100
LINE_CHARS = 300
"""Of one message in a list; get_console_message tells it whole."""
_USUAL = ("accept-encoding", "connection", "host", "upgrade-insecure-requests")
_BODY_SUFFIXES = (".txt", ".json", ".html", ".css", ".js", ".xml", ".bin")

_STACK = re.compile(r"(?:\n {4}at [^\n]*)+(?:\n {4}… \d+ more)?")
"""In the text of a message with an error, as it ran; told apart as it was authored."""

Row = TypeVar("Row")


async def list_console_messages(context: Context, args: Args) -> Answer:
    tab = await choose_tab(context.world, context.watcher)
    wanted = args.get("types", ())
    _check_kinds("types", wanted, MESSAGE_TYPES)
    entries = tab.console.entries(wanted, preserved=args["includePreservedMessages"])
    sources = await _known_sources(context, tab, entries)
    shown, said = _page(entries, args, "messages", tab.console.dropped)
    places = [_where(sources, entry.source) if entry.source is not None else "" for entry in shown]
    origin, places = without_origin(places)
    said_places = dittos(places)
    lines = [_message(*each) for each in zip(shown, said_places, strict=True)]
    if SAME in said_places:
        said += f" {SAME}: the place of the line above."
    return Answer(said=said, shown=_under(origin, lines), from_page=True)


def _check_kinds(argument: str, wanted: Collection[str], known: Collection[str]) -> None:
    names = {each.lower() for each in known}
    unknown = [each for each in wanted if each.lower() not in names]
    if unknown:
        raise InvalidArguments(
            f"'{argument}': there is no {', '.join(map(repr, unknown))}; there are: {', '.join(known)}.",
            data={"argument": argument, "allowed": list(known)},
        )


async def _known_sources(context: Context, tab: Tab, entries: Sequence[Entry]) -> Sources | None:
    """To name authored places in a list, if a source map was loaded already: a list waits for nothing."""
    maps = maps_of(tab)
    scripts = {entry.source.url for entry in entries if entry.source is not None}
    is_worth_it = any(map(maps.loaded, scripts))
    return await sources_of(tab, context.world.project) if is_worth_it else None


def _page(rows: Sequence[Row], args: Args, what: str, dropped: int) -> tuple[Sequence[Row], str]:
    """The newest page of them, in order, and how many others there are."""
    size, index = args.get("pageSize", PAGE_SIZE), args["pageIdx"]
    end = len(rows) - index * size
    shown = rows[max(0, end - size) : max(0, end)]
    said = f"{len(rows)} {what}."
    if rows and not shown:
        said = f"{len(rows)} {what}; the oldest are on pageIdx {(len(rows) - 1) // size}, pageIdx {index} is beyond."
    elif len(shown) < len(rows):
        older = f"pageIdx {index + 1} has older ones" if end > size else "these are the oldest"
        said = f"{len(shown)} of {len(rows)} {what}; {older}."
    if dropped:
        said += f" {dropped} older ones made room."
    return shown, said


def _under(origin: str, lines: list[str]) -> str:
    """The lines, whose addresses without an origin have this one."""
    return "\n".join([f"origin: {origin}", *lines] if origin else lines)


def _message(entry: Entry, place: str) -> str:
    first, _, more = entry.text.partition("\n")
    text = f"{first[:LINE_CHARS]}…" if more or len(first) > LINE_CHARS else first
    times = f" x{entry.count}" if entry.count > 1 else ""
    uncaught = " (uncaught)" if entry.uncaught else ""
    where = f" {place}" if place else ""
    kind = f" [{entry.origin.kind}]" if entry.origin.kind not in ("page", "iframe") else ""
    return f"msgid={entry.id} {entry.type}{uncaught}{times}{kind}: {text}{where}"


def _where(sources: Sources | None, place: Place) -> str:
    return str(place) if sources is None else sources.known_place(place)


async def get_console_message(context: Context, args: Args) -> Answer:
    tab = await choose_tab(context.world, context.watcher)
    entry = tab.console.entry(args["msgid"])
    sources = await sources_of(tab, context.world.project)
    told = {
        "msgid": entry.id,
        "type": entry.type,
        "level": entry.level,
        "at": iso_time(entry.at),
        "text": _text(entry),
        **({"source": await sources.place(entry.source)} if entry.source is not None else {}),
        **({"stack": await sources.stack(entry.frames)} if entry.frames else {}),
        **({"uncaught": True} if entry.uncaught else {}),
        **({"count": entry.count} if entry.count > 1 else {}),
        "from": entry.origin.kind
        if entry.origin.kind == "page"
        else f"{entry.origin.kind} {entry.origin.url}",
    }
    return Answer(shown=_lines(told), from_page=True)


def _text(entry: Entry) -> str:
    """Without the stack of the error, as far as `stack` tells the same one."""
    told = frames_in(entry.text)[:1]
    return _STACK.sub("", entry.text, count=1) if told and told == entry.frames[:1] else entry.text


def _lines(told: dict[str, Any]) -> str:
    """`key: value`, text as it is and everything else as JSON."""
    return "\n".join(
        f"{key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for key, value in told.items()
    )


async def list_network_requests(context: Context, args: Args) -> Answer:
    tab = await choose_tab(context.world, context.watcher)
    wanted = args.get("resourceTypes", ())
    _check_kinds("resourceTypes", wanted, REQUEST_TYPES)
    requests = tab.network.requests(wanted, preserved=args["includePreservedRequests"])
    shown, said = _page(requests, args, "requests", tab.network.dropped)
    origin, urls = without_origin([request.url for request in shown])
    lines = [_request(*each) for each in zip(shown, urls, strict=True)]
    return Answer(said=said, shown=_under(origin, lines), from_page=True)


def _request(request: Request, url: str) -> str:
    ms = f" {request.ms:.2f} ms" if request.ms is not None else ""
    size = f" {request.size} B" if request.size else ""
    cache = f" ({request.cache})" if request.cache else ""
    return f"reqid={request.id} {request.method} {url} {_status(request)} {request.type}{ms}{size}{cache}"


def _status(request: Request) -> str:
    if request.failure is not None:
        return f"[failed: {request.blocked or request.failure}]"
    if request.status is None:
        return f"[{request.outcome}]"
    onward = f" -> reqid={request.redirected_to}" if request.redirected_to is not None else ""
    return f"[{request.status}{onward}]"


async def get_network_request(context: Context, args: Args) -> Answer:
    tab = await choose_tab(context.world, context.watcher)
    request = tab.network.request(args["reqid"])
    said = await _saved(context, tab, request, args)
    told = await _told(context, tab, request, args)
    return Answer(said=said, shown=_lines(told), from_page=True)


async def _told(context: Context, tab: Tab, request: Request, args: Args) -> dict[str, Any]:
    """What was written to a file is not told again."""
    has_body = request.type != "websocket" and "responseFilePath" not in args
    optional = {
        "protocol": request.protocol,
        "from": request.cache,
        "redirectedFrom": request.redirected_from,
        "redirectedTo": request.redirected_to,
        "initiator": await _initiator(context, tab, request),
        "timing (ms)": request.timing,
        **_request_headers(request),
        "responseHeaders": request.response_headers,
        "sent": await tab.network.post_data(request.id) if "requestFilePath" not in args else None,
        "messages": _frames(request),
        "body": await tab.network.body(request.id) if has_body else None,
    }
    return {
        "request": _request(request, request.url),
        "at": iso_time(request.at),
        "status": f"{request.status or ''} {request.status_text}".strip() or request.outcome,
        **{key: value for key, value in optional.items() if value not in (None, "", {})},
    }


def _request_headers(request: Request) -> dict[str, Any]:
    """What the browser sends with every request is named, without its values."""
    usual = [name for name in request.request_headers or {} if name in _USUAL or name.startswith("sec-ch-ua")]
    told = {name: value for name, value in (request.request_headers or {}).items() if name not in usual}
    return {"requestHeaders": told, "and the browser's usual": ", ".join(usual)}


def _frames(request: Request) -> str | None:
    if request.type != "websocket":
        return None
    return f"{request.frames_sent} sent, {request.frames_received} received"


async def _initiator(context: Context, tab: Tab, request: Request) -> str | None:
    initiator = request.initiator
    if initiator is None:
        return None
    sources = await sources_of(tab, context.world.project)
    place = f" {await sources.place(initiator.place)}" if initiator.place is not None else ""
    stack = await sources.stack(initiator.frames[:5])
    calls = "".join(f"\n  at {frame['function'] or '(anonymous)'} {frame['at']}" for frame in stack)
    return f"{initiator.type}{place}{calls}"


async def _saved(context: Context, tab: Tab, request: Request, args: Args) -> str:
    """Bodies whole, where files were named for them."""
    said = []
    if "requestFilePath" in args:
        sent = await tab.network.whole_post_data(request.id)
        said.append(await _write(context, args["requestFilePath"], sent or b""))
    if "responseFilePath" in args:
        said.append(await _write(context, args["responseFilePath"], await tab.network.whole_body(request.id)))
    return " ".join(said)


async def _write(context: Context, named: str, data: bytes) -> str:
    path: Path = await asyncio.to_thread(output_path, context.world, named, _BODY_SUFFIXES)
    await asyncio.to_thread(path.write_bytes, data)
    return f"{len(data)} bytes written to {path}."


HANDLERS = {
    "list_console_messages": list_console_messages,
    "get_console_message": get_console_message,
    "list_network_requests": list_network_requests,
    "get_network_request": get_network_request,
}
