"""Connected components by queries, where the rows are.

Large-star and small-star in turn (Kiveris et al., Connected Components in MapReduce and Beyond, 2014).
"""

from sitestrata.model.tables import Relations

__all__ = ["keep_components"]


def keep_components(tables: Relations, edges: str) -> None:
    """Keep as ``roots`` the smallest node that each node is joined to; nodes that are so themselves are left out.

    Args:
        tables: where the edges are
        edges: a query of columns ``u`` and ``v``
    """
    tables.keep("stars", f"SELECT greatest(u, v) AS u, least(u, v) AS v FROM ({edges}) e WHERE u <> v")  # noqa: S608
    # Invariant: every edge leads from a node to a smaller one of its component, and all of a component stay joined.
    # When no edge leads on and none leaves the same node, each node is tied to the smallest of its component.
    while tables.number(_UNFINISHED):
        tables.keep("stars", _LARGE_STAR)
        tables.keep("stars", _SMALL_STAR)
    tables.keep("roots", "SELECT DISTINCT u AS node, v AS root FROM stars")


_UNFINISHED = """
    SELECT count(*) FROM (SELECT u FROM stars GROUP BY u HAVING count(DISTINCT v) > 1
    UNION ALL SELECT v FROM stars WHERE v IN (SELECT u FROM stars)) open
"""
_LARGE_STAR = """
    WITH both_ways AS (SELECT u, v FROM stars UNION ALL SELECT v, u FROM stars),
    smallest AS (SELECT u, least(u, min(v)) AS m FROM both_ways GROUP BY u)
    SELECT DISTINCT b.v AS u, s.m AS v FROM both_ways b JOIN smallest s ON s.u = b.u WHERE b.v > b.u
"""
_SMALL_STAR = """
    WITH smallest AS (SELECT u, min(v) AS m FROM stars GROUP BY u)
    SELECT s.v AS u, m.m AS v FROM stars s JOIN smallest m ON m.u = s.u WHERE s.v <> m.m
    UNION SELECT u, m AS v FROM smallest
"""
