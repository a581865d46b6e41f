"""What all endpoints share: the workspaces, the runs, and how an id is written.

Ids are 64-bit numbers; a browser's numbers hold 53 bits, so ids travel as text.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, HTTPException, Path, Query, Request

from sitestrata.report.server.catalogue import Catalogue, Snapshot
from sitestrata.report.server.jobs import Jobs

__all__ = ["Asked", "Found", "Id", "Limit", "Server", "Word", "as_number", "missing", "the_server", "the_snapshot"]

MAX_ROWS = 200
MAX_LOOKS = 200  # frames; the oldest are forgotten
_ID = r"^-?[0-9]{1,19}$"

Id = Annotated[str, Path(pattern=_ID, description="A 64-bit id, as decimal digits.")]
Limit = Annotated[int, Query(ge=1, le=MAX_ROWS, description="How many rows.")]
Word = Annotated[str, Query(max_length=200, description="Text that must occur, in any case.")]


class Looks:
    """What was picked last in each frame with an archived page.

    A click in such a frame reaches nobody, as no script runs there and its origin is opaque; but the frame then asks
    this server for the page with another focus, under the name of its view, and the view may ask what that was.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._picked: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def note(self, view: str, focus: int) -> None:
        """Remember what was picked in a frame."""
        with self._lock:
            _, count = self._picked.get(view, (-1, 0))
            self._picked[view] = focus, count + 1
            self._picked.move_to_end(view)
            while len(self._picked) > MAX_LOOKS:
                self._picked.popitem(last=False)

    def picked(self, view: str) -> tuple[int, int]:
        """Return the node that was picked last, -1 for none, and how often one was."""
        with self._lock:
            return self._picked.get(view, (-1, 0))


@dataclass(slots=True)
class Server:
    """One running server."""

    catalogue: Catalogue
    others: dict[str, Catalogue]  # to compare with, by name
    jobs: Jobs
    looks: Looks = field(default_factory=Looks)


def the_server(request: Request) -> Server:
    """Return what this server serves."""
    server: Server = request.app.state.server
    return server


def the_snapshot(request: Request) -> Snapshot:
    """Return the workspace as it is now."""
    return the_server(request).catalogue.current()


Asked = Annotated[Server, Depends(the_server)]
Found = Annotated[Snapshot, Depends(the_snapshot)]


def as_number(text: str) -> int:
    """Return the number of an id; one that cannot exist is not found."""
    number = int(text)
    if not -(2**63) <= number < 2**63:
        raise missing("There is nothing with this id.")
    return number


def missing(reason: str) -> HTTPException:
    """Return the error that says something is not there."""
    return HTTPException(404, reason)
