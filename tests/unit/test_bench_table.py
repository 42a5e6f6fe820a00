"""The tables of `make bench`: what is called best, what is called failed, and what a new table leaves alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import page, readme, sources_table, table
from bench.cells import faster, faultless, shorter
from bench.chrome import ATTACHED
from bench.compact import BEGIN, END, Cell, Line, people_count, people_ms, replaced
from bench.inspectors import NONE, OTHER, OURS
from bench.servers import HTTP, RAW, STDIO

DEVTOOLS, PLAYWRIGHT = readme.OTHERS
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r")).filter(
    lambda text: "bench -->" not in text
)


def did(*ms: float, tokens: int = 10, held: int | None = None, tried: int | None = None) -> dict[str, Any]:
    tried = len(ms) if tried is None else tried
    held = tried if held is None else held
    missed = "" if held == tried else "not true: done"
    return {"ms": list(ms), "tokens": tokens, "calls": 1, "held": held, "tried": tried, "missed": missed}


def tries(seen: int, of: int = 2) -> dict[str, Any]:
    return {
        "at once": {"tries": of, "seen": seen, "true": of, "click_ms": [20.0] * of, "look_ms": [5.0] * of}
    }


def ran(**operations: dict[str, Any]) -> dict[str, Any]:
    """Results of a run in which all went well but what is given for some operation."""
    servers = {HTTP: 1.2, STDIO: 1.0, DEVTOOLS: 2.0, PLAYWRIGHT: 3.0}
    well = {RAW: did(4.0), **{name: did(40.0 * by, tokens=int(40 * by)) for name, by in servers.items()}}
    names = [
        *("click by reference", "fill a form of 10", "navigate, small page", "snapshot, 10,000 nodes"),
        *("viewport PNG", "1,000 console messages", "200 requests, the list"),
    ]
    seen = {name: tries(2) for name in servers}
    spots = {"exact": 9, "line": 10, "missed": ["p"], "failed": ""}
    cost = {"cpu_s": [2.0, 4.0], "hmr_ms": [50.0], "dom_bytes": 2048, "failed": ""}
    return {
        "about": {
            **{"date": "2026-11-22", "machine": "a machine", "load": 0.1, "minutes": 9},
            "effort": {"rounds": 4, "tries": 2, "builds": 3, "share": 0.5},
            "versions": {"Pageside": "0.1.0", "Vue": "3"},
        },
        "failed": {},
        "chrome": {
            "rounds": 1,
            "tries": 2,
            "thoughts": 1,
            "missing": {},
            "operations": [{"name": name, "rows": well | operations.get(name, {})} for name in names],
            "start": {RAW: 4.0, ATTACHED: 500.0} | {name: 1000 * by for name, by in servers.items()},
            "memory": {name: 2**27 * by for name, by in servers.items()},
            "tools": {name: int(5000 * by) for name, by in servers.items()}
            | {"Pageside, default toolsets": 2866},
            "sureness": [{"name": name, "rows": seen} for name in ("alert()", readme.LATE, readme.COVERED)],
        },
        "sources": {
            "missing": {},
            "hits": {"React": {"spots": 10, OURS: spots | {"exact": 10, "missed": []}, OTHER: spots}},
            "cost": {
                "React": {
                    "components": 1000,
                    "rows": {NONE: cost, OURS: cost, OTHER: cost | {"cpu_s": [9.0]}},
                }
            },
        },
    }


def row_of(results: dict[str, Any], title: str) -> list[str]:
    """The cells of the README's row that begins so."""
    (line,) = [line for line in readme.block(results).splitlines() if line.startswith(f"| {title}")]
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def test_the_best_of_a_row_is_bold_and_so_is_what_reads_the_same() -> None:
    line = Line(
        "click", {"raw": Cell("3"), "a": Cell("20", 19.8), "b": Cell("20", 20.2), "c": Cell("21", 21)}
    )
    assert line.row(["raw", "a", "b", "c", "d"]) == ["click", "3", "**20**", "**20**", "21", "–"]


def test_more_is_better_where_things_are_counted() -> None:
    assert (
        Line("seen", {"a": Cell("4", 4), "b": Cell("22", 22)}, more_is_better=True).row("ab")[2] == "**22**"
    )


