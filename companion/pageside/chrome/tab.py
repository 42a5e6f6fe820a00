"""One tab: its sessions (page, out-of-process frames, workers), what it logs and fetches, its dialog, its end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar, cast

from pageside.chrome.console import Console
from pageside.chrome.documents import Document, Documents, unwrap
from pageside.chrome.emulation import Emulation, Kept
from pageside.chrome.network import Network
from pageside.chrome.session import CALL_SECONDS, Params, Session
from pageside.core.redaction import redact_text
from pageside.errors import ChromeError, CommandTimeout, DialogOpen, TabCrashed, TabDisconnected
from pageside.settings import ChromeSettings

log = logging.getLogger(__name__)

Part = TypeVar("Part")

ENABLE_SECONDS = 2.0
RUN_TRIES = 5
MAX_DIALOG_TEXT = 300
_DURING_DIALOG = (
    "Page.handleJavaScriptDialog",
    "Page.navigate",
    "Page.enable",
    "Target.",
    "Network.",
    "Runtime.enable",
    "Inspector.",
    "Log.",
    "Browser.",
)
_AFTER_CRASH = (
    "Page.navigate",
    "Page.reload",
    "Page.enable",
    "Inspector.",
    "Target.",
    "Network.enable",
    "Runtime.enable",
    "Log.enable",
    "DOM.enable",
    "CSS.enable",
)
_SILENT = (
    "This tab has not answered since Pageside connected: a dialog opened before that, or an endless script. "
    "Answer it in the browser, navigate the tab or close it."
)


class Tab:
    """Made by `Browser`; `start()` before use."""

    def __init__(
        self, target_id: str, session: Session, settings: ChromeSettings, emulated: Kept | None = None
    ) -> None:
        self.id = target_id
        self.session = session
        self.settings = settings
        self.documents = Documents()
        self.console = Console(settings.console_size)
        self.network = Network(settings.network_size, self.later)
        self.emulation = Emulation(self, emulated or Kept())
        self.dialog: Params | None = None
        """`{"type", "message", "defaultPrompt"?, "url"}` of the dialog that is open."""
        self.silent = False
        """Chrome's events could not be enabled yet."""
        self.frames: dict[str, Session] = {}
        """Sessions of out-of-process frames, by frame id."""
        self.lock = asyncio.Lock()
        """Held by whoever acts on this tab: actions follow one another."""
        self.opened: list[str] = []
        """Tabs that this one opened and nobody was told of yet, by target id."""
        self.is_closed = False
        """Unlike one whose Chrome is lost."""
        self._parts: dict[object, object] = {}
        self._children: dict[str, tuple[Session, str, str]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._watch(session, "page")

    # Beginning

    def _watch(self, session: Session, kind: str, url: str = "") -> None:
        self.documents.watch(session)
        self.console.watch(session, kind, url)
        self.network.watch(session, kind)
        session.on("Page.screencastFrame", lambda p: self._acknowledge(session, p))
        session.on("Target.attachedToTarget", lambda p: self._attached(session, p))
        session.on("Target.detachedFromTarget", self._child_gone)
        if session is self.session:
            session.on("Page.javascriptDialogOpening", self._dialog_opened)
            session.on("Page.javascriptDialogClosed", lambda _p: self._dialog_closed())
            session.on("Inspector.targetCrashed", lambda _p: self.crashed())
            session.on("Inspector.targetReloadedAfterCrash", lambda _p: session.accept(TabCrashed))

    async def start(self) -> None:
        """Enable Chrome's events; a tab that does not answer now is enabled at its next navigation."""
        session, limit = self.session, ENABLE_SECONDS
        answers = await asyncio.gather(
            session("Inspector.enable", seconds=limit),
            session("Page.enable", seconds=limit),
            session("Page.setLifecycleEventsEnabled", seconds=limit, enabled=True),
            session("Runtime.enable", seconds=limit),
            session("Log.enable", seconds=limit),
            *self.network.enabling(session, limit),
            # A tab behind others draws no frames otherwise, and its timers run once a second.
            session("Emulation.setFocusEmulationEnabled", seconds=limit, enabled=True),
            *self.emulation.applying(session, limit),
            self._follow_children(session, limit),
            return_exceptions=True,
        )
        for answer in answers:
            if isinstance(answer, BaseException) and not isinstance(answer, CommandTimeout | DialogOpen):
                raise answer
        self.silent = any(isinstance(answer, CommandTimeout) for answer in answers)
        session.hint = _SILENT if self.silent else ""

    async def _follow_children(self, session: Session, seconds: float = CALL_SECONDS) -> None:
        await session(
            "Target.setAutoAttach",
            seconds=seconds,
            autoAttach=True,
            waitForDebuggerOnStart=True,
            flatten=True,
        )

    # Out-of-process frames and workers

    def _attached(self, parent: Session, params: Params) -> None:
        child = parent.child(params["sessionId"])
        info = params["targetInfo"]
        self._children[params["sessionId"]] = (child, info["type"], info["targetId"])
        if info["type"] == "iframe":
            self.frames[info["targetId"]] = child
        self._watch(child, info["type"], info["url"])
        self.later(self._start_child(child, info["type"]))

    async def _start_child(self, child: Session, kind: str) -> None:
        asks: list[Awaitable[object]] = [
            child("Runtime.enable"),
            *self.network.enabling(child),
            *self.emulation.applying(child),
        ]
        if kind == "iframe":
            asks += [child("Page.enable"), child("Log.enable"), self._follow_children(child)]
        # All at once: a service worker answers nothing before it may run.
        enabling = asyncio.gather(*asks, return_exceptions=True)
        await asyncio.sleep(0)
        await self._let_run(child)
        await enabling

    async def _let_run(self, child: Session) -> None:
        """Asked again if it is not answered: a worker that stays paused would stop the user's app."""
        for _ in range(RUN_TRIES):
            try:
                await child("Runtime.runIfWaitingForDebugger", seconds=ENABLE_SECONDS)
            except CommandTimeout:
                continue
            return

    def _child_gone(self, params: Params) -> None:
        child, kind, target_id = self._children.pop(params["sessionId"], (None, "", ""))
        if child is None:
            return
        if kind == "iframe" and self.frames.get(target_id) is child:
            del self.frames[target_id]
        self.documents.forget(child)
        self.network.forget(child)
        child.refuse(TabDisconnected("The frame or worker is gone."))
        child.close()

    def sessions(self) -> list[Session]:
        """The page's own session, then those of its out-of-process frames."""
        return [self.session, *self.frames.values()]

    def children(self) -> list[Session]:
        """The sessions of out-of-process frames and of workers."""
        return [child for child, _, _ in self._children.values()]

    def later(self, work: Coroutine[Any, Any, object]) -> None:
        """Do something on the side; that a tab went away meanwhile is no news."""

        async def run() -> None:
            try:
                await work
            except (ChromeError, CommandTimeout) as error:
                log.debug("on the side: %s", error)

        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _acknowledge(self, session: Session, params: Params) -> None:
        self.later(session("Page.screencastFrameAck", sessionId=params["sessionId"]))

    # The end

    def end(self, why: str) -> None:
        """The tab is gone: every call on it ends."""
        for session in (self.session, *(child for child, _, _ in self._children.values())):
            session.refuse(TabDisconnected(why))
            session.close()
        for task in self._tasks:
            task.cancel()

    def closed(self, why: str) -> None:
        """The tab is gone, and its Chrome is there."""
        self.is_closed = True
        self.end(why)

    def crashed(self) -> None:
        self.dialog = None
        self.session.refuse(TabCrashed("The page crashed."), _AFTER_CRASH)

    # Dialogs

    def _dialog_opened(self, params: Params) -> None:
        self.dialog = {**params, "message": redact_text(str(params.get("message", "")))[:MAX_DIALOG_TEXT]}
        self.session.refuse(self.dialog_error(), _DURING_DIALOG)

    def dialog_error(self) -> DialogOpen:
        """Says which dialog stands in the way."""
        dialog = self.dialog or {}
        shown = {key: dialog.get(key) for key in ("type", "message", "url")}
        return DialogOpen(f"A dialog is open in the tab ({dialog.get('type')}).", data={"dialog": shown})

    def _dialog_closed(self) -> None:
        self.dialog = None
        self.session.accept(DialogOpen)

    def part(self, make: Callable[[Tab], Part]) -> Part:
        """What `make(tab)` made at the first call: things of which each tab has one."""
        if make not in self._parts:
            self._parts[make] = make(self)
        return cast("Part", self._parts[make])

    # Documents

    async def top(self) -> Document:
        """The document that the tab shows."""
        return await self.documents.of_frame(self.session, self.id)

    async def evaluate(
        self, expression: str, *, seconds: float = CALL_SECONDS, session: Session | None = None, **more: Any
    ) -> Any:
        """The value of an expression in the page's own world, as JSON; raises `ScriptFailed`."""
        answer = await (session or self.session)(
            "Runtime.evaluate",
            seconds=seconds,
            expression=expression,
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
            **more,
        )
        return unwrap(answer)

    async def address(self, session: Session | None = None, frame_id: str | None = None) -> str:
        """The origin of the document in that frame (the tab's own), else its URL: as Chrome tells, not the page."""
        session = session or self.session
        origin = self.origin(session, frame_id)
        if origin.startswith("http"):
            return origin
        world = self.documents.main_world(session, frame_id or self.id)
        there = {"uniqueContextId": world} if world is not None else {}
        return str(await self.evaluate("location.href", seconds=5, session=session, **there))

    def origin(self, session: Session | None = None, frame_id: str | None = None) -> str:
        """Of that document, as Chrome told; empty while nothing is known of it."""
        return self.documents.origin(self.documents.main_world(session or self.session, frame_id or self.id))

    def root_frame(self, session: Session) -> str:
        """The frame that the session is of: the tab itself, or one in a process of its own."""
        return next((frame for frame, owner in self.frames.items() if owner is session), self.id)

    def frame_session(self, frame_id: str) -> Session:
        """Where a frame's documents live: its own process, or the tab's."""
        return self.frames.get(frame_id, self.session)
