"""Every error that an agent, a page or a person can meet.

    PagesideError                 root: code, message (what and why), fix (what to do), data
    ├── InvalidArguments          INVALID_ARGUMENTS, names the argument
    ├── BadTransition             BAD_TRANSITION, names the allowed statuses
    ├── InspectionNotFound        INSPECTION_NOT_FOUND
    ├── NoPicture                 NO_PICTURE, says why there is none
    ├── PageNotConnected          PAGE_NOT_CONNECTED, lists pages and dev servers
    ├── PageDisconnected          PAGE_DISCONNECTED, names the call it ended
    ├── CommandTimeout            COMMAND_TIMEOUT
    ├── ChromeError               CHROME_ERROR, what Chrome said to a CDP command
    │   ├── ChromeUnreachable     CHROME_UNREACHABLE, says what was tried
    │   ├── ChromeLost            CHROME_LOST, the connection ended
    │   ├── ChromeNotAnswering    CHROME_NOT_ANSWERING, it is suspended or overloaded
    │   ├── TabNotFound           TAB_NOT_FOUND, lists available_tabs
    │   ├── MultipleTabs          MULTIPLE_TABS, lists available_tabs
    │   ├── TabDisconnected       TAB_DISCONNECTED, closed or detached
    │   ├── TabCrashed            TAB_CRASHED
    │   ├── DialogOpen            DIALOG_OPEN, with its type and message
    │   ├── ElementNotFound       ELEMENT_NOT_FOUND
    │   ├── ElementNotReady       ELEMENT_NOT_READY, says what stands in the way
    │   ├── NavigationFailed      NAVIGATION_FAILED
    │   └── ScriptFailed          EXECUTION_ERROR, what a script in the tab threw
    ├── ResultTooLarge            RESULT_TOO_LARGE, says what the limit is
    ├── CancelledByUser           CANCELLED_BY_USER
    ├── PausedByUser              PAUSED_BY_USER, says what is paused
    ├── DeniedByUser              DENIED_BY_USER, names the tool
    ├── ScriptNotAllowed          SCRIPT_NOT_ALLOWED, names the origin
    ├── Claimed                   CLAIMED, names the agent that has the inspection
    ├── TicketNotFound            TICKET_NOT_FOUND
    ├── AlreadyRunning            ALREADY_RUNNING
    ├── ViteTooOld                VITE_TOO_OLD, of `pageside setup`
    ├── ServerNotFound            SERVER_NOT_FOUND, lists the servers
    ├── ServerRunning             SERVER_RUNNING, names what runs under the id
    ├── ServerFailed              SERVER_FAILED, with its last lines
    ├── ServerNotAllowed          SERVER_NOT_ALLOWED, says how to allow it
    ├── TooMany                   TOO_MANY
    ├── StoreFailed               STORE_FAILED, nothing was written
    ├── ReportedByPage            the code that the page gave
    └── Refused                   FORBIDDEN, UNAUTHORIZED, TOO_LARGE …: the guard's answers, with an HTTP status

The codes and what to do about each stand in `contract/errors.json`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pageside.contract import FIXES


class PagesideError(Exception):
    """Root of the tree; `code` is for programs, the rest for whoever has to act on it."""

    code: ClassVar[str] = "INTERNAL_ERROR"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        fix: str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.error_code = code or self.code
        self.fix = fix or FIXES.get(self.error_code, FIXES["INTERNAL_ERROR"])
        self.data = dict(data or {})
        self.shown = ""
        """What the page shows, as text: for the agent, marked as the page's."""
        self.pictures: list[tuple[str, str]] = []
        """What it looks like, for the agent: MIME type and base64."""

    def to_json(self) -> dict[str, Any]:
        """`{"code", "message", "fix", "data"?}` as it stands on every wire."""
        body: dict[str, Any] = {
            "code": self.error_code,
            "message": self.message,
            "fix": self.fix,
        }
        if self.data:
            body["data"] = self.data
        return body


class InvalidArguments(PagesideError):
    code = "INVALID_ARGUMENTS"


