"""Running an agent's script in a tab, in the page's own world, and bringing back its result as JSON."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pageside.chrome.activity import activity_of
from pageside.chrome.documents import Handle, is_gone, script, unwrap
from pageside.chrome.find import Target, find
from pageside.chrome.session import CommandFailed, Params, Session
from pageside.chrome.tab import Tab
from pageside.errors import CommandTimeout, InvalidArguments, ResultTooLarge, ScriptFailed

_PLACE = re.compile(r"<anonymous>:(\d+):(\d+)")
MAX_THROWN = 2000
"""Characters of the fields of a thrown object."""
_SYNTAX = re.compile(r"^(Uncaught )?SyntaxError")


@dataclass(frozen=True, slots=True)
class Value:
    """What a script came to: as much of it as JSON can say, and what kind it is (`typeof`, or the class's name)."""

    json: Any
    type: str


Permit = Callable[[str], None]
"""Told the origin of each document that a script will have in its hands, else its URL; raises if it may not."""


async def run(
    tab: Tab,
    text: str,
    elements: Sequence[Target] = (),
    *,
    seconds: float = 15.0,
    permit: Permit | None = None,
) -> Any:
    """The value of a function called with the elements, of an expression, or of a body with `return`; as JSON.

    Raises `ScriptFailed` with what it threw. What it sets off in the page is followed. One that runs longer than
    `seconds` is ended, and so is one whose call is cancelled. With `permit` it runs in the very document that was
    permitted, or not at all.
    """
    return (await _run(tab, text, elements, seconds, permit, calls=True)).json


async def evaluate(tab: Tab, text: str, *, seconds: float = 15.0, permit: Permit | None = None) -> Value:
    """The same, where a function is a value like others: it is not called."""
    return await _run(tab, text, (), seconds, permit, calls=False)


async def _run(
    tab: Tab, text: str, elements: Sequence[Target], seconds: float, permit: Permit | None, *, calls: bool
) -> Value:
    async with tab.lock:
        activity = activity_of(tab)
        await activity.settle()
        handles = [await find(tab, element) for element in elements]
        session = handles[0].session if handles else tab.session
        if any(handle.session is not session for handle in handles):
            raise InvalidArguments(
                "The elements are in frames of different sites.", data={"argument": "args"}
            )
        await activity.arm(max(seconds, 1.0))
        tracker = activity.tracker() if session is tab.session else None
        world = await _permitted(tab, session, handles, permit) if permit is not None else None
        try:
            return await _Script(session, tracker, text, seconds, calls=calls, world=world).value(handles)
        except CommandTimeout as error:
            await _end(session)
            raise CommandTimeout(
                f"The script came to no end within {seconds:g} s.",
                fix="It loops, or waits for what does not come. Let it only start what takes long, and look later.",
            ) from error
        except CommandFailed as error:
            if is_gone(error):
                raise _left() from None
            raise
        except asyncio.CancelledError:
            tab.later(_end(session))
            raise


async def _permitted(tab: Tab, session: Session, handles: Sequence[Handle], permit: Permit) -> str | None:
    """The own world of the document that it runs in; that, and those of the elements, are asked about."""
    frame = tab.root_frame(session)
    world = tab.documents.main_world(session, frame)
    for each in {frame, *(handle.document.frame_id for handle in handles)}:
        permit(await tab.address(session, each))
    return world


def _left() -> ScriptFailed:
    return ScriptFailed(
        "The page went to another document before the script came to its end.",
        fix="See what the page shows now; run the script again if it is still needed.",
    )


async def _end(session: Session) -> None:
    """End a script that keeps the page from answering; one that only waits keeps nobody."""
    try:
        await session("Runtime.evaluate", seconds=0.5, expression="0")
    except CommandTimeout:
        await session("Runtime.terminateExecution", seconds=1)


class _Script:
    """One text of an agent. Its own first line is the second one of what is run, so that places in errors fit."""

    def __init__(
        self,
        session: Session,
        tracker: str | None,
        text: str,
        seconds: float,
        *,
        calls: bool,
        world: str | None,
    ) -> None:
        """`world`: the only one that it may run in."""
        self._session, self._tracker, self._seconds, self._calls = session, tracker, seconds, calls
        self._text, self._lines = text, text.count("\n") + 1
        self._there: Params = {"uniqueContextId": world} if world is not None else {}

    async def value(self, handles: Sequence[Handle]) -> Value:
        """As an expression or a function; else as statements with a value; else as the body of a function."""
        with suppress(_NotOfThisForm):
            return await self._expression(handles)
        try:
            return await self._statements(handles)
        except _NotOfThisForm as error:
            failure = error.failure
        try:
            return await self._body(handles)
        except _NotOfThisForm as error:
            # With a `return` it was meant as this one.
            raise (error.failure if "return" in failure.message else failure) from None

    async def _expression(self, handles: Sequence[Handle]) -> Value:
        call = "typeof value === 'function' ? value(...given) : value" if self._calls else "value"
        return await self._call(f"const value = (0,\n{self._text}\n); return await ({call})", handles)

    async def _body(self, handles: Sequence[Handle]) -> Value:
        return await self._call(f"\n{self._text}\n", handles)

    async def _call(self, body: str, handles: Sequence[Handle]) -> Value:
        """In the tracker's reach, which the script itself does not have: what it starts belongs to it."""
        run = f"(async function (...given) {{ {body} }}).apply(globalThis, given)"
        enter = "this.enter?.(); " if self._tracker is not None else ""
        declaration = f"async function (...given) {{ {enter}return ({script('serialise')})(await {run}) }}"
        answer = await self._session(
            "Runtime.callFunctionOn",
            seconds=self._seconds,
            objectId=self._tracker or await self._global(),
            functionDeclaration=declaration,
            arguments=[{"objectId": await _in_main_world(self._session, handle)} for handle in handles],
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
        )
        return _value(await self._unwrapped(answer))

    async def _global(self) -> str:
        answer = await self._session("Runtime.evaluate", expression="globalThis", **self._there)
        object_id: str = answer["result"]["objectId"]
        return object_id

    async def _statements(self, _handles: Sequence[Handle]) -> Value:
        answer = await self._session(
            "Runtime.evaluate",
            seconds=self._seconds,
            expression=f"\n{self._text}",
            awaitPromise=True,
            userGesture=True,
            replMode=True,
            **self._there,
        )
        return await _json(self._session, await self._unwrapped(answer, by_value=False), self._seconds)

    async def _unwrapped(self, answer: Params, *, by_value: bool = True) -> Any:
        try:
            return unwrap(answer, by_value=by_value)
        except ScriptFailed as error:
            if _SYNTAX.match(error.message) and not _has_run(answer):
                place = self._place(answer["exceptionDetails"])
                raise _NotOfThisForm(ScriptFailed(f"{error.message}{place}")) from None
            fields = await self._thrown_fields(answer["exceptionDetails"].get("exception") or {})
            raise ScriptFailed(self._own_places(error.message) + fields) from None

    def _place(self, details: Params) -> str:
        """Where its syntax is wrong, in lines of the script."""
        row = details["lineNumber"]
        return f"\n    at <script>:{row}:{details['columnNumber'] + 1}" if 1 <= row <= self._lines else ""

    async def _thrown_fields(self, thrown: Params) -> str:
        """Of an object that is no error: its fields, for its description is its class alone."""
        if thrown.get("type") != "object" or thrown.get("subtype") == "error" or "objectId" not in thrown:
            return ""
        try:
            told = (await _json(self._session, thrown, self._seconds)).json
        except (ScriptFailed, ResultTooLarge):
            return ""
        return f" {json.dumps(told, ensure_ascii=False)}"[:MAX_THROWN]

    def _own_places(self, message: str) -> str:
        """The stack in lines of the script, without what is around it."""
        lines = []
        for line in message.split("\n"):
            place = _PLACE.search(line)
            row = int(place.group(1)) - 1 if place is not None else 0
            if place is None:
                lines.append(line)
            elif 1 <= row <= self._lines:
                lines.append(f"{line[: place.start()]}<script>:{row}:{place.group(2)}{line[place.end() :]}")
        return "\n".join(lines)


class _NotOfThisForm(Exception):
    """A SyntaxError: nothing of the text has run."""

    def __init__(self, failure: ScriptFailed) -> None:
        super().__init__(failure.message)
        self.failure = failure


def _has_run(answer: Params) -> bool:
    """The script ran and threw the SyntaxError itself (`JSON.parse`): then it has a stack."""
    stack = answer["exceptionDetails"].get("stackTrace") or {}
    return bool(stack.get("callFrames"))


async def _in_main_world(session: Session, handle: Handle) -> str:
    node = (await session("DOM.describeNode", objectId=handle.object_id))["node"]
    resolved = await session("DOM.resolveNode", backendNodeId=node["backendNodeId"])
    object_id: str = resolved["object"]["objectId"]
    return object_id


async def _json(session: Session, result: Params, seconds: float) -> Value:
    if "objectId" not in result:
        value = result.get("value", result.get("unserializableValue"))
        return Value(value, str(result.get("subtype") or result.get("type", "")))
    answer = await session(
        "Runtime.callFunctionOn",
        seconds=seconds,
        objectId=result["objectId"],
        functionDeclaration=f"function () {{ return ({script('serialise')})(this) }}",
        returnByValue=True,
    )
    return _value(unwrap(answer))


def _value(serialised: Params) -> Value:
    if "tooLarge" in serialised:
        raise ResultTooLarge(serialised["tooLarge"])
    return Value(serialised.get("value"), str(serialised.get("type", "")))
