"""DOM paths as text: ``html/body/div#top.bar/ul.menu/li``, one step per element with tag, id and classes.

What an author wrote may hold the signs that structure a path (a class ``w-1/2``, an id ``a.b``), so control characters,
spaces and ``# % . /`` inside a name are percent-encoded. `parse_path` gives back what was written.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

__all__ = ["Step", "parse_path"]

_STEP = re.compile(r"([^#.]*)(?:#([^.]*))?((?:\.[^.]*)*)\Z")


@dataclass(frozen=True, slots=True)
class Step:
    """One element of a path."""

    tag: str
    id: str | None
    classes: tuple[str, ...]


def parse_path(path: str) -> tuple[Step, ...]:
    """Return the steps of a path, from the root down.

    >>> parse_path("html/div#top.a.w-1%2F2")
    (Step(tag='html', id=None, classes=()), Step(tag='div', id='top', classes=('a', 'w-1/2')))
    """
    return tuple(_parse_step(step) for step in path.split("/")) if path else ()


@lru_cache(maxsize=65_536)
def _parse_step(step: str) -> Step:
    match = _STEP.match(step)
    if match is None:
        return Step(unquote(step), None, ())
    tag, name, classes = match.groups()
    return Step(
        unquote(tag),
        None if name is None else unquote(name),
        tuple(unquote(word) for word in classes.split(".")[1:]),
    )
