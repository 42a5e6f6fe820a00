"""What a page's Content-Security-Policy means for the inspector client, a module script of the page's own origin."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_OWN = frozenset(("'self'", "*", "http:", "https:"))


@dataclass(frozen=True, slots=True)
class Policy:
    """How the client has to be loaded; `problem` says why that cannot work."""

    trusted_types: bool = False
    nonce: str = ""
    problem: str = ""


def read_policy(headers: Iterable[str], hosts: Iterable[str] = ()) -> Policy:
    """Of all `Content-Security-Policy` headers; `hosts` are spellings of the page's own origin."""
    own = _OWN | frozenset(hosts)
    policies = [_directives(each) for header in headers for each in header.split(",") if each.strip()]
    scripts = [(_first(each, "script-src-elem", "script-src", "default-src")) for each in policies]
    needed = [sources for sources in scripts if sources is not None and not _allows(sources, own)]
    nonces = [frozenset(_nonces(sources)) for sources in needed]
    shared = frozenset.intersection(*nonces) if nonces else frozenset[str]()
    problem = ""
    if needed and not shared:
        problem = "its script-src has neither 'self' nor a nonce"
    elif not all(_connects(each, own) for each in policies):
        problem = "its connect-src does not have 'self'"
    return Policy(
        trusted_types=any("require-trusted-types-for" in each for each in policies),
        nonce=min(shared, default=""),
        problem=problem,
    )


def _directives(policy: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for directive in policy.split(";"):
        name, *values = directive.split() or [""]
        if name:
            found.setdefault(name.lower(), values)
    return found


def _first(policy: dict[str, list[str]], *names: str) -> list[str] | None:
    return next((policy[name] for name in names if name in policy), None)


def _allows(sources: list[str], own: frozenset[str]) -> bool:
    lower = [source.lower() for source in sources]
    return "'strict-dynamic'" not in lower and any(source in own for source in lower)


def _nonces(sources: list[str]) -> Iterable[str]:
    """Only those that can stand in an attribute as they are."""
    for source in sources:
        nonce = source[7:-1]
        if source.lower().startswith("'nonce-") and nonce.replace("-", "").replace("_", "").strip("=+/"):
            yield nonce


def _connects(policy: dict[str, list[str]], own: frozenset[str]) -> bool:
    sources = _first(policy, "connect-src", "default-src")
    return sources is None or any(source.lower() in own for source in sources)
