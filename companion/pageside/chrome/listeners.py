"""What listens to events on an element and on what is around it, as Chrome knows, and where that was authored."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from pageside.chrome.documents import Handle, call, unwrap
from pageside.chrome.session import CommandFailed, Params, Session
from pageside.chrome.sources import Sources
from pageside.chrome.stacks import Place, place_of
from pageside.chrome.tab import Tab
from pageside.contract import CHANNEL

MAX_AROUND = 40
"""Elements above the element whose listeners are asked for."""
MAX_LISTENERS = 20
_GROUP = "pageside listeners"
_AROUND = """function (limit) {
  const outer = (at) => at.parentElement ?? at.getRootNode().host ?? null;
  const found = [this];
  for (let at = outer(this); at && found.length <= limit; at = outer(at)) found.push(at);
  return [...found, this.ownerDocument, this.ownerDocument.defaultView];
}"""
_NAME = """function () {
  const { name } = typeof this === 'function' ? this : Object(this.handleEvent);
  return typeof name === 'string' ? name.slice(0, 200) : '';
}"""
_ALONE = re.compile(
    r"(mouse|pointer)(enter|leave)|focus|blur|load|error|scroll(end)?|toggle|invalid|cancel|close"
)
"""These do not go up from the element that they are of."""
_OF_ELEMENTS = re.compile(
    r"(mouse|pointer|touch|key|drag|composition)\w+|(dbl|aux)?click|contextmenu|wheel|(before)?input|change|submit"
    r"|reset|select|copy|cut|paste|drop|focusin|focusout|focus|blur|command"
)
"""What else the document and the window listen to has nothing to do with an element."""
_PLUMBING = ("/node_modules/", "/@vite/", "/@react-refresh", "/@id/", f"{CHANNEL['prefix']}/")


@dataclass(frozen=True, slots=True)
class Listener:
    """A function that is called for an event; `on`: of what, '' for the element itself; `at`: `file:line:column`."""

    event: str
    name: str
    on: str
    at: str


@dataclass(frozen=True, slots=True)
class _Found:
    on: str
    told: Params

    @property
    def reaches(self) -> bool:
        """Whether an event of the element gets there at all."""
        event = str(self.told["type"])
        if self.on in ("document", "window"):
            return _OF_ELEMENTS.fullmatch(event) is not None
        captures = bool(self.told.get("useCapture"))
        return not self.on or captures or _ALONE.fullmatch(event) is None


async def listeners_of(tab: Tab, element: Handle, sources: Sources) -> list[Listener]:
    """Those that the project's own code added, the element's first; not what frameworks and Pageside need themselves.

    Chrome's debugger is enabled for a moment, because only it tells of which files scripts are; it does not pause.
    """
    session = element.session
    async with _released(tab, session):
        found = await _found(element)
        reaching = [each for each in found if each.reaches and "scriptId" in each.told]
        if not reaching:
            return []
        urls = await _urls(tab, session, {each.told["scriptId"] for each in reaching})
        own = [(each, place) for each in reaching if (place := _place(each.told, urls)) is not None]
        told = (_listener(session, sources, each, place) for each, place in own[:MAX_LISTENERS])
        return list(await asyncio.gather(*told))


@asynccontextmanager
async def _released(tab: Tab, session: Session) -> AsyncIterator[None]:
    try:
        yield
    finally:
        tab.later(session("Runtime.releaseObjectGroup", objectGroup=_GROUP))


async def _found(element: Handle) -> list[_Found]:
    """On the element, what is around it, its document and its window."""
    session = element.session
    node = (await session("DOM.describeNode", objectId=element.object_id))["node"]
    # Chrome tells only of the listeners of the world that one asks from: the page's own.
    resolved = await session("DOM.resolveNode", backendNodeId=node["backendNodeId"], objectGroup=_GROUP)
    around = await session(
        "Runtime.callFunctionOn",
        objectId=resolved["object"]["objectId"],
        functionDeclaration=_AROUND,
        arguments=[{"value": MAX_AROUND}],
        objectGroup=_GROUP,
    )
    listed = unwrap(around, by_value=False)
    items = await session("Runtime.getProperties", objectId=listed["objectId"], ownProperties=True)
    targets = [item["value"]["objectId"] for item in items["result"] if item["name"].isdecimal()]
    selectors: list[str] = await call(element.document, "selectorsAround", element, MAX_AROUND)
    asked = (session("DOMDebugger.getEventListeners", objectId=target) for target in targets)
    names = ("", *selectors, "document", "window")
    answers = await asyncio.gather(*asked)
    return [
        _Found(on, told) for on, answer in zip(names, answers, strict=False) for told in answer["listeners"]
    ]


@dataclass(slots=True)
class _Scripts:
    """The URLs of a tab's scripts, by session and script id; another document has others."""

    urls: dict[tuple[str | None, str], str] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


def _scripts(tab: Tab) -> _Scripts:
    scripts = _Scripts()
    for event in ("Page.frameNavigated", "Runtime.executionContextsCleared"):
        tab.session.on(event, lambda _params: scripts.urls.clear())
    return scripts


async def _urls(tab: Tab, session: Session, script_ids: set[str]) -> Mapping[str, str]:
    """Script ids → URLs. Chrome tells all of them whenever its debugger is enabled, some 0.15 s for a thousand."""
    scripts = tab.part(_scripts)
    async with scripts.lock:
        if any((session.id, each) not in scripts.urls for each in script_ids):
            told = await _all_urls(tab, session)
            scripts.urls.update({(session.id, each): url for each, url in told.items()})
    return {each: scripts.urls.get((session.id, each), "") for each in script_ids}


async def _all_urls(tab: Tab, session: Session) -> Mapping[str, str]:
    urls: dict[str, str] = {}

    def parsed(params: Params) -> None:
        urls[params["scriptId"]] = params["url"]

    stop = session.on("Debugger.scriptParsed", parsed)
    try:
        # Together, so that no `debugger;` of the page stops it in between.
        await asyncio.gather(session("Debugger.enable"), session("Debugger.setSkipAllPauses", skip=True))
    finally:
        stop()
        tab.later(session("Debugger.disable"))
    return urls


def _place(told: Params, urls: Mapping[str, str]) -> Place | None:
    """Where the function is, if it is the project's own."""
    url = urls.get(told["scriptId"], "")
    path = urlsplit(url).path
    if not url.startswith(("http", "file")) or any(part in path for part in _PLUMBING):
        return None
    return place_of(url, told.get("lineNumber"), told.get("columnNumber"))


async def _listener(session: Session, sources: Sources, found: _Found, place: Place) -> Listener:
    name, at = await asyncio.gather(_name(session, found.told), sources.place(place))
    return Listener(str(found.told["type"]), name, found.on, at)


async def _name(session: Session, told: Params) -> str:
    handler: dict[str, Any] = told.get("originalHandler") or told.get("handler") or {}
    if "objectId" not in handler:
        return ""
    try:
        answer = await session(
            "Runtime.callFunctionOn",
            objectId=handler["objectId"],
            functionDeclaration=_NAME,
            returnByValue=True,
        )
    except CommandFailed:
        # It was removed meanwhile.
        return ""
    return str(unwrap(answer))
