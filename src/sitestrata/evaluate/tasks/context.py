"""What every task is given: gold, the answer, how addresses match, and which baselines to set beside."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.evaluate.baselines import BASELINES, NEEDS_LINKS, PageGraph
from sitestrata.evaluate.facts import Facts
from sitestrata.evaluate.matching import Matching
from sitestrata.evaluate.rand import codes

__all__ = ["Context", "Edges", "EdgesBetween"]

Edges = tuple[NDArray[np.int64], NDArray[np.int64]]
# Takes canonical addresses, gives the links between them as places in that list.
EdgesBetween = Callable[[Sequence[str]], Edges]


@dataclass(frozen=True)
class Context:
    """One scoring of one answer against one gold."""

    gold: Facts
    answer: Facts
    baselines: Sequence[str] = ()
    edges_between: EdgesBetween | None = None

    @cached_property
    def matching(self) -> Matching:
        """How addresses of gold and answer come together."""
        return Matching(self.answer, self.gold)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """For each page of gold the row of the answer that speaks about it, or -1."""
        assert self.gold.pages is not None
        return self.matching.rows(self.gold.pages["url"])

    @cached_property
    def gold_rows(self) -> NDArray[np.int64]:
        """The rows of gold that the answer knows."""
        return np.flatnonzero(self.rows >= 0)

    def gold_column(self, name: str) -> pa.Array | None:
        """Return a column of gold's pages for the rows that the answer knows."""
        return _column(self.gold.pages, name, self.gold_rows)

    def answer_column(self, name: str) -> pa.Array | None:
        """Return a column of the answer's pages, aligned with `gold_column`."""
        return _column(self.answer.pages, name, self.rows[self.gold_rows])

    @cached_property
    def unmatched(self) -> tuple[str, ...]:
        """A note on pages of gold that the answer does not know, if there are any."""
        missing = len(self.rows) - len(self.gold_rows)
        if not missing:
            return ()
        assert self.gold.pages is not None
        first = self.gold.pages["url"][int(np.flatnonzero(self.rows < 0)[0])].as_py()
        return (
            f"{missing:,} of {len(self.rows):,} gold pages are not in the answer and do not count (such as {first}).",
        )

    def usable_baselines(self) -> tuple[list[str], list[str]]:
        """Return the baselines that can be computed, and notes on those that cannot."""
        usable = [name for name in self.baselines if self.edges_between is not None or name not in NEEDS_LINKS]
        missing = [name for name in self.baselines if name not in usable]
        notes = [f"Baseline {name} needs links, which only a workspace has." for name in missing]
        return [name for name in BASELINES if name in usable], notes

    @cached_property
    def graph(self) -> PageGraph:
        """The matched pages of gold with the links between them, for baselines."""
        urls = self.gold_column("url")
        assert urls is not None
        captured = self.answer_column("url")
        canonical = self.answer_column("canonical")
        page = codes(captured if canonical is None else canonical)
        _, first = np.unique(page, return_index=True)
        representative = first[page].astype(np.int64)
        none = np.zeros(0, dtype=np.int64)
        source, target = none, none
        if self.edges_between is not None:
            names = captured if canonical is None else canonical
            assert names is not None
            source, target = self.edges_between([names[int(i)].as_py() for i in first])
            source, target = first[source].astype(np.int64), first[target].astype(np.int64)
        return PageGraph(urls.to_pylist(), source, target, representative)


def _column(table: pa.Table | None, name: str, rows: NDArray[np.int64]) -> pa.Array | None:
    if table is None or name not in table.column_names:
        return None
    return table[name].combine_chunks().take(pa.array(rows))
