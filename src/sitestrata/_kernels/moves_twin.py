"""Move single nodes between parts while the sum of votes inside parts grows; twin of ``moves.pyx``."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["move_nodes"]


def move_nodes(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    votes: NDArray[np.float64],
    part: NDArray[np.int64],
    max_passes: int,
) -> int:
    """Move nodes in place, in order of their number, and return how many moves were made.

    A node goes to the neighbouring part that gives it the largest sum of votes, the one with the smaller number on a
    tie, or to an empty part where every sum is negative. Each move makes the total larger by more than 1e-9.
    """
    node_count = len(part)
    size = np.bincount(part, minlength=node_count).tolist()
    moves = 0
    for _ in range(max_passes):
        moved = 0
        for node in range(node_count):
            home = int(part[node])
            pull: dict[int, float] = {}
            for edge in range(int(indptr[node]), int(indptr[node + 1])):
                other = int(part[indices[edge]])
                pull[other] = pull.get(other, 0.0) + float(votes[edge])
            stay = pull.get(home, 0.0)
            best, best_pull = home, stay
            for other, sum_of_votes in pull.items():
                if sum_of_votes > best_pull + 1e-9 or (sum_of_votes == best_pull and other < best and best != home):
                    best, best_pull = other, sum_of_votes
            if best_pull < -1e-9 and size[home] > 1:
                best = next(empty for empty in range(node_count) if size[empty] == 0)
            if best != home:
                part[node] = best
                size[home] -= 1
                size[best] += 1
                moved += 1
        moves += moved
        if not moved:
            break
    return moves
