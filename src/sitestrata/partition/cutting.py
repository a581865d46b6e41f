"""The DOM of a page -> where blocks begin and end: every element is judged by itself whether a reader sees it as one.

An element stands for a block if the log odds of its features are positive: it is a box rather than an inline piece or
one of many alike, it holds a fair share of the page but not nearly all that its parent holds, its neighbours begin with
headings. Elements that only wrap another are judged together with it.
The weights come from hand-marked pages (``bench/fit_blocks.py``).

Paper: OntoMiner 4.1 (what a segment is for; its own method is in `sitestrata.partition.flat`)
"""

import numpy as np
import numpy.typing as npt

from sitestrata._kernels import load
from sitestrata.page import TAG_ID, TAGS, TEXT, Emphasis, PageFacts

__all__ = ["BLOCK_FEATURES", "block_cuts", "describe_elements"]

Floats = npt.NDArray[np.float64]

# Few, each with one direction: seven more were tried, and pages left out of the fit were cut worse.
BLOCK_FEATURES = (
    "share",  # log, of the leaves of the page
    "fills parent",  # log of twice its share of its parent's leaves; 0 below one half
    "depth",  # of elements that divide something, by ten
    "alike",  # log of the number of siblings on its path
    "linked",  # share of its characters inside links
    "long texts",  # log of their mean length over forty; 0 below
    "headings beside",  # share of its parent's children that begin with a heading
    "inline",
    "box",
)
# Weights of the features, and the constant; bench/fit_blocks.py.
WEIGHTS = (
    0.76,  # share
    -2.91,  # fills parent
    -2.74,  # depth
    -0.45,  # alike
    0.83,  # linked
    1.03,  # long texts
    0.76,  # headings beside
    -1.05,  # inline
    1.32,  # box
    2.49,  # constant
)

_WEIGHTS = np.array(WEIGHTS[:-1])
_kernel = load("boxes")

_KINDS = np.zeros(len(TAGS) + 1, dtype=np.uint8)
_KINDS[[TEXT, *(TAG_ID[name] for name in ("a", "span", "b", "strong", "em", "i", "font", "img"))]] = _kernel.INLINE
_KINDS[[TAG_ID[name] for name in ("div", "section", "article", "aside")]] = _kernel.BOX


def block_cuts(facts: PageFacts) -> dict[int, int]:
    """Return the leaves at which the page is cut, each with what begins there: an element, or else the leaf itself."""
    places, features = describe_elements(facts)
    chosen = places[features @ _WEIGHTS > -WEIGHTS[-1]].tolist()
    cuts: dict[int, int] = {}
    for first, _, node in chosen:
        cuts.setdefault(first, node)  # the outermost
    leaves = facts.leaves.node
    for _, end, _ in chosen:
        if end < len(leaves):
            cuts.setdefault(end, int(leaves[end]))
    return cuts


def describe_elements(facts: PageFacts) -> tuple[npt.NDArray[np.int32], Floats]:
    """Describe every element that holds leaves, wrappers together with what they wrap, outermost first.

    Returns the first leaf of each, the one behind its last, and its node; and its BLOCK_FEATURES.
    """
    dom, leaves = facts.dom, facts.leaves
    places, features = _kernel.describe_boxes(
        dom.end,
        dom.tag,
        facts.tag_path,
        dom.text_end - dom.text_start,
        leaves.node,
        leaves.link,
        leaves.emphasis & int(Emphasis.HEADING),
        _KINDS,
    )
    return places, features
