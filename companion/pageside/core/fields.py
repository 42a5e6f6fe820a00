"""What pages and dev servers report, field by field: of the right type and a bounded size, or refused by its name."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pageside.core.ids import is_channel_id
from pageside.errors import Refused


@dataclass(frozen=True, slots=True)
class Fields:
    """One JSON object; `path` is how a refusal names it. Texts and lists that are too long are cut."""

    values: Mapping[str, Any]
    path: str = ""

    def text(self, name: str, most: int) -> str:
        """A text of at most `most` characters; raises `Refused` 400, as all of these do."""
        value = self.values.get(name)
        if not isinstance(value, str):
            raise self._refusal(name, "a text")
        return value if len(value) <= most else value[: most - 1] + "…"

    def optional_text(self, name: str, most: int) -> str | None:
        return self.text(name, most) if self.values.get(name) is not None else None

    def channel_id(self, name: str) -> str:
        """An id that a page minted, as `core/ids.py` has them."""
        value = self.values.get(name)
        if not is_channel_id(value):
            raise self._refusal(name, "16–64 characters A–Z a–z 0–9 _ -")
        return str(value)

    def choice(self, name: str, allowed: Collection[str]) -> str:
        value = self.values.get(name)
        if not isinstance(value, str) or value not in allowed:
            raise self._refusal(name, f"one of {', '.join(allowed)}")
        return value

    def number(self, name: str, least: float, most: float) -> float:
        """A number, brought between `least` and `most`."""
        value = self.values.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self._refusal(name, "a number")
        return min(max(value, least), most)

    def optional_number(self, name: str, least: float, most: float) -> float | None:
        return self.number(name, least, most) if self.values.get(name) is not None else None

    def whole(self, name: str, most: int = 2**53) -> int:
        """A whole number from 0 to `most`."""
        value = self.number(name, 0, most)
        if value != int(value):
            raise self._refusal(name, "a whole number")
        return int(value)

    def optional_whole(self, name: str, most: int = 2**53) -> int | None:
        return self.whole(name, most) if self.values.get(name) is not None else None

    def texts(self, name: str, most: int, chars: int) -> list[str]:
        """A list of texts, the first `most` of them."""
        listed = self._list(name)
        if not all(isinstance(value, str) for value in listed):
            raise self._refusal(name, "a list of texts")
        return [value[:chars] for value in listed[:most]]

    def numbers(self, name: str, most: int) -> list[float]:
        """A list of numbers, the first `most` of them."""
        inner = Fields({str(at): value for at, value in enumerate(self._list(name)[:most])}, self._name(name))
        return [inner.number(at, 0, 2**53) for at in inner.values]

    def object(self, name: str) -> dict[str, Any]:
        value = self.values.get(name)
        if not isinstance(value, dict):
            raise self._refusal(name, "an object")
        return value

    def objects(self, name: str, most: int) -> list[Fields]:
        """A list of objects, the first `most` of them."""
        listed = self._list(name)
        if not all(isinstance(value, dict) for value in listed):
            raise self._refusal(name, "a list of objects")
        where = self._name(name)
        return [Fields(value, f"{where}[{at}]") for at, value in enumerate(listed[:most])]

    def _list(self, name: str) -> list[Any]:
        value = self.values.get(name)
        if not isinstance(value, list):
            raise self._refusal(name, "a list")
        return value

    def _name(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def _refusal(self, name: str, what: str) -> Refused:
        return Refused(400, "BAD_REQUEST", f"'{self._name(name)}' must be {what}.")


def filled(**values: Any) -> dict[str, Any]:
    """The same without what is None."""
    return {name: value for name, value in values.items() if value is not None}
