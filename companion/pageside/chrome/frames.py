"""Where a frame stands in the page: its owner element, and how its px become px of the tab."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pageside.chrome.boxes import Quad, boxes_of
from pageside.chrome.documents import Document, Handle, call
from pageside.chrome.session import CommandFailed, Session
from pageside.chrome.tab import Tab
from pageside.errors import ChromeError


async def path_to_top(tab: Tab, element: Handle) -> list[Handle]:
    """The element, then the owner of the frame that it is in, and so on out to the top document.

    Frames of the same origin are left out: their elements belong to the same toolkit.
    """
    path = [element]
    while path[-1].document.frame_id != tab.id:
        path.append(await _owner(tab, path[-1].document))
    return path


async def _owner(tab: Tab, document: Document) -> Handle:
    """The `<iframe>` in which a document is."""
    for session in tab.sessions():
        try:
            node = await session("DOM.getFrameOwner", frameId=document.frame_id)
        except CommandFailed:
            # The frame's owner is in another process.
            continue
        return await _resolved(tab, session, node["backendNodeId"])
    raise ChromeError("The frame of the element is no longer in the page.")


async def _resolved(tab: Tab, session: Session, backend_id: int) -> Handle:
    tree = await session("Page.getFrameTree")
    for frame_id in _ids(tree["frameTree"]):
        document = await tab.documents.of_frame(session, frame_id)
        try:
            found = await session(
                "DOM.resolveNode", backendNodeId=backend_id, executionContextId=document.context
            )
        except CommandFailed:
            # Chrome refuses to show an element to the world of another document.
            continue
        return Handle(document, found["object"]["objectId"], "the frame")
    raise ChromeError("The frame of the element is no longer in the page.")


def _ids(tree: dict[str, object]) -> list[str]:
    frame, children = tree["frame"], tree.get("childFrames", [])
    assert isinstance(frame, dict)
    assert isinstance(children, list)
    return [str(frame["id"]), *(each for child in children for each in _ids(child))]


@dataclass(frozen=True, slots=True)
class Affine:
    """(x, y) -> (a x + c y + e, b x + d y + f)."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def quad(self, quad: Sequence[float]) -> Quad:
        """Where four corners come to lie."""
        found: list[float] = []
        for x, y in zip(quad[::2], quad[1::2], strict=True):
            found += [self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f]
        return tuple(found)

    def inverse(self) -> Affine:
        """Undoes it; raises `ChromeError` if that is not possible, because all becomes flat."""
        area = self.a * self.d - self.b * self.c
        if abs(area) < 1e-9:
            raise ChromeError("The frame of the element is flattened to nothing, so there is nothing to see.")
        a, b, c, d = self.d / area, -self.b / area, -self.c / area, self.a / area
        return Affine(a, b, c, d, -(a * self.e + c * self.f), -(b * self.e + d * self.f))


def onto(quad: Sequence[float], width: float, height: float) -> Affine:
    """What takes a rectangle of that size at the origin onto a quad."""
    left, top = quad[0], quad[1]
    return Affine(
        (quad[2] - left) / width,
        (quad[3] - top) / width,
        (quad[6] - left) / height,
        (quad[7] - top) / height,
        left,
        top,
    )


async def zoom_of(path: Sequence[Handle]) -> float:
    """How much CSS `zoom` enlarges the frame of the first element, within its process."""
    zoom = float(await call(path[0].document, "frameZoom", path[0]))
    for inner, owner in pairwise(path):
        if inner.session is not owner.session:
            break
        zoom *= float(await call(owner.document, "zoomOf", owner))
        zoom *= float(await call(owner.document, "frameZoom", owner))
    return zoom


async def onto_page(path: Sequence[Handle], quad: Quad) -> Quad:
    """A quad in the viewport of the first element's process, as it lies in that of the tab."""
    for index, (inner, owner) in enumerate(pairwise(path)):
        if inner.session is owner.session:
            # Chrome counts from the outermost frame of a process.
            continue
        boxes = await boxes_of(owner, await zoom_of(path[index + 1 :]))
        width, height = await call(inner.document, "viewSize")
        if boxes is None or not width or not height:
            raise ChromeError("The frame of the element is not displayed, so there is nothing to see.")
        quad = onto(boxes.quads["content"], width, height).quad(quad)
    return quad
