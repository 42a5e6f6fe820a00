"""Completion of arguments: prompts' and resource templates'."""

from __future__ import annotations

import mcp_types as t

from pageside.agents.resources import complete_uri
from pageside.operations.world import World

MAX_VALUES = 100
_STATUSES = ("pending", "in-progress", "completed", "failed")


def complete(world: World, params: t.CompleteRequestParams) -> t.CompleteResult:
    """At most 100 values that begin with what was typed; none where nothing is known."""
    typed = params.argument.value
    if isinstance(params.ref, t.ResourceTemplateReference):
        found = complete_uri(world, params.ref.uri, typed)
    else:
        found = [v for v in _of_prompt(world, params.ref.name, params.argument.name) if v.startswith(typed)]
    return t.CompleteResult(
        completion=t.Completion(values=found[:MAX_VALUES], total=len(found), has_more=len(found) > MAX_VALUES)
    )


def _of_prompt(world: World, prompt: str, argument: str) -> list[str]:
    match (prompt, argument):
        case ("view_inspections", "status"):
            return list(_STATUSES)
        case ("launch_chrome_devtools", "url"):
            return list(dict.fromkeys([*world.leases.urls(), *(page.url for page in world.pages.all())]))
        case _:
            return []
