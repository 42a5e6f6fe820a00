"""The documents of one tab, and in each of them the toolkit: Pageside's own functions in a world of their own.

A page cannot see or change what runs in an isolated world, but its DOM is the same.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pageside.chrome.session import CALL_SECONDS, CommandFailed, Params, Session
from pageside.errors import ElementNotFound, ScriptFailed

WORLD = "pageside"
_STATIC = Path(__file__).with_name("static")
_GONE = (
    *("Cannot find context", "Could not find object", "Cannot find object", "uniqueContextId not found"),
    *("Could not find node with given id", "No node with given id found", "Not attached to an active page"),
)
"""How Chrome says that a document was replaced."""


@cache
def script(name: str) -> str:
    """A built in-page script; `make build` makes them."""
    return (_STATIC / f"{name}.js").read_text("utf-8").strip().removesuffix(";")


def preload() -> None:
    """Read the scripts now; reading files blocks."""
    for name in ("toolkit", "tracker", "serialise", "reader"):
        script(name)


@dataclass(slots=True)
class Document:
    """One document with its toolkit; `number` begins the uids of its elements."""

    session: Session
    frame_id: str
    number: int
    context: int
    toolkit: str


@dataclass(frozen=True, slots=True)
class Handle:
    """An element in a document's isolated world; `label` names it in messages."""

    document: Document
    object_id: str
    label: str

    @property
    def session(self) -> Session:
        return self.document.session


class Documents:
    """Makes toolkits where they are needed and forgets them when their documents go."""

    def __init__(self) -> None:
        self._by_frame: dict[tuple[str | None, str], Document] = {}
        self._by_number: dict[int, Document] = {}
        self._count = 0
        self._main: dict[tuple[str | None, str], str] = {}
        self._origins: dict[str, str] = {}
        """By the unique id of a document's own world: as Chrome tells it, which the page cannot change."""

    # Events

    def watch(self, session: Session) -> None:
        """Follow the execution contexts of a session."""
        session.on("Runtime.executionContextCreated", lambda p: self._created(session, p["context"]))
        session.on("Runtime.executionContextDestroyed", lambda p: self._destroyed(session, p))
        session.on("Runtime.executionContextsCleared", lambda _p: self.forget(session))

    def _created(self, session: Session, context: Params) -> None:
        aux = context.get("auxData") or {}
        if aux.get("isDefault") and "frameId" in aux:
            self._origins.pop(self._main.get((session.id, aux["frameId"]), ""), None)
            self._main[session.id, aux["frameId"]] = context["uniqueId"]
            self._origins[context["uniqueId"]] = str(context.get("origin", ""))

    def _destroyed(self, session: Session, params: Params) -> None:
        context = params.get("executionContextId")
        for document in self._of(session):
            if document.context == context:
                self.drop(document)
        unique = params.get("executionContextUniqueId")
        for main in [key for key, value in self._main.items() if value == unique]:
            self._origins.pop(self._main.pop(main), None)

    def forget(self, session: Session) -> None:
        """All documents of that session are gone."""
        for document in self._of(session):
            self.drop(document)
        for main in [key for key in self._main if key[0] == session.id]:
            self._origins.pop(self._main.pop(main), None)

    def drop(self, document: Document) -> None:
        """Forget one that turned out to be gone."""
        self._by_number.pop(document.number, None)
        key = (document.session.id, document.frame_id)
        if self._by_frame.get(key) is document:
            del self._by_frame[key]

    def _of(self, session: Session) -> list[Document]:
        """Two that asked for the same one at once made a toolkit each: only the later one is known by its frame."""
        return [document for document in self._by_number.values() if document.session is session]

    # Access

    def main_world(self, session: Session, frame_id: str) -> str | None:
        """The unique id of the page's own world in that frame."""
        return self._main.get((session.id, frame_id))

    def origin(self, world: str | None) -> str:
        """Of the document with that own world: `http://localhost:5173`; "" or "://" where it is nobody's."""
        return self._origins.get(world or "", "")

    def main_worlds(self, session: Session) -> list[str]:
        """The unique ids of the own worlds of all documents in that session."""
        return [unique for (owner, _), unique in self._main.items() if owner == session.id]

    def frame_of(self, session: Session, world: str) -> str | None:
        """The frame whose document has that own world."""
        owners = (key[1] for key, unique in self._main.items() if unique == world and key[0] == session.id)
        return next(owners, None)

    async def of_frame(self, session: Session, frame_id: str, *, seconds: float = CALL_SECONDS) -> Document:
        """The document that the frame shows now, with its toolkit; `seconds` for each of two commands."""
        known = self._by_frame.get((session.id, frame_id))
        if known is not None:
            return known
        made = await session("Page.createIsolatedWorld", seconds=seconds, frameId=frame_id, worldName=WORLD)
        context = made["executionContextId"]
        self._count += 1
        number = self._count
        answer = await session(
            "Runtime.evaluate",
            seconds=seconds,
            expression=f"({script('toolkit')})({number})",
            contextId=context,
        )
        toolkit = unwrap(answer, by_value=False)["objectId"]
        document = Document(session, frame_id, number, context, toolkit)
        self._by_frame[session.id, frame_id] = self._by_number[number] = document
        return document

    def of_uid(self, uid: str) -> Document:
        """The document of an element's uid; raises `ElementNotFound`."""
        number = uid.partition("_")[0]
        document = self._by_number.get(int(number)) if number.isdecimal() and len(number) < 9 else None
        if document is None:
            raise ElementNotFound(
                f"The uid {uid!r} belongs to no document that is open now.",
                fix="The page was loaded anew, or the uid is not of a snapshot of this tab: call take_snapshot.",
            )
        return document


