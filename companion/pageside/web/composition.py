"""What a companion is made of: its hubs, its queue and its engines, each told of what concerns it."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

from pageside.chrome.browser import Browser
from pageside.hubs.activity import Activity
from pageside.hubs.brakes import Brakes
from pageside.hubs.claims import LiveClaims
from pageside.hubs.leases import Leases
from pageside.hubs.pages import Pages
from pageside.hubs.sessions import Sessions
from pageside.hubs.tabs import Tabs
from pageside.hubs.tickets import Tickets
from pageside.hubs.timeline import Timeline
from pageside.operations import brakes
from pageside.operations.choose_tab import forget_choices
from pageside.operations.chrome_camera import ChromeCamera
from pageside.operations.chromes import Chromes
from pageside.operations.keep_claims import keep_claims
from pageside.operations.marks import forget_marks
from pageside.operations.own_entries import forget_told, tell_statuses
from pageside.operations.page_reports import closed
from pageside.operations.pictures import keep_pictures
from pageside.operations.tab_pages import TabPages
from pageside.operations.world import World
from pageside.processes import registry
from pageside.processes.peers import same_user_listens
from pageside.processes.servers import Servers
from pageside.processes.state import write_private
from pageside.settings import ChromeSettings, Settings
from pageside.store.inspections import Inspections
from pageside.web import page_brakes, page_channel


def compose(settings: Settings, inspections: Inspections, folder: Path) -> World:
    """All that a companion holds, of the project whose state is in `folder`, each part told of what concerns it."""
    chromes = _chromes(settings.chrome, folder / "chrome")
    pages, sessions, tickets = Pages(), Sessions(), Tickets()
    timeline, activity, held, tab_pages = Timeline(), Activity(), Brakes(), TabPages()
    for hub in (sessions, tickets, timeline, tab_pages):
        pages.connected.listen(hub.page_connected)
    pages.connected.listen(lambda page, predecessor: activity.follow(predecessor, page))
    pages.connected.listen(lambda page, predecessor: held.follow(predecessor, page))
    pages.used.listen(sessions.page_used)
    # Its last entry, before the timeline may forget it.
    pages.gone.listen(partial(closed, timeline))
    for hub in (sessions, tickets, timeline):
        pages.gone.listen(hub.page_gone)
    sessions.closed.listen(lambda key: tickets.cancel_agent(key, "the agent's session ended"))
    world = World(
        project=settings.project,
        pages=pages,
        sessions=sessions,
        tickets=tickets,
        leases=Leases(),
        inspections=inspections,
        claims=LiveClaims(),
        chromes=chromes,
        camera=ChromeCamera(chromes.default),
        neighbours=lambda: asyncio.to_thread(registry.others, settings.state, settings.project),
        timeline=timeline,
        servers=Servers(
            settings.servers, lambda text, level, data: timeline.add("server", text, level=level, data=data)
        ),
        activity=activity,
        brakes=held,
        tab_pages=tab_pages,
        extension_tabs=Tabs(),
        script_origins=settings.script_origins,
        keep_brakes=lambda kept: asyncio.to_thread(write_private, folder / brakes.FILE, kept),
    )
    page_channel.publish_inspections(world)
    page_brakes.publish(world)
    keep_claims(world)
    tell_statuses(world)
    forget_told(world)
    forget_choices(world)
    forget_marks(world)
    sessions.closed.listen(chromes.session_closed)
    sessions.closed.listen(world.servers.forget_reader)
    chromes.open_at(lambda: next(iter(world.leases.urls()), None))
    keep_pictures(world)
    return world


def _chromes(settings: ChromeSettings, folder: Path) -> Chromes:
    """A Chrome that is searched for is this user's, and none that was launched for one session."""

    def is_ours(port: int) -> bool:
        return same_user_listens(port) and not chromes.has_launched(port)

    chromes = Chromes(
        Browser(settings, folder, is_ours), lambda own, name: Browser(own, folder.with_name(f"chrome-{name}"))
    )
    return chromes
