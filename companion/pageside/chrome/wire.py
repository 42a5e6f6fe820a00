"""pychrome's connection, driven from asyncio: the only file that imports pychrome.

pychrome's receive thread hands each message on by calling `.put(message)` on an event queue or on a queue per call.
`Inbox` stands in both places, so every reply and event arrives on the loop, in the order in which Chrome sent it.
"""

from __future__ import annotations

import asyncio
import http
import json
import logging
import queue
import re
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any, Self

import pychrome  # type: ignore[import-untyped]
import websocket

from pageside.chrome.browser_socket import BrowserSocket, masked, plain_socket, wake
from pageside.chrome.inbox import Inbox
from pageside.chrome.session import CommandFailed, Params, Session, again
from pageside.errors import (
    ChromeError,
    ChromeLost,
    ChromeNotAnswering,
    ChromeUnreachable,
    CommandTimeout,
    InvalidArguments,
)

log = logging.getLogger(__name__)
# It logs a traceback for each connection that ends, however it ends.
logging.getLogger("pychrome.tab").setLevel(logging.CRITICAL)
# It writes the whole of any message to stderr that is neither an answer nor an event.
warnings.filterwarnings("ignore", "unknown message", module=r"pychrome\.tab")

OPEN_SECONDS = 3.0
MAX_SENT_BYTES = 100_000_000
"""Chrome drops the connection at larger messages."""
PROBE_SECONDS = 2.0


