"""What the report says about sites, read off the tables; a table that is not there yet adds nothing."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sitestrata.report.layout import SiteTrees, subtree_sizes
from sitestrata.run.export_rows import SITE_LINKS, main_menus
from sitestrata.run.listing import SITE_NAME, SITE_NAME_JOINS
from sitestrata.run.workspace import Workspace

__all__ = ["SiteFacts", "link_counts", "page_labels", "read_sites", "read_trees"]

_SITES = """
    WITH named AS (
        SELECT s.site, {name} AS name, s.entry_url, s.hosts, s.pages, s.confidence, s.parent FROM sites s {joins}
    )
    SELECT s.site, s.name, s.entry_url, s.hosts, s.pages, s.confidence, p.name AS parent
    FROM named s LEFT JOIN named p ON p.site = s.parent
    ORDER BY s.pages DESC, s.entry_url LIMIT {limit}
"""
_LINKS = f"""
    SELECT least(source, target) AS one, greatest(source, target) AS other, CAST(sum(weight) AS BIGINT) AS links
    FROM ({SITE_LINKS}) between_sites GROUP BY 1, 2 ORDER BY links DESC, one, other
"""  # noqa: S608 - our own


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """One site, as the report tells it."""

    site: int
    name: str
    entry_url: str
    hosts: tuple[str, ...]
    pages: int
    confidence: float
    parent: str | None
    menu: tuple[tuple[str, str | None], ...] = ()  # label, address
    keywords: tuple[str, ...] = ()
    access: str = ""  # how it gives access to its pages


def read_sites(workspace: Workspace, limit: int) -> list[SiteFacts]:
    """Return the largest sites, the largest first."""
    tables = set(workspace.tables)
    if "sites" not in tables:
        return []
    menus = main_menus(workspace)
    profiles: dict[int, dict[str, Any]] = {}
    if "profiles" in tables:
        profiles = {row["site"]: row for row in workspace.arrow("profiles").to_pylist()}
    return [
        SiteFacts(
            row["site"],
            row["name"] or row["entry_url"],
            row["entry_url"],
            tuple(row["hosts"]),
            row["pages"],
            row["confidence"],
            row["parent"],
            tuple((item["label"], item["url"]) for item in menus.get(row["site"], ()) if item["level"] == 0),
            tuple(profiles.get(row["site"], {}).get("keywords", ())),
            profiles.get(row["site"], {}).get("access", ""),
        )
        for row in workspace.query(
            _SITES.format(
                name=SITE_NAME if profiles else "s.name", joins=SITE_NAME_JOINS if profiles else "", limit=int(limit)
            )
        ).to_pylist()
    ]


def read_trees(workspace: Workspace) -> SiteTrees | None:
    """Return the trees of all sites, if the hierarchy is there."""
    if "tree" not in workspace.tables:
        return None
    rows = workspace.arrow("tree", ["page_id", "parent", "depth", "position"])
    ids = rows["page_id"].to_numpy().astype(np.int64)
    # A root has no parent; its own id says the same in a column of plain integers.
    parents = np.where(
        rows["parent"].is_null().to_numpy(), ids, rows["parent"].fill_null(0).to_numpy().astype(np.int64)
    )
    return subtree_sizes(
        ids, parents, rows["depth"].to_numpy().astype(np.int64), rows["position"].to_numpy().astype(np.int64)
    )


def page_labels(workspace: Workspace) -> list[str]:
    """Return what pages are called in the hierarchy, in the order of `read_trees`."""
    labels: list[str] = workspace.arrow("tree", ["label"])["label"].to_pylist()
    return labels


def link_counts(workspace: Workspace) -> list[tuple[int, int, int]]:
    """Return how many links there are between two sites, in both directions together, most first."""
    if not {"links", "aliases", "boundaries"} <= set(workspace.tables):
        return []
    return [(row["one"], row["other"], row["links"]) for row in workspace.query(_LINKS).to_pylist()]
