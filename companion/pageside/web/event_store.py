"""What a client that lost its stream may ask for again: a bounded ring for each session."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from mcp.server.streamable_http import EventCallback, EventId, EventMessage, EventStore, StreamId
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import JSONRPCMessage

MAX_BYTES = 16 * 1024 * 1024
MAX_EVENTS = 1000
_ENVELOPE_BYTES = 64


class _Event(NamedTuple):
    number: int
    stream: StreamId
    message: JSONRPCMessage | None
    size: int


class RingEventStore(EventStore):
    """The newest messages of ONE session, at most 1,000 and about 16 MiB of them."""

    def __init__(self, max_bytes: int = MAX_BYTES, max_events: int = MAX_EVENTS) -> None:
        self._ring: deque[_Event] = deque()
        self._last = 0
        self._bytes = 0
        self._max_bytes, self._max_events = max_bytes, max_events

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        self._last += 1
        size = _ENVELOPE_BYTES + (0 if message is None else len(message.model_dump_json()))
        self._ring.append(_Event(self._last, stream_id, message, size))
        self._bytes += size
        while self._ring and (self._bytes > self._max_bytes or len(self._ring) > self._max_events):
            self._bytes -= self._ring.popleft().size
        return str(self._last)

    async def replay_events_after(
        self, last_event_id: EventId, send_callback: EventCallback
    ) -> StreamId | None:
        last = int(last_event_id) if last_event_id.isdecimal() and len(last_event_id) < 16 else -1
        stream = next((event.stream for event in self._ring if event.number == last), None)
        if stream is None:
            return None
        for event in list(self._ring):
            if event.number > last and event.stream == stream and event.message is not None:
                await send_callback(EventMessage(event.message, str(event.number)))
        return stream


class SessionManager(StreamableHTTPSessionManager):
    """Gives every session a store of its own.

    Stream ids are request ids, which repeat over sessions: one store for all would replay the messages of one session
    to another. The manager reads the attribute once for each session.
    """

    @property
    def event_store(self) -> EventStore | None:
        return RingEventStore()

    @event_store.setter
    def event_store(self, _value: EventStore | None) -> None:
        """The manager's constructor sets what it was given; there is nothing to keep."""
