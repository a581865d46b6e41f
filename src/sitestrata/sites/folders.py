"""Addresses -> the page that stands for the folder a page is in; only ever a tie-break.

A folder is stood for by the page at its address (``/docs/``), by a file of the same name beside it (``/docs.html`` for
``/docs/...``), or by a file that servers take for it (``/docs/index.html``), in this order. If nothing stands for a
folder, the folder above is asked.
"""

import numpy as np

from sitestrata.identity.rules import is_conventional_index
from sitestrata.sites.site_web import SiteWeb
from sitestrata.sites.trails import Ways

__all__ = ["folder_pages"]


def folder_pages(web: SiteWeb) -> Ways:
    """Find for each page the page that stands for the nearest folder above its own place."""
    places = [_place(url) for url in web.url]
    stands_for: dict[str, tuple[int, bool, int]] = {}
    for row, (folder, name) in enumerate(places):
        for rank, key in enumerate(_folders(folder, name)):
            # "Index.html" beside "index.html" is a list.
            claim = (rank, name != name.lower(), row)
            if key and claim < stands_for.get(key, (3, False, 0)):
                stands_for[key] = claim
    pages: list[int] = []
    above: list[int] = []
    for row, (folder, _) in enumerate(places):
        at = folder
        while at:
            found = stands_for.get(at)
            if found is not None and found[2] not in (row, web.entry):
                pages.append(row)
                above.append(found[2])
                break
            at = at.rpartition("/")[0] if at.count("/") > 2 else ""
    return Ways(np.array(pages, np.int64), np.array(above, np.int64), np.ones(len(pages)))


def _place(url: str) -> tuple[str, str]:
    """Split an address into its folder and the last name; what has a query stands for no folder."""
    path, query, _ = url.partition("?")
    folder, _, name = path.rpartition("/")
    return folder, f"{name}?" if query else name


def _folders(folder: str, name: str) -> tuple[str, str, str]:
    """Return the folders that a page may stand for: at its address, by its name, as an index."""
    if not name:
        return folder, "", ""
    return "", f"{folder}/{name.partition('.')[0]}", folder if is_conventional_index(name) else ""
