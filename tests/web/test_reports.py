"""What dev servers and pages report stands on the timeline: in order, bounded, and only from who may."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from pageside.core.timeline import Entry, Wanted
from pageside.web.app import Companion
from support.page import WirePage
from support.plugin import wire_plugin

CHANGE = {"event": "change", "file": "src/App.tsx", "type": "update", "modules": ["/src/App.tsx"]}
SENT = {
    "event": "sent",
    "stamp": 1795340822611,
    "updates": [
        {"type": "js-update", "path": "/src/App.tsx", "acceptedPath": "/src/App.tsx", "file": "src/App.tsx"}
    ],
}
ERROR = {
    "event": "error",
    "message": "Unexpected token",
    "file": "src/App.tsx",
    "line": 12,
    "column": 5,
    "frame": "12 | }",
    "plugin": "vite:oxc",
}
CONSOLE = {"event": "console", "level": "warning", "text": "Slow."}
APPLIED = {
    "event": "applied",
    "stamps": [1795340822611],
    "updates": [{"type": "js-update", "path": "/src/App.tsx", "acceptedPath": "/src/App.tsx"}],
}


def told(companion: Companion, page: WirePage | None = None, *kinds: str) -> list[Entry]:
    """What stands on the timeline of the page, or of all."""
    return companion.world.timeline.read(page.id if page else None, Wanted(kinds=kinds))


async def entry(companion: Companion, **data: Any) -> Entry:
    """The first entry with such data, as soon as it is there."""
    async with asyncio.timeout(5):
        while True:
            seq = companion.world.timeline.seq
            for found in told(companion):
                if data.items() <= found.data.items():
                    return found
            await companion.world.timeline.later(seq)


def event(**fields: Any) -> dict[str, Any]:
    return {"ago": 0, **fields}


async def test_a_dev_server_tells_its_changes_updates_and_errors(companion: Companion) -> None:
    async with wire_plugin(companion) as plugin:
        reload = {"event": "full-reload", "path": "*", "file": "src/main.ts", "stamp": 5}
        mended = {"event": "mended", "file": "src/App.tsx"}
        assert (await plugin.tell(CHANGE, SENT, reload, ERROR, mended, {"event": "restart"}))[0] == 204
        entries = told(companion, None, "update")
        assert [(entry.text, entry.level) for entry in entries] == [
            ("src/App.tsx changed", "info"),
            ("hot update: src/App.tsx", "info"),
            ("full reload because of src/main.ts", "info"),
            ("error in src/App.tsx:12:5: Unexpected token", "error"),
            ("src/App.tsx is mended", "info"),
            ("the dev server restarts", "info"),
        ]
        assert [dict(entry.data) for entry in entries] == [
            {**wanted, "server": plugin.lease}
            for wanted in (CHANGE, SENT, reload, ERROR, mended, {"event": "restart"})
        ]
        assert {entry.page for entry in entries} == {None}


async def test_dev_servers_come_and_go_once_however_often_a_lease_is_renewed(companion: Companion) -> None:
    async with wire_plugin(companion) as plugin:
        first = plugin.lease
        await plugin.take(urls=["http://localhost:5174/"], renews=first)
        assert plugin.lease == first
        await plugin.take(urls=["http://localhost:5174/"], renews=first)
        assert (await plugin.tell(CHANGE))[0] == 204
    gone = await entry(companion, event="gone", server=first)
    assert (gone.text, gone.level, gone.kind) == ("dev server gone", "warning", "server")
    assert [entry.text for entry in told(companion, None, "server")] == [
        "dev server connected: http://localhost:5173/",
        "dev server connected: http://localhost:5174/",
        "dev server gone",
    ]
    assert not len(companion.world.leases)


async def test_a_dev_server_is_among_the_servers_with_its_log_while_it_has_a_lease(
    companion: Companion,
) -> None:
    servers = companion.world.servers
    async with wire_plugin(companion) as plugin:
        [server] = servers.all()
        assert (server.alive, server.urls) == (True, ["http://localhost:5173/"])
        lines = [("info", "ready in 300 ms"), ("warn", "\x1b[33mOdd.\x1b[39m"), ("error", "two\nlines")]
        events = [{"event": "log", "level": level, "text": text} for level, text in lines]
        secret = {"event": "log", "level": "info", "text": "Authorization: Bearer abcdefghijklmnop"}
        assert (await plugin.tell(*events, secret))[0] == 204
        shown = ["ready in 300 ms", "Odd.", "two", "lines", "Authorization: Bearer <redacted>"]
        assert server.log.last(10) == shown
        await plugin.take(urls=["http://localhost:5174/"], renews=plugin.lease)
        assert (servers.all(), server.urls) == ([server], ["http://localhost:5174/"])
    await entry(companion, event="gone")
    assert (server.alive, server.log.last(2)) == (False, [shown[-1], "Its connection ended."])


async def test_a_page_tells_what_happened_in_it_and_no_other_page_sees_it(companion: Companion) -> None:
    async with WirePage(companion) as page, WirePage(companion, "http://localhost:5173/admin") as other:
        events = [
            event(**CONSOLE),
            event(event="console", level="error", text="Error: no", uncaught=True, stack="at a.ts:1"),
            event(event="action", action="click", role="button", label="Save", selector="#save"),
            event(event="action", action="change", role="textbox", label="Name", selector="#n", chars=4),
            event(event="action", action="key", key="Enter", role="textbox", selector="#n"),
            event(event="action", action="submit", role="form", selector="form"),
            event(event="navigated", url="http://localhost:5173/cart?token=abcdefgh", type="push"),
            event(
                event="request", url="http://localhost:5173/api/x", method="GET", status=500, durationMs=3.5
            ),
            event(event="request", url="http://api.test/y", status=0),
            event(**APPLIED),
            event(event="failed", message="Unexpected token", file="src/App.tsx", line=12, column=5),
            event(event="invalidated", path="/src/a.ts", message="no"),
            event(event="reloading"),
            event(event="disconnected"),
            event(event="connected"),
        ]
        assert await page.send("report", events=events, dropped=0) == (204, None)
        mine = [entry for entry in told(companion, page) if entry.page is not None]
        assert [(entry.kind, entry.level, entry.text) for entry in mine] == [
            ("navigation", "info", "loaded http://localhost:5173/"),
            ("console", "warning", "Slow."),
            ("console", "error", "Error: no"),
            ("action", "info", 'clicked button "Save"'),
            ("action", "info", 'changed textbox "Name" (4 characters)'),
            ("action", "info", "pressed Enter in textbox"),
            ("action", "info", "submitted form"),
            ("navigation", "info", "went to http://localhost:5173/cart?token=<redacted>"),
            ("request", "error", "GET /api/x 500"),
            ("request", "warning", "http://api.test/y failed or was aborted"),
            ("update", "info", "applied: /src/App.tsx"),
            ("update", "error", "the update failed in src/App.tsx:12:5: Unexpected token"),
            ("update", "info", "/src/a.ts could not be updated in place"),
            ("update", "info", "the page reloads"),
            ("update", "warning", "the page lost its dev server"),
            ("update", "debug", "the page reached its dev server"),
        ]
        assert mine[2].data == {"uncaught": True, "stack": "at a.ts:1"}
        assert mine[4].data == {"action": "change", "selector": "#n", "chars": 4}
        assert mine[10].data == APPLIED
        assert [entry.text for entry in told(companion, other)] == ["loaded http://localhost:5173/admin"]


async def test_a_place_on_the_disk_is_told_within_the_project(companion: Companion) -> None:
    box = "   ╭─[ src/App.tsx:2:14 ]\n   │\n 2 │    const y = }\n───╯"
    message = f"Transform failed with 1 error:\n\n[PARSE_ERROR] Unexpected token\n{box}\n"
    file = f"{companion.world.project}/src/App.tsx?t=1"
    async with WirePage(companion) as page:
        await page.send("report", events=[event(event="failed", message=message, file=file)], dropped=0)
        [failed] = told(companion, page, "update")
        assert failed.text == "the update failed in src/App.tsx:2:14: Unexpected token"
        place = {"file": "src/App.tsx", "line": 2, "column": 14, "frame": box}
        assert failed.data == {"event": "failed", "message": "Unexpected token", **place}


async def test_reports_of_a_page_and_its_dev_server_are_put_in_the_order_of_time(
    companion: Companion,
) -> None:
    async with WirePage(companion) as page, wire_plugin(companion) as plugin:
        await page.send("report", events=[event(**APPLIED)], dropped=0)
        await plugin.tell({**CHANGE, "ago": 300}, {**SENT, "ago": 200})
        await page.send("report", events=[{**CONSOLE, "ago": 250}], dropped=0)
        texts = [entry.text for entry in told(companion, page, "update", "console")]
        assert texts == ["src/App.tsx changed", "Slow.", "hot update: src/App.tsx", "applied: /src/App.tsx"]


async def test_what_a_dev_server_told_before_a_page_was_loaded_stays_so_when_it_is_read_late(
    companion: Companion,
) -> None:
    now = time.time() * 1000
    async with WirePage(companion, joins=False) as page, wire_plugin(companion) as plugin:
        await page.open(age=1000)
        # Four seconds on its way, as to a companion that was held up; then by a clock that goes wrong.
        await plugin.tell({"event": "restart"}, sent=now - 4000)
        for wrong in (now - 3_600_000, now + 3_600_000):
            await plugin.tell({**CHANGE, "ago": 10}, sent=wrong)
        (loaded,) = told(companion, page, "navigation")
        restart, *changes = told(companion, page, "update")
        assert now - 4000 <= restart.at < loaded.at
        assert all(now - 10 <= change.at for change in changes)


async def test_what_was_dropped_on_the_way_is_told(companion: Companion) -> None:
    async with WirePage(companion) as page, wire_plugin(companion) as plugin:
        await page.send("report", events=[], dropped=17)
        await plugin.tell(dropped=3)
        told_of = {
            entry.text: dict(entry.data) for entry in told(companion, page) if entry.level == "warning"
        }
        assert told_of == {
            "17 of the page's reports were dropped, it had too many at once": {"dropped": 17},
            "3 reports of the dev server were lost": {"event": "dropped", "server": plugin.lease, "count": 3},
        }


async def test_a_document_begins_before_what_it_reports_and_its_end_is_told(
    impatient_companion: Companion,
) -> None:
    companion = impatient_companion
    async with WirePage(companion, joins=False) as page:
        await page.open(age=60_000)
        async with WirePage(companion, joins=False) as after:
            await after.open(replaces=page.id, age=900)
            await after.send("report", events=[{**CONSOLE, "ago": 500}], dropped=0)
            await after.send("close")
        await entry(companion, event="closed")
        assert [entry.text for entry in told(companion, after)] == [
            "loaded http://localhost:5173/",
            "reloaded http://localhost:5173/",
            "Slow.",
            "closed",
        ]


async def test_long_texts_are_cut_and_secrets_taken_out(companion: Companion) -> None:
    async with WirePage(companion) as page, wire_plugin(companion) as plugin:
        long = event(event="console", level="info", text="x" * 100_000, stack="y" * 100_000)
        secret = event(event="console", level="info", text='login {"password":"hunter2hunter2"}')
        await page.send("report", events=[long, secret], dropped=0)
        await plugin.tell({**CHANGE, "modules": ["/m" * 1000] * 300}, {**ERROR, "frame": "z" * 50_000})
        assert max(len(repr(entry)) for entry in told(companion)) < 60_000
        assert "hunter2" not in repr(told(companion))


PAGE_FAULTS = [
    ({"events": {}}, "events"),
    ({"events": ["x"]}, "events"),
    ({"events": [CONSOLE] * 1001}, "events"),
    ({"dropped": "many"}, "dropped"),
    ({"events": [{"event": "unknown", "ago": 0}]}, "events[0].event"),
    ({"events": [{"event": ["console"], "ago": 0}]}, "events[0].event"),
    ({"events": [CONSOLE]}, "events[0].ago"),
    ({"events": [event(**CONSOLE), event(event="console", level="loud", text="x")]}, "events[1].level"),
    ({"events": [event(event="console", level="info", text=5)]}, "events[0].text"),
    ({"events": [event(event="action", action="peek", selector="#x")]}, "events[0].action"),
    ({"events": [event(event="action", action="click", selector=None)]}, "events[0].selector"),
    ({"events": [event(event="action", action="change", selector="#x", chars="4")]}, "events[0].chars"),
    ({"events": [event(event="request", url="/x", status=True)]}, "events[0].status"),
    ({"events": [event(event="navigated", url="/x", type="jump")]}, "events[0].type"),
    ({"events": [event(event="applied", stamps=["x"], updates=[])]}, "events[0].stamps.0"),
    (
        {"events": [event(event="applied", stamps=[1], updates=[{"type": "js-update"}])]},
        "events[0].updates[0].path",
    ),
    ({"events": [event(event="failed", message="x", line=1.5)]}, "events[0].line"),
]


@pytest.mark.parametrize(("body", "field"), PAGE_FAULTS)
async def test_a_malformed_report_of_a_page_is_refused_as_a_whole_and_names_the_field(
    companion: Companion, body: dict[str, Any], field: str
) -> None:
    async with WirePage(companion) as page:
        before = companion.world.timeline.seq
        status, answer = await page.send("report", **{"events": [], "dropped": 0, **body})
        assert (status, answer["error"]["code"]) == (400, "BAD_REQUEST")
        assert f"'{field}'" in answer["error"]["message"]
        assert companion.world.timeline.seq == before


@pytest.mark.parametrize(
    ("fault", "field"),
    [
        ({**CHANGE, "file": None}, "events[0].file"),
        ({**CHANGE, "type": "rename"}, "events[0].type"),
        ({**CHANGE, "modules": "/src/App.tsx"}, "events[0].modules"),
        ({**SENT, "stamp": "now"}, "events[0].stamp"),
        ({**SENT, "updates": [{**SENT["updates"][0], "type": "html-update"}]}, "events[0].updates[0].type"),  # type: ignore[index]
        ({**ERROR, "message": {}}, "events[0].message"),
        ({"event": "log", "level": "loud", "text": "x"}, "events[0].level"),
        ({"event": "log", "level": "info", "text": ["x"]}, "events[0].text"),
    ],
)
async def test_a_malformed_report_of_a_dev_server_is_refused_and_names_the_field(
    companion: Companion, fault: dict[str, Any], field: str
) -> None:
    async with wire_plugin(companion) as plugin:
        before = companion.world.timeline.seq
        status, answer = await plugin.tell(fault, CHANGE)
        assert (status, answer["error"]["code"]) == (400, "BAD_REQUEST")
        assert f"'{field}'" in answer["error"]["message"]
        assert companion.world.timeline.seq == before


async def test_only_a_page_with_its_key_and_a_plugin_with_its_token_and_lease_are_heard(
    companion: Companion,
) -> None:
    async with WirePage(companion) as page, wire_plugin(companion, "forged") as forged:
        before = companion.world.timeline.seq
        body = {"page": page.id, "key": "forged", "events": [event(**CONSOLE)], "dropped": 0}
        assert (await page.post("report", body))[0] == 410
        assert (await page.post("tell", {"lease": "x", "events": [], "dropped": 0}))[0] == 401
        assert (await forged.tell(CHANGE))[0] == 401
        async with wire_plugin(companion) as plugin:
            assert (await plugin.tell(CHANGE, lease="another"))[0] == 410
            assert companion.world.timeline.seq == before + 1
