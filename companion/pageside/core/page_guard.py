"""Who may use Pageside on an app's own origin: as `vite-plugin/src/http/guard.ts`, for the Python middleware."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pageside.contract import LIMITS
from pageside.core.loopback import Address, is_loopback
from pageside.core.origins import LOOPBACK_NAMES
from pageside.errors import Refused

METHODS = ("GET", "HEAD", "POST", "DELETE")
_FORWARDING = re.compile(r"x-forwarded-.*|cf-.*|forwarded|via|x-real-ip")
_SCRIPTS = frozenset(("script", "worker", "sharedworker", "serviceworker"))
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?", re.I)
_MAX_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Knock:
    """A request as far as the guard looks at it; header names in lower case, `peer` the address of the socket."""

    method: str
    headers: Mapping[str, str]
    hosts: tuple[str, ...]
    secure: bool
    peer: str | None


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask, as the developer configured it."""

    allowed_hosts: Collection[str] = ()
    lan: bool = False


def check(knock: Knock, access: Access) -> None:
    """Raises `Refused` with the first reason not to answer."""
    _check_host(knock, access)
    _check_origin(knock)
    _check_site(knock)
    _check_method(knock)
    _check_body(knock)


def check_peer(knock: Knock, access: Access) -> None:
    """Raises `Refused` for who is not on this machine: the queue is the developer's, not the network's."""
    if access.lan:
        return
    forwarded = was_forwarded(knock.headers)
    peer = _address(knock.peer or "")
    if not forwarded and peer is not None and is_loopback(peer):
        return
    why = (
        "The request came through a proxy or a tunnel."
        if forwarded
        else f"The request came from {knock.peer or 'an unknown address'}, not from a loopback address."
    )
    raise Refused(
        403,
        "FORBIDDEN",
        why,
        "Open the app at its localhost address, or set the middleware's option lan=True (PAGESIDE_LAN=1): then "
        "everybody who reaches the app reads and writes the inspections.",
    )


def may_be_agent(knock: Knock) -> bool:
    """Whether the socket's peer may be the agent itself, and not a browser, or the near end of a tunnel."""
    # Not Sec-Fetch-Mode: Node's fetch sends that too.
    from_browser = "origin" in knock.headers or "sec-fetch-site" in knock.headers
    own_name = len(knock.hosts) == 1 and host_name(knock.hosts[0]) in LOOPBACK_NAMES
    return own_name and not from_browser and not was_forwarded(knock.headers)


def was_forwarded(headers: Mapping[str, str]) -> bool:
    """Whether somebody in between passed the request on, so that the socket's peer is not who asks."""
    return any(_FORWARDING.fullmatch(name) for name in headers)


def host_name(host: str) -> str | None:
    """The name in a Host header in lower case, without the port; None when malformed."""
    found = _HOST.fullmatch(host)
    if found is None or int(found[2] or 0) > 65_535:
        return None
    name = found[1].lower()
    return name if not name.startswith("[") or _named_address(name) is not None else None


def is_allowed_host(name: str, access: Access) -> bool:
    """`localhost`, loopback addresses, the names that were allowed; with `lan` every address."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _named_address(name)
    if address is not None:
        return access.lan or is_loopback(address)
    return any(_covers(entry.lower(), name) for entry in access.allowed_hosts)


def _covers(entry: str, name: str) -> bool:
    return entry == name or (entry.startswith(".") and (entry[1:] == name or name.endswith(entry)))


def _named_address(name: str) -> Address | None:
    """As a Host header has it: IPv6 in brackets."""
    return _address(name.strip("[]"))


def _address(text: str) -> Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def _check_host(knock: Knock, access: Access) -> None:
    if len(set(knock.hosts)) != 1:
        raise _forbidden("The request must name exactly one Host.", "Send one Host header.")
    name = host_name(knock.hosts[0])
    if name is None:
        raise _forbidden(
            f"The Host {_quote(knock.hosts[0])} is malformed.", "Send the host name and the port."
        )
    if not is_allowed_host(name, access):
        raise _forbidden(
            f"The Host {_quote(name)} is not allowed.",
            f"Add {_quote(name)} to the middleware's option allowed_hosts if it is yours.",
        )


def _check_origin(knock: Knock) -> None:
    origin = knock.headers.get("origin")
    if origin is None:
        return
    own = f"{'https' if knock.secure else 'http'}://{knock.hosts[0]}".lower()
    # Behind a proxy that ends TLS the schemes differ; the browser itself has seen that the page is of this very origin.
    is_of_host = re.sub(r"^https?://", "", origin.lower()) == knock.hosts[0].lower()
    if origin.lower() == own or (is_of_host and knock.headers.get("sec-fetch-site") == "same-origin"):
        return
    raise _forbidden(
        f"The Origin {_quote(origin)} is not this app's own, {_quote(own)}.",
        "Call it from a page of this app.",
    )


def _check_site(knock: Knock) -> None:
    site = knock.headers.get("sec-fetch-site")
    is_script = knock.headers.get("sec-fetch-dest") in _SCRIPTS
    if site in (None, "same-origin") or (site == "none" and not is_script):
        return
    raise _forbidden(
        f"The browser sends this for another site (Sec-Fetch-Site: {site}).",
        "Call it from a page of this app.",
    )


def _check_method(knock: Knock) -> None:
    if knock.method not in METHODS:
        raise Refused(
            405,
            "BAD_REQUEST",
            f"The method {knock.method} is not used here.",
            f"Use one of {', '.join(METHODS)}.",
        )


def _check_body(knock: Knock) -> None:
    length = knock.headers.get("content-length", "0")
    if not (length.isascii() and length.isdecimal()) or len(length) > 15:
        raise Refused(
            400, "BAD_REQUEST", "The Content-Length is no number.", "Send the body's size in bytes."
        )
    if int(length) > LIMITS["bodyBytes"]:
        raise too_large()
    kind = knock.headers.get("content-type", "").split(";")[0].strip().lower()
    if knock.method == "POST" and kind != "application/json":
        raise Refused(
            415,
            "BAD_REQUEST",
            f"A POST must be application/json, not {_quote(kind or 'without a content type')}.",
            "Send one JSON object with content type application/json.",
        )


def too_large() -> Refused:
    """The body is over the limit."""
    limit = LIMITS["bodyBytes"]
    return Refused(
        413,
        "TOO_LARGE",
        f"The body is over the limit of {limit} bytes.",
        "Send less than the limit named in the message.",
    )


def _forbidden(message: str, fix: str) -> Refused:
    return Refused(403, "FORBIDDEN", message, fix)


def _quote(text: str) -> str:
    return f'"{text[:_MAX_SHOWN]}"'
