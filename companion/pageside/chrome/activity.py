"""What an action started in a tab, and when it has had its effect.

An action returns at once; whoever looks at the page next waits here for what is still under way. `tracker.js` follows
timers, requests and frames inside the documents, Chrome's events tell of navigations.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from pageside.chrome.documents import script, unwrap
from pageside.chrome.session import CommandFailed, Params, Session
from pageside.chrome.tab import Tab
from pageside.errors import ChromeError, CommandTimeout, DialogOpen, ScriptFailed, TabDisconnected

log = logging.getLogger(__name__)

SETTLE_SECONDS = 3.0
"""For requests and timers of an action; then the caller is told what is still under way."""
LOAD_SECONDS = 6.0
"""For a navigation that an action began."""
ANSWER_SECONDS = 5.0
"""A page may be busy for so long before it is called stuck."""
FRAME_SECONDS = 2.0
"""A frame of another process that takes longer is not followed."""
_MARGIN_SECONDS = 1.0
_MAX_WORLDS = 12
SILENT = "the page does not answer"
"""Among what is still under way."""
_SAME_DOCUMENT = ("sameDocument", "historySameDocument")


class Activity:
    """One for a tab, made by `activity_of`."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._trackers: dict[str, tuple[Session, str]] = {}
        self._armed: set[str] = set()
        self._earlier: set[str] = set()
        self._loading: str | None = None
        self._still = asyncio.Event()
        self._still.set()
        session = tab.session
        session.on("Page.frameStartedNavigating", self._started)
        session.on("Page.lifecycleEvent", self._lifecycle)
        session.on("Page.frameStoppedLoading", self._stopped)
        session.on("Inspector.targetCrashed", lambda _params: self._done())

    # Navigations

    def _started(self, params: Params) -> None:
        if params["frameId"] == self._tab.id and params.get("navigationType") not in _SAME_DOCUMENT:
            self._loading = params["loaderId"]
            self._still.clear()

    def _lifecycle(self, params: Params) -> None:
        if params["name"] == "load" and params["loaderId"] == self._loading:
            self._done()

    def _stopped(self, params: Params) -> None:
        # Also after a download, an empty answer (204) or a navigation that was given up.
        if params["frameId"] == self._tab.id:
            self._done()

    def _done(self) -> None:
        self._loading = None
        self._still.set()

    # Actions

    @property
    def is_under_way(self) -> bool:
        """An action was followed, and nobody has waited for its effects yet."""
        return bool(self._earlier) or self.is_loading

    async def arm(self, seconds: float = ANSWER_SECONDS) -> None:
        """An action comes: its effects will be followed in every document of the tab.

        Raises `CommandTimeout` when the page does not answer within `seconds`.
        """
        self._earlier = set(self._armed)
        # Sent together: Chrome keeps the order of a session's commands.
        worlds = self._worlds()
        # Those of documents that are gone are of no use.
        living = {world for _, world in worlds}
        self._trackers = {world: known for world, known in self._trackers.items() if world in living}
        await asyncio.gather(self.answers(seconds), *(self._arm(*world) for world in worlds))

    async def answers(self, seconds: float = ANSWER_SECONDS) -> None:
        """Return when the page can run something; raises `CommandTimeout` with what helps when it cannot."""
        try:
            await self._tab.session("Runtime.evaluate", seconds=seconds, expression="0")
        except CommandTimeout:
            raise CommandTimeout(
                f"The page has not answered for {seconds:g} s: a script of it runs without an end, or it is paused "
                "in a debugger.",
                fix="navigate_page with type 'reload' ends a script; in a debugger the user has to go on.",
            ) from None

    def tracker(self) -> str | None:
        """The object id of the top document's tracker, armed; None where there is none."""
        world = self._tab.documents.main_world(self._tab.session, self._tab.id)
        known = self._trackers.get(world) if world in self._armed else None
        return known[1] if known is not None else None

    def _worlds(self) -> list[tuple[Session, str]]:
        documents = self._tab.documents
        worlds = [
            (session, unique) for session in self._tab.sessions() for unique in documents.main_worlds(session)
        ]
        return worlds[:_MAX_WORLDS]

    async def _arm(self, session: Session, world: str) -> None:
        limit = ANSWER_SECONDS if session is self._tab.session else FRAME_SECONDS
        try:
            tracker = self._trackers.get(world)
            if tracker is None:
                answer = await session(
                    "Runtime.evaluate",
                    seconds=limit,
                    expression=f"({script('tracker')})()",
                    uniqueContextId=world,
                )
                tracker = self._trackers[world] = session, unwrap(answer, by_value=False)["objectId"]
            await self._ask(tracker, "arm", seconds=limit)
            self._armed.add(world)
        except CommandTimeout:
            # A frame of another process may hang, and what is around it works.
            if session is self._tab.session:
                raise
        except (CommandFailed, ScriptFailed, TabDisconnected) as error:
            # That document is being replaced; its successor tells of itself.
            self._trackers.pop(world, None)
            log.debug("not followed: %s", error)

    async def _ask(
        self, tracker: tuple[Session, str], function: str, *args: Any, seconds: float = 5.0
    ) -> Any:
        session, object_id = tracker
        answer = await session(
            "Runtime.callFunctionOn",
            seconds=seconds,
            objectId=object_id,
            functionDeclaration=f"function (...given) {{ return this.{function}(...given) }}",
            arguments=[{"value": arg} for arg in args],
            returnByValue=True,
            awaitPromise=True,
        )
        return unwrap(answer)

    async def settle(self) -> list[str]:
        """Wait for the effects of the last action; what is still under way when time is over."""
        left: list[str] = []
        if self._still.is_set():
            await self.answers()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + SETTLE_SECONDS + LOAD_SECONDS
        while loop.time() < deadline:
            if not await self.loaded():
                left.append("the page is still loading")
                break
            if not self._armed:
                break
            left = await self._settled()
        return left

    @property
    def is_loading(self) -> bool:
        """A navigation has begun, whoever began it."""
        return not self._still.is_set()

    async def loaded(self) -> bool:
        """Wait for a navigation that has begun; False if it takes longer than 6 s."""
        if self._still.is_set():
            return True
        try:
            async with asyncio.timeout(LOAD_SECONDS):
                await self._still.wait()
        except TimeoutError:
            # Once is enough: later calls look at what there is.
            self._done()
            return False
        return True

    async def _settled(self) -> list[str]:
        """Ask every document that was armed; one that is gone says that the page went elsewhere."""
        armed = [(world, self._trackers[world]) for world in self._armed if world in self._trackers]
        self._armed.clear()
        self._earlier.clear()
        limit = round(SETTLE_SECONDS * 1000)
        asks = (self._settled_in(world, tracker, limit) for world, tracker in armed)
        return [each for left in await asyncio.gather(*asks) for each in left]

    async def _settled_in(self, world: str, tracker: tuple[Session, str], limit: int) -> list[str]:
        try:
            left = await self._ask(tracker, "settled", limit, seconds=limit / 1000 + _MARGIN_SECONDS)
        except DialogOpen:
            return []
        except CommandTimeout:
            return [SILENT]
        except (ChromeError, ScriptFailed) as error:
            log.debug("no longer followed: %s", error)
            self._trackers.pop(world, None)
            return []
        return [str(each) for each in left]


def activity_of(tab: Tab) -> Activity:
    """The tab's own; made at first use."""
    return tab.part(Activity)


async def settled(tab: Tab) -> list[str]:
    """Wait until the last action has had its effect; see `Activity.settle`."""
    return await activity_of(tab).settle()
