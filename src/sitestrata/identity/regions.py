"""A collection too large for one process -> regions of hosts and regions of addresses, by queries where the rows are.

Nothing that belongs together is cut: a host is in one region, with all that it redirects to, and so is a component of
addresses that any evidence joins. So the rows are those of the collection as a whole, with two exceptions. A host of
more addresses than a region may have is cut into runs of addresses in the order of their paths, as if in lower case:
what rules make of an address stands near it, so the votes are those of the whole host but for pairs that a cut parts,
and for pages of equal bytes in different runs. A very large component is a region of its own, however large.
"""

from sitestrata.identity.options import IdentityOptions
from sitestrata.identity.tables import ADDRESSES, BONDS, HOSTS, REDIRECTS, REMAINDERS, SUSPECTS, TWINS
from sitestrata.model import Relations
from sitestrata.model.components import keep_components

__all__ = ["cut_bonds", "cut_hosts"]

CHAIN = 64  # redirects in a row that leave a region; browsers give up after 20
_NONE = 'SELECT url_id AS "group", url_id AS page, true AS own FROM pages WHERE 1 = 0'
# As `sitestrata.identity.rules.scope` has it.
_SCOPE = """CASE WHEN split_part(url, '/', 3) LIKE 'www.%.%' THEN substr(split_part(url, '/', 3), 5)
    ELSE split_part(url, '/', 3) END"""
_PATH = "lower(regexp_replace(url, '^[^/]*//[^/?]*', ''))"
_EVERY = f"""
    SELECT url_id, min(url) AS url FROM (SELECT url_id, url FROM urls UNION ALL SELECT url_id, url FROM captures
    UNION ALL SELECT url_id, url FROM {REDIRECTS}) spelled GROUP BY url_id
"""  # noqa: S608 - names of our own, as everywhere here
_CANONICAL = """
    SELECT DISTINCT p.url_id AS page, c.url_id AS named FROM pages p JOIN captures c ON c.url = p.canonical_link
    WHERE p.canonical_link <> p.url
"""


def cut_hosts(tables: Relations, options: IdentityOptions) -> dict[str, str]:
    """List the addresses, choose the pages whose links are to be compared, and cut hosts into regions (`HOSTS`)."""
    # Pages that could be one but for their links have the same title and heading, or one names the other.
    tables.keep(
        "named",
        f"""
        SELECT url_id, url, canonical_link, count(*) OVER (PARTITION BY {_SCOPE}, title, heading) AS alike FROM pages
        """,  # noqa: S608
    )
    tables.keep(
        "suspects",
        """
        SELECT url_id AS page FROM named WHERE alike > 1 OR canonical_link <> url
        UNION SELECT t.url_id FROM named s JOIN named t ON t.url = s.canonical_link WHERE s.canonical_link <> s.url
        """,
    )
    links = "SELECT l.page, l.ordinal, l.target, u.url FROM links l JOIN suspects s ON s.page = l.page"
    return {
        ADDRESSES: _EVERY,
        SUSPECTS: f"{links} LEFT JOIN urls u ON u.url_id = l.target" + ("" if options.rules else " WHERE 1 = 0"),
        HOSTS: _hosts(tables, options),
    }


def _hosts(tables: Relations, options: IdentityOptions) -> str:
    half = max(options.region_addresses // 2, 1)
    total = tables.number("SELECT (SELECT count(*) FROM urls) + (SELECT count(*) FROM captures)")
    if total <= options.region_addresses:
        return _NONE
    tables.keep("hosted", f"SELECT url_id AS page, {_SCOPE} AS host, {_PATH} AS path FROM ({_EVERY}) e")  # noqa: S608
    tables.keep(
        "weighed",
        """
        SELECT page, host, path, count(*) OVER (PARTITION BY host) AS weight,
            min(page) OVER (PARTITION BY host) AS first FROM hosted
        """,
    )
    tables.keep(
        "runs",
        f"""
        SELECT page, min(page) OVER (PARTITION BY host, run) AS region
        FROM (SELECT page, host, CAST(floor((row_number() OVER (PARTITION BY host ORDER BY path, page) - 1)
            / {options.region_addresses}) AS BIGINT) AS run FROM weighed WHERE weight > {options.region_addresses}) cut
        """,  # noqa: S608
    )
    tables.keep(
        "held",
        f"""
        SELECT page, CASE WHEN weight > {half} THEN first ELSE {_bin("first", -(-total // half))} END AS region
        FROM weighed WHERE weight <= {options.region_addresses} UNION ALL SELECT page, region FROM runs
        """,  # noqa: S608
    )
    tables.keep(
        "guests",
        f"""
        SELECT h.region, r.url_id AS page FROM {REDIRECTS} r JOIN held h ON h.page = r.page
        UNION SELECT h.region, c.named FROM ({_CANONICAL}) c JOIN held h ON h.page = c.page
        UNION SELECT h.region, c.page FROM ({_CANONICAL}) c JOIN held h ON h.page = c.named
        """,  # noqa: S608
    )
    count = tables.number("SELECT count(*) FROM guests")
    for _ in range(CHAIN):
        tables.keep(
            "guests",
            f"""
            SELECT region, page FROM guests UNION SELECT g.region, r.url_id FROM guests g
            JOIN {REDIRECTS} r ON r.page = g.page
            """,  # noqa: S608
        )
        before, count = count, tables.number("SELECT count(*) FROM guests")
        if count == before:
            break
    return """
        SELECT region AS "group", page, true AS own FROM held UNION ALL
        SELECT g.region AS "group", g.page, false AS own FROM guests g JOIN held h ON h.page = g.page
        WHERE h.region <> g.region ORDER BY 2, 1
    """


def cut_bonds(tables: Relations, options: IdentityOptions) -> dict[str, str]:
    """Cut addresses into regions of whole components (`BONDS`)."""
    total = tables.number(f"SELECT count(*) FROM {REMAINDERS}")  # noqa: S608
    if total <= options.region_addresses:
        return {BONDS: _NONE}
    keep_components(
        tables,
        f"""
        SELECT url_id AS u, min(url_id) OVER (PARTITION BY remainder) AS v FROM {REMAINDERS}
        UNION ALL SELECT page, url_id FROM {REDIRECTS} UNION ALL SELECT page, other FROM {TWINS}
        UNION ALL SELECT page, named FROM ({_CANONICAL}) c
        """,  # noqa: S608
    )
    half = max(options.region_addresses // 2, 1)
    return {
        BONDS: f"""
            SELECT {_bin("coalesce(root, url_id)", -(-total // half))} AS "group", url_id AS page, true AS own
            FROM {REMAINDERS} LEFT JOIN roots ON node = url_id ORDER BY 2, 1
        """  # noqa: S608
    }


def _bin(number: str, bins: int) -> str:
    """Spread numbers, which are hashes, over bins."""
    return f"({number} % {bins} + {bins}) % {bins}"