class Connection(pychrome.Tab):  # type: ignore[misc]
    """One WebSocket to the browser; `root` is the browser's own session, others hang on it (flattened sessions)."""

    def __init__(self, url: str) -> None:
        super().__init__(id=url, webSocketDebuggerUrl=url)
        # With $DEBUG set pychrome prints every message to stdout, which is MCP's on stdio.
        self.debug = False
        self.lost: str | None = None
        """Why the connection ended."""
        self.on_lost: Callable[[str], None] = lambda _reason: None
        self._loop = asyncio.get_running_loop()
        self._calls: dict[int, tuple[asyncio.Future[Params], Session, str]] = {}
        self._sessions: dict[str | None, Session] = {}
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._mute = False
        self._heard = 0
        self._probe: asyncio.Task[None] | None = None
        self._recv_th.name = "pageside-chrome-receive"
        self._send_th = threading.Thread(target=self._send_loop, name="pageside-chrome-send", daemon=True)
        self._ws = BrowserSocket(self._outbox)
        self._inbox = Inbox(self._loop, self._deliver, self._end, lambda: len(self._ws.last))
        self.event_queue = self.method_results = self._inbox
        self.root = Session(self, None)

    def __getattr__(self, name: str) -> Any:
        # pychrome answers any unknown name; a typo must fail.
        raise AttributeError(name)

    @classmethod
    async def open(cls, url: str, seconds: float = OPEN_SECONDS) -> Self:
        """Connect within `seconds`; raises `ChromeUnreachable`, or `ChromeNotAnswering` when the other side is mute."""
        connection = cls(url)
        starting = asyncio.ensure_future(asyncio.to_thread(connection.start, seconds))
        try:
            async with asyncio.timeout(seconds + 1):
                await asyncio.shield(starting)
        except (TimeoutError, websocket.WebSocketTimeoutException):
            starting.add_done_callback(connection._abandon)
            raise ChromeNotAnswering(
                f"{url} took the connection, but said nothing for {seconds:g} s."
            ) from None
        except asyncio.CancelledError:
            starting.add_done_callback(connection._abandon)
            raise
        except Exception as error:
            # The other side can make the library fail in many ways.
            raise ChromeUnreachable(f"Cannot connect to {url}: {error or type(error).__name__}.") from None
        return connection

    def _abandon(self, starting: asyncio.Future[None]) -> None:
        """Nobody waits any more for a connection that was being made."""
        if starting.cancelled() or starting.exception() is not None:
            return
        self._end("nobody waited for it")

    def start(self, seconds: float = OPEN_SECONDS) -> None:
        """Blocks: on a thread."""
        deadline = time.monotonic() + seconds
        self._sock = plain_socket(self._websocket_url, seconds)
        # A peer that trickles keeps each single wait short.
        watchdog = threading.Timer(max(0.0, deadline - time.monotonic()), wake, [self._sock])
        watchdog.daemon = True
        watchdog.start()
        try:
            self._ws.settimeout(seconds)
            # Its own socket, so that no proxy variable is asked, not even for 127.0.0.1.
            self._ws.connect(  # type: ignore[no-untyped-call]
                self._websocket_url, socket=self._sock, redirect_limit=0, suppress_origin=True
            )
            if self._ws.getstatus() != http.HTTPStatus.SWITCHING_PROTOCOLS:
                raise websocket.WebSocketException(f"it answered {self._ws.getstatus()}")
        except BaseException:
            self._sock.close()
            if time.monotonic() >= deadline:
                raise TimeoutError from None
            raise
        finally:
            watchdog.cancel()
        self._started, self.status = True, self.status_started
        self._recv_th.start()
        self._send_th.start()

    # Threads

    def _recv_loop(self) -> None:
        self._inbox.end(self._receive())

    def _receive(self) -> str:
        """Hand on what comes until nothing can come any more; why that is."""
        while True:
            try:
                super()._recv_loop()
                return self._ws.ended
            except RecursionError:
                # Values may be nested deeper than Python reads them; the others go on.
                self._inbox.put(_unreadable(self._ws.last))
            except UserWarning:
                # An answer to nobody, where warnings are errors.
                log.debug("%s sent something that is neither an answer nor an event", self.id)
            except ValueError as error:
                return f"Chrome sent what is no JSON object ({error})"
            except Exception as error:
                return f"the connection to Chrome failed: {error!r}"

    def _send_loop(self) -> None:
        while (data := self._outbox.get()) is not None:
            try:
                self._send_all(memoryview(data))
            except OSError as error:
                self._ws.ended = f"the connection to Chrome failed: {error}"
                # The receive thread tells the loop, after what Chrome has said before.
                wake(self._sock)
                return

    def _send_all(self, data: memoryview) -> None:
        while data and not self._stopped.is_set():
            try:
                data = data[self._sock.send(data) :]
            except TimeoutError:
                # Chrome takes nothing just now; the calls themselves have time limits.
                continue

    # The end

    def _end(self, reason: str) -> None:
        if self.lost is not None:
            return
        self.lost = reason
        self._stopped.set()
        self.status = self.status_stopped
        self._outbox.put(None)
        self._inbox.let_go()
        if self._probe is not None:
            self._probe.cancel()
        for session in list(self._sessions.values()):
            session.refuse(ChromeLost(f"The connection to Chrome was lost: {reason}."))
        wake(self._sock)
        self._ws.shutdown()  # type: ignore[no-untyped-call]
        self.on_lost(reason)

    async def close(self, reason: str = "Pageside closed it") -> None:
        """End the connection and wait for its threads."""
        if self._started:
            self._end(reason)
        for thread in (self._recv_th, self._send_th):
            if thread.is_alive():
                await asyncio.to_thread(thread.join, 2)

    # Calls

    def _deliver(self, message: Params) -> None:
        self._mute = False
        self._heard += 1
        if "id" in message:
            call_id = message["id"]
            future = self._calls[call_id][0] if type(call_id) is int and call_id in self._calls else None
            if future is not None and not future.done():
                future.set_result(message)
            return
        session_id, params = message.get("sessionId"), message.get("params", {})
        session = self._sessions.get(session_id) if isinstance(session_id, str | None) else None
        if session is not None and isinstance(params, dict):
            session.emit(str(message.get("method")), params)

    async def send(self, session: Session, method: str, params: Params, seconds: float) -> dict[str, Any]:
        """Send one command and wait for its answer (see `Session.__call__`)."""
        self._check(method)
        self._cur_id += 1
        call_id: int = self._cur_id
        future: asyncio.Future[Params] = self._loop.create_future()
        message = {"id": call_id, "method": method, "params": params}
        if session.id is not None:
            message["sessionId"] = session.id
        self._calls[call_id] = (future, session, method)
        try:
            async with asyncio.timeout(seconds):
                self._outbox.put(await _frame(method, message))
                answer = await future
        except TimeoutError:
            self.check_alive()
            raise CommandTimeout(f"{method} gave no answer within {seconds:g} s.") from None
        finally:
            self._calls.pop(call_id, None)
        if answer.get("error") is not None:
            raise CommandFailed(method, answer["error"])
        result = answer.get("result")
        if not isinstance(result, dict):
            raise CommandFailed(method, "the answer has no result")
        return result

    def _check(self, method: str) -> None:
        if self.lost is not None:
            raise ChromeLost(f"The connection to Chrome was lost: {self.lost}.")
        if self._mute and method != "Browser.getVersion":
            raise _not_answering()

    def check_alive(self) -> None:
        """Ask the browser on the side: if it does not answer within 2 s, no call needs to wait any longer."""
        if self.lost is None and (self._probe is None or self._probe.done()):
            self._probe = self._loop.create_task(self._ask_browser())

    async def _ask_browser(self) -> None:
        heard = self._heard
        try:
            await self.root("Browser.getVersion", seconds=PROBE_SECONDS)
        except CommandTimeout:
            # Whoever says something else meanwhile is busy, not mute.
            if self.lost is None and heard == self._heard:
                self._mute = True
                for session in list(self._sessions.values()):
                    self.end_calls(session, _not_answering(), ())
        except ChromeError as error:
            log.debug("the probe ended: %s", error)

    def end_calls(self, session: Session, error: ChromeError, allowed: tuple[str, ...]) -> None:
        for future, caller, method in list(self._calls.values()):
            if caller is session and not future.done() and not method.startswith(allowed):
                future.set_exception(again(error))

    # Sessions

    def add(self, session: Session) -> None:
        self._sessions[session.id] = session

    def drop(self, session: Session) -> None:
        self._sessions.pop(session.id, None)

    @property
    def open_calls(self) -> int:
        """How many commands wait for an answer."""
        return len(self._calls)

    @property
    def open_sessions(self) -> int:
        """How many sessions there are beside the browser's own."""
        return len(self._sessions) - 1


def _not_answering() -> ChromeNotAnswering:
    return ChromeNotAnswering("Chrome has not answered for some seconds.")


_CALL_ID = re.compile(r'"id": ?(\d+)')


def _unreadable(text: str | bytes) -> Params:
    """The answer, as far as it can be told whose it is."""
    head = text[:100] if isinstance(text, str) else text[:100].decode("ascii", "replace")
    found = _CALL_ID.search(head)
    reason = {"message": "the answer is nested too deeply to be read"}
    return {"id": int(found[1]), "error": reason} if found else {"method": ""}


async def _frame(method: str, message: Params) -> bytes:
    try:
        data = json.dumps(message, allow_nan=False).encode()
    except ValueError as error:
        raise InvalidArguments(f"{method}: {error}.") from None
    if len(data) > MAX_SENT_BYTES:
        raise InvalidArguments(f"{method}: {len(data)} bytes are over Chrome's limit of 100 MB a message.")
    if len(data) < 65_536:
        return masked(data)
    return await asyncio.to_thread(masked, data)
