"""Classes and edges -> components: redirects, canonical links and equal bytes.

Union-find over classes of addresses. A redirect is the server's own word and joins unconditionally; a canonical link
or equal bytes join only if the contents of the two components are compatible, so that no chain of resemblances through
addresses makes one page of two.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitestrata.identity.captured import PAGE, REDIRECT, Captured, Ids, positions
from sitestrata.identity.classes import Classes
from sitestrata.identity.content import DIFFERENT, SAME, Contents
from sitestrata.identity.nodes import Nodes
from sitestrata.identity.rules import scope
from sitestrata.urls import folder

__all__ = ["EDGE_RULES", "Edges", "class_of", "find_edges", "join_classes"]

_CHUNK = 65_536
EDGE_RULES = ("redirect", "canonical", "bytes")


@dataclass(frozen=True, slots=True)
class Edges:
    """Pairs of nodes that evidence other than their text joins, strongest rule first."""

    one: Ids
    other: Ids
    rule: npt.NDArray[np.int8]  # index into redirect, canonical, bytes
    is_certain: npt.NDArray[np.bool_]


def find_edges(contents: Contents, nodes: Nodes, canonical: Ids, rules: frozenset[str]) -> Edges:
    """List redirects, canonical links that hold, and captured addresses of equal bytes and links, as pairs of nodes."""
    captured = contents.captured
    at = positions(nodes.ids, captured.ids)
    pairs: list[tuple[Ids, Ids, npt.NDArray[np.bool_]]] = []
    redirects = np.flatnonzero(captured.kind == REDIRECT) if "redirect" in rules else np.zeros(0, np.int64)
    pairs.append((at[redirects], positions(nodes.ids, captured.target[redirects]), contents.last[redirects] >= 0))
    here, there = np.asarray(captured.canonical["row"], dtype=np.int64), canonical
    here, there = (here[there >= 0], there[there >= 0]) if "canonical" in rules else (here[:0], there[:0])
    holds = (contents.compare(here, there) == SAME) & (here != there)
    pairs.append((at[here[holds]], at[there[holds]], np.zeros(int(holds.sum()), dtype=bool)))
    one, other = _equal_bytes(contents) if "bytes" in rules else (here[:0], here[:0])
    pairs.append((at[one], at[other], np.zeros(len(one), dtype=bool)))
    return Edges(
        np.concatenate([pair[0] for pair in pairs]),
        np.concatenate([pair[1] for pair in pairs]),
        np.repeat(np.arange(3, dtype=np.int8), [len(pair[0]) for pair in pairs]),
        np.concatenate([pair[2] for pair in pairs]),
    )


def _equal_bytes(contents: Contents) -> tuple[Ids, Ids]:
    """Pair each page with the first one of its host that has the same bytes and the same links."""
    captured = contents.captured
    rows = np.flatnonzero((captured.kind == PAGE) & contents.has_links)
    _, inverse, sizes = np.unique(captured.digest[rows], return_inverse=True, return_counts=True)
    rows = rows[sizes[inverse] > 1]
    hosts = [hash(scope(url)) for url in captured.urls.take(rows).to_pylist()]
    group = np.stack([captured.digest[rows], captured.names[rows], np.array(hosts, dtype=np.int64)])
    by = np.lexsort(group)
    rows, group = rows[by], group[:, by]
    follows = np.zeros(len(rows), dtype=bool)
    follows[1:] = (group[:, 1:] == group[:, :-1]).all(axis=0)
    first = np.maximum.accumulate(np.where(follows, 0, np.arange(len(rows))))
    # Equal words mean equal links: pages of equal bytes are sketched unless the ids of their targets agree already.
    found = [_pair_up(contents, rows, first, words) for words in (contents.link_words(rows), captured.place[rows])]
    pairs = np.unique(np.concatenate(found, axis=1), axis=1)  # sorted: hashes must not decide the order
    is_kept = ~_are_of_parallel_folders(contents, pairs[0], pairs[1])
    return pairs[0, is_kept], pairs[1, is_kept]


def _pair_up(contents: Contents, rows: Ids, group: Ids, words: npt.NDArray[np.generic]) -> Ids:
    """Pair the first row of each group and word with the others, where the links are indeed the same."""
    by = np.lexsort((rows, words, group))
    rows, group, words = rows[by], group[by], words[by]
    follows = np.zeros(len(rows), dtype=bool)
    follows[1:] = (group[1:] == group[:-1]) & (words[1:] == words[:-1])
    lead = rows[np.maximum.accumulate(np.where(follows, 0, np.arange(len(rows))))]
    follows &= contents.same_links(lead, rows)
    return np.stack([lead[follows], rows[follows]])


def _are_of_parallel_folders(contents: Contents, one: Ids, other: Ids) -> npt.NDArray[np.bool_]:
    """Mark pairs of one name in two folders that elsewhere hold different pages under one name.

    Versions and translations of a manual share some pages to the byte; each still belongs to its own tree.
    """
    captured = contents.captured
    answer = np.zeros(len(one), dtype=bool)
    suspects: list[tuple[int, str, str]] = []
    texts = (captured.urls.take(side).to_pylist() for side in (one, other))
    for number, (left, right) in enumerate(zip(*texts, strict=True)):
        homes = folder(left), folder(right)
        if homes[0] != homes[1] and left[len(homes[0]) :] == right[len(homes[1]) :]:
            suspects.append((number, *homes))
    names = _names_in(captured, {home for suspect in suspects for home in suspect[1:]})
    verdicts: dict[tuple[str, str], bool] = {}
    for number, *pair in suspects:
        homes = pair[0], pair[1]
        if homes not in verdicts:
            shared = sorted(names[homes[0]].keys() & names[homes[1]].keys())
            left, right = (np.array([names[home][name] for name in shared], dtype=np.int64) for home in homes)
            verdicts[homes] = bool((contents.compare(left, right) == DIFFERENT).any())
        answer[number] = verdicts[homes]
    return answer


def _names_in(captured: Captured, folders: set[str]) -> dict[str, dict[str, int]]:
    """List the pages of some folders: name to row."""
    names: dict[str, dict[str, int]] = {home: {} for home in folders}
    rows = np.flatnonzero(captured.kind == PAGE) if folders else np.zeros(0, np.int64)
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        for row, url in zip(chunk.tolist(), captured.urls.take(chunk).to_pylist(), strict=True):
            home = folder(url)
            if home in folders:
                names[home][url[len(home) :]] = row
    return names


def class_of(classes: Classes, nodes: Ids) -> Ids:
    """Return the class of each of some nodes, all of which have one."""
    return classes.label[positions(classes.nodes, nodes)]


def join_classes(contents: Contents, classes: Classes, edges: Edges) -> tuple[Ids, Edges]:
    """Return the component of each class and the edges that were used."""
    parent = list(range(len(classes.row)))
    row = classes.row.tolist()

    def find(node: int) -> int:
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    def is_compatible(one: int, other: int) -> bool:
        if one < 0 or other < 0 or one == other:
            return True
        return bool(contents.compare(np.array([one]), np.array([other]))[0] != DIFFERENT)

    labels = (class_of(classes, side) for side in (edges.one, edges.other))
    used = np.zeros(len(edges.one), dtype=bool)
    for number, (left, right) in enumerate(zip(*(side.tolist() for side in labels), strict=True)):
        one, other = find(left), find(right)
        if one != other:
            if not edges.is_certain[number] and not is_compatible(row[one], row[other]):
                continue
            low, high = min(one, other), max(one, other)
            parent[high] = low
            row[low] = min(row[low], row[high]) if min(row[low], row[high]) >= 0 else max(row[low], row[high])
        used[number] = True
    component = np.array([find(node) for node in range(len(parent))], dtype=np.int64)
    return component, Edges(edges.one[used], edges.other[used], edges.rule[used], edges.is_certain[used])