def test_one_alone_is_not_best_of_anything() -> None:
    assert Line("click", {"a": Cell("20", 20), "b": Cell("⚠")}).row("ab") == ["click", "20", "⚠"]


def test_a_failure_is_never_fast() -> None:
    quick = ran(**{"click by reference": {DEVTOOLS: did(1.0, 1.0, held=1)}})
    assert row_of(quick, "click a button") == ["4.0 ms", "**40 ms**", "1.0 ms ⚠ 1 of 2", "120 ms", "–"]
    (line,) = [each for each in page.markdown(quick).splitlines() if each.startswith("| click by reference")]
    assert "**40 / 40**" in line
    assert "1.0 / 1.0 (10) ⚠ 1/2" in line
    assert "time:" not in line
    assert "* click by reference, chrome-devtools-mcp: not true: done" in page.markdown(quick)


def test_our_own_failure_counts_as_behind_all_that_did_it() -> None:
    rows = {STDIO: did(1.0, 1.0, held=1), DEVTOOLS: did(300.0), PLAYWRIGHT: did(1.0, held=0)}
    assert faster(rows, STDIO, readme.OTHERS) == [DEVTOOLS]
    assert shorter(rows, STDIO, readme.OTHERS) == [DEVTOOLS]
    failed = ran(**{"viewport PNG": {STDIO: did(1.0, held=0)}})
    assert row_of(failed, "picture of the viewport") == [
        "4.0 ms",
        "1.0 ms ⚠ 1 of 1",
        "**80 ms**",
        "120 ms",
        "–",
    ]
    assert "A peer is faster in 1 of all 7 operations, and answers in fewer tokens in 1" in readme.block(
        failed
    )


def test_a_round_that_could_not_be_asked_for_is_a_failure_though_it_has_no_time() -> None:
    assert faultless(did(1.0, 1.0, held=2, tried=3)) is None
    assert faultless(did()) is None
    never = ran(**{"viewport PNG": {PLAYWRIGHT: did(tried=2, held=0)}})
    assert row_of(never, "picture of the viewport")[3] == "⚠"


def test_within_a_twentieth_nobody_is_ahead() -> None:
    rows = {STDIO: did(20.8, tokens=104), DEVTOOLS: did(20.0, tokens=100), PLAYWRIGHT: did(19.0, tokens=90)}
    assert faster(rows, STDIO, readme.OTHERS) == [PLAYWRIGHT]
    assert shorter(rows, STDIO, readme.OTHERS) == [PLAYWRIGHT]


def test_a_row_in_which_a_peer_is_ahead_says_so() -> None:
    behind = ran(**{"viewport PNG": {DEVTOOLS: did(12.0)}})
    assert row_of(behind, "picture of the viewport") == ["4.0 ms", "40 ms", "**12 ms**", "120 ms", "–"]
    assert "A peer is faster in 1 of all 7" in readme.block(behind)


def test_an_effect_that_the_look_missed_has_a_warning_and_is_not_counted() -> None:
    missed = ran()
    missed["chrome"]["sureness"][1]["rows"] = {STDIO: tries(2), DEVTOOLS: tries(0), PLAYWRIGHT: tries(1)}
    missed["chrome"]["sureness"][2]["rows"] = {STDIO: tries(2), DEVTOOLS: tries(1), PLAYWRIGHT: tries(2)}
    assert row_of(missed, "click, and see") == ["–", "25 ms", "25 ms ⚠ 2 of 2", "25 ms ⚠ 1 of 2", "–"]
    assert row_of(missed, "kinds of click") == ["–", "**2**", "1", "1", "–"]
    assert row_of(missed, "click on a button that something covers") == [
        *("–", "refused", "clicked ⚠", "refused", "–")
    ]


def test_a_peer_that_is_not_there_is_named() -> None:
    without = ran()
    without["chrome"]["missing"] = {PLAYWRIGHT: "could not be installed"}
    without["sources"]["missing"] = {OTHER: "could not be installed"}
    assert row_of(without, "start to first answer")[3:] == ["✗", "–"]
    assert row_of(without, "React, 1,000 components: CPU")[3:] == ["–", "✗"]
    assert f"✗: {PLAYWRIGHT} could not be installed. ✗: {OTHER} could not be installed." in readme.block(
        without
    )
    assert f"{PLAYWRIGHT} could not be installed." in page.markdown(without)
    assert table.MISSING in page.markdown(without)


