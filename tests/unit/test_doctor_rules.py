"""What the doctor makes of what it finds: versions, files of agents, programs that it may start, the state folder."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import stat
import sys
from pathlib import Path

import pytest

from pageside import __version__
from pageside.doctor import project, state
from pageside.doctor.asking import aside, output_of
from pageside.doctor.attempts import Target, attempts
from pageside.doctor.chromes import check as check_chrome
from pageside.doctor.connected import check as check_connected
from pageside.doctor.entries import Entry, Unread, find
from pageside.doctor.report import Finding, Group, Report, Tried, note, ok, problem
from pageside.doctor.sight import Case, Sight, look
from pageside.doctor.starting import may_start
from pageside.doctor.versions import node_fits
from pageside.processes import registry, start_lock
from pageside.settings import ChromeSettings, Settings
from pageside.setup.agent_places import AGENTS_VARIABLES
from pageside.store.check import quick_check


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder, with nothing in it."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in AGENTS_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return folder


def levels(findings: list[Finding]) -> list[str]:
    return [finding.level for finding in findings]


def case_of(settings: Settings, **seen: object) -> Case:
    folder = settings.state / "project"
    sight = Sight(folder, "alive" if seen else "none", {"port": 1, "pid": 1}, {}, seen)
    return Case(settings, {}, sight)


# The report


def test_the_report_names_each_level_and_what_to_do_and_counts() -> None:
    tried = [Tried("no token", "GET /x", "401", refused=True), Tried("Origin", "GET /", "200", refused=False)]
    groups = [
        Group("versions", [ok("Python")]),
        Group("attack", [problem("1 passed", "Stop it.\nReport it.")], tried),
    ]
    report = Report("/shop", [*groups, Group("agents", [note("none")])], 1.26)
    assert report.has_problem
    assert report.to_text().splitlines() == [
        f"Pageside {__version__} in /shop",
        "",
        "versions",
        "  ok       Python",
        "",
        "attack",
        "  refused  no token  GET /x  401",
        "  PASSED   Origin    GET /   200",
        "  problem  1 passed",
        "           -> Stop it.",
        "           -> Report it.",
        "",
        "agents",
        "  note     none",
        "",
        "1 problem, 1 note, in 1.3 s.",
    ]
    told = report.to_json()
    assert (told["problems"], told["notes"], told["groups"][1]["tried"][1]["refused"]) == (1, 1, False)


def test_names_from_files_and_pages_move_no_cursor() -> None:
    text = Report("/shop", [Group("agents", [ok("a\x1b[2J\nb\u202e")])], 0).to_text()
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "b\\u{202e}" in text


# Versions


@pytest.mark.parametrize(
    ("version", "fits"),
    [
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v21.7.0", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.1.0", True),
        ("v9.0.0", False),
        ("", False),
    ],
)
def test_node_is_what_the_plugin_says_it_needs(version: str, fits: bool) -> None:
    assert node_fits(version) is fits


# Agents' files


def test_entries_are_found_wherever_agents_read_them(home: Path, tmp_path: Path) -> None:
    root = tmp_path / "shop"
    stdio = {"command": "pageside", "args": ["stdio"]}
    url = {"url": "http://127.0.0.1:6137/__mcp__"}
    files = {
        root / ".mcp.json": json.dumps({"mcpServers": {"pageside": stdio}}),
        root / ".vscode" / "mcp.json": '{"servers": {"pageside": {"url": "http://x"}}} // ours',
        home / ".codex" / "config.toml": '[mcp_servers.pageside]\ncommand = "pageside"\nargs = ["stdio"]\n',
        home / ".claude.json": json.dumps({"projects": {str(root): {"mcpServers": {"pageside": url}}}}),
        root / ".gemini" / "settings.json": "{nonsense",
        root / ".zed" / "settings.json": "",
        root / "opencode.json": json.dumps({"mcp": {"another": {}}}),
        root / "opencode.jsonc": "{broken",
        root / ".opencode" / "opencode.json": json.dumps({"mcp": {"servers": {"pageside": stdio}}}),
        home
        / "AppData"
        / "Roaming"
        / "Zed"
        / "settings.json": '{"context_servers": {"pageside": {"url": "x"}}}',
    }
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (root / ".cursor").mkdir()
    os.mkfifo(root / ".cursor" / "mcp.json")
    found = list(find(root))
    assert [(each.agent.id, each.file) for each in found] == [
        ("claude", root / ".mcp.json"),
        ("claude", home / ".claude.json"),
        ("vscode", root / ".vscode" / "mcp.json"),
        ("codex", home / ".codex" / "config.toml"),
        ("gemini", root / ".gemini" / "settings.json"),
        ("opencode", root / "opencode.jsonc"),
        ("opencode", root / ".opencode" / "opencode.json"),
        ("zed", home / "AppData" / "Roaming" / "Zed" / "settings.json"),
    ]
    entries = [each for each in found if isinstance(each, Entry)]
    assert [each.url_key for each in entries] == [None, "url", "url", None, None, "url"]
    unread = [each for each in found if isinstance(each, Unread)]
    assert ["line 1, column 2" in each.why for each in unread] == [True, True]


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH, with a program of our name."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    script(folder / "pageside")
    return folder


def script(file: Path) -> Path:
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


def test_only_what_is_certain_to_be_ours_is_started(tmp_path: Path, bin_folder: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    inside, uvx = script(root / "pageside"), script(bin_folder / "uvx")
    there = ("stdio", "--project", str(root))
    installed = str(bin_folder / "pageside")
    assert may_start(["pageside", "stdio"], root) == (installed, *there)
    assert may_start([installed, "stdio", "--project", "/elsewhere", "--toolsets=all"], root) == (
        installed,
        *there,
    )
    own = [sys.executable, "-P", "-m", "pageside", "stdio"]
    assert may_start(own, root) == (*own[:4], *there)
    for argv in (
        [str(inside), "stdio"],
        ["./pageside", "stdio"],
        [str(uvx), "pageside", "stdio"],
        [str(bin_folder / "gone"), "stdio"],
        ["pageside", "stdio", "--script-origins", "*"],
        ["pageside", "-x", "stdio"],
        ["pageside", "serve"],
        [sys.executable, "-c", "pageside", "stdio"],
    ):
        assert may_start(argv, root) is None, argv


# The state folder


async def checked_state(settings: Settings) -> dict[str, str]:
    """The texts by their level; of one level the last."""
    findings = await state.check(Case(settings, {}, await look(settings)))
    return {finding.level: f"{finding.text} {finding.fix}" for finding in findings}


@pytest.fixture
async def folder(settings: Settings) -> Path:
    """The project's state folder with a whole queue."""
    found = (await look(settings)).folder
    found.mkdir(parents=True, mode=0o700)
    with sqlite3.connect(found / state.QUEUE) as queue:
        queue.execute("CREATE TABLE inspections (id TEXT, item TEXT)")
        queue.executemany("INSERT INTO inspections VALUES (?, ?)", [(str(n), "x" * 500) for n in range(200)])
    queue.close()
    (found / state.QUEUE).chmod(0o600)
    return found


