"""What a program writes to a terminal, as lines of plain text."""

from __future__ import annotations

import codecs
import re
from typing import Literal

MAX_LINE = 8000
"""Characters of one line; what is beyond is left out, and how much is said."""
MAX_PARAMETERS = 16
"""Characters of a control sequence's parameters that are looked at; it may have more."""

_State = Literal["text", "escape", "control", "string", "string escape"]

_SPECIAL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_UNUSUAL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_PARAMETERS = re.compile(r"[ -?]*")
_COLOUR = re.compile(r"\x1b\[[0-9:;]*m")
"""The most frequent sequence by far, when it is whole: taken at once."""
_STRING = re.compile(r"[^\x07\x18\x1a\x1b\n\x9c]*")


class TerminalLines:
    """Feed it what arrives, cut anywhere; get the lines that are complete.

    Control sequences (colours, titles, links) are taken out, other control characters dropped. What a carriage return,
    or a jump to the first column, lets be written over is gone, as progress bars want it.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._state: _State = "text"
        self._parameters = ""
        self._pieces: list[str] = []
        self._length = 0
        self._goes_over = False
        self._done: list[str] = []

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that this completes."""
        return self._take(self._decoder.decode(chunk))

    def finish(self) -> list[str]:
        """What came after the last line's end, if anything did; nothing may be fed after it."""
        lines = self._take(self._decoder.decode(b"", final=True))
        return [*lines, self.unfinished] if self._length else lines

    @property
    def unfinished(self) -> str:
        """The line that is being written."""
        text = "".join(self._pieces)
        beyond = self._length - len(text)
        return f"{text}… [{beyond} more characters]" if beyond else text

    def _take(self, text: str) -> list[str]:
        if self._state == "text" and not self._goes_over and _UNUSUAL.search(text) is None:
            self._take_plain(text)
        else:
            self._take_any(text)
        done, self._done = self._done, []
        return done

    def _take_plain(self, text: str) -> None:
        *lines, rest = text.split("\n")
        for line in lines:
            if self._length or len(line) > MAX_LINE:
                self._write(line)
                self._end_line()
            else:
                self._done.append(line)
        self._write(rest)

    def _take_any(self, text: str) -> None:
        at = 0
        while at < len(text):
            match self._state:
                case "text":
                    at = self._take_text(text, at)
                case "escape":
                    at = self._take_escape(text, at)
                case "control":
                    at = self._take_control(text, at)
                case "string":
                    at = self._take_string(text, at)
                case "string escape":
                    # ESC \ ends the string; any other ESC begins a sequence of its own.
                    self._state = "text" if text[at] == "\\" else "escape"
                    at += text[at] == "\\"

    def _take_text(self, text: str, at: int) -> int:
        found = _SPECIAL.search(text, at)
        end = found.start() if found is not None else len(text)
        self._write(text[at:end])
        if found is None:
            return end
        match found[0]:
            case "\n":
                self._end_line()
            case "\r":
                self._goes_over = True
            case "\x1b":
                colour = _COLOUR.match(text, end)
                if colour is not None:
                    return colour.end()
                self._state = "escape"
            case _:
                """A bell, a null: nothing to read."""
        return end + 1

    def _take_escape(self, text: str, at: int) -> int:
        sign = text[at]
        if sign == "[":
            self._state, self._parameters = "control", ""
        elif sign in "]PX^_":
            self._state = "string"
        elif " " <= sign <= "/":
            # As in ESC ( B: one of these, then the final character.
            return at + 1
        else:
            self._state = "text"
            return at + ("0" <= sign <= "~")
        return at + 1

    def _take_control(self, text: str, at: int) -> int:
        found = _PARAMETERS.match(text, at)
        end = found.end() if found is not None else at
        self._parameters = (self._parameters + text[at:end])[:MAX_PARAMETERS]
        if end == len(text):
            return end
        self._state = "text"
        if not "@" <= text[end] <= "~":
            return end
        sequence = self._parameters + text[end]
        if sequence in _TO_FIRST_COLUMN:
            self._goes_over = True
        return end + 1

    def _take_string(self, text: str, at: int) -> int:
        found = _STRING.match(text, at)
        end = found.end() if found is not None else at
        if end == len(text):
            return end
        if text[end] == "\x1b":
            self._state = "string escape"
            return end + 1
        self._state = "text"
        # A string that nobody ends, ends with its line: a log must not vanish.
        return end if text[end] == "\n" else end + 1

    def _write(self, text: str) -> None:
        if not text:
            return
        if self._goes_over:
            self._clear()
        room = MAX_LINE - self._length
        if room > 0:
            self._pieces.append(text[:room])
        self._length += len(text)

    def _end_line(self) -> None:
        self._done.append(self.unfinished)
        self._clear()

    def _clear(self) -> None:
        self._pieces, self._length, self._goes_over = [], 0, False


_TO_FIRST_COLUMN = ("G", "0G", "1G", "2K")
