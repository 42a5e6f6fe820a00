"""What a tool is: data from the contract, and a handler of a few lines."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pageside.chrome.browser import Browser
from pageside.chrome.documents import is_gone
from pageside.chrome.session import CommandFailed
from pageside.contract import TOOLS
from pageside.core.pictures import MAX_PICTURE_BYTES
from pageside.errors import PageDisconnected, PagesideError
from pageside.hubs.sessions import Watcher
from pageside.operations import gate
from pageside.operations.dev_servers import Confirm
from pageside.operations.world import Report, World


@dataclass(frozen=True, slots=True)
class Picture:
    """An image in an answer: base64 and its MIME type."""

    data: str
    mime: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A result as JSON data that fits the tool's output schema; `from_page` marks it untrusted.

    Or, of tools without an output schema, as text: `said` is Pageside's, `shown` is the page's.
    """

    data: dict[str, Any] | None = None
    from_page: bool = False
    said: str = ""
    shown: str = ""
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """Who asks, of which companion, how to tell them that it takes time, and how to ask the user by their client."""

    world: World
    watcher: Watcher
    report: Report
    confirm: Confirm
    """To be asked before anything is done: on some wires the call ends with the question and is made again."""
    room: Callable[[], int] = lambda: MAX_PICTURE_BYTES
    """How many bytes of pictures the answer may hold; to be asked when nothing but the answer is left to be told."""

    @property
    def chrome(self) -> Browser:
        """The Chrome that this agent means."""
        return self.world.chromes.of(self.watcher)


LOOKS = 3
"""Of a tool that only looks, at documents that are replaced while it does."""

Args = Mapping[str, Any]
Handler = Callable[[Context, Args], Awaitable[Answer]]
Advise = Callable[[PagesideError], None]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; `definition` is its entry in the contract (title, description, schemas, hints)."""

    name: str
    definition: Mapping[str, Any]
    handler: Handler
    protocol_errors: tuple[str, ...] = ()
    """Codes of errors that are answered as errors of JSON-RPC (-32603), not as results that say so."""
    advise: Advise | None = None
    """May change what an error says, the door's too: to what an agent of this toolset can do about it."""
    may_be_large: bool = False
    """It asks for `Context.room`."""


async def run(tool: Tool, context: Context, args: Args) -> Answer:
    """The tool's answer, if the user lets it: every tool is called by this, also by tools that stand for others."""
    try:
        await gate.enter(tool.name, args)
        return await _through_reloads(tool, context, args)
    except PagesideError as error:
        if tool.advise is not None:
            tool.advise(error)
        raise


async def _through_reloads(tool: Tool, context: Context, args: Args) -> Answer:
    """What only looks, looks again when its document was replaced meanwhile; what acts is not done twice."""
    looks = LOOKS if tool.definition["annotations"]["readOnlyHint"] else 1
    for _ in range(looks):
        try:
            return await tool.handler(context, args)
        except CommandFailed as error:
            if not is_gone(error):
                raise
    effect = "" if looks > 1 else "; whether it took effect is unknown, it was not run again"
    raise PageDisconnected(f"{tool.name} ended because the page was reloaded or left meanwhile{effect}.")


@dataclass(frozen=True, slots=True)
class Toolset:
    """A named group of tools that agents choose as a whole."""

    name: str
    tools: tuple[Tool, ...]


def toolset(
    name: str,
    handlers: Mapping[str, Handler],
    protocol_errors: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    advise: Advise | None = None,
    large: Collection[str] = (),
) -> Toolset:
    """Join handlers with their definitions; a name that the contract lacks is a KeyError at import."""
    return Toolset(
        name,
        tuple(
            Tool(tool, TOOLS[tool], handler, protocol_errors.get(tool, ()), advise, tool in large)
            for tool, handler in handlers.items()
        ),
    )