async def test_a_state_folder_that_is_well_has_no_problem(settings: Settings, folder: Path) -> None:
    before = os.listdir(folder)
    found = await checked_state(settings)
    assert set(found) == {"ok"}
    assert "the queue is whole" in found["ok"]
    assert os.listdir(folder) == before


async def test_what_others_may_read_is_named_with_the_command_against_it(
    settings: Settings, folder: Path
) -> None:
    (folder / "agent-token").write_text("{}")
    (folder / "agent-token").chmod(0o644)
    found = await checked_state(settings)
    assert found["problem"] == f"Others may read agent-token in {folder}. chmod -R go= {folder}"


async def test_a_state_folder_that_is_a_file_or_not_there_is_told(settings: Settings) -> None:
    found = await checked_state(settings)
    assert set(found) == {"ok"}
    assert not settings.state.exists()
    settings.state.write_text("")
    assert "is no folder" in (await checked_state(settings))["problem"]


async def test_a_damaged_queue_is_told_and_left_as_it_is(settings: Settings, folder: Path) -> None:
    queue = folder / state.QUEUE
    content = bytearray(queue.read_bytes())
    content[8192:12288] = b"\xa5" * 4096
    queue.write_bytes(content)
    assert "The queue cannot be read" in (await checked_state(settings))["problem"]


def test_what_is_no_queue_at_all_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    queue = tmp_path / state.QUEUE
    queue.write_bytes(b"nonsense" * 1000)
    assert "not a database" in quick_check(queue)
    assert queue.read_bytes() == b"nonsense" * 1000
    assert os.listdir(tmp_path) == [state.QUEUE]


async def test_what_a_start_that_ended_left_behind_is_noted(settings: Settings, folder: Path) -> None:
    (folder / registry.FILE).write_text('{"pid": 4194304')
    (folder / registry.FILE).chmod(0o600)
    lock = folder / start_lock.FILE
    lock.write_text('{"pid": 4194304, "time": 1}')
    lock.chmod(0o600)
    findings = await state.check(Case(settings, {}, await look(settings)))
    assert [f.text for f in findings if f.level == "note"] == [
        f"{folder / registry.FILE} cannot be read.",
        f"{start_lock.FILE} was left by a start that never ended.",
    ]


# The project


async def checked_project(settings: Settings) -> list[str]:
    return [f"{f.level}: {f.text}" for f in await project.check(case_of(settings))]


