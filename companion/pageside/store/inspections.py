"""The queue of one project: read from memory, written to disk before anyone is told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pageside.contract import LIMITS
from pageside.core import inspections as rules
from pageside.core import status as machine
from pageside.core.ids import is_item_id
from pageside.core.inspections import Item
from pageside.core.numbers import number_for, numbered
from pageside.core.signals import Signal
from pageside.core.tombstones import outlived
from pageside.errors import BadTransition, InspectionNotFound, InvalidArguments, PagesideError
from pageside.store.database import Database
from pageside.store.pictures import Pictures

T = TypeVar("T")
Result = dict[str, Any]
_USERS_CHOICE = ("pending", "deleted")


def _now_ms() -> int:
    return int(time.time() * 1000)


async def _to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """Await `work`; a caller that is cancelled meanwhile leaves it running.

    Else a write could reach the disk and not the memory.
    """
    return await asyncio.shield(asyncio.ensure_future(work))


class Inspections:
    """Open with `await Inspections.open(path)`. Callers must not change the items they are handed."""

    def __init__(self, database: Database, thread: ThreadPoolExecutor, items: Sequence[Item]) -> None:
        self._database = database
        self._thread = thread
        self._items = {item["id"]: item for item in items}
        self._lock = asyncio.Lock()
        self._written: Signal[Sequence[Item]] = Signal()
        self._changed = asyncio.Event()
        self.pictures = Pictures(database.pictures, self._on_disk, database.known_pictures)

    @classmethod
    async def open(cls, path: Path) -> Inspections:
        """Open or make the file at `path`; raises `StoreFailed` when the folder refuses."""
        thread = ThreadPoolExecutor(1, "inspections")
        loop = asyncio.get_running_loop()
        try:
            database = await loop.run_in_executor(thread, Database, path)
            numbers, gone = numbered(database.items), outlived(database.items, _now_ms())
            if numbers or gone:
                # Items from before there were any numbers.
                await loop.run_in_executor(thread, partial(database.write, numbers, forgotten=gone))
            store = cls(database, thread, [*database.items, *numbers])
            store._forget(gone)
            return store
        except BaseException:
            thread.shutdown(wait=False)
            raise

    async def close(self) -> None:
        """Wait for the write on its way, then close the file."""
        async with self._lock:
            await self._on_disk(self._database.close)
        self._thread.shutdown(wait=False)

    @property
    def damaged(self) -> Path | None:
        """Where a damaged file was put when the store was opened, or None."""
        return self._database.damaged

    def listen(self, listener: Callable[[Sequence[Item]], None]) -> None:
        """Call `listener(items)` after every write, with the items as they are now."""
        self._written.listen(listener)

    def all(self) -> list[Item]:
        """Every item and tombstone, oldest first."""
        return sorted(self._items.values(), key=lambda item: (item["timestamp"], item["id"]))

    def living(self, statuses: Sequence[str] | None = None) -> list[Item]:
        """Items that are not deleted, in the user's order; only those in `statuses` when given."""
        found = [
            item
            for item in self._items.values()
            if item["status"] != "deleted" and (statuses is None or item["status"] in statuses)
        ]
        return sorted(found, key=rules.place)

    def get(self, inspection_id: str) -> Item:
        """The living item of that id; raises `InspectionNotFound`."""
        item = self._items.get(inspection_id)
        if item is None or item["status"] == "deleted":
            deleted = item is not None
            raise InspectionNotFound(
                f"There is no inspection {inspection_id!r}"
                f"{': the user deleted it' if deleted else ''}; the queue has {len(self.living())}."
            )
        return item

    async def changed(self) -> None:
        """Return after the next write."""
        await self._changed.wait()

    async def transition(
        self,
        inspection_id: str,
        status: str,
        *,
        message: str | None = None,
        progress: Any = None,
        agent: str | None = None,
    ) -> Item:
        """An agent's change of status; the item as it is on disk now."""

        def following() -> Item:
            return rules.transitioned(
                self.get(inspection_id),
                status,
                actor="agent",
                now_ms=_now_ms(),
                message=message,
                progress=progress,
                agent=agent,
            )

        return await _to_the_end(self._write(following))

    async def say(self, inspection_id: str, reply: Mapping[str, Any]) -> Item:
        """Add to the thread of a living item: `{"from", "text", "name"?, "kind"?}`; the item as it is on disk now."""

        def following() -> Item:
            return rules.replied(self.get(inspection_id), dict(reply), _now_ms())

        return await _to_the_end(self._write(following))

    async def abandon(self, inspection_id: str) -> None:
        """Put an item whose agent fell silent back into the queue; others stay as they are."""

        def following() -> Item:
            item = self._items[inspection_id]
            if item["status"] != "in-progress":
                raise InspectionNotFound(f"{inspection_id} is not in progress.")
            return rules.abandoned(item, _now_ms())

        if self._items.get(inspection_id, {}).get("status") == "in-progress":
            await _to_the_end(self._write(following))

    async def _write(self, following: Callable[[], Item]) -> Item:
        async with self._lock:
            item = following()
            gone = self._outlived(item)
            await self._on_disk(partial(self._database.write, [item], forgotten=gone))
            self._publish([item], gone)
            return item

    async def apply(
        self, changes: Sequence[Any], fingerprints: Mapping[str, dict[str, Any]] | None = None
    ) -> list[Result]:
        """The user's changes from a page; one result for each, in order.

        Each is applied at most once by its id: repeated, it gets the same answer again. `fingerprints` are those
        of the sources of new items, by their ids.
        """
        known = fingerprints or {}
        return [await _to_the_end(self._apply_one(change, known)) for change in changes]

    async def _apply_one(self, change: Any, fingerprints: Mapping[str, dict[str, Any]]) -> Result:
        change_id = change.get("change") if isinstance(change, dict) else None
        if not is_item_id(change_id):
            error = InvalidArguments("'change' must be an id of 1–100 plain characters.")
            return {"change": None, "ok": False, "error": error.to_json()}
        async with self._lock:
            before = await self._on_disk(partial(self._database.result_of, str(change_id)))
            if before is not None:
                return before
            now = _now_ms()
            try:
                item = self._next(change, now, fingerprints)
            except PagesideError as error:
                return {"change": change_id, "ok": False, "error": error.to_json()}
            result = {"change": change_id, "ok": True, "rev": item["rev"]}
            gone = self._outlived(item)
            write = partial(self._database.write, [item], change_id, result, now, forgotten=gone)
            await self._on_disk(write)
            self._publish([item], gone)
            return result

    def _next(self, change: dict[str, Any], now: int, fingerprints: Mapping[str, dict[str, Any]]) -> Item:
        kind = change.get("kind")
        if kind == "create":
            return self._created(change, now, fingerprints)
        following = _KINDS.get(kind) if isinstance(kind, str) else None
        if following is None:
            kinds = ", ".join(("create", *_KINDS))
            raise InvalidArguments(f"'kind' must be one of {kinds}.", data={"argument": "kind"})
        return following(self._known(change), change, now)

    def _created(self, change: dict[str, Any], now: int, fingerprints: Mapping[str, dict[str, Any]]) -> Item:
        raw = change.get("item")
        mark = fingerprints.get(str(raw.get("id"))) if isinstance(raw, dict) else None
        item = rules.created(raw, now, restore=change.get("restore") is True, fingerprint=mark)
        known = self._items.get(item["id"])
        if known is not None:
            return known
        if item["status"] == "deleted":
            return item
        others = self.living()
        if len(others) >= LIMITS["inspections"]:
            raise InvalidArguments(
                f"The queue is full: {LIMITS['inspections']} inspections.",
                fix="Delete inspections that are done.",
            )
        return {**item, "number": number_for(item, others)}

    def _known(self, change: dict[str, Any]) -> Item:
        inspection_id = change.get("inspection")
        item = self._items.get(inspection_id) if isinstance(inspection_id, str) else None
        if item is None:
            raise InspectionNotFound(f"There is no inspection {inspection_id!r}.")
        return item

    async def _on_disk(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _outlived(self, item: Item) -> list[str]:
        """The tombstones that go when this item is written."""
        if item["status"] != "deleted":
            return []
        return outlived((self._items | {item["id"]: item}).values(), _now_ms())

    def _forget(self, gone: Sequence[str]) -> None:
        for inspection in gone:
            del self._items[inspection]

    def _publish(self, items: Sequence[Item], gone: Sequence[str]) -> None:
        for item in items:
            self._items[item["id"]] = item
        self._forget(gone)
        self._changed.set()
        self._changed = asyncio.Event()
        self._written.tell(items)


# What a page's change makes of the item that it names.


def _edited(item: Item, change: dict[str, Any], now: int) -> Item:
    return rules.edited(item, change, now)


def _restated(item: Item, change: dict[str, Any], now: int) -> Item:
    status, message = change.get("status"), change.get("message")
    if status not in _USERS_CHOICE:
        allowed = [s for s in machine.allowed(item["status"], "user") if s in _USERS_CHOICE]
        raise BadTransition(item["status"], str(status), allowed, "a page deletes or reopens")
    if item["status"] == status:
        return item
    return rules.transitioned(item, status, actor="user", now_ms=now, message=message)


def _replied(item: Item, change: dict[str, Any], now: int) -> Item:
    # The page knows its reply by the id of the change.
    said = {"id": change["change"], "from": "user", "text": change.get("text"), "at": change.get("at")}
    return rules.replied(item, said, now)


def _accepted(item: Item, _change: dict[str, Any], now: int) -> Item:
    return item if "accepted" in item else rules.accepted(item, now)


def _reordered(item: Item, change: dict[str, Any], now: int) -> Item:
    return rules.reordered(item, change.get("order"), now)


_KINDS: dict[str, Callable[[Item, dict[str, Any], int], Item]] = {
    "edit": _edited,
    "status": _restated,
    "reply": _replied,
    "accept": _accepted,
    "order": _reordered,
}
