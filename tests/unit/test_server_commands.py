"""Which commands may be started, with what arguments, in which environment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.server_commands import (
    checked_argv,
    checked_environment,
    commands_in,
    port_taken,
    why_not,
    why_not_batch,
)
from pageside.errors import InvalidArguments
from pageside.processes.server_config import find_command, permitted, server_folder
from pageside.settings import server_settings

SCRIPTS = {"dev", "start", "test", "add", "build:all"}
LISTED = [("npx", "serve"), ("python", "-m", "http.server")]

PERMITTED = [
    "npm run dev",
    "npm run-script dev",
    "npm start",
    "npm test",
    "npm run add",
    "npm run build:all",
    "npm run dev -- --port 3000",
    "npm run dev -- --port=3000 --strictPort --host localhost",
    "npm run dev --",
    "pnpm dev",
    "pnpm run dev --port 3000",
    "pnpm dev -- -p 3000",
    "yarn dev -p 3000",
    "yarn run start",
    "bun run test",
    "bun dev --port 3000",
    "npx serve",
    "npx serve -p 3000",
    "python -m http.server",
]
REFUSED = {
    "npm run nope": "no script 'nope'",
    "npm run": "not told to run a script",
    "npm": "not told to run a script",
    "npm dev": "not told to run a script",
    "npm install left-pad": "not told to run a script",
    "npm exec dev": "not told to run a script",
    "npm --prefix /tmp run dev": "not told to run a script",
    "npm run --prefix /tmp dev": "not told to run a script",
    "npm run --if-present": "not told to run a script",
    "pnpm --dir=..": "not told to run a script",
    "npm run dev --port 3000": "behind '--'",
    "npm run dev --script-shell=/bin/sh": "behind '--'",
    "npm run dev -- --config evil.js": "has more than",
    "npm run dev -- --port": "has more than",
    "npm run dev -- --port x": "has more than",
    "npm run dev -- --host 0.0.0.0": "has more than",
    "npm run dev -- -- --port 1": "has more than",
    "npm run dev -- ; rm -rf /": "has more than",
    "pnpm add": "not told to run a script",
    "pnpm add left-pad": "not told to run a script",
    "yarn publish": "not told to run a script",
    "bun test": "not told to run a script",
    "npx vite": "no package manager",
    "npx serve ..": "no package manager",
    "./npm run dev": "no package manager",
    "node server.js": "no package manager",
    "python -m http.server 80 --bind 0.0.0.0": "no package manager",
    "bash -c ls": "no package manager",
}


@pytest.mark.parametrize("command", PERMITTED)
def test_a_script_of_the_project_or_a_listed_command_is_permitted(command: str) -> None:
    assert why_not(tuple(command.split()), SCRIPTS, LISTED) is None


@pytest.mark.parametrize("command", REFUSED)
def test_everything_else_is_refused_and_it_is_said_why(command: str) -> None:
    told = why_not(tuple(command.split()), SCRIPTS, LISTED)
    assert told is not None
    assert REFUSED[command] in told


@given(
    st.lists(st.sampled_from(["npm", "yarn", "run", "dev", "--", "--port", "1", "install", "x"]), min_size=1)
)
def test_nothing_unknown_gets_through(words: list[str]) -> None:
    if why_not(tuple(words), {"dev"}, []) is None:
        assert words[0] in ("npm", "yarn")
        assert "dev" in words[1:3]
        assert not {"install", "x"} & set(words)
        assert words.count("dev") == 1


def test_a_command_is_a_program_and_its_arguments() -> None:
    assert checked_argv("npm", ["run", "a b", "$(x)", ""]) == ("npm", "run", "a b", "$(x)", "")
    assert checked_argv("/opt/my tools/serve", ["."]) == ("/opt/my tools/serve", ".")
    for command, args, named in (
        ("npm run dev", [], "'command': is the program alone"),
        ("npm\0", [], "'command': has a NUL"),
        ("npm", ["run", "a\0b"], r"'args\[1\]': has a NUL"),
        (" ", [], "'command': is empty"),
    ):
        with pytest.raises(InvalidArguments, match=named):
            checked_argv(command, args)


HARMFUL = """LD_PRELOAD ld_library_path DYLD_INSERT_LIBRARIES NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONSTARTUP BASH_ENV
ENV PERL5OPT PERL5LIB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS GIT_SSH GIT_SSH_COMMAND PATH Path
npm_config_script_shell
NPM_CONFIG_USERCONFIG npm_config_node_options yarn_script_shell YARN_RC_FILENAME pnpm_script_shell BUN_CONFIG_FILE HOME
SHELL ComSpec BROWSER IFS PAGESIDE_SERVERS PAGESIDE_STATE_DIR ELECTRON_RUN_AS_NODE COREPACK_HOME OPENSSL_CONF
DOTNET_STARTUP_HOOKS XDG_CONFIG_HOME""".split()


@pytest.mark.parametrize("name", HARMFUL)
def test_a_variable_that_changes_what_is_run_is_refused(name: str) -> None:
    with pytest.raises(InvalidArguments, match=f"'env': {name} changes what is run"):
        checked_environment({"PORT": "1", name: "x"})


def test_other_variables_are_passed_on() -> None:
    given = {
        "PORT": "3000",
        "NODE_ENV": "test",
        "DEBUG": "*",
        "VITE_API": "http://x/",
        "CI": "",
        "BROWSER": "none",
    }
    assert checked_environment(given) == given
    for name, value in (("A=B", ""), ("", "x"), ("1A", "x"), ("A B", "x"), ("A", "x\0")):
        with pytest.raises(InvalidArguments, match="'env'"):
            checked_environment({name: value})


def test_a_list_of_commands_is_a_list_of_lists_of_texts() -> None:
    assert commands_in([["npx", "serve"], ["x"]]) == [("npx", "serve"), ("x",)]
    wrong: list[object] = [None, "npx serve", ["npx serve"], [[]], [["npx", 1]], {"a": ["b"]}]
    assert [commands_in(value) for value in wrong] == [None] * len(wrong)


def test_batch_files_get_no_argument_that_a_shell_would_read() -> None:
    assert why_not_batch("C:\\node\\npm.cmd", ("npm", "run", "dev", "--port=1")) is None
    assert why_not_batch("/usr/bin/npm", ("npm", "a&b")) is None
    assert "'&'" in (why_not_batch("C:\\node\\npm.CMD", ("npm", "run", "a&calc")) or "")


@pytest.mark.parametrize(
    ("line", "port"),
    [
        ("Error: listen EADDRINUSE: address already in use :::3000", 3000),
        ("Error: Port 5173 is already in use", 5173),
        ("OSError: [Errno 98] Address already in use", 4000),
        ('[Errno 48] error while attempting to bind on address ("127.0.0.1", 8000)', 4000),
        ("Something is already running on port 3000.", 3000),
    ],
)
def test_a_port_in_use_is_recognised(line: str, port: int) -> None:
    assert port_taken(("npm", "run", "dev", "--", "--port", "4000"), ["Starting", line, "    at x:1:2"]) == (
        True,
        port,
    )


def test_other_ends_are_no_port_in_use() -> None:
    assert port_taken(("x", "--port", "4000"), ["SyntaxError: x", "at main.js:3000"]) == (False, None)
    assert port_taken(("python", "-m", "http.server", "8000"), ["[Errno 98] Address already in use"]) == (
        True,
        8000,
    )
    assert port_taken(("x",), ["address already in use"]) == (True, None)


def write(file: Path, data: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(data if isinstance(data, str) else json.dumps(data))


def test_scripts_are_those_of_the_nearest_package_and_lists_those_of_the_project(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    write(tmp_path / "package.json", {"scripts": {"outside": "x"}})
    write(project / "api" / "app.py", "")
    assert permitted(project, project / "api").scripts == frozenset()
    write(project / "package.json", {"scripts": {"dev": "vite"}, "pageside": {"servers": [["npx", "serve"]]}})
    write(project / "pyproject.toml", '[tool.pageside]\nservers = [["uvicorn", "app:app"]]')
    write(project / "web" / "package.json", {"scripts": {"web": "x"}, "pageside": {"servers": [["sh"]]}})
    assert permitted(project, project / "api").scripts == {"dev"}
    found = permitted(project, project / "web")
    assert found.scripts == {"web"}
    assert found.listed == (("npx", "serve"), ("uvicorn", "app:app"))
    assert not found.complaints


@pytest.mark.parametrize(
    ("package", "pyproject", "complaints"),
    [
        ("{", "[", 2),
        ({"scripts": ["dev"], "pageside": []}, "tool = 1", 0),
        ({"pageside": {"servers": "npx serve"}}, "[tool.pageside]\nservers = [1]", 2),
    ],
)
def test_files_that_make_no_sense_permit_nothing(
    tmp_path: Path, package: object, pyproject: str, complaints: int
) -> None:
    write(tmp_path / "package.json", package)
    write(tmp_path / "pyproject.toml", pyproject)
    found = permitted(tmp_path, tmp_path)
    assert (found.scripts, found.listed, len(found.complaints)) == (frozenset(), (), complaints)


def test_a_package_json_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    write(tmp_path / "package.json", {"scripts": {"dev": "vite"}})
    write(tmp_path / "web" / "package.json", '{"scripts": {"dev": "vite",}}')
    found = permitted(tmp_path, tmp_path / "web")
    assert found.scripts == frozenset()
    assert found.complaints == (f"{tmp_path / 'web' / 'package.json'} cannot be read as JSON",)


def test_a_server_runs_in_a_folder_of_the_project(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    write(project / "web" / "x.js", "")
    (project / "out").symlink_to(tmp_path)
    (project / "loop").symlink_to("loop")
    assert server_folder(project, None) == project
    assert server_folder(project, "web") == server_folder(project, str(project / "web")) == project / "web"
    for wrong in ("..", "/", "out", "web/../../shop2", str(tmp_path)):
        with pytest.raises(InvalidArguments, match=r"'cwd': .* is outside the project"):
            server_folder(project, wrong)
    for wrong in ("nowhere", "web/x.js", "loop", "loop/web", "a" * 300, "\ud800"):
        with pytest.raises(InvalidArguments, match="'cwd': there is no folder"):
            server_folder(project, wrong)
    with pytest.raises(InvalidArguments, match="'cwd': has a NUL"):
        server_folder(project, "a\0b")


def test_a_program_is_found_in_path_or_in_the_folder(tmp_path: Path) -> None:
    program = tmp_path / "serve"
    write(program, "#!/bin/sh\n")
    with pytest.raises(InvalidArguments, match=r"'command': '\./serve' is there, but may not be executed"):
        find_command("./serve", tmp_path)
    with pytest.raises(InvalidArguments, match=r"'command': there is no program '\./server' in"):
        find_command("./server", tmp_path)
    program.chmod(0o755)
    assert find_command("./serve", tmp_path) == str(program)
    assert find_command("sh", tmp_path).endswith("/sh")
    with pytest.raises(
        InvalidArguments, match="'command': there is no program 'serve-nothing' in any folder of PATH"
    ):
        find_command("serve-nothing", tmp_path)


def test_the_policy_comes_from_the_environment_or_the_flag() -> None:
    assert (server_settings({}).policy, server_settings({}).log_lines) == ("scripts", 1000)
    asked = server_settings({"PAGESIDE_SERVERS": "ASK", "SERVER_LOG_BUFFER_SIZE": "50"})
    assert (asked.policy, asked.log_lines) == ("ask", 50)
    assert server_settings({"PAGESIDE_SERVERS": "any"}, policy="off").policy == "off"
    with pytest.raises(InvalidArguments, match="PAGESIDE_SERVERS: 'all' is none of scripts, ask, any, off"):
        server_settings({"PAGESIDE_SERVERS": "all"})
    with pytest.raises(InvalidArguments, match="SERVER_LOG_BUFFER_SIZE"):
        server_settings({"SERVER_LOG_BUFFER_SIZE": "0"})
