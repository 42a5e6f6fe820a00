"""Arguments are checked against the contract before anything is done, and defaults filled in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from pageside.contract import TOOLS
from pageside.errors import InvalidArguments
from pageside.toolsets.base import Tool


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(TOOLS[name]["inputSchema"])


def checked(tool: Tool, raw: Mapping[str, Any] | None) -> dict[str, Any]:
    """The arguments with the schema's defaults; raises `InvalidArguments` naming the argument."""
    args = dict(raw or {})
    error = best_match(_validator(tool.name).iter_errors(args))
    if error is not None:
        raise _explained(tool, error)
    properties = tool.definition["inputSchema"]["properties"]
    defaults = {name: spec["default"] for name, spec in properties.items() if "default" in spec}
    return {**defaults, **args}


def _explained(tool: Tool, error: ValidationError) -> InvalidArguments:
    where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)
    argument = where.removeprefix(".")
    properties: dict[str, Any] = tool.definition["inputSchema"]["properties"]
    known = ", ".join(properties) or "none"
    if error.validator == "additionalProperties" and not argument:
        given: dict[str, Any] = error.instance  # type: ignore[assignment]
        unknown = sorted(set(given) - set(properties))
        what = f"unknown argument {', '.join(map(repr, unknown))}"
    elif argument:
        what = f"'{argument}': {_short(error.message)}"
    else:
        what = _short(error.message)
    return InvalidArguments(
        f"{tool.name}: {what}. It takes: {known}.",
        data={"argument": argument, "allowed": _allowed(error)},
    )


def _short(message: str) -> str:
    return message if len(message) <= 200 else f"{message[:120]} … {message[-70:]}"


def _allowed(error: ValidationError) -> Any:
    return {str(error.validator): error.validator_value} if error.validator else {}
