"""HTTP headers as they may be shown: values by allow-list, all others keep their name only."""

from __future__ import annotations

from collections.abc import Mapping

from pageside.core.redaction import REDACTED, redact_text, redact_url

_PLAIN = frozenset(
    """
    :authority :method :path :scheme :status
    accept accept-charset accept-datetime accept-encoding accept-language accept-ranges
    access-control-allow-credentials access-control-allow-headers access-control-allow-methods
    access-control-allow-origin access-control-allow-private-network access-control-expose-headers
    access-control-max-age access-control-request-headers access-control-request-method
    access-control-request-private-network age allow alt-svc alt-used
    cache-control cdn-cache-control cf-cache-status clear-site-data connection content-disposition content-dpr
    content-encoding content-language content-length content-range content-security-policy
    content-security-policy-report-only content-type critical-ch cross-origin-embedder-policy
    cross-origin-embedder-policy-report-only cross-origin-opener-policy cross-origin-opener-policy-report-only
    cross-origin-resource-policy date device-memory dnt downlink dpr early-data ect etag expect expires host
    if-match if-modified-since if-none-match if-range if-unmodified-since keep-alive last-event-id last-modified
    max-forwards nel no-vary-search origin origin-agent-cluster permissions-policy pragma priority
    proxy-connection purpose range referrer-policy report-to reporting-endpoints retry-after rtt save-data
    sec-ch-prefers-color-scheme sec-ch-prefers-reduced-motion sec-ch-ua sec-ch-ua-arch sec-ch-ua-bitness
    sec-ch-ua-full-version sec-ch-ua-full-version-list sec-ch-ua-mobile sec-ch-ua-model sec-ch-ua-platform
    sec-ch-ua-platform-version sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-storage-access
    sec-fetch-user sec-gpc sec-purpose sec-websocket-accept sec-websocket-extensions sec-websocket-version server
    server-timing service-worker service-worker-allowed service-worker-navigation-preload sourcemap
    speculation-rules strict-transport-security supports-loading-mode te timing-allow-origin tk trailer
    transfer-encoding upgrade upgrade-insecure-requests user-agent vary via viewport-width warning width
    x-cache x-cache-hits x-content-type-options x-dns-prefetch-control x-download-options x-frame-options
    x-http-method-override x-permitted-cross-domain-policies x-powered-by x-ratelimit-limit
    x-ratelimit-remaining x-ratelimit-reset x-request-id x-requested-with x-response-time x-robots-tag
    x-runtime x-sourcemap x-ua-compatible x-xss-protection
    """.split()
)
_URLS = frozenset(("referer", "location", "content-location", "link"))


def redact_headers(headers: Mapping[str, object]) -> dict[str, str]:
    """The same names in lower case; of cookies their names and attributes, of unknown headers nothing more."""
    return {name.lower(): _value(name.lower(), str(value)) for name, value in headers.items()}


def _value(name: str, value: str) -> str:
    if name == "cookie":
        return "; ".join(_cookie(each) for each in value.split(";"))
    if name == "set-cookie":
        return "\n".join(_set_cookie(each) for each in value.split("\n"))
    if name in _URLS:
        return redact_url(value)
    return redact_text(value) if name in _PLAIN else REDACTED


def _cookie(pair: str) -> str:
    name, has_value, _ = pair.strip().partition("=")
    return f"{name}={REDACTED}" if has_value else REDACTED


def _set_cookie(line: str) -> str:
    pair, *attributes = line.split(";")
    return "; ".join([_cookie(pair), *(each.strip() for each in attributes)])