def test_a_plugin_that_failed_is_not_cheap() -> None:
    failed = ran()
    failed["sources"]["cost"]["React"]["rows"][OTHER] |= {"cpu_s": [0.1], "failed": "TimeoutError"}
    failed["sources"]["hits"]["React"][OTHER] = {
        "exact": 0,
        "line": 0,
        "missed": [],
        "failed": "TimeoutError",
    }
    assert row_of(failed, "React, 1,000 components: CPU") == ["–", "1.00", "–", "–", "0.03 ⚠"]
    assert row_of(failed, "elements told exactly") == ["–", "10", "–", "–", "0 ⚠"]
    assert "* React, code-inspector-plugin, cost: ⚠ TimeoutError" in page.markdown(failed)


def test_a_part_that_could_not_be_measured_is_said() -> None:
    failed = ran()
    del failed["sources"]
    failed["failed"] = {"sources": "RuntimeError: no browser"}
    assert "## Sources\n\nCould not be measured in this run: RuntimeError: no browser\n" in page.markdown(
        failed
    )


def test_a_table_says_of_which_run_it_is_and_how_much_was_tried() -> None:
    results = ran()
    told = (
        "One run on 2026-11-22, medians of 4 rounds, 2 tries of each kind of click: a machine, "
        "load average before 0.1; Pageside 0.1.0. "
    )
    assert told in readme.block(results)
    whole = " ".join(page.markdown(results).split())
    assert (
        "4 rounds of each operation, 2 tries of each situation and 3 starts of each project at 50%" in whole
    )
    assert "Pageside 0.1.0, Vue 3)." in whole


def test_who_starts_sooner_is_said() -> None:
    results = ran()
    assert "start sooner" not in readme.block(results)
    assert "Beside the companion that a dev server started, the first answer takes 500 ms." in readme.block(
        results
    )
    results["chrome"]["start"][DEVTOOLS] = 900.0
    assert f" {DEVTOOLS} start sooner" in readme.block(results)


def test_numbers_are_as_exact_as_a_run_is() -> None:
    assert [people_ms(value) for value in (4.12, 9.97, 38.4, 99.6, 264, 994, 996, 1260)] == [
        *("4.1 ms", "10 ms", "38 ms", "100 ms", "260 ms", "990 ms", "1.0 s", "1.3 s")
    ]
    assert [people_count(value) for value in (252, 4982, 9990, 45_800)] == ["252", "5.0k", "10k", "46k"]


@given(TEXT, TEXT, TEXT, TEXT)
def test_only_what_stands_between_the_markers_is_replaced(head: str, old: str, new: str, tail: str) -> None:
    text = replaced(f"{head}{BEGIN}{old}{END}{tail}", new)
    assert text == f"{head}{BEGIN}\n{new.strip()}\n{END}{tail}"
    assert replaced(text, new) == text


@pytest.mark.parametrize("text", ["", BEGIN, f"{END} {BEGIN}", f"{BEGIN}{END}{BEGIN}"])
def test_a_readme_without_its_markers_is_not_touched(text: str) -> None:
    with pytest.raises(ValueError, match="Put the lines"):
        replaced(text, "| a |")


def test_what_others_measured_stays_in_the_page() -> None:
    old = "# Benchmarks\n\nold\n\n## Soak\n\nflat\n\n## Loop\n\nold\n"
    assert page.part_of(old, "## Soak") == "## Soak\n\nflat\n\n"
    assert page.part_of(old, "## Calls") == ""
    fresh = page.with_part("# Benchmarks\n\nnew\n", "## Soak", page.part_of(old, "## Soak"))
    assert fresh == "# Benchmarks\n\nnew\n\n## Soak\n\nflat\n"
    assert page.with_part(old, "## Soak", "## Soak\n\ngrew\n") == old.replace("flat", "grew")


def test_targets_that_a_run_missed_are_told_in_words() -> None:
    sources = ran()["sources"]
    assert "Targets that this run missed" not in sources_table.section(sources)
    rows = sources["cost"]["React"]["rows"]
    rows[OURS] = rows[OURS] | {"cpu_s": [3.3]}
    assert "Targets that this run missed: React 1.10 instead of 1.05." in sources_table.section(sources)
    rows[OURS] = rows[OURS] | {"cpu_s": []}
    assert "Targets that this run missed" not in sources_table.section(sources)
