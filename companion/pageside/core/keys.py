"""Keys by the names of the W3C UI Events specification (`KeyboardEvent.key`), as CDP wants them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pageside.errors import InvalidArguments

MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
"""The bits of CDP's `modifiers`."""
_ALIASES = {
    "Ctrl": "Control",
    "Cmd": "Meta",
    "Command": "Meta",
    "Option": "Alt",
    "Esc": "Escape",
    "Return": "Enter",
    "Space": " ",
    "Del": "Delete",
    "Up": "ArrowUp",
    "Down": "ArrowDown",
    "Left": "ArrowLeft",
    "Right": "ArrowRight",
    "\n": "Enter",
    "\r": "Enter",
    "\t": "Tab",
}
_NAMED = {
    "Enter": ("Enter", 13, "\r"),
    "Tab": ("Tab", 9, ""),
    "Escape": ("Escape", 27, ""),
    "Backspace": ("Backspace", 8, ""),
    "Delete": ("Delete", 46, ""),
    "Insert": ("Insert", 45, ""),
    "Home": ("Home", 36, ""),
    "End": ("End", 35, ""),
    "PageUp": ("PageUp", 33, ""),
    "PageDown": ("PageDown", 34, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
    "ContextMenu": ("ContextMenu", 93, ""),
    "CapsLock": ("CapsLock", 20, ""),
    " ": ("Space", 32, " "),
    "Alt": ("AltLeft", 18, ""),
    "Control": ("ControlLeft", 17, ""),
    "Meta": ("MetaLeft", 91, ""),
    "Shift": ("ShiftLeft", 16, ""),
} | {f"F{n}": (f"F{n}", 111 + n, "") for n in range(1, 13)}
_MODIFIERS_AS_WRITTEN = {each.lower(): each for each in MODIFIERS} | {
    alias.lower(): name for alias, name in _ALIASES.items() if name in MODIFIERS
}
# Of a US keyboard: the sign, the one above it, the code, the virtual key code.
_SIGNS = (
    ("`", "~", "Backquote", 192),
    ("-", "_", "Minus", 189),
    ("=", "+", "Equal", 187),
    ("[", "{", "BracketLeft", 219),
    ("]", "}", "BracketRight", 221),
    ("\\", "|", "Backslash", 220),
    (";", ":", "Semicolon", 186),
    ("'", '"', "Quote", 222),
    (",", "<", "Comma", 188),
    (".", ">", "Period", 190),
    ("/", "?", "Slash", 191),
)
_DIGITS_SHIFTED = ")!@#$%^&*("
_SHIFTED = (
    {chr(letter): chr(letter).upper() for letter in range(ord("a"), ord("z") + 1)}
    | {str(digit): sign for digit, sign in enumerate(_DIGITS_SHIFTED)}
    | {plain: shifted for plain, shifted, _, _ in _SIGNS}
)
MAX_SHOWN = 40
_EDITING = {"a": "selectAll", "c": "copy", "x": "cut", "v": "paste", "z": "undo", "y": "redo"}
_TYPES_NOTHING = MODIFIERS["Alt"] | MODIFIERS["Control"] | MODIFIERS["Meta"]


@dataclass(frozen=True, slots=True)
class Key:
    """One key; `text` is what it types by itself."""

    key: str
    code: str
    number: int
    text: str

    def under(self, modifiers: int) -> Key:
        """As it reports itself while these are held: Control and `A` make an `a`, Shift and `1` make a `!`."""
        if not modifiers:
            return self
        if modifiers & MODIFIERS["Shift"]:
            return _character(_SHIFTED[self.key]) if self.key in _SHIFTED else self
        return _character(self.key.lower()) if self.key in _SHIFTED.values() and self.key.isalpha() else self

    def event(self, modifiers: int) -> dict[str, Any]:
        """The parameters of `Input.dispatchKeyEvent` but for its type."""
        text = "" if modifiers & _TYPES_NOTHING else self.text
        return {
            "key": self.key,
            "code": self.code,
            "windowsVirtualKeyCode": self.number,
            "nativeVirtualKeyCode": self.number,
            "modifiers": modifiers,
            **({"text": text, "unmodifiedText": text} if text else {}),
        }

    def commands(self, modifiers: int) -> list[str]:
        """Editing commands that the system, not the page, makes of the key."""
        command = _EDITING.get(self.key.lower())
        wanted = modifiers & ~MODIFIERS["Shift"]
        return [command] if command and wanted in (MODIFIERS["Control"], MODIFIERS["Meta"]) else []


def parse_keys(text: str) -> tuple[list[Key], Key]:
    """(modifiers, key) of `Enter`, `Control+A`, `ctrl++`; raises `InvalidArguments` for unknown names."""
    *names, name = _names(text)
    modifiers = list(dict.fromkeys(_MODIFIERS_AS_WRITTEN.get(each.lower(), each) for each in names))
    for modifier in modifiers:
        if modifier not in MODIFIERS:
            raise InvalidArguments(
                f"'key': {modifier[:MAX_SHOWN]!r} is no modifier; there are {', '.join(MODIFIERS)}.",
                data={"argument": "key"},
            )
    bits = sum(MODIFIERS[modifier] for modifier in modifiers)
    return [key_of(modifier) for modifier in modifiers], key_of(name).under(bits)


def _names(text: str) -> list[str]:
    """What stands between the signs; a last `+` is the key itself."""
    if text == "+":
        return ["+"]
    if text.endswith("++"):
        return [*text[:-2].split("+"), "+"]
    return text.split("+")


def key_of(name: str) -> Key:
    """The key of that name, or that types that character."""
    name = _ALIASES.get(name, name)
    if name in _NAMED:
        code, number, text = _NAMED[name]
        return Key(name, code, number, text)
    if len(name) != 1:
        known = ", ".join(each for each in _NAMED if each != " ")
        raise InvalidArguments(
            f"'key': there is no key {name[:MAX_SHOWN]!r}; a single character, Space, or one of {known}.",
            data={"argument": "key"},
        )
    return _character(name)


def _character(char: str) -> Key:
    if char.isascii() and char.isalpha():
        return Key(char, f"Key{char.upper()}", ord(char.upper()), char)
    if char.isascii() and char.isdigit():
        return Key(char, f"Digit{char}", ord(char), char)
    if char in _DIGITS_SHIFTED:
        digit = str(_DIGITS_SHIFTED.index(char))
        return Key(char, f"Digit{digit}", ord(digit), char)
    for plain, shifted, code, number in _SIGNS:
        if char in (plain, shifted):
            return Key(char, code, number, char)
    return Key(char, "", 0, char)
