"""Where things stand in the report's pictures: numbers in, numbers out; the same input gives the same picture."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Cell", "SiteTrees", "icicle", "spread_out", "subtree_sizes"]

ROUNDS = 300  # of the force layout; positions hardly move after 200 at the sizes we draw
APART = 80  # rounds that push circles off one another

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Cell:
    """One rectangle of an icicle: a page with all that lies below it, or several small ones together."""

    row: int  # of the node; -1 for small ones together
    depth: int
    top: float
    height: float
    pages: int


@dataclass(frozen=True, slots=True)
class SiteTrees:
    """The trees of all sites as arrays; nodes of one site lie together, children of one node in their order."""

    ids: Ints
    parent: Ints  # row; -1 for a root
    depth: Ints
    size: Ints  # pages of the subtree
    first_child: Ints  # row range of a node's children in ``children``
    children: Ints


def subtree_sizes(ids: Ints, parents: Ints, depth: Ints, position: Ints) -> SiteTrees:
    """Count the pages below every page; a page whose parent is not there counts as a root."""
    order = np.argsort(ids, kind="stable")
    place = np.searchsorted(ids[order], parents)
    place = np.minimum(place, max(len(ids) - 1, 0))
    parent = np.where(ids[order][place] == parents, order[place], -1) if len(ids) else np.zeros(0, np.int64)
    parent = np.where(parent == np.arange(len(ids)), -1, parent)
    size = np.ones(len(ids), np.int64)
    for level in range(int(depth.max(initial=0)), 0, -1):
        rows = np.flatnonzero((depth == level) & (parent >= 0))
        rows = rows[depth[parent[rows]] < level]  # whatever the table says, a picture has no circles
        np.add.at(size, parent[rows], size[rows])
    below = np.flatnonzero((parent >= 0) & (depth[np.maximum(parent, 0)] < depth))
    children = below[np.lexsort((ids[below], position[below], parent[below]))]
    first = np.searchsorted(parent[children], np.arange(len(ids) + 1))
    return SiteTrees(ids, parent, depth, size, first.astype(np.int64), children.astype(np.int64))


def icicle(trees: SiteTrees, root: int, *, height: float, smallest: float, deepest: int) -> list[Cell]:
    """Lay out a tree from left to right: a column a level, the height of a page in proportion to what lies below it.

    Pages that would be lower than ``smallest`` are drawn together, below their siblings.
    """
    cells = [Cell(root, 0, 0.0, height, int(trees.size[root]))]
    for cell in cells:  # grows as it is read
        if cell.row < 0 or cell.depth >= deepest:
            continue
        rows = trees.children[trees.first_child[cell.row] : trees.first_child[cell.row + 1]]
        if not len(rows):
            continue
        scale = cell.height / float(trees.size[rows].sum())
        top = cell.top
        for row in rows[trees.size[rows] * scale >= smallest].tolist():
            tall = float(trees.size[row]) * scale
            cells.append(Cell(row, cell.depth + 1, top, tall, int(trees.size[row])))
            top += tall
        rest = int(trees.size[rows[trees.size[rows] * scale < smallest]].sum())
        if rest:
            cells.append(Cell(-1, cell.depth + 1, top, cell.top + cell.height - top, rest))
    return cells


def spread_out(
    radii: Sequence[float], edges: Sequence[tuple[int, int, float]], *, width: float, height: float
) -> Floats:
    """Place circles so that linked ones are near and none covers another (Fruchterman and Reingold, 1991).

    They start on a spiral in the order given, so nothing is left to chance.
    """
    count = len(radii)
    if count == 0:
        return np.zeros((0, 2))
    turn = np.arange(count) * np.pi * (3 - np.sqrt(5))  # the golden angle
    places = np.sqrt(np.arange(count) + 0.5)[:, None] * np.stack([np.cos(turn), np.sin(turn)], 1)
    places /= np.sqrt(count)
    ideal = 1.6 / np.sqrt(count)
    pull = np.zeros((count, count))
    for source, target, weight in edges:
        pull[source, target] = pull[target, source] = weight
    if pull.max() > 0:
        pull /= pull.max()
    for round_ in range(ROUNDS):
        away = places[:, None] - places[None]
        distance = np.maximum(np.sqrt((away**2).sum(2)), 1e-6)
        force = ideal**2 / distance - pull * distance**2 / ideal
        move = (away / distance[..., None] * force[..., None]).sum(1) - 0.3 * places
        length = np.maximum(np.sqrt((move**2).sum(1)), 1e-9)
        places += move / length[:, None] * np.minimum(length, 0.12 * (1 - round_ / ROUNDS))[:, None]
    return _without_overlap(_fitted(places, radii, width, height), np.asarray(radii), width, height)


def _fitted(places: Floats, radii: Sequence[float], width: float, height: float) -> Floats:
    margin = max(radii) + 4
    low, high = places.min(0), places.max(0)
    span = np.maximum(high - low, 1e-9)
    box = np.array([width - 2 * margin, height - 2 * margin])
    return np.where(high - low < 1e-6, np.array([width, height]) / 2, margin + (places - low) / span * box)


def _without_overlap(places: Floats, radii: Floats, width: float, height: float) -> Floats:
    for _ in range(APART):
        away = places[:, None] - places[None]
        distance = np.maximum(np.sqrt((away**2).sum(2)), 1e-6)
        lack = np.maximum(radii[:, None] + radii[None] + 6 - distance, 0)
        np.fill_diagonal(lack, 0)
        if not lack.any():
            break
        places = places + (away / distance[..., None] * lack[..., None]).sum(1) / 2
        places = np.clip(places, (radii + 3)[:, None], np.array([width, height]) - (radii + 3)[:, None])
    return places