async def call(
    document: Document,
    function: str,
    *arguments: Any,
    seconds: float = CALL_SECONDS,
    by_value: bool = True,
) -> Any:
    """Call a function of the toolkit; `Handle` arguments arrive as elements.

    By value: what it returned as JSON; else CDP's RemoteObject. Raises `ScriptFailed` for what it threw.
    """
    answer = await document.session(
        "Runtime.callFunctionOn",
        seconds=seconds,
        objectId=document.toolkit,
        functionDeclaration=f"function (...given) {{ return this[{json.dumps(function)}](...given) }}",
        arguments=[_argument(each) for each in arguments],
        returnByValue=by_value,
        awaitPromise=True,
        userGesture=True,
    )
    return unwrap(answer, by_value=by_value)


def _argument(value: Any) -> Params:
    return {"objectId": value.object_id} if isinstance(value, Handle) else {"value": value}


async def handle(document: Document, function: str, *arguments: Any, label: str) -> Handle | None:
    """Call a function of the toolkit that returns an element or null."""
    found = await call(document, function, *arguments, by_value=False)
    return Handle(document, found["objectId"], label) if "objectId" in found else None


def is_gone(error: Exception) -> bool:
    """True if Chrome refused because the document was replaced meanwhile."""
    return isinstance(error, CommandFailed) and (
        error.reason.startswith(_GONE) or "navigated or closed" in error.reason
    )


def _said(thrown: Params) -> str:
    """What is told of a value that was thrown; not only errors can be."""
    value = thrown.get("value")
    if isinstance(value, str):
        return value
    if "value" in thrown:
        return json.dumps(value)
    return str(thrown.get("description") or thrown.get("unserializableValue") or thrown.get("type", ""))


def unwrap(answer: Params, *, by_value: bool = True) -> Any:
    """The value (or the RemoteObject) of an evaluation; raises `ScriptFailed` with what was thrown."""
    details = answer.get("exceptionDetails")
    if details is not None:
        thrown = details.get("exception") or {"description": details.get("text", "")}
        raise ScriptFailed(_said(thrown)[:2000])
    result: Params = answer.get("result", {})
    return result.get("value", result.get("unserializableValue")) if by_value else result
