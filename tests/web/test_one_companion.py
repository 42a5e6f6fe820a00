"""One companion has a project's queue, and a project keeps its port."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from pageside.errors import AlreadyRunning
from pageside.settings import Settings
from pageside.web.app import Companion


async def test_a_second_companion_of_the_project_is_refused(companion: Companion, settings: Settings) -> None:
    with pytest.raises(AlreadyRunning, match="has the queue"):
        await Companion.start(settings)


async def test_of_many_that_start_at_once_one_runs(settings: Settings) -> None:
    started = await asyncio.gather(*(Companion.start(settings) for _ in range(5)), return_exceptions=True)
    running = [each for each in started if isinstance(each, Companion)]
    assert len(running) == 1
    assert sum(isinstance(each, AlreadyRunning) for each in started) == 4
    await running[0].stop()


async def test_after_a_stop_the_next_one_has_the_queue_and_the_same_port(settings: Settings) -> None:
    first = await Companion.start(settings)
    port = first.port
    await first.stop()
    second = await Companion.start(settings)
    assert second.port == port
    await second.stop()
    asked = replace(settings, port_is_asked=True, port=0)
    third = await Companion.start(asked)
    await third.stop()


async def test_a_port_that_another_program_took_is_given_up(settings: Settings) -> None:
    first = await Companion.start(settings)
    port = first.port
    await first.stop()
    server = await asyncio.start_server(lambda _r, w: w.close(), "127.0.0.1", port)
    async with server:
        second = await Companion.start(settings)
        assert second.port != port
        await second.stop()


async def test_a_start_that_fails_lets_the_queue_go(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("pageside.web.app.listen", lambda *_: (_ for _ in ()).throw(OSError("no sockets")))
        with pytest.raises(OSError, match="no sockets"):
            await Companion.start(settings)
    running = await Companion.start(settings)
    await running.stop()
