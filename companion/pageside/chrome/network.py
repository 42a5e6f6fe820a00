"""What a tab's documents and workers fetched, the newest `size` requests of it."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Coroutine
from functools import partial
from typing import Any

from pageside.chrome import sockets
from pageside.chrome.bodies import Bodies
from pageside.chrome.chains import Chains
from pageside.chrome.requests import Request, initiator_of, plain_url, take_post
from pageside.chrome.session import CALL_SECONDS, CommandFailed, Params, Session
from pageside.core.headers import redact_headers
from pageside.core.marks import Mark
from pageside.errors import InvalidArguments

log = logging.getLogger(__name__)

_CHROME_KEEPS = {"maxTotalBufferSize": 50_000_000, "maxResourceBufferSize": 10_000_000}
_MAX_POST_BYTES = 65_536
"""Of what is sent, in Chrome's events; more is asked for when it is wanted."""
_SPARE_CHAINS = 100

Later = Callable[[Coroutine[Any, Any, object]], None]


class Network:
    """Watches sessions; `seen` counts all requests, each hop of a redirect being one."""

    def __init__(self, size: int, later: Later, *, durable: bool = True) -> None:
        """`later` runs what need not be awaited; `durable`: let Chrome keep bodies, where it can."""
        self.navigation = 0
        self.seen = 0
        self.under_way: dict[str, str] = {}
        """Requests without an answer yet, by Chrome's id, with their type; WebSockets are none."""
        self._size = max(1, size)
        self._requests: OrderedDict[int, Request] = OrderedDict()
        self._chains = Chains(self._size + _SPARE_CHAINS)
        self._cleared = 0
        self._forgotten = 0
        self._page: Session | None = None
        self._durable = durable
        self._later = later
        self._bodies = Bodies()

    # Beginning

    def enabling(self, session: Session, seconds: float = CALL_SECONDS) -> list[Awaitable[object]]:
        """The commands that have Chrome report the session's requests, and keep their bodies over navigations."""
        asks: list[Awaitable[object]] = [
            session("Network.enable", seconds=seconds, maxPostDataSize=_MAX_POST_BYTES, **_CHROME_KEEPS)
        ]
        return [*asks, self._keep_bodies(session, seconds)] if self._durable else asks

    async def _keep_bodies(self, session: Session, seconds: float) -> None:
        try:
            await session("Network.configureDurableMessages", seconds=seconds, **_CHROME_KEEPS)
        except CommandFailed as error:
            log.debug("bodies are kept here: %s", error)
            self._durable = False

    def watch(self, session: Session, kind: str) -> None:
        """Take the requests of a session (page, iframe, worker …)."""
        listeners: dict[str, Callable[[Session, Params], None]] = {
            "requestWillBeSent": self._sending,
            "requestWillBeSentExtraInfo": self._sent_extra,
            "requestServedFromCache": self._from_cache,
            "responseReceived": self._answered,
            "responseReceivedExtraInfo": self._received_extra,
            "dataReceived": self._data,
            "loadingFinished": self._finished,
            "loadingFailed": self._failed,
        }
        for event, listener in listeners.items():
            session.on(f"Network.{event}", partial(listener, session))
        sockets.watch(session, self._socket, self._chains.hop)
        if kind == "page":
            self._page = session
            session.on("Page.frameNavigated", self._navigated)

    def forget(self, session: Session) -> None:
        """The frame or worker is gone: nothing more will be told of its requests."""
        for request in self._requests.values():
            if request.session is session:
                self._abandon(request)
                # Where Chrome keeps bodies, the page's session has those of its workers and frames too.
                request.session = self._page or session

    def _navigated(self, params: Params) -> None:
        frame = params["frame"]
        if "parentId" in frame:
            return
        self.navigation += 1
        # The new document's own request, and what followed it, were told before it was there.
        for request in reversed(self._requests.values()):
            if request.loader == frame.get("loaderId"):
                request.navigation = self.navigation
            else:
                self._abandon(request)

    def _abandon(self, request: Request) -> None:
        if request.outcome == "pending":
            request.abandoned = True
            self.under_way.pop(request.key, None)

    # Requests

    def _sending(self, session: Session, params: Params) -> None:
        key, asked = params["requestId"], params["request"]
        if asked["url"].startswith("data:"):
            return
        chain = self._chains.of(key)
        last = chain.hops[-1] if chain.hops else None
        if last is not None and "redirectResponse" not in params:
            # A worker's script is told by the page and by the worker.
            return
        request = self._new(session, key, asked["url"], str(params.get("type", "Other")).lower(), params)
        request.method = asked["method"]
        request.sent = redact_headers(asked.get("headers") or {})
        take_post(request, asked)
        if last is not None:
            self._redirected(last, request, params)
        chain.add(request)
        self.under_way[key] = request.type

    def _new(self, session: Session, key: str, url: str, kind: str, params: Params) -> Request:
        self.seen += 1
        request = Request(
            id=self.seen,
            key=key,
            session=session,
            method="GET",
            url=plain_url(url),
            type=kind,
            at=round((params.get("wallTime") or time.time()) * 1000, 2),
            started=params.get("timestamp", 0),
            navigation=self.navigation,
            loader=params.get("loaderId", ""),
            initiator=initiator_of(params.get("initiator") or {}),
        )
        self._requests[request.id] = request
        if len(self._requests) > self._size:
            _, oldest = self._requests.popitem(last=False)
            self._drop(oldest)
        return request

    def _redirected(self, last: Request, request: Request, params: Params) -> None:
        last.answered(params["redirectResponse"])
        last.has_extra = bool(params.get("redirectHasExtraInfo"))
        last.ended = params["timestamp"]
        last.redirected_to, request.redirected_from = request.id, last.id
        request.initiator = last.initiator

    def _drop(self, request: Request) -> None:
        self._bodies.drop(request.id)
        if self._chains.drop(request):
            self.under_way.pop(request.key, None)

    def _sent_extra(self, _session: Session, params: Params) -> None:
        self._chains.of(params["requestId"]).take_sent(params)

    def _received_extra(self, _session: Session, params: Params) -> None:
        self._chains.of(params["requestId"]).take_received(params)

    def _from_cache(self, _session: Session, params: Params) -> None:
        if (request := self._chains.hop(params)) is not None:
            request.cache = "memory"

    def _answered(self, session: Session, params: Params) -> None:
        if (request := self._chains.hop(params)) is None:
            return
        request.session = session
        request.has_extra = bool(params.get("hasExtraInfo"))
        request.type = str(params.get("type") or request.type).lower()
        request.answered(params["response"])
        self._chains.of(request.key).match()

    def _data(self, _session: Session, params: Params) -> None:
        if (request := self._chains.hop(params)) is not None:
            request.size += params.get("dataLength", 0)

    def _finished(self, session: Session, params: Params) -> None:
        self.under_way.pop(params["requestId"], None)
        if (request := self._chains.hop(params)) is None:
            return
        request.session, request.abandoned = session, False
        request.ended, request.transferred = params["timestamp"], round(params.get("encodedDataLength", 0))
        if not self._durable and self._bodies.wants(request):
            self._later(self._bodies.keep(request))

    def _failed(self, _session: Session, params: Params) -> None:
        self.under_way.pop(params["requestId"], None)
        if (request := self._chains.hop(params)) is not None:
            request.failed(params)

    def _socket(self, session: Session, params: Params) -> None:
        request = self._new(session, params["requestId"], params["url"], "websocket", params)
        self._chains.of(request.key).hops.append(request)

    # Reading

    @property
    def dropped(self) -> int:
        """How many requests had to make room for newer ones."""
        return self.seen - len(self._requests) - self._cleared

    def requests(self, types: Collection[str] = (), *, preserved: bool = False) -> list[Request]:
        """Oldest first; those of the present document, with `preserved` also of earlier ones; of these types only."""
        wanted = {each.lower() for each in types}
        return [
            request
            for request in self._requests.values()
            if (preserved or request.navigation == self.navigation) and (not wanted or request.type in wanted)
        ]

    def since(self, mark: Mark) -> list[Request]:
        """What came after it, and what has ended since; oldest first and of all documents."""
        return [
            request
            for request in self._requests.values()
            if request.id > mark.number
            or request.id in mark.passed
            or (request.id in mark.unfinished and request.outcome != "pending")
        ]

    def after(self, mark: Mark, looked: Collection[Request], told: Collection[Request]) -> Mark:
        """The mark of who began at `mark`, looked through these, the oldest ones since, and was told some of them."""
        number = max([mark.number, *(request.id for request in looked)])
        ids = {request.id for request in told}
        left = mark.unfinished - ids
        unfinished = [
            request.id
            for request in self._requests.values()
            if request.id in left or (request.id <= number and request.outcome == "pending")
        ]
        passed = (mark.passed | {request.id for request in looked}) - ids
        kept = passed.intersection(self._requests)
        return Mark(number, unfinished=frozenset(unfinished), passed=kept)

    def missed(self, mark: Mark) -> int:
        """How many requests that were not told had to make room for newer ones."""
        first = next(iter(self._requests), self.seen + 1)
        passed = sum(self._forgotten < number < first for number in mark.passed)
        return passed + max(0, first - 1 - max(mark.number, self._forgotten))

    def request(self, reqid: int) -> Request:
        """The request of that id; raises `InvalidArguments`."""
        request = self._requests.get(reqid)
        if request is not None:
            return request
        why = "was dropped for newer ones" if 0 < reqid <= self.seen else "does not exist"
        raise InvalidArguments(
            f"'reqid': the request {reqid} {why}.",
            data={"argument": "reqid"},
            fix="Call list_network_requests for the ids there are.",
        )

    async def body(self, reqid: int) -> str:
        """The response's body for reading: text without secrets, cut; or `<…>` saying why there is none."""
        return await self._bodies.text(self.request(reqid))

    async def whole_body(self, reqid: int) -> bytes:
        """The response's body, text without secrets; raises `ChromeError` if Chrome no longer has it."""
        return await self._bodies.whole(self.request(reqid))

    async def post_data(self, reqid: int) -> str | None:
        """What was sent, for reading; None if nothing was."""
        return await self._bodies.sent(self.request(reqid))

    async def whole_post_data(self, reqid: int) -> bytes | None:
        """All that was sent, without secrets; None if nothing was."""
        return await self._bodies.whole_sent(self.request(reqid))

    def clear(self) -> None:
        """Forget what was fetched; ids go on counting."""
        self._cleared += len(self._requests)
        self._forgotten = self.seen
        self._requests.clear()
        self._chains.clear()
        self._bodies = Bodies()
