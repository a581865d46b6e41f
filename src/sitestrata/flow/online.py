"""On-line preflow-push: the algorithm decides which page to look at next, and asks for it.

Pages with overflow are fetched when they are first discharged, largest overflow first. Nobody is called: `wanted` names
the page whose links are needed, `observe` hands them over, `answer` says what is inside. The whole state is plain
values, so a crawl can be stopped and taken up again.

Paper: Senellart 2.4.2

Differences from the paper:
  - the height of the source is an argument; the paper lowers it from |S| (unknown on-line) by an unknown amount;
  - after an early stop overflow is left standing, and the cut is read from the sink: what still reaches the sink over
    unsaturated arcs is outside (the source side of a preflow is not defined by 2.2);
  - pages that cannot be fetched have no links and stay what they are.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sitestrata.flow.similarity import EPSILON_DISTANCE, SIGMA, similarity, url_similarity
from sitestrata.graph.preflow import Preflow, sink_side

__all__ = ["FlowOptions", "OnlineFlow"]

SOURCE, SINK = 0, 1


@dataclass(frozen=True, slots=True)
class FlowOptions:
    """The relaxations of 2.4.2."""

    sigma: float = SIGMA
    epsilon: float = float(similarity(EPSILON_DISTANCE, SIGMA))
    source_height: int = 20  # far below |S|: what cannot drain soon goes back to the source soon
    threshold: float = 1e-6  # stop when every overflow is at most this
    max_pages: int | None = None  # stop after so many pages were looked at
    max_steps: int | None = None  # stop after so many pushes and raises


class OnlineFlow:
    """The state of one on-line flow; drive it with ``while url := flow.wanted(): flow.observe(url, links_of(url))``."""

    def __init__(self, seeds: Iterable[str], options: FlowOptions | None = None) -> None:
        self.options = options or FlowOptions()
        self.seeds = tuple(dict.fromkeys(seeds))
        self._network = Preflow(SOURCE, SINK, 2)
        self._number: dict[str, int] = {}
        self._urls: list[str] = ["", ""]
        self._looked_at: dict[str, tuple[str, ...]] = {}
        for url in self.seeds:
            # As wide as what can leave a page: its links and its sink arc are each at most 1.
            self._network.add_arc(SOURCE, self._node(url), 1e6)
        self._network.start(self.options.source_height)

    def wanted(self) -> str | None:
        """Push and raise until a page must be looked at, and name it; None when the flow has come to its end."""
        while True:
            if self._is_spent():
                return None
            node = self._network.largest_overflow(self.options.threshold)
            if node is None:
                return None
            url = self._urls[node]
            if url not in self._looked_at:
                return None if self._has_all_pages() else url
            self._network.discharge_step(node)

    def observe(self, url: str, links: Iterable[str]) -> None:
        """Take in the links of a page; () where it could not be fetched."""
        if url in self._looked_at:
            return
        targets = tuple(dict.fromkeys(target for target in links if target != url))
        self._looked_at[url] = targets
        node = self._node(url)
        for target in targets:
            capacity = url_similarity(url, target, sigma=self.options.sigma)
            self._network.add_arc(node, self._node(target), capacity)

    def answer(self) -> dict[str, list[str]]:
        """Return inside, outside and unknown: pages that were only heard of are unknown, whatever the flow says."""
        outside = sink_side(self._network)
        known = sorted(self._looked_at)
        return {
            "inside": [url for url in known if self._number[url] not in outside],
            "outside": [url for url in known if self._number[url] in outside],
            "unknown": sorted(url for url in self._number if url not in self._looked_at),
        }

    def state(self) -> dict[str, Any]:
        """Return what must be kept to go on after a crash: the pages in the order they were looked at."""
        return {"seeds": list(self.seeds), "pages": [[url, list(links)] for url, links in self._looked_at.items()]}

    @classmethod
    def resume(cls, state: dict[str, Any], options: FlowOptions | None = None) -> "OnlineFlow":
        """Go on from a state: the same pages in the same order lead to the same flow."""
        flow = cls(state["seeds"], options)
        pages = {url: links for url, links in state["pages"]}  # noqa: C416 - lists, not pairs
        while (url := flow.wanted()) is not None and url in pages:
            flow.observe(url, pages[url])
        return flow

    def _node(self, url: str) -> int:
        if url not in self._number:
            node = self._network.add_node()
            self._number[url] = node
            self._urls.append(url)
            self._network.add_arc(node, SINK, self.options.epsilon)
        return self._number[url]

    def _is_spent(self) -> bool:
        limit = self.options.max_steps
        return limit is not None and self._network.pushes + self._network.raises >= limit

    def _has_all_pages(self) -> bool:
        limit = self.options.max_pages
        return limit is not None and len(self._looked_at) >= limit
