"""Going somewhere: `navigate`, `reload`, `go`; done when the new document has loaded."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import unicodedata
import urllib.parse
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from pageside.chrome.arrivals import Arrivals
from pageside.chrome.session import Params
from pageside.chrome.tab import Tab
from pageside.core.redaction import redact_url
from pageside.errors import ChromeError, CommandTimeout, InvalidArguments, NavigationFailed, TabCrashed

log = logging.getLogger(__name__)

NAVIGATION_SECONDS = 15.0
_PROBE_SECONDS = 1.0


async def navigate(tab: Tab, url: str, *, seconds: float = NAVIGATION_SECONDS, leave: bool = True) -> bool:
    """Open `url` in the tab; False if it still loads after `seconds`, or a dialog of its holds it up.

    Raises `NavigationFailed` when nothing was opened. `leave`: what a `beforeunload` dialog is answered.
    """
    check_url(url)

    async def start(arrivals: Arrivals) -> str | None:
        answer = await tab.session("Page.navigate", seconds=seconds, url=url)
        if answer.get("errorText"):
            raise await arrivals.refusal(url, answer["errorText"])
        return answer.get("loaderId")

    return await _loaded(tab, start, seconds, leave)


async def reload(
    tab: Tab, *, ignore_cache: bool = False, seconds: float = NAVIGATION_SECONDS, leave: bool = True
) -> bool:
    """Load the document again; False if it still loads after `seconds`."""

    async def start(_arrivals: Arrivals) -> str:
        await tab.session("Page.reload", seconds=seconds, ignoreCache=ignore_cache)
        return ""

    return await _loaded(tab, start, seconds, leave)


async def go(tab: Tab, by: int, *, seconds: float = NAVIGATION_SECONDS, leave: bool = True) -> bool:
    """Back (-1) or forward (1) in the tab's history; False if it still loads after `seconds`."""
    history = await tab.session("Page.getNavigationHistory")
    entries, index = history["entries"], history["currentIndex"] + by
    if not 0 <= index < len(entries):
        raise NavigationFailed(
            f"There is nothing to go {'back' if by < 0 else 'forward'} to.", fix="Navigate to a URL."
        )

    async def start(_arrivals: Arrivals) -> str:
        await tab.session("Page.navigateToHistoryEntry", seconds=seconds, entryId=entries[index]["id"])
        return ""

    return await _loaded(tab, start, seconds, leave)


async def _loaded(
    tab: Tab, start: Callable[[Arrivals], Awaitable[str | None]], seconds: float, leave: bool
) -> bool:
    """Run `start` and wait for the load event of what it began; '' stands for any new document."""
    await _free(tab)
    arrivals = Arrivals(tab)
    question = _LeaveQuestion(tab, leave, arrivals)
    try:
        async with asyncio.timeout(seconds):
            loader = await start(arrivals)
            tab.session.accept(TabCrashed)
            if tab.silent:
                # What was enabled never reached the old document, so no event would come.
                await tab.start()
                await tab.evaluate(_COMPLETE, seconds=seconds)
            elif loader is not None:
                return await arrivals.load(loader)
    except (TimeoutError, CommandTimeout):
        if not arrivals.committed:
            raise await _given_up(tab, seconds) from None
        return False
    except NavigationFailed:
        await question.close()
        if arrivals.failure is not None:
            raise arrivals.failure from None
        raise
    finally:
        await question.close()
        arrivals.close()
        tab.part(_Landing).status = arrivals.status
    return True


async def _given_up(tab: Tab, seconds: float) -> CommandTimeout:
    # Until the server answers Chrome lets every call of the tab wait.
    with suppress(ChromeError, CommandTimeout):
        await tab.session("Page.stopLoading", seconds=_PROBE_SECONDS)
    hint = tab.session.hint or "The tab stays where it is."
    fix = "Check that its server runs; if it only needs longer, go there again."
    return CommandTimeout(
        f"Nothing was loaded within {seconds:g} s. {hint}", fix=None if tab.session.hint else fix
    )


