"""The generated sample web with its truth (docs/sample-web.md)."""

from collections.abc import Iterator, Sequence

from sitestrata.sample.files import truth_folder, write
from sitestrata.sample.kinds import KINDS
from sitestrata.sample.serve import make_server
from sitestrata.sample.truth import Row, walk
from sitestrata.sample.web import Capture
from sitestrata.sample.world import make_world

__all__ = ["KINDS", "Capture", "Row", "generate", "make_server", "make_world", "truth", "truth_folder", "write"]


def generate(seed: int, pages: int, *, hard: bool = False, only: Sequence[str] = ()) -> Iterator[Capture]:
    """Yield the captures of a web."""
    for event in walk(make_world(seed, pages, hard=hard, only=only)):
        if isinstance(event, Capture):
            yield event


def truth(seed: int, pages: int, *, hard: bool = False, only: Sequence[str] = ()) -> Iterator[Row]:
    """Yield the truth about a web: the name of a truth file and one row of it."""
    for event in walk(make_world(seed, pages, hard=hard, only=only)):
        if not isinstance(event, Capture):
            yield event
