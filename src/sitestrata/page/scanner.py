"""The one scanner of this process, with our vocabulary, and what it finds on a page."""

from enum import IntFlag
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sitestrata._kernels import load
from sitestrata.page.vocabulary import ATTRIBUTES, ROLES, TAGS

__all__ = ["SCANNER", "Declared", "Finds", "Scan"]

SCANNER = load("scan").Scanner(TAGS, ATTRIBUTES, ROLES)


class Declared(IntFlag):
    """How markup may declare a breadcrumb."""

    JSON = 1
    MICRODATA = 2
    RDFA = 4
    LABELLED = 8


class Scan(NamedTuple):
    """What one pass over the arrays of a page gives (see `sitestrata._kernels.scan_twin`)."""

    link_of: npt.NDArray[np.int32]  # per node: the outermost hyperlink that holds it; -1 = none
    flags: npt.NDArray[np.uint16]  # per node
    tag_path: npt.NDArray[np.int64]  # per node
    class_path: npt.NDArray[np.int64]  # per node
    edges: npt.NDArray[np.int32]  # rows: node, kind, attribute with the address, attribute rel, landmark
    leaves: npt.NDArray[np.int32]  # rows: node, emphasis, enclosing hyperlink
    leaf_path: npt.NDArray[np.int64]
    resources: npt.NDArray[np.int32]  # attributes
    finds: npt.NDArray[np.int64]


class Finds(NamedTuple):
    """What is found once a page; -1 = not there."""

    title: int  # node
    heading: int  # node
    base: int  # attributes, by index
    canonical: int
    robots: int
    refresh: int
    language: int
    content_language: int
    text_length: int  # characters
    linked_text_length: int
    table_count: int
    crumbs: int  # bits of Declared: how a breadcrumb may be given as markup
