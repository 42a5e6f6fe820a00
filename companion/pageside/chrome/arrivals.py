"""How a navigation comes out: a document that commits and loads, or what there is instead of one."""

from __future__ import annotations

import asyncio

from pageside.chrome.session import Params, again
from pageside.chrome.tab import Tab
from pageside.core.redaction import redact_url
from pageside.errors import ChromeError, DialogOpen, NavigationFailed, TabCrashed

_NO_CONTENT = (204, 205)
_ABORTED = "net::ERR_ABORTED"
_OFFLINE = "net::ERR_INTERNET_DISCONNECTED"
_DOWNLOAD_SECONDS = 1.0


class Arrivals:
    """Follows the main frame's loader through commit and load, or to what ends that."""

    def __init__(self, tab: Tab) -> None:
        self.committed = False
        self.failure: ChromeError | None = None
        self.status: int | None = None
        """Of the HTTP response that the document came with; None if it came without one."""
        self._tab = tab
        self._main = tab.id
        self._asked: dict[str, str] = {}
        """URLs of the main frame's requests since, by loader."""
        self._reason = ""
        self._loaded: set[str] = set()
        self._held_up = False
        self._news = asyncio.Event()
        session = tab.session
        self._stops = [
            session.on("Page.lifecycleEvent", self._lifecycle),
            session.on("Page.frameNavigated", self._navigated),
            session.on("Page.navigatedWithinDocument", self._within),
            session.on("Page.downloadWillBegin", self._downloads),
            session.on("Network.requestWillBeSent", self._requested),
            session.on("Network.responseReceived", self._responded),
            session.on("Network.loadingFailed", self._request_failed),
            session.on_refusal(self._refused),
        ]

    def close(self) -> None:
        for stop in self._stops:
            stop()

    # Events

    def _lifecycle(self, params: Params) -> None:
        if params.get("frameId") != self._main:
            return
        if params["name"] == "init":
            self.committed = True
        elif params["name"] == "load" and self.committed:
            self._loaded.add(params["loaderId"])
            self._news.set()

    def _navigated(self, params: Params) -> None:
        frame = params["frame"]
        if frame["id"] != self._main:
            return
        if params.get("type") == "BackForwardCacheRestore":
            # A document from the back/forward cache is there as a whole.
            self._arrived(frame["loaderId"])
        elif frame.get("unreachableUrl") and frame["loaderId"] in self._asked:
            self.committed = True
            self.fail(self._unreachable(frame["unreachableUrl"], self._reason))

    def _within(self, params: Params) -> None:
        if params["frameId"] == self._main:
            self._arrived("")

    def _downloads(self, params: Params) -> None:
        if params.get("frameId") == self._main and not self.committed and self._asked:
            self.fail(self._is_download(str(params.get("url", ""))))

    def _requested(self, params: Params) -> None:
        if params.get("frameId") == self._main and params["requestId"] == params.get("loaderId"):
            self._asked[params["requestId"]] = params["request"]["url"]

    def _responded(self, params: Params) -> None:
        if params["requestId"] in self._asked:
            self.status = int(params["response"]["status"])

    def _request_failed(self, params: Params) -> None:
        url = self._asked.get(params["requestId"])
        if url is None or self.committed:
            return
        self._reason = str(params.get("errorText", ""))
        if self.status in _NO_CONTENT:
            self.fail(self._no_content(url))

    def _refused(self, error: ChromeError) -> None:
        if isinstance(error, DialogOpen | TabCrashed) and not self.committed:
            # Of the page that is left.
            return
        if not isinstance(error, DialogOpen):
            self.fail(error)
        else:
            self._held_up = True
        self._news.set()

    def fail(self, error: ChromeError) -> None:
        """What is waited for will never come."""
        self.failure = error
        self._news.set()

    def _arrived(self, loader: str) -> None:
        self.committed = True
        self._loaded.add(loader)
        self._news.set()

    # Outcomes

    async def load(self, loader: str) -> bool:
        """True when it has loaded ('' stands for any); False when a dialog holds it up; raises why it never will."""
        while True:
            if self.failure is not None:
                raise again(self.failure)
            if loader in self._loaded or (loader == "" and self._loaded):
                return True
            if self._held_up:
                return False
            self._news.clear()
            await self._news.wait()

    async def refusal(self, url: str, reason: str) -> ChromeError:
        """Why Chrome opened nothing, though it was told to open `url`."""
        if reason == _ABORTED and self.status is not None and self.failure is None:
            # The response was no document; Chrome tells a little later of the download that it became.
            try:
                async with asyncio.timeout(_DOWNLOAD_SECONDS):
                    while self.failure is None:
                        self._news.clear()
                        await self._news.wait()
            except TimeoutError:
                return self._unreachable(url, reason)
        return again(self.failure) if self.failure is not None else self._unreachable(url, reason)

    def _unreachable(self, url: str, reason: str) -> NavigationFailed:
        status = f" (HTTP status {self.status})" if self.status is not None else ""
        said = f"Cannot open {redact_url(url)}: {reason or 'Chrome shows an error page'}{status}."
        if reason == _OFFLINE and self._tab.emulation.now.network == "Offline":
            return NavigationFailed(
                said,
                fix="The tab pretends to be offline: emulate networkConditions 'No emulation' ends that.",
            )
        return NavigationFailed(said)

    def _no_content(self, url: str) -> NavigationFailed:
        return NavigationFailed(
            f"{redact_url(url)} answered {self.status}, which has no content: the tab stays where it is.",
            fix="That need not be wrong; navigate to a URL that has a page.",
        )

    def _is_download(self, url: str) -> NavigationFailed:
        return NavigationFailed(
            f"{redact_url(url)} is a download, not a page: the tab stays where it is.",
            fix="That need not be wrong; fetch it in evaluate_script if its content matters.",
        )