async def test_a_config_without_the_plugin_and_a_plugin_of_another_version_are_problems(
    settings: Settings,
) -> None:
    root = settings.project
    (root / "vite.config.js").write_text("export default { plugins: [] };\n")
    assert await checked_project(settings) == [
        "problem: vite.config.js has no plugin.",
        "problem: vite-plugin-pageside is not installed.",
        "problem: Vite is not installed.",
    ]
    for name, version in (("vite-plugin-pageside", "0.0.9"), ("vite", "6.4.0")):
        (root / "node_modules" / name).mkdir(parents=True)
        (root / "node_modules" / name / "package.json").write_text(json.dumps({"version": version}))
    assert (await checked_project(settings))[1:] == [
        f"problem: vite-plugin-pageside is 0.0.9, and pageside {__version__}.",
        "problem: Vite 6.4.0 is too old for vite-plugin-pageside.",
    ]


async def test_of_a_workspace_each_package_has_a_line_and_those_without_the_plugin_share_one(
    settings: Settings,
) -> None:
    plugin = "import { pageside } from 'vite-plugin-pageside';\nexport default { plugins: [pageside()] };\n"
    for name, config in (("app", plugin), ("lib", "export default {};\n"), ("more", "export default {};\n")):
        (settings.project / name).mkdir()
        (settings.project / name / "vite.config.js").write_text(config)
    for name, version in (("vite-plugin-pageside", __version__), ("vite", "8.3.8")):
        (settings.project / "node_modules" / name).mkdir(parents=True)
        (settings.project / "node_modules" / name / "package.json").write_text(
            json.dumps({"version": version})
        )
    assert await checked_project(settings) == [
        f"ok: app/vite.config.js has the plugin (vite-plugin-pageside {__version__}, vite 8.3.8)",
        "note: without the plugin: lib/vite.config.js, more/vite.config.js",
    ]


async def test_pages_of_python_are_recognised_by_the_middleware(settings: Settings) -> None:
    assert (await checked_project(settings))[0].startswith("note: No Vite, Nuxt or Astro config")
    (settings.project / "requirements.txt").write_text("flask\n")
    assert (await checked_project(settings))[0] == "note: Flask: no pageside.middleware was found."
    (settings.project / "shop").mkdir()
    (settings.project / "shop" / "app.py").write_text("from pageside.middleware.wsgi import X\n")
    assert await checked_project(settings) == ["ok: pageside.middleware is in shop/app.py"]


# Chrome, and who is connected


async def test_a_chrome_that_is_switched_off_or_not_there_is_no_problem(
    settings: Settings, tmp_path: Path
) -> None:
    off = await check_chrome(case_of(settings))
    assert levels(off) == ["ok"]
    gone = Settings(settings.project, 0, tmp_path, chrome=ChromeSettings(ports=(1,), program="/no/chrome"))
    assert levels(await check_chrome(case_of(gone))) == ["note", "ok"]
    dead = Settings(settings.project, 0, tmp_path, chrome=ChromeSettings(ws_url="ws://127.0.0.1:1/x"))
    assert levels(await check_chrome(case_of(dead))) == ["problem"]


async def test_who_is_connected_is_told_by_name(settings: Settings) -> None:
    pages = [{"url": f"http://localhost:5173/{n}"} for n in range(7)]
    tabs = [{"url": "http://a", "via": "extension"}, {"url": "http://b", "via": "cdp"}]
    servers = [{"urls": ["http://localhost:5173/", "http://10.0.0.1:5173/"]}]
    findings = await check_connected(
        case_of(settings, pages=pages, tabs=tabs, agents=[{"name": "Claude"}], devServers=servers)
    )
    assert [finding.text for finding in findings] == [
        f"7 pages: {', '.join(page['url'] for page in pages[:5])} and 2 more",
        "1 agent: Claude",
        "1 tab of the extension: http://a",
        "1 dev server: http://localhost:5173/",
    ]
    without = await check_connected(case_of(settings, pages=[], devServers=servers))
    assert (without[0].level, without[0].fix) == ("note", "Open http://localhost:5173/")


# The attack's data, and what is asked


def test_every_request_of_the_attack_expects_refusals_alone_and_a_name_of_its_own() -> None:
    tried = list(attempts(Target(6137, "page", "agent", 61822)))
    assert {status // 100 for each in tried for status in each.statuses} == {4}
    rows = [(each.name, each.shown) for each in tried]
    assert len(set(rows)) == len(rows)
    assert all(each.data(Target(6137, "page", "agent", 61822)).count(b"\r\n\r\n") for each in tried)


async def test_work_that_hangs_is_left_behind_and_what_fails_is_raised(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await aside(pipe.read_bytes)
    pipe_end = os.open(pipe, os.O_WRONLY)
    os.close(pipe_end)
    with pytest.raises(FileNotFoundError):
        await aside((tmp_path / "gone").read_bytes)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


async def test_a_program_that_says_nothing_in_time_or_fails_says_nothing() -> None:
    assert await output_of([sys.executable, "-c", "print('v1')"], 20) == "v1"
    assert await output_of([sys.executable, "-c", "import time; time.sleep(60)"], 0.1) == ""
    assert await output_of([sys.executable, "-c", "exit('no')"], 20) == ""
    assert await output_of(["/no/such/program"]) == ""