class _Landing:
    """What the last navigation of a tab brought."""

    def __init__(self, _tab: Tab) -> None:
        self.status: int | None = None


def status(tab: Tab) -> int | None:
    """The HTTP status of the last navigation; None if it asked no server, as within a document or from a cache."""
    return tab.part(_Landing).status


_COMPLETE = (
    "new Promise((done) => "
    "document.readyState === 'complete' ? done() : addEventListener('load', () => done()))"
)


async def _free(tab: Tab) -> None:
    """An endless script has to be ended before a new document of the same site can start."""
    if tab.session.broken is not None:
        return
    try:
        await tab.session("Runtime.evaluate", seconds=_PROBE_SECONDS, expression="0")
    except CommandTimeout:
        try:
            await tab.session("Runtime.terminateExecution", seconds=_PROBE_SECONDS)
        except (ChromeError, CommandTimeout):
            # Only a navigation to another site helps then; that may be what was asked for.
            return
    except ChromeError:
        return


class _LeaveQuestion:
    """Answers the `beforeunload` dialog of the page that is left."""

    def __init__(self, tab: Tab, leave: bool, arrivals: Arrivals) -> None:
        self._tab, self._leave, self._arrivals = tab, leave, arrivals
        self._open = asyncio.Event()
        self._closed = asyncio.Event()
        self._stops = [
            tab.session.on("Page.javascriptDialogOpening", self._asked),
            tab.session.on("Page.javascriptDialogClosed", self._answered),
        ]

    def _asked(self, params: Params) -> None:
        if params.get("type") == "beforeunload":
            self._open.set()
            self._tab.later(self._tab.session("Page.handleJavaScriptDialog", accept=self._leave))

    def _answered(self, _params: Params) -> None:
        self._closed.set()
        if self._open.is_set() and not self._leave:
            self._arrivals.fail(_stays())

    async def close(self) -> None:
        """After the dialog has gone, so that whoever follows does not meet it."""
        try:
            if self._open.is_set():
                async with asyncio.timeout(_PROBE_SECONDS):
                    await self._closed.wait()
        except TimeoutError:
            log.debug("the beforeunload dialog is still open")
        for stop in self._stops:
            stop()


def _stays() -> NavigationFailed:
    return NavigationFailed(
        "The page asked whether to leave it, and was answered to stay.",
        fix="Leave it with handleBeforeUnload 'accept', or deal with its unsaved changes first.",
    )


def check_url(url: str) -> None:
    """Raise `InvalidArguments` unless it is http(s) or about:blank, and not link-local."""
    if url == "about:blank":
        return
    host = _host(url)
    if host is None:
        raise InvalidArguments(
            f"'url': {redact_url(url)[:200]!r} is not an http or https URL.",
            data={"argument": "url"},
            fix="Pass a whole URL such as http://localhost:5173/; file:, chrome: and javascript: are refused.",
        )
    if _is_link_local(host):
        raise InvalidArguments(
            f"'url': {host} is a link-local address.",
            data={"argument": "url"},
            fix="Metadata services of clouds live there; Pageside does not open them.",
        )


def _host(url: str) -> str | None:
    """As Chrome will read it; None if it is none to open."""
    try:
        parts = urllib.parse.urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    # Chrome takes a backslash for a slash, so the host would be another.
    if parts.scheme not in ("http", "https") or not host or "\\" in parts.netloc:
        return None
    return unicodedata.normalize("NFKC", urllib.parse.unquote(host)).replace("。", ".").rstrip(".")


def _is_link_local(host: str) -> bool:
    """Also when it is written as one number, in hex or octal, or within IPv6, as browsers allow."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        try:
            address = ipaddress.ip_address(socket.inet_aton(host))
        except (OSError, UnicodeError):
            return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_link_local


async def location(tab: Tab) -> dict[str, Any]:
    """`{"id", "title", "url"}` of what the tab shows now."""
    shown = await tab.evaluate("({title: document.title, url: location.href})", seconds=5)
    return {"id": tab.id, **shown}
