"""The option `overlay`: how the overlay looks and behaves, until a user has it otherwise in its settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypedDict

from pageside.errors import InvalidArguments

Keys = str | Literal[False]


class OverlayShortcuts(TypedDict, total=False):
    """Keys as `Alt+I`; False: none."""

    element: Keys
    area: Keys
    panel: Keys
    answer: Keys


class OverlayOptions(TypedDict, total=False):
    """As the Vite plugin's; docs/overlay.md says what each does."""

    shortcuts: OverlayShortcuts
    theme: Literal["auto", "light", "dark", "page"]
    side: Literal["right", "left"]
    freeze: bool
    """Whether the page stands still while the user picks."""


_ALLOWED: dict[str, tuple[object, ...]] = {
    "theme": ("auto", "light", "dark", "page"),
    "side": ("right", "left"),
    "freeze": (True, False),
}
_HELD = ("Ctrl", "Alt", "Shift", "Meta")
_FUNCTION = re.compile(r"F\d{1,2}", re.I)


def checked_overlay(given: OverlayOptions) -> dict[str, object]:
    """The same with keys as the client compares them. Raises `InvalidArguments`, which names the option."""
    _check_known("overlay", given, (*_ALLOWED, "shortcuts"))
    for name, allowed in _ALLOWED.items():
        if given.get(name, allowed[0]) not in allowed:
            choices = ", ".join(map(repr, allowed))
            raise InvalidArguments(f"'overlay.{name}' must be one of {choices}.")
    shortcuts = given.get("shortcuts", {})
    _check_known("overlay.shortcuts", shortcuts, tuple(OverlayShortcuts.__annotations__))
    keys = {action: _keys(action, value) for action, value in shortcuts.items()}
    return {**given, **({"shortcuts": keys} if keys else {})}


def _check_known(option: str, given: object, names: tuple[str, ...]) -> None:
    if not isinstance(given, Mapping):
        raise InvalidArguments(f"'{option}' must be a dict with {', '.join(names)}.")
    for name in given:
        if name not in names:
            raise InvalidArguments(f"There is no '{option}.{name}'; there are {', '.join(names)}.")


def _keys(action: str, value: object) -> Keys:
    if value is False:
        return False
    *held, key = (part.strip() for part in str(value).split("+"))
    wanted = {part.capitalize() for part in held}
    is_function = bool(_FUNCTION.fullmatch(key))
    if not re.fullmatch(r"\w+", key, re.ASCII) or not wanted <= set(_HELD) or not (wanted or is_function):
        raise InvalidArguments(
            f"'overlay.shortcuts.{action}' is {value!r}: write keys as 'Alt+I', or False for none."
        )
    code = key.upper() if len(key) == 1 or is_function else key
    return "+".join([*(one for one in _HELD if one in wanted), code])
