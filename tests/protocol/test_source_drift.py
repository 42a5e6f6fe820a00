"""What an agent reads of an inspection whose source, and whose page, have changed since."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from pageside.operations import drift, refind
from pageside.settings import Settings
from pageside.web.app import Companion
from support.agents import agent, call
from support.changes import create, edit, restore
from support.page import WirePage

CARD = """export function Card() {
  return (
    <article className="card">
      <h2>Today</h2>
      <p className="secret-text">Soup of the day</p>
    </article>
  );
}
"""
SAVED_MS = 1_700_000_000_000
TEXT = {"file": "src/Card.tsx", "line": 5, "column": 7, "component": "Card"}


@pytest.fixture
def card(settings: Settings) -> Path:
    """A source file of the project."""
    file = settings.project / "src" / "Card.tsx"
    file.parent.mkdir(parents=True)
    file.write_text(CARD, "utf-8")
    os.utime(file, (SAVED_MS / 1000, SAVED_MS / 1000))
    return file


def save(file: Path, text: str | None) -> None:
    """None: it is deleted."""
    if text is None:
        file.unlink()
    else:
        file.write_text(text, "utf-8")


@asynccontextmanager
async def noted(companion: Companion, **fields: Any) -> AsyncIterator[tuple[WirePage, Client, str]]:
    """A page with one inspection, and an agent."""
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        yield page, client, await page.note("Shorter", **{"sourceInfo": TEXT, **fields})


async def read(client: Client, inspection: str) -> dict[str, Any]:
    """What `get_inspection` says."""
    found: dict[str, Any] = (await call(client, "get_inspection", inspectionId=inspection))["inspection"]
    return found


async def listed(client: Client) -> list[tuple[Any, Any]]:
    """(line, source) of each summary."""
    items = (await call(client, "list_inspections"))["inspections"]
    return [(item["line"], item.get("source")) for item in items]


async def test_an_agent_reads_what_became_of_the_source(companion: Companion, card: Path) -> None:
    async with noted(companion) as (_, client, wanted):
        assert (await read(client, wanted))["source"] == {"state": "unchanged", "line": 5}
        assert await listed(client) == [(5, None)]

        save(card, f"// one\n// two\n{CARD}")
        moved = {"state": "moved", "line": 7, "was": 5}
        whole = await read(client, wanted)
        assert (whole["source"], whole["sourceInfo"]["line"]) == (moved, 5)
        assert await listed(client) == [(7, moved)]
        waited = await call(client, "wait_for_inspection", timeout=0)
        assert [(each["line"], each["source"]) for each in waited["inspections"]] == [(7, moved)]
        short = await client.read_resource("pageside://inspections")
        assert '"state": "moved"' in short.contents[0].text  # type: ignore[union-attr]

        save(card, CARD.replace("Soup", "Salad"))
        assert (await read(client, wanted))["source"] == {"state": "edited", "line": 5}

        save(card, "export const Card = null;\n")
        gone = (await read(client, wanted))["source"]
        assert (gone["state"], gone["was"]) == ("gone", 5)
        save(card, None)
        assert "file" in (await read(client, wanted))["source"]["why"]


async def test_nothing_of_the_source_is_kept_but_hashes_and_pages_get_not_even_those(
    companion: Companion, card: Path
) -> None:
    async with noted(companion) as (page, client, wanted):
        [told] = await page.next_items()
        assert "fingerprint" not in told
        joined = await page.connect()
        assert all("fingerprint" not in item for item in joined["items"])
        kept = companion.world.inspections.get(wanted)["fingerprint"]
        assert kept["line"] == 5
        assert not any(word in json.dumps(kept) for word in ("Soup", "secret", "article", "Card"))
        assert "fingerprint" not in await read(client, wanted)
        _, answer = await page.send("changes", changes=[edit(wanted, "Longer")])
        assert "fingerprint" not in answer["items"][0]
        assert companion.world.inspections.get(wanted)["fingerprint"] == kept


async def test_a_page_cannot_forge_a_fingerprint_and_a_restored_item_has_none(
    companion: Companion, card: Path
) -> None:
    forged = {"line": 1, "file": "", "tag": ["x"], "name": "", "before": [], "after": []}
    async with noted(companion, fingerprint=forged, source={"state": "unchanged"}) as (page, client, wanted):
        assert (await read(client, wanted))["source"] == {"state": "unchanged", "line": 5}
        back = restore("back", fingerprint=forged, sourceInfo=TEXT)
        await page.send("changes", changes=[back, create("no-place")])
        for inspection in ("back", "no-place"):
            source = (await read(client, inspection))["source"]
            assert (source["state"], bool(source["why"])) == ("unknown", True)
        states = [source and source["state"] for _, source in await listed(client)]
        assert sorted(map(str, states)) == ["None", "None", "unknown"]


async def test_files_that_are_not_the_projects_or_cannot_be_read_are_unknown(
    companion: Companion, card: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "other.tsx"
    outside.write_text(CARD, "utf-8")
    link = card.with_name("Link.tsx")
    link.symlink_to(outside)
    card.with_name("Large.tsx").write_text("x" * (drift.MAX_BYTES + 1), "utf-8")
    os.mkfifo(card.with_name("Pipe.tsx"))
    why = {
        "src/Link.tsx": "outside the project",
        str(outside): "outside the project",
        "../../etc/passwd": "outside the project",
        "src/Large.tsx": "larger than",
        "src/None.tsx": "no such file",
        "src/Pipe.tsx": "no such file",
        "src": "no such file",
        "a\0b": "could not be read",
    }
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        for file, expected in why.items():
            wanted = await page.note("x", sourceInfo={**TEXT, "file": file})
            source = (await read(client, wanted))["source"]
            assert source["state"] == "unknown"
            assert expected in source["why"], file
        beyond = await page.note("x", sourceInfo={**TEXT, "line": 99})
        assert "no such file or line" in (await read(client, beyond))["source"]["why"]


async def test_a_note_that_arrives_after_the_file_was_saved_again_is_about_other_lines(
    companion: Companion, card: Path
) -> None:
    async with noted(companion, timestamp=SAVED_MS - 60_000) as (_, client, wanted):
        source = (await read(client, wanted))["source"]
    assert (source["state"], "saved again" in source["why"]) == ("unknown", True)


async def test_the_page_that_shows_it_is_asked_where_the_element_is_now(
    companion: Companion, card: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, Any]] = []

    async def found(args: dict[str, Any]) -> Any:
        asked.append(args)
        source = {"file": "src/Card.tsx", "line": 7, "column": 7, "exact": True, "more": "x"}
        return {"found": "approximate", "by": "text", "selector": "p", "source": source, "more": "x"}

    about = {"tagName": "p", "textContent": "Soup of the day", "role": None, "name": ""}
    source = {**TEXT, "elementInfo": about}
    async with noted(companion, sourceInfo=source, elementId="p1-abc") as (page, client, wanted):
        page.tools = {"find_element": found}
        assert (await read(client, wanted))["element"] == {
            "found": "approximate",
            "by": "text",
            "selector": "p",
            "page": page.id,
            "source": {"file": "src/Card.tsx", "line": 7, "column": 7, "exact": True},
        }
        assert asked == [{"elementId": "p1-abc", "selector": "#buy", "tag": "p", "text": "Soup of the day"}]
        odd_answers: list[Any] = [
            {"found": "there"},
            None,
            [],
            {"found": "lost", "by": 7, "selector": 7, "source": 7},
        ]
        for odd in odd_answers:
            page.tools = {"find_element": partial(_answer, odd)}
            element = (await read(client, wanted)).get("element")
            assert element in (None, {"found": "lost", "page": page.id})

        never = asyncio.Event()
        page.tools = {"find_element": partial(_answer, never.wait())}
        monkeypatch.setattr(refind, "SECONDS", 0.1)
        assert "element" not in await read(client, wanted)


async def _answer(value: Any, _args: dict[str, Any]) -> Any:
    return await value if asyncio.iscoroutine(value) else value


async def test_pages_that_show_something_else_are_not_asked(companion: Companion, card: Path) -> None:
    async with noted(companion, url="http://localhost:5173/else") as (_, client, wanted):
        assert "element" not in await read(client, wanted)
    async with noted(companion, url="http://localhost:5173/#part") as (page, client, wanted):
        assert (await read(client, wanted))["element"] == {"found": "lost", "page": page.id}
