"""One CDP session: calls with a time limit, events in order, and a state in which calls are refused."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from pageside.errors import ChromeError, CommandTimeout

log = logging.getLogger(__name__)

CALL_SECONDS = 15.0
"""How long a CDP command may take unless its caller says otherwise."""

MAX_REASON = 1_000
"""Characters kept of what Chrome says went wrong."""

Params = dict[str, Any]
Listener = Callable[[Params], object]
Some = TypeVar("Some")


class CommandFailed(ChromeError):
    """Chrome answered a command with an error; `reason` is its text, `number` its JSON-RPC code."""

    def __init__(self, method: str, error: object) -> None:
        told = error if isinstance(error, dict) else {"message": error}
        self.reason = str(told.get("message", ""))[:MAX_REASON]
        self.number = told.get("code")
        more = f" ({str(told['data'])[:MAX_REASON]})" if told.get("data") else ""
        super().__init__(f"{method}: {self.reason}{more}", data={"method": method})


class Wire(Protocol):
    """What a session needs of its connection."""

    async def send(self, session: Session, method: str, params: Params, seconds: float) -> dict[str, Any]: ...
    def end_calls(self, session: Session, error: ChromeError, allowed: tuple[str, ...]) -> None: ...
    def add(self, session: Session) -> None: ...
    def drop(self, session: Session) -> None: ...


class Session:
    """An attached target: a tab, an out-of-process frame, a worker; `id` None is the browser itself."""

    def __init__(self, wire: Wire, session_id: str | None) -> None:
        self.id = session_id
        self.broken: ChromeError | None = None
        """Why calls are refused for now."""
        self.hint = ""
        """What a time-out on this target probably means."""
        self._wire = wire
        self._allowed: tuple[str, ...] = ()
        self._listeners: defaultdict[str, list[Listener]] = defaultdict(list)
        self._refusals: list[Callable[[ChromeError], object]] = []
        wire.add(self)

    async def __call__(
        self, method: str, /, *, seconds: float = CALL_SECONDS, **params: Any
    ) -> dict[str, Any]:
        """The result of one CDP command; raises `ChromeError` (why it cannot be had) or `CommandTimeout`."""
        if self.broken is not None and not method.startswith(self._allowed):
            raise again(self.broken)
        try:
            return await self._wire.send(self, method, params, seconds)
        except CommandTimeout as error:
            if self.hint:
                raise CommandTimeout(f"{error.message} {self.hint}") from None
            raise

    def child(self, session_id: str) -> Session:
        """A session of another target on the same connection."""
        return Session(self._wire, session_id)

    def refuse(self, error: ChromeError, allowed: tuple[str, ...] = ()) -> None:
        """End what is pending with `error` and refuse what comes, but for methods that begin with one of `allowed`."""
        if self.broken is None or self._allowed:
            # What ended it for good stays the reason.
            self.broken, self._allowed = error, allowed
        self._wire.end_calls(self, error, allowed)
        for listener in tuple(self._refusals):
            listener(error)

    def on_refusal(self, listener: Callable[[ChromeError], object]) -> Callable[[], None]:
        """Call `listener(error)` whenever calls begin to be refused; the returned function ends that."""
        return _added(self._refusals, listener)

    def accept(self, kind: type[ChromeError]) -> None:
        """Calls are taken again, if it was an error of this kind that stood in the way."""
        if isinstance(self.broken, kind):
            self.broken = None

    def close(self) -> None:
        """Forget this session: its events go nowhere."""
        self._wire.drop(self)
        self._listeners.clear()

    # Events

    def on(self, event: str, listener: Listener) -> Callable[[], None]:
        """Call `listener(params)` at each such event; the returned function ends that."""
        return _added(self._listeners[event], listener)

    def emit(self, event: str, params: Params) -> None:
        for listener in tuple(self._listeners.get(event, ())):
            try:
                listener(params)
            except Exception:
                log.exception("listener of %s failed", event)

    async def event(
        self,
        name: str,
        fits: Callable[[Params], bool] = lambda _params: True,
        seconds: float = CALL_SECONDS,
    ) -> Params:
        """The next such event that fits; raises `CommandTimeout`, or at once why no event can come any more."""
        if self.broken is not None and not self._allowed:
            raise again(self.broken)
        future: asyncio.Future[Params] = asyncio.get_running_loop().create_future()

        def take(params: Params) -> None:
            if not future.done() and fits(params):
                future.set_result(params)

        def give_up(error: ChromeError) -> None:
            if not future.done() and not self._allowed:
                future.set_exception(again(error))

        stops = (self.on(name, take), self.on_refusal(give_up))
        try:
            async with asyncio.timeout(seconds):
                return await future
        except TimeoutError:
            raise CommandTimeout(f"{name} did not happen within {seconds:g} s.") from None
        finally:
            for stop in stops:
                stop()


def _added(listeners: list[Some], listener: Some) -> Callable[[], None]:
    listeners.append(listener)
    return lambda: listeners.remove(listener) if listener in listeners else None


def again(error: ChromeError) -> ChromeError:
    """A fresh exception that says the same: one raised twice would collect tracebacks."""
    copy = type(error).__new__(type(error))
    copy.__dict__.update(error.__dict__)
    copy.args = error.args
    return copy
