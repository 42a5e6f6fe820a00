"""What a companion must be told again when the session with it is a new one."""

from __future__ import annotations

from pageside.core.jsonrpc import Kind, Message
from pageside.errors import PagesideError
from pageside.web.stdio_remote import Remote


class Memory:
    """The client's handshake, and what it set and subscribed to since."""

    def __init__(self) -> None:
        self._initialize: Message | None = None
        self._initialized: Message | None = None
        self._settings: dict[str, Message] = {}

    @property
    def is_empty(self) -> bool:
        """No handshake has succeeded."""
        return self._initialize is None

    @property
    def initialized(self) -> bool:
        """The client has said that the handshake is complete."""
        return self._initialized is not None

    def note_initialized(self, message: Message) -> None:
        self._initialized = message

    def note_answered(self, request: Message) -> None:
        """A request of the client has succeeded."""
        uri = request.params.get("uri")
        match request.method:
            case "initialize":
                self._initialize = request
            case "logging/setLevel":
                self._settings["level"] = request
            case "resources/subscribe":
                self._settings[f"uri {uri}"] = request
            case "resources/unsubscribe":
                self._settings.pop(f"uri {uri}", None)
            case _:
                pass

    async def replay(self, remote: Remote) -> None:
        """Tell it all; raises what `Remote` raises, and `PagesideError` when the handshake is refused."""
        if self._initialize is None:
            return
        refused: list[Message] = []

        async def swallow(message: Message) -> None:
            if message.kind is Kind.ANSWER and message.failed:
                refused.append(message)

        await remote.exchange(self._initialize, swallow)
        if refused:
            raise PagesideError(f"The companion refuses a new session: {refused[0].line.decode()}")
        if self._initialized is not None:
            await remote.notify(self._initialized)
            for setting in self._settings.values():
                await remote.exchange(setting, swallow)
