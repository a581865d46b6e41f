"""The simplest algorithm that asks for pages, to test what gets them."""

from collections.abc import Sequence

from sitestrata.model import Want
from sitestrata.run.rounds import Observed


class Follow:
    """Asks for every page that a page leads to."""

    def __init__(self, start: str) -> None:
        self._next = [Want(start, "start", 1.0)]
        self.seen: list[Observed] = []

    def wanted(self) -> Sequence[Want]:
        wants, self._next = self._next, []
        return wants

    def observe(self, page: Observed) -> None:
        self.seen.append(page)
        if page.facts:
            self._next += [Want(url, "linked", 0.0) for url in page.facts.links.address]