class BadTransition(PagesideError):
    code = "BAD_TRANSITION"

    def __init__(self, current: str, wanted: str, allowed: Sequence[str], why: str = "") -> None:
        choices = ", ".join(allowed) or "none"
        super().__init__(
            f"An inspection that is {current} cannot become {wanted}{why and f': {why}'}. "
            f"Allowed from here: {choices}.",
            data={"current": current, "wanted": wanted, "allowed": list(allowed)},
        )


class InspectionNotFound(PagesideError):
    code = "INSPECTION_NOT_FOUND"


class PageNotConnected(PagesideError):
    code = "PAGE_NOT_CONNECTED"


class PageAmbiguous(PagesideError):
    code = "PAGE_AMBIGUOUS"


class PageDisconnected(PagesideError):
    code = "PAGE_DISCONNECTED"


class PageBusy(PagesideError):
    code = "PAGE_BUSY"


class CommandTimeout(PagesideError):
    code = "COMMAND_TIMEOUT"


class ChromeError(PagesideError):
    code = "CHROME_ERROR"


class ChromeUnreachable(ChromeError):
    code = "CHROME_UNREACHABLE"


class ChromeLost(ChromeError):
    code = "CHROME_LOST"


class ChromeNotAnswering(ChromeError):
    code = "CHROME_NOT_ANSWERING"


class TabNotFound(ChromeError):
    code = "TAB_NOT_FOUND"


class MultipleTabs(ChromeError):
    code = "MULTIPLE_TABS"


class TabDisconnected(ChromeError):
    code = "TAB_DISCONNECTED"


class TabCrashed(ChromeError):
    code = "TAB_CRASHED"


class DialogOpen(ChromeError):
    code = "DIALOG_OPEN"


class ElementNotFound(ChromeError):
    code = "ELEMENT_NOT_FOUND"


class ElementNotReady(ChromeError):
    code = "ELEMENT_NOT_READY"


class NavigationFailed(ChromeError):
    code = "NAVIGATION_FAILED"


class ScriptFailed(ChromeError):
    code = "EXECUTION_ERROR"


class ResultTooLarge(PagesideError):
    code = "RESULT_TOO_LARGE"


class CancelledByUser(PagesideError):
    code = "CANCELLED_BY_USER"


class PausedByUser(PagesideError):
    code = "PAUSED_BY_USER"


class DeniedByUser(PagesideError):
    code = "DENIED_BY_USER"


class ScriptNotAllowed(PagesideError):
    code = "SCRIPT_NOT_ALLOWED"


class Cancelled(PagesideError):
    code = "CANCELLED"


class TicketNotFound(PagesideError):
    code = "TICKET_NOT_FOUND"


class Claimed(PagesideError):
    code = "CLAIMED"


class NoPicture(PagesideError):
    code = "NO_PICTURE"


class StoreFailed(PagesideError):
    code = "STORE_FAILED"


class AlreadyRunning(PagesideError):
    code = "ALREADY_RUNNING"


class ViteTooOld(PagesideError):
    code = "VITE_TOO_OLD"


class ServerNotFound(PagesideError):
    code = "SERVER_NOT_FOUND"


class ServerRunning(PagesideError):
    code = "SERVER_RUNNING"


class ServerFailed(PagesideError):
    code = "SERVER_FAILED"


class ServerNotAllowed(PagesideError):
    code = "SERVER_NOT_ALLOWED"


class TooMany(PagesideError):
    code = "TOO_MANY"


class ShuttingDown(PagesideError):
    code = "SHUTTING_DOWN"


class ReportedByPage(PagesideError):
    """What the page said went wrong; the code is the page's if the contract knows it."""

    def __init__(self, code: str, message: str, data: Mapping[str, Any] | None = None) -> None:
        known = code if code in FIXES else "EXECUTION_ERROR"
        super().__init__(message, code=known, data=data)


class Refused(PagesideError):
    """An HTTP request that got no further than the door."""

    def __init__(self, status: int, code: str, message: str, fix: str | None = None) -> None:
        super().__init__(message, code=code, fix=fix)
        self.status = status
