"""All maximal cliques of an undirected graph.

Bron and Kerbosch's algorithm (1973) with the pivot of Tomita, Tanaka and Takahashi (2006) below an outer loop in
degeneracy order (Eppstein, Löffler and Strash, 2010). Sets are bit sets, one word for 64 neighbours of a node.

A graph may have exponentially many maximal cliques (Moon and Moser, 1965: 3 ** (n / 3)), so there is a limit on their
number and on the steps of the search; the answer says whether it is complete. Within the limits time is bounded by the
steps times the largest neighbourhood squared over 64, memory by the depth of the search times it.

Paper: MenuMiner 5.1, step 4
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata._kernels import load

__all__ = ["MAX_CLIQUES", "MAX_STEPS", "Cliques", "maximal_cliques"]

MAX_CLIQUES = 1_000_000
MAX_STEPS = 20_000_000

Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Cliques:
    """Maximal cliques; clique c is ``members[first[c] : first[c + 1]]``, sorted positions."""

    first: Ints
    members: Ints32
    is_complete: bool  # False: a limit was reached, there may be more

    def __len__(self) -> int:
        """Return the number of cliques."""
        return len(self.first) - 1

    def __getitem__(self, number: int) -> Ints32:
        """Return the members of a clique."""
        return self.members[self.first[number] : self.first[number + 1]]


def maximal_cliques(
    indptr: Ints, indices: Ints32, *, min_size: int = 1, max_cliques: int = MAX_CLIQUES, max_steps: int = MAX_STEPS
) -> Cliques:
    """Enumerate the maximal cliques of a graph whose edges go both ways and that has no loops.

    The neighbours of node ``u`` are ``indices[indptr[u]:indptr[u + 1]]``, sorted.

    >>> from sitestrata.graph.link_graph import edges_to_graph
    >>> graph = edges_to_graph([0, 1, 0, 2, 1, 2, 2, 3], [1, 0, 2, 0, 2, 1, 3, 2])
    >>> found = maximal_cliques(graph.indptr, graph.indices)
    >>> sorted(found[number].tolist() for number in range(len(found)))
    [[0, 1, 2], [2, 3]]
    """
    return Cliques(*load("cliques").maximal_cliques(indptr, indices, min_size, max_cliques, max_steps))
