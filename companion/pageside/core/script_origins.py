"""Where agents may run scripts: origins, compared as browsers do."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from urllib.parse import urlsplit

from pageside.core.loopback import NAMES, bracketed

ANY = "*"
_PORTS = {"http": 80, "https": 443}


def origin_of(url: str) -> str | None:
    """`scheme://host:port` of an http or https URL, or of a blob of such an origin; None for all that has none.

    The port is always there, the host in lower case and its international names in their ASCII form.
    """
    inner = url[5:] if url[:5].lower() == "blob:" else url
    try:
        parts = urlsplit(inner.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not host or "\\" in inner or "%" in host:
        return None
    name = _ascii(host)
    if name is None:
        return None
    return f"{parts.scheme}://{bracketed(name)}:{_PORTS[parts.scheme] if port is None else port}"


def _ascii(host: str) -> str | None:
    if host.isascii():
        return host.lower()
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return None


def is_allowed(url: str, servers: Iterable[str], more: Collection[str] = ()) -> bool:
    """Whether scripts may run at `url`: an origin of a dev server's URLs, or one of `more`; an empty tab too.

    The names of this machine are one with each other at the same port.
    """
    if ANY in more or url in ("about:blank", "about:blank#"):
        return True
    origin = origin_of(url)
    if origin is None:
        return False
    known = {each for each in map(origin_of, [*servers, *(each for each in more if each != ANY)]) if each}
    return origin in known or not _likewise(origin).isdisjoint(known)


def _likewise(origin: str) -> set[str]:
    """The same port by the other names of this machine, for one of them."""
    parts = urlsplit(origin)
    if parts.hostname not in NAMES:
        return set()
    return {f"{parts.scheme}://{bracketed(name)}:{parts.port}" for name in NAMES}
