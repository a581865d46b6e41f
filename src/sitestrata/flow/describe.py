"""What a person reads about the scales of a site: a label each, and what the larger adds to the smaller.

A label is the title of the page that most pages of the set link to, with the words that all of the set's titles would
share left to the reader; where addresses may be used, the prefixes the set is closed in say where it lies.
"""

import numpy as np
from numpy.typing import NDArray

from sitestrata.flow.network import FlowNetwork
from sitestrata.flow.page_web import PageWeb

__all__ = ["added_text", "label_of", "lead_page", "prefix_text"]

SHOWN = 3  # prefixes named in a description

Ints = NDArray[np.int64]


def lead_page(web: PageWeb, pages: Ints) -> int:
    """Return the page of the set that most of its pages link to; ties go to the shortest address, then the smallest."""
    inside = np.zeros(web.page_count, np.bool_)
    inside[pages] = True
    rows = np.repeat(np.arange(web.page_count), np.diff(web.indptr))
    heads = web.page_of_target[web.targets]
    used = (heads >= 0) & inside[rows] & (rows != heads)
    counts = np.bincount(heads[used], minlength=web.page_count)[pages]
    best = min(range(len(pages)), key=lambda i: (-counts[i], len(web.urls[pages[i]]), web.urls[pages[i]]))
    return int(pages[best])


def label_of(network: FlowNetwork, pages: Ints) -> str:
    """Name a set of pages."""
    lead = lead_page(network.web, pages)
    title = " ".join(network.web.titles[lead].split())
    where = prefix_text(network, pages)
    return f"{title} ({where})" if title and where else title or where or network.web.urls[lead]


def prefix_text(network: FlowNetwork, pages: Ints) -> str:
    """Say in which hosts and folders a set lies; empty where addresses are withheld."""
    if network.prefixes is None:
        return ""
    found, rest = network.prefixes.outermost_closed(pages)
    names = [network.prefixes.names[prefix] for prefix, _ in found[:SHOWN]]
    more = sum(count for _, count in found[SHOWN:]) + rest
    return ", ".join(names) + (f" and {more:,} other pages" if more and names else "")


def added_text(network: FlowNetwork, smaller: Ints, larger: Ints) -> str:
    """Say what the larger of two sets adds to the smaller."""
    extra = np.setdiff1d(larger, smaller)
    if len(extra) == 0:
        return "nothing more"
    return f"{len(extra):,} more pages: {label_of(network, extra)}"
