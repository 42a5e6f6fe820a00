"""The socket under the connection to a browser: bounded, and never in the way of its two threads."""

from __future__ import annotations

import contextlib
import queue
import socket
import ssl
import urllib.parse

import websocket

MAX_RECEIVED_BYTES = 512_000_000
MAX_OUTBOX = 1_000
"""Frames that wait to be sent, when pings are still answered."""


class _Frames(websocket.frame_buffer):
    """Refuses a frame whose announced length nobody should wait for."""

    def recv_length(self) -> None:
        super().recv_length()
        if (self.length or 0) > MAX_RECEIVED_BYTES:
            raise websocket.WebSocketProtocolException(f"a frame of {self.length} bytes was announced")


class _Parts(websocket.continuous_frame):
    """Refuses a message that comes in parts without end."""

    def add(self, frame: websocket.ABNF) -> None:
        if self.cont_data and len(self.cont_data[1]) + len(frame.data) > MAX_RECEIVED_BYTES:
            raise websocket.WebSocketProtocolException("a message came in parts without end")
        super().add(frame)


class BrowserSocket(websocket.WebSocket):
    """pychrome's socket: remembers what came last, and lets its own answers (pong, close) wait for their turn."""

    def __init__(self, outbox: queue.SimpleQueue[bytes | None]) -> None:
        # Its UTF-8 check is pure Python: a large screenshot takes six times as long.
        super().__init__(enable_multithread=True, skip_utf8_validation=True)
        self.frame_buffer = _Frames(self._recv, True)
        self.cont_frame = _Parts(False, True)
        self.last: str | bytes = ""
        self.ended = "Chrome closed the connection"
        self._outbox = outbox

    def recv(self) -> str | bytes:
        try:
            self.last = super().recv()
        except (websocket.WebSocketTimeoutException, websocket.WebSocketConnectionClosedException):
            raise
        except (websocket.WebSocketException, OSError) as error:
            self.ended = f"the connection to Chrome failed: {error}"
            raise
        if not self.last:
            # So a close frame reaches us.
            raise websocket.WebSocketConnectionClosedException("closed")
        return self.last

    def send(self, payload: bytes | str, opcode: int = websocket.ABNF.OPCODE_TEXT) -> int:
        # A peer that pings and never reads is not answered for ever.
        if self._outbox.qsize() < MAX_OUTBOX:
            self._outbox.put(websocket.ABNF.create_frame(payload, opcode).format())
        return len(payload)


def masked(data: bytes) -> bytes:
    """As one frame of text."""
    frame: bytes = websocket.ABNF.create_frame(data, websocket.ABNF.OPCODE_TEXT).format()
    return frame


def plain_socket(url: str, seconds: float) -> socket.socket:
    """Connected within `seconds`, and TLS made."""
    at = urllib.parse.urlsplit(url)
    secure = at.scheme == "wss"
    if at.hostname is None:
        raise ValueError(f"{url!r} names no host")
    plain = socket.create_connection((at.hostname, at.port or (443 if secure else 80)), seconds)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not secure:
        return plain
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=at.hostname)
    except BaseException:
        plain.close()
        raise


def wake(plain: socket.socket) -> None:
    """End whatever waits on it, at once and without freeing its number."""
    # It may be closed already.
    with contextlib.suppress(OSError):
        plain.shutdown(socket.SHUT_RDWR)
