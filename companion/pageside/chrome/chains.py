"""The hops of each request, and what Chrome tells of their headers and cookies in an order of its own."""

from __future__ import annotations

from collections import OrderedDict

from pageside.chrome.requests import Request
from pageside.chrome.session import Params
from pageside.core.headers import redact_headers


class Chain:
    """One request and its redirects, the present hop last."""

    def __init__(self) -> None:
        self.hops: list[Request] = []
        self._sent: list[Params] = []
        self._received: list[Params] = []

    def add(self, hop: Request) -> None:
        self.hops.append(hop)
        self.match()

    def take_sent(self, params: Params) -> None:
        """Take what `Network.requestWillBeSentExtraInfo` says of one of the hops."""
        cookies = _without_values(params.get("associatedCookies") or [])
        self._sent.append({"headers": redact_headers(params.get("headers") or {}), "cookies": cookies})
        self.match()

    def take_received(self, params: Params) -> None:
        """Take what `Network.responseReceivedExtraInfo` says of one of the hops."""
        cookies = _without_values(params.get("blockedCookies") or [])
        headers = redact_headers(params.get("headers") or {})
        self._received.append({"headers": headers, "cookies": cookies, "status": params.get("statusCode")})
        self.match()

    def match(self) -> None:
        """Give each hop its own; hops that never reached the network have none."""
        hops = [hop for hop in self.hops if hop.has_extra is not False]
        for hop in self.hops:
            hop.sent_extra = hop.received_extra = None
            hop.blocked_cookies.clear()
        for hop, extra in zip(hops, self._sent, strict=False):
            hop.sent_extra = extra["headers"]
            hop.no_cookies(extra["cookies"], "sent")
        for hop, extra in zip(hops, self._received, strict=False):
            hop.received_extra, hop.status = extra["headers"], extra["status"] or hop.status
            hop.no_cookies(extra["cookies"], "stored")


class Chains:
    """By Chrome's id of a request; the `most` newest ones."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._chains: OrderedDict[str, Chain] = OrderedDict()

    def of(self, key: str) -> Chain:
        """That of this id, begun when it is first heard of."""
        chain = self._chains.get(key)
        if chain is None:
            chain = self._chains[key] = Chain()
            if len(self._chains) > self._most:
                self._chains.popitem(last=False)
        return chain

    def hop(self, params: Params) -> Request | None:
        """The request that an event is about, as far as it was told of."""
        chain = self._chains.get(params["requestId"])
        return chain.hops[-1] if chain is not None and chain.hops else None

    def drop(self, request: Request) -> bool:
        """Forget the chain of which it is the last hop; whether there was one."""
        chain = self._chains.get(request.key)
        is_last = chain is not None and bool(chain.hops) and chain.hops[-1] is request
        if is_last:
            del self._chains[request.key]
        return is_last

    def clear(self) -> None:
        self._chains.clear()


def _without_values(cookies: list[Params]) -> list[Params]:
    """Of what Chrome kept back only names and reasons are remembered."""
    for each in cookies:
        each["cookie"] = {"name": (each.get("cookie") or {}).get("name", "(unreadable)")}
        each.pop("cookieLine", None)
    return cookies
