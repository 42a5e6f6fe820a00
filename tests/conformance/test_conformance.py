"""Our hosting of MCP passes the official suite: every scenario of 2025-11-25 and of 2026-07-28."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache

import pytest

from conformance.scenarios import RUNS, Run
from conformance.suite import Outcome, complaints, outcome

pytestmark = [
    pytest.mark.timeout(150),
    # The suite asks for what 2026-07-28 deprecates; the SDK warns of each use.
    pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning"),
]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Run], Outcome]:
    """Each run of the suite once, for all tests of its scenarios."""

    @cache
    def of(run: Run) -> Outcome:
        return asyncio.run(outcome(run, tmp_path_factory.mktemp("conformance")))

    return of


@pytest.mark.parametrize(
    ("run", "scenario"),
    [pytest.param(run, name, id=f"{run}-{name}") for run in RUNS for name in run.scenarios],
)
def test_the_scenario_passes(outcomes: Callable[[Run], Outcome], run: Run, scenario: str) -> None:
    of_run = outcomes(run)
    checks = of_run.checks.get(scenario)
    assert checks, of_run.output
    assert complaints(run, scenario, checks) == []


@pytest.mark.parametrize("run", RUNS, ids=str)
def test_the_suite_runs_these_scenarios_and_is_content(outcomes: Callable[[Run], Outcome], run: Run) -> None:
    of_run = outcomes(run)
    assert sorted(of_run.checks) == list(run.scenarios), of_run.output
    assert of_run.exit_code == 0, of_run.output
