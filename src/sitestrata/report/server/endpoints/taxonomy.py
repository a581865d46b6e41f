"""Concepts, their labels and places in the taxonomy, and their instances with attributes."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from sitestrata.report.server.catalogue import Snapshot
from sitestrata.report.server.shapes import ConceptRow
from sitestrata.report.server.state import Found, Id, Limit, Word, as_number, missing

__all__ = ["router"]

router = APIRouter(tags=["taxonomy"])

MAX_CONCEPTS = 2000
MAX_FACETS = 20
MAX_FACET_VALUES = 30


@router.get("/taxonomy")
def concepts(
    snapshot: Found, parent: Annotated[str | None, Query(pattern=r"^-?[0-9]{1,19}$")] = None, q: Word = ""
) -> dict[str, Any]:
    """Return the concepts below one, those below none, or those with a label that holds a text."""
    if not snapshot.has("concepts", "is_a"):
        return {"is_ready": False, "rows": []}
    values: list[object] = []
    where = "NOT EXISTS (SELECT 1 FROM is_a i WHERE i.child = c.concept AND NOT i.is_facet)"
    if q:
        has_label = "EXISTS (SELECT 1 FROM labels l WHERE l.concept = c.concept AND contains(lower(l.label), lower(?)))"
        where, values = f"(contains(lower(c.label), lower(?)) OR {has_label})", [q, q]
        if not snapshot.has("labels"):
            where, values = "contains(lower(c.label), lower(?))", [q]
    elif parent is not None:
        where, values = "EXISTS (SELECT 1 FROM is_a i WHERE i.parent = ? AND i.child = c.concept)", [as_number(parent)]
    count = "(SELECT count(*) FROM instances n WHERE n.concept = c.concept)" if snapshot.has("instances") else "0"
    rows = snapshot.rows(
        f"SELECT c.concept, c.domain, c.label, c.support, c.confidence, c.is_frequent, {count} AS instances, "  # noqa: S608
        "(SELECT count(*) FROM is_a i WHERE i.parent = c.concept) AS children "
        f"FROM concepts c WHERE {where} ORDER BY c.support DESC, c.label, c.concept LIMIT {MAX_CONCEPTS}",
        *values,
    )
    return {
        "is_ready": True,
        "rows": [_concept(row).model_dump() for row in rows],
        "domains": snapshot.once("domains", lambda: _domains(snapshot)),
    }


@router.get("/taxonomy/{concept}")
def one_concept(snapshot: Found, concept: Id) -> dict[str, Any]:
    """Return a concept with its labels, the concepts above and below it, and the evidence for each."""
    row = _row(snapshot, as_number(concept))
    labels = (
        snapshot.rows(
            "SELECT * EXCLUDE (concept) FROM labels WHERE concept = ? ORDER BY support DESC, label", row["concept"]
        )
        if snapshot.has("labels")
        else []
    )
    ties = snapshot.rows(
        "SELECT i.*, p.label AS parent_label, c.label AS child_label FROM is_a i "
        "JOIN concepts p ON p.concept = i.parent JOIN concepts c ON c.concept = i.child "
        "WHERE i.parent = ? OR i.child = ? ORDER BY i.support DESC, i.parent, i.child LIMIT 500",
        row["concept"],
        row["concept"],
    )
    for tie in ties:
        tie["parent"], tie["child"], tie["domain"] = str(tie["parent"]), str(tie["child"]), str(tie["domain"])
    return {
        "concept": str(row["concept"]),
        "label": row["label"],
        "language": row["language"],
        "support": row["support"],
        "confidence": row["confidence"],
        "urls": row["urls"][:50],
        "sites": [str(site) for site in row["sites"][:200]],
        "labels": labels,
        "broader": [tie for tie in ties if tie["child"] == str(row["concept"])],
        "narrower": [tie for tie in ties if tie["parent"] == str(row["concept"])],
    }


@router.get("/taxonomy/{concept}/instances")
def instances(
    snapshot: Found,
    concept: Id,
    facet: Annotated[str, Query(max_length=200)] = "",
    value: Annotated[str, Query(max_length=500)] = "",
    q: Word = "",
    limit: Limit = 50,
    offset: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> dict[str, Any]:
    """Return instances of a concept as a table, with the values of their attributes counted."""
    row = _row(snapshot, as_number(concept))
    if not snapshot.has("instances", "attributes"):
        return {"is_ready": False, "rows": [], "facets": [], "total": 0}
    where = "n.concept = ?"
    values: list[object] = [row["concept"]]
    if facet:
        where += (
            " AND EXISTS (SELECT 1 FROM attributes a WHERE a.page = n.page AND a.instance = n.instance"
            " AND a.label = ? AND a.value = ?)"
        )
        values += [facet, value]
    if q:
        where += " AND contains(lower(n.name), lower(?))"
        values.append(q)
    total = snapshot.row(f"SELECT count(*) AS n FROM instances n WHERE {where}", *values)  # noqa: S608
    found = snapshot.rows(
        f"SELECT n.page, n.instance, n.name, n.url, n.kind, n.node, n.confidence FROM instances n WHERE {where} "  # noqa: S608
        "ORDER BY n.name, n.page, n.instance LIMIT ? OFFSET ?",
        *values,
        limit,
        offset,
    )
    for instance in found:
        instance["attributes"] = snapshot.rows(
            "SELECT label, value, kind, unit, url FROM attributes WHERE page = ? AND instance = ? "
            "ORDER BY ordinal LIMIT 50",
            instance["page"],
            instance["instance"],
        )
        instance["page"], instance["instance"] = str(instance["page"]), str(instance["instance"])
    return {
        "is_ready": True,
        "rows": found,
        "facets": _facets(snapshot, row["concept"]),
        "total": total["n"] if total else 0,
    }


def _facets(snapshot: Snapshot, concept: int) -> list[dict[str, Any]]:
    """Return the attributes that have few different values, most used first."""
    rows = snapshot.rows(
        "SELECT a.label, a.value, count(*) AS count FROM attributes a JOIN instances n USING (page, instance) "
        "WHERE n.concept = ? AND a.label IS NOT NULL AND length(a.value) <= 80 GROUP BY a.label, a.value "
        "QUALIFY count(*) OVER (PARTITION BY a.label) <= ? ORDER BY a.label, count DESC, a.value LIMIT ?",
        concept,
        MAX_FACET_VALUES,
        MAX_FACETS * MAX_FACET_VALUES,
    )
    by_label: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_label.setdefault(row["label"], []).append({"value": row["value"], "count": row["count"]})
    best = sorted(by_label, key=lambda label: (-sum(item["count"] for item in by_label[label]), label))
    return [{"label": label, "values": by_label[label]} for label in best[:MAX_FACETS] if len(by_label[label]) > 1]


def _domains(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Return the domains with the names of their sites, those with most concepts first: a domain has no other name."""
    if not snapshot.has("sites"):
        return []
    rows = snapshot.rows(
        "SELECT c.domain, s.name, s.entry_url FROM (SELECT domain, unnest(sites) AS site FROM concepts) c "
        "JOIN site_rows s USING (site) GROUP BY ALL ORDER BY c.domain, count(*) DESC, s.entry_url"
    )
    by_domain: dict[int, list[str]] = {}
    for row in rows:
        by_domain.setdefault(row["domain"], []).append(row["name"] or row["entry_url"])
    return [{"domain": str(domain), "sites": names} for domain, names in by_domain.items()]


def _row(snapshot: Snapshot, number: int) -> dict[str, Any]:
    row = snapshot.row("SELECT * FROM concepts WHERE concept = ?", number) if snapshot.has("concepts") else None
    if row is None or not snapshot.has("is_a"):
        raise missing("There is no concept with this id.")
    return row


def _concept(row: dict[str, Any]) -> ConceptRow:
    return ConceptRow(
        concept=str(row["concept"]),
        domain=str(row["domain"]),
        label=row["label"],
        support=row["support"],
        confidence=row["confidence"],
        children=row["children"],
        instances=row["instances"],
        is_frequent=row["is_frequent"],
    )
