"""Pages of a host with the same bytes and the same links, leaving aside versions and translations of a manual."""

import numpy as np
import numpy.typing as npt

from sitestrata.identity.captured import PAGE, Captured, Ids
from sitestrata.identity.content import DIFFERENT, Contents
from sitestrata.identity.rules import scope
from sitestrata.urls import folder

__all__ = ["find_twins"]

_CHUNK = 65_536


def find_twins(contents: Contents) -> Ids:
    """Pair each page with the first one of its host that has the same bytes and the same links: two rows of rows."""
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
    return pairs[:, is_kept]


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
