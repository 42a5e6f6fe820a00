"""Which scenarios each run of the suite must consist of: all that are no extensions.

Written down, so that one which silently stops to run is noticed. `conformance list --server` shows them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """One line of the suite (an npm alias of package.json) at one revision of the protocol."""

    line: str
    revision: str
    scenarios: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.line}@{self.revision}"


_EVERYWHERE = """
    completion-complete dns-rebinding-protection json-schema-2020-12
    prompts-get-embedded-resource prompts-get-simple prompts-get-with-args prompts-get-with-image prompts-list
    resources-list resources-read-binary resources-read-text resources-templates-read
    server-sse-multiple-streams
    tools-call-audio tools-call-embedded-resource tools-call-error tools-call-image tools-call-mixed-content
    tools-call-simple-text tools-call-with-progress tools-list
"""
_HANDSHAKE = """
    elicitation-sep1034-defaults elicitation-sep1330-enums logging-set-level ping
    resources-subscribe resources-unsubscribe server-initialize server-sse-polling
    tools-call-elicitation tools-call-sampling tools-call-with-logging
"""
_MODERN = """
    caching http-custom-header-server-validation http-header-validation sep-2164-resource-not-found
    server-stateless
    input-required-result-basic-elicitation input-required-result-basic-list-roots
    input-required-result-basic-sampling input-required-result-capability-check
    input-required-result-ignore-extra-params input-required-result-missing-input-response
    input-required-result-multi-round input-required-result-multiple-input-requests
    input-required-result-non-tool-request input-required-result-request-state
    input-required-result-result-type input-required-result-tampered-state
    input-required-result-unsupported-methods input-required-result-validate-input
"""


def _names(*texts: str) -> tuple[str, ...]:
    return tuple(sorted(name for text in texts for name in text.split()))


RUNS = (
    Run("conformance-stable", "2025-11-25", _names(_EVERYWHERE, _HANDSHAKE)),
    Run("conformance-alpha", "2025-11-25", _names(_EVERYWHERE, _HANDSHAKE, "server-session-lifecycle")),
    Run("conformance-alpha", "2026-07-28", _names(_EVERYWHERE, _MODERN)),
)

WARNINGS = {
    # It says that it speaks 2025-03-26, whose clients know neither.
    ("conformance-stable", "server-sse-polling"): {"server-sse-priming-event", "server-sse-retry-field"},
}
"""Checks that may warn, by line and scenario. The suite does not count warnings; here they fail like failures."""
