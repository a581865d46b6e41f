"""Python twin of the ``texts`` kernel: hashes of many texts, as Arrow holds them."""

import re
from itertools import pairwise

import numpy as np
import numpy.typing as npt

__all__ = ["hash_places", "hash_steps", "hash_texts"]

Ints32 = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

_WORD = (1 << 64) - 1
_NAMES = re.compile(rb"[#.][^/]*")  # of a step: its id and classes (sitestrata.page.paths)


def hash_texts(offsets: Ints32, data: Bytes) -> Ints:
    """Return the hash of each text; 0 for one without a sign.

    Other texts have other hashes unless somebody made them so, who then spoils the menus of his own pages.
    """
    return np.array([_hash(text) for text in _texts(offsets, data)], np.int64)


def hash_places(offsets: Ints32, data: Bytes) -> tuple[Ints, Ints32]:
    """Return the same of DOM paths without their ids and classes, and how many steps they have."""
    paths = _texts(offsets, data)
    hashes = np.array([_hash(_NAMES.sub(b"", path)) for path in paths], np.int64)
    return hashes, np.array([path.count(b"/") + 1 for path in paths], np.int32)


def hash_steps(offsets: Ints32, data: Bytes, rows: Ints, depth: Ints32) -> tuple[Ints, Ints32]:
    """Return the hash of one step of some paths, the one behind ``depth`` others, and where in the data it lies.

    0 and a place without extent, at the end of the path, where there is no such step.
    """
    hashes, bounds = np.zeros(len(depth), np.int64), np.zeros((2, len(depth)), np.int32)
    paths = _texts(offsets, data)
    for row, (chosen, before) in enumerate(zip(rows.tolist(), depth.tolist(), strict=True)):
        path = paths[chosen]
        steps = path.split(b"/")
        step = steps[before] if before < len(steps) else b""
        begin = len(b"/".join(steps[:before])) + (before > 0) if before < len(steps) else len(path)
        hashes[row] = _hash(step)
        bounds[:, row] = offsets[chosen] + begin, offsets[chosen] + begin + len(step)
    return hashes, bounds


def _texts(offsets: Ints32, data: Bytes) -> list[bytes]:
    whole, bounds = data.tobytes(), offsets.tolist()
    return [whole[begin:end] for begin, end in pairwise(bounds)]


def _hash(text: bytes) -> int:
    """Fold words of eight bytes, then mix (the finaliser of splitmix64)."""
    if not text:
        return 0
    folded = len(text) * 0x9E3779B97F4A7C15 & _WORD
    for at in range(0, len(text), 8):
        folded = (folded ^ int.from_bytes(text[at : at + 8], "little")) * 0xD6E8FEB86659FD93 & _WORD
        folded ^= folded >> 32
    folded = (folded ^ (folded >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
    folded = (folded ^ (folded >> 27)) * 0x94D049BB133111EB & _WORD
    folded = (folded ^ (folded >> 31)) or 1
    return folded - (1 << 64) if folded >> 63 else folded
