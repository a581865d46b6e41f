"""Addresses of gold and of an answer -> the pages they stand for.

Gold writes the address a page was captured under, menus link to it by another, and an answer may have resolved it to a
third. The answer's own ``canonical`` decides which page an address is; where it does not know the address, gold's
aliases say for which other address it stands; failing that, the address is its own page.
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sitestrata.evaluate.facts import Facts
from sitestrata.urls import normalise

__all__ = ["Matching"]

MAX_HOPS = 8  # of aliases that lead to aliases


class Matching:
    """Finds the page of an address, and the row of an answer that speaks about it."""

    def __init__(self, answer: Facts, gold: Facts) -> None:
        self._pages = answer.pages
        self._answer_aliases = answer.aliases
        self._gold_aliases = gold.aliases
        self._canonical: dict[str, str] | None = None
        self._resolved: dict[str, str] = {}

    def resolve(self, url: str) -> str:
        """Return the address of the page that an address stands for."""
        known = self._resolved.get(url)
        if known is None:
            known = self._resolved[url] = self._resolve(url)
        return known

    def rows(self, urls: pa.ChunkedArray | pa.Array | Sequence[str]) -> NDArray[np.int64]:
        """Return the rows of the answer's pages with these addresses; -1 where there is none."""
        wanted = urls if isinstance(urls, pa.Array | pa.ChunkedArray) else pa.array(urls, pa.string())
        if self._pages is None:
            return np.full(len(wanted), -1, dtype=np.int64)
        known = self._pages["url"].combine_chunks()
        found = _places(wanted, known)
        missing = np.flatnonzero(found < 0)
        if len(missing):
            # As browsers write it, then by what gold knows about it; most gold needs neither.
            texts = [text.as_py() for text in wanted.take(pa.array(missing))]
            for rewritten in (
                [normalise(text) or text for text in texts],
                [self._gold_aliases.get(text, text) for text in texts],
            ):
                again = _places(pa.array(rewritten, pa.string()), known)
                found[missing] = np.where(found[missing] < 0, again, found[missing])
        return found

    def _resolve(self, url: str) -> str:
        canonical = self._canonical_map()
        at = normalise(url) or url
        for _ in range(MAX_HOPS):
            step = canonical.get(at) or self._answer_aliases.get(at)
            if step is not None:
                return step
            step = self._gold_aliases.get(at) or (self._gold_aliases.get(url) if at != url else None)
            if step is None or step == at:
                return at
            at = normalise(step) or step
        return at

    def _canonical_map(self) -> dict[str, str]:
        if self._canonical is None:
            self._canonical = {}
            if self._pages is not None and "canonical" in self._pages.column_names:
                urls, targets = self._pages["url"].to_pylist(), self._pages["canonical"].to_pylist()
                self._canonical = {url: target or url for url, target in zip(urls, targets, strict=True)}
        return self._canonical


def _places(wanted: pa.Array | pa.ChunkedArray, known: pa.Array) -> NDArray[np.int64]:
    places = pc.fill_null(pc.index_in(wanted, value_set=known), -1)
    return np.asarray(places, dtype=np.int64).copy()
