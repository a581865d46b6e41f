"""A collection too large for one process -> regions: sets of pages, of bounded size, that are looked at by themselves.

Menus and sites are found by comparing pages of the whole collection. Where it has more links than `RegionOptions` says,
they are found region by region; a smaller one is a single region, and this stage does nothing. A region is cut along
the links, never by domain, all of it in SQL that every engine runs where the rows are:

1. *Places*: a host; of a host with too many links its folders; of such a folder its folders, then runs of addresses.
2. *Ties*: links both ways between two places, or frames. *Hubs*, pages that so many hosts link that a link to them says
   nothing (portals, licences, the bars of large organisations), are left out first.
3. *Groups*: connected components of the places over their ties. A group that is too large is cut again over its
   stronger ties only, and so on.
4. *Regions*: small groups are put together until a region is full, those that weaker ties join next to each other.
5. *Halo*: where a host is in several regions, each of them also sees the pages of the host that most others link: its
   home page and the targets of its menus. By these a site that was cut is known again (`sitestrata.sites.joining`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sitestrata.model import Relations
from sitestrata.model.components import keep_components

__all__ = ["RegionOptions", "cut_regions", "skew"]

REGION_LINKS = 4_000_000  # finding menus takes about 400 bytes a link: less than two gigabytes
PLACES = 2  # that fit into a region at least
HUB_HOSTS = 50  # a page that more hosts link is a hub
# How strong a tie must be: links a thousand pages of the smaller place, in the direction that has fewer; 0 = any.
STRENGTHS = (0, 1, 4, 16, 64, 256, 1024, 4096, 16_384)
HALO_PAGES = 100  # of each host that is cut


@dataclass(frozen=True, slots=True)
class RegionOptions:
    """How much is looked at together."""

    region_links: int = REGION_LINKS  # that are looked at together at most; what has more is cut into regions


def cut_regions(tables: Relations, options: RegionOptions) -> dict[str, str]:
    """Cut the captured pages into regions; no rows where one is enough."""
    limit = max(options.region_links, 1)
    if tables.number("SELECT coalesce(sum(1 + link_count), 0) FROM pages") <= limit:
        return {"regions": 'SELECT url_id AS "group", url_id AS page, true AS own FROM pages WHERE 1 = 0'}
    _keep_places(tables, max(limit // PLACES, 1))  # 1
    _keep_ties(tables)  # 2
    _keep_groups(tables, limit)  # 3
    _keep_regions(tables, limit)  # 4
    _keep_halo(tables)  # 5
    return {"regions": _ROWS}


def _keep_places(tables: Relations, most: int) -> None:
    """Keep ``placed``: page, host (its smallest page), weight (links, of all captures), place (its smallest page)."""
    tables.keep(
        "addressed",
        """
        SELECT page, url, weight, split_part(url, '/', 3) AS host,
            regexp_extract(url, '^[^/]*//[^/?]*/([^/?]*)/', 1) AS folder,
            regexp_extract(url, '^[^/]*//[^/?]*/([^/?]*/[^/?]*)/', 1) AS subfolder
        FROM (SELECT a.page_id AS page, min(a.canonical) AS url,
                CAST(sum(1 + p.link_count) AS BIGINT) AS weight
            FROM pages p JOIN aliases a ON a.url_id = p.url_id GROUP BY a.page_id) captured
        """,
    )
    tables.keep(
        "in_folders",
        f"""
        SELECT page, url, weight, host,
            CASE WHEN in_host <= {most} THEN '' ELSE folder END AS folder,
            CASE WHEN in_host <= {most} OR in_folder <= {most} THEN '' ELSE subfolder END AS subfolder
        FROM (SELECT addressed.*, sum(weight) OVER (PARTITION BY host) AS in_host,
            sum(weight) OVER (PARTITION BY host, folder) AS in_folder FROM addressed) counted
        """,  # noqa: S608 - numbers of our own
    )
    tables.keep(
        "placed",
        f"""
        SELECT page, min(page) OVER (PARTITION BY host) AS host, weight,
            min(page) OVER (PARTITION BY host, folder, subfolder, run) AS place
        FROM (SELECT in_folders.*, CAST(floor((sum(weight) OVER (PARTITION BY host, folder, subfolder
            ORDER BY url, page ROWS UNBOUNDED PRECEDING) - weight) / {most}) AS BIGINT) AS run FROM in_folders) cut
        """,  # noqa: S608
    )


def _keep_ties(tables: Relations) -> None:
    """Keep ``ties``: two places and how strong they are tied; and ``linked``: captured pages that link others."""
    tables.keep("captured", "SELECT a.url_id, a.page_id FROM aliases a JOIN placed p ON p.page = a.page_id")
    # In two steps: told all at once that the two pages differ, DuckDB begins by pairing all pages with each other.
    tables.keep(
        "called",
        """
        SELECT c.page_id AS page, l.target, max(CASE WHEN l.kind IN ('frame', 'iframe') THEN 1 ELSE 0 END) AS is_frame
        FROM links l JOIN captured c ON c.url_id = l.page GROUP BY c.page_id, l.target
        """,
    )
    tables.keep(
        "linked",
        """
        SELECT s.page, s.place, s.host, t.page AS target, t.place AS there, t.host AS other_host, e.is_frame
        FROM (SELECT l.page, c.page_id AS target, max(l.is_frame) AS is_frame
            FROM called l JOIN captured c ON c.url_id = l.target
            WHERE c.page_id <> l.page GROUP BY l.page, c.page_id) e
        JOIN placed s ON s.page = e.page JOIN placed t ON t.page = e.target
        """,
    )
    tables.keep(
        "places", "SELECT place, count(*) AS pages, CAST(sum(weight) AS BIGINT) AS weight FROM placed GROUP BY 1"
    )
    tables.keep(
        "ties",
        f"""
        SELECT u, v, 1000 * greatest(least(forth, back), frames) / least(a.pages, b.pages) AS strength
        FROM (SELECT least(l.place, there) AS u, greatest(l.place, there) AS v,
                sum(CASE WHEN l.place < there THEN 1 ELSE 0 END) AS forth,
                sum(CASE WHEN l.place < there THEN 0 ELSE 1 END) AS back, sum(is_frame) AS frames
            FROM linked l LEFT JOIN (SELECT target AS hub FROM linked GROUP BY target
                HAVING count(DISTINCT host) > {HUB_HOSTS}) h ON h.hub = l.target
            WHERE l.place <> there AND h.hub IS NULL GROUP BY 1, 2) t
        JOIN places a ON a.place = u JOIN places b ON b.place = v WHERE greatest(least(forth, back), frames) > 0
        """,  # noqa: S608
    )


def _keep_groups(tables: Relations, limit: int) -> None:
    """Keep ``grouped``: place, weight, its group (smallest place) and the group that any tie at all makes of it."""
    tables.keep("grouped", "SELECT place, weight, 0 AS part, 0 AS wide, 1 AS is_large FROM places")
    for number, strength in enumerate(STRENGTHS):
        keep_components(
            tables,
            f"""
            SELECT u, v FROM ties JOIN grouped a ON a.place = u JOIN grouped b ON b.place = v
            WHERE strength >= {strength} AND a.is_large = 1 AND b.is_large = 1 AND a.part = b.part
            """,  # noqa: S608
        )
        if _count_large(tables, limit, is_first=number == 0) == 0:
            return
    # What is held together by the strongest ties and is too large still: place by place.
    tables.keep("roots", "SELECT place AS node, place AS root FROM grouped WHERE 1 = 0")
    _count_large(tables, limit, is_first=False)


def _count_large(tables: Relations, limit: int, *, is_first: bool) -> int:
    """Take the components over for the groups that were too large, and return how many places are in such groups."""
    part = "CASE WHEN is_large = 1 THEN coalesce(root, place) ELSE part END"
    tables.keep(
        "grouped",
        f"""
        SELECT place, weight, part, wide, CASE WHEN sum(weight) OVER (PARTITION BY part) > {limit} THEN 1 ELSE 0 END
            AS is_large
        FROM (SELECT place, weight, {part} AS part, {part if is_first else "wide"} AS wide
            FROM grouped LEFT JOIN roots ON node = place) again
        """,  # noqa: S608
    )
    return tables.number("SELECT count(*) FROM grouped WHERE is_large = 1")


def _keep_regions(tables: Relations, limit: int) -> None:
    """Keep ``held``: page, host and its region. Groups of up to half a region share one, in their order."""
    half = max(limit // PLACES, 1)
    tables.keep(
        "filled",
        f"""
        SELECT part, CASE WHEN weight > {half} THEN -1
            ELSE CAST(floor((sum(CASE WHEN weight > {half} THEN 0 ELSE weight END) OVER (ORDER BY wide, part
                ROWS UNBOUNDED PRECEDING) - weight) / {half}) AS BIGINT) END AS bin
        FROM (SELECT part, wide, sum(weight) AS weight FROM grouped GROUP BY part, wide) g
        """,  # noqa: S608
    )
    tables.keep(
        "held",
        """
        SELECT p.page, p.host, min(p.page) OVER (PARTITION BY f.bin, CASE WHEN f.bin < 0 THEN f.part ELSE 0 END)
            AS region
        FROM placed p JOIN grouped g ON g.place = p.place JOIN filled f ON f.part = g.part
        """,
    )


def _keep_halo(tables: Relations) -> None:
    """Keep ``halo``: page and a region that is not its own but sees it."""
    tables.keep("cut", "SELECT host, region FROM held GROUP BY host, region")
    tables.keep(
        "halo",
        f"""
        SELECT w.page, c.region FROM (SELECT target AS page, host, row_number() OVER (PARTITION BY host
                ORDER BY callers DESC, target) AS place
            FROM (SELECT target, host, count(*) AS callers FROM linked WHERE host = other_host
                AND host IN (SELECT host FROM cut GROUP BY host HAVING count(*) > 1) GROUP BY target, host) called) w
        JOIN cut c ON c.host = w.host JOIN held h ON h.page = w.page
        WHERE w.place <= {HALO_PAGES} AND h.region <> c.region
        """,  # noqa: S608
    )


# Links and texts of a page stand under the addresses it was captured at; menus and sites under its own.
_ROWS = """
    WITH seen AS (SELECT page, region, true AS own FROM held UNION ALL SELECT page, region, false AS own FROM halo)
    SELECT s.region AS "group", a.url_id AS page, s.own FROM seen s JOIN aliases a ON a.page_id = s.page
    WHERE a.is_captured UNION SELECT region AS "group", page, own FROM seen ORDER BY 2, 1
"""


def skew(sizes: Sequence[int]) -> str:
    """Say how unequal regions are, from their numbers of addresses."""
    return f"{len(sizes):,} regions; addresses in the largest {max(sizes):,}, in the smallest {min(sizes):,}"
