"""What modules of the Vite plugin export, read by TypeScript itself."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from support.app import REPOSITORY
from support.node import node

SOURCES = REPOSITORY / "vite-plugin" / "src"


@dataclass(frozen=True, slots=True)
class Member:
    """A field of an interface; `default` as its documentation says it."""

    name: str
    type: str
    is_optional: bool
    doc: str
    default: str | None
    members: tuple[Member, ...] = ()


@dataclass(frozen=True, slots=True)
class Declaration:
    """An exported function (with a signature) or interface (with members)."""

    name: str
    doc: str
    signature: str | None
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Module:
    """What a module declares and exports, and the names that it passes on from others."""

    own: dict[str, Declaration]
    passed_on: tuple[str, ...]

    @property
    def names(self) -> set[str]:
        return {*self.own, *self.passed_on}


@cache
def modules() -> dict[str, Module]:
    """`index`, `options`, `overlay` and `page`."""
    names = ("index", "options", "overlay", "page")
    files = {str(SOURCES / f"{name}.ts"): name for name in names}
    program = Path(__file__).with_name("declarations.mjs")
    ran = subprocess.run([str(node()), str(program), *files], check=True, capture_output=True, text=True)
    return {files[file]: _module(told) for file, told in json.loads(ran.stdout).items()}


def _module(told: dict[str, Any]) -> Module:
    own = {
        each["name"]: Declaration(
            each["name"], each["doc"], each["signature"], tuple(_member(one) for one in each["members"])
        )
        for each in told["own"]
    }
    return Module(own, tuple(told["passedOn"]))


def _member(told: dict[str, Any]) -> Member:
    inner = tuple(_member(each) for each in told["members"])
    return Member(told["name"], told["type"], told["isOptional"], told["doc"], told["default"], inner)
