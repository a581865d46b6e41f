"""Corrections: what a person decides about sites, pages, menus and concepts, and pairs of pages to judge."""

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field

from sitestrata.errors import UsageError
from sitestrata.evaluate.facts import PairFact
from sitestrata.evaluate.judge import open_pairs, read_judged, write_judged
from sitestrata.menus.decisions import MAX_TARGETS, decided_menus
from sitestrata.menus.roles import ROLES
from sitestrata.model import Decision, DecisionKind
from sitestrata.report.server.catalogue import Snapshot
from sitestrata.report.server.shapes import Entry
from sitestrata.report.server.state import Asked, Found, as_number, missing
from sitestrata.run.decisions import (
    MAX_TEXT,
    add_decision,
    decisions_to_pairs,
    read_entries,
    withdraw,
)
from sitestrata.run.decisions import (
    Entry as Kept,
)
from sitestrata.urls import normalise, url_id

__all__ = ["router"]

router = APIRouter(tags=["decisions"])

JUDGED = "judged.jsonl"  # as `sitestrata eval --judge` keeps them
MAX_JUDGED_PAGES = 200_000


class NewDecision(BaseModel):
    """A decision to keep."""

    model_config = ConfigDict(extra="forbid")

    kind: DecisionKind
    subject: str = Field(min_length=1, max_length=4000)
    object: str = Field(default="", max_length=4000)
    note: str = Field(default="", max_length=4000)


class Judgement(BaseModel):
    """What a person says about two pages."""

    model_config = ConfigDict(extra="forbid")

    first: str = Field(min_length=1, max_length=4000)
    second: str = Field(min_length=1, max_length=4000)
    same: bool | None


@router.get("/decisions")
def decisions(server: Asked, snapshot: Found) -> list[Entry]:
    """List what was decided, the newest first."""
    entries = read_entries(server.catalogue.folder)
    lapsed = _lapsed(snapshot, [entry.decision for entry in entries if not entry.is_withdrawn])
    return [_entry(entry, is_lapsed=entry.decision in lapsed) for entry in reversed(entries)]


@router.post("/decisions", status_code=201)
def decide(server: Asked, snapshot: Found, new: NewDecision) -> Entry:
    """Keep a decision; the next run applies it."""
    decision, was = _checked(snapshot, new)
    return _entry(add_decision(server.catalogue.folder, decision, was=was, note=new.note))


@router.post("/decisions/{decision}/withdraw")
def take_back(server: Asked, decision: str) -> dict[str, bool]:
    """Take a decision back; the next run does without it."""
    if len(decision) > 64 or not withdraw(server.catalogue.folder, decision):
        raise missing("There is no such decision.")
    return {"is_withdrawn": True}


@router.get("/gold", response_class=PlainTextResponse)
def gold(server: Asked) -> PlainTextResponse:
    """Return what was decided and judged about pairs of pages, as gold for ``sitestrata eval``."""
    folder = server.catalogue.folder
    pairs = decisions_to_pairs(read_entries(folder))
    pairs += [
        {"first": pair.first, "second": pair.second, "same": pair.same}
        for pair in read_judged(folder / JUDGED)
        if pair.same is not None
    ]
    text = "".join(json.dumps(pair) + "\n" for pair in pairs)
    headers = {"content-disposition": 'attachment; filename="gold-pairs.jsonl"'}
    return PlainTextResponse(text, headers=headers, media_type="application/x-ndjson")


@router.get("/pairs")
def pairs(
    server: Asked,
    snapshot: Found,
    count: Annotated[int, Query(ge=1, le=1000)] = 20,
    seed: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> dict[str, Any]:
    """Return random pairs of pages that nobody has judged yet."""
    if not snapshot.has("pages"):
        return {"rows": [], "judged": 0}
    about = snapshot.rows("SELECT page_id, url, title FROM page_rows ORDER BY page_id LIMIT ?", MAX_JUDGED_PAGES)
    by_url = {row["url"]: {"page": str(row["page_id"]), "url": row["url"], "title": row["title"]} for row in about}
    judged = read_judged(server.catalogue.folder / JUDGED)
    found = open_pairs(list(by_url), count + len(judged), judged, seed=seed)[:count]
    return {"rows": [[by_url[first], by_url[second]] for first, second in found], "judged": len(judged)}


@router.post("/pairs", status_code=201)
def judge(server: Asked, snapshot: Found, judgement: Judgement) -> dict[str, int]:
    """Keep what a person says about a pair."""
    first, second = (_page_of(snapshot, url)["url"] for url in (judgement.first, judgement.second))
    path = server.catalogue.folder / JUDGED
    write_judged(path, PairFact(first, second, judgement.same))
    return {"judged": len(read_judged(path))}


def _checked(snapshot: Snapshot, new: NewDecision) -> tuple[Decision, str]:
    """Return the decision with canonical addresses, and what held before; refuse one that makes no sense."""
    was = ""
    subject, target = new.subject, new.object
    match new.kind:
        case "merge" | "move":
            page, other = _page_of(snapshot, subject), _page_of(snapshot, target)
            if page["site"] is None or page["site"] == other["site"]:
                raise UsageError("Both are of one site already.")
            subject, target, was = page["url"], other["url"], _entry_url(snapshot, page)
        case "separate":
            page = _page_of(snapshot, subject)
            subject, target, was = page["url"], "", _entry_url(snapshot, page)
        case "name":
            if not target.strip():
                raise UsageError("A site needs a name.")
            page = _page_of(snapshot, subject)
            subject, target = page["url"], " ".join(target.split())
        case "menu-role":
            if target not in ROLES:
                raise UsageError(f"The role of a menu is one of: {', '.join(ROLES)}.")
            _known(snapshot, "menus", "menu", subject)
            return _menu_decision(snapshot, as_number(subject), target)
        case "reject-concept" | "reject-label":
            _known(snapshot, "concepts", "concept", subject)
            found = snapshot.row("SELECT label FROM concepts WHERE concept = ?", as_number(subject))
            subject = found["label"] if found else ""
            if new.kind == "reject-label" and not target:
                raise UsageError("Say which label does not belong to the concept.")
    return Decision(new.kind, subject, target), was


def _page_of(snapshot: Snapshot, url: str) -> dict[str, Any]:
    address = normalise(url)
    row = None
    if address is not None and snapshot.has("pages"):
        number = url_id(address)
        if snapshot.has("aliases"):
            alias = snapshot.row("SELECT page_id FROM aliases WHERE url_id = ?", number)
            number = alias["page_id"] if alias else number
        row = snapshot.row("SELECT page_id, url, site FROM page_rows WHERE page_id = ?", number)
    if row is None:
        raise missing("One of the addresses is no page of this workspace.")
    return row


def _entry_url(snapshot: Snapshot, page: dict[str, Any]) -> str:
    if page["site"] is None:
        return ""
    row = snapshot.row("SELECT entry_url FROM site_rows WHERE site = ?", page["site"])
    return row["entry_url"] if row else ""


def _known(snapshot: Snapshot, table: Literal["menus", "concepts"], column: str, text: str) -> None:
    is_number = text.lstrip("-").isdigit() and text.isascii() and len(text) <= 20
    if not is_number or not snapshot.has(table):
        raise missing(f"There is no {column} with this id.")
    if snapshot.row(f'SELECT 1 AS found FROM "{table}" WHERE {column} = ?', as_number(text)) is None:  # noqa: S608
        raise missing(f"There is no {column} with this id.")


def _menu_decision(snapshot: Snapshot, menu: int, role: str) -> tuple[Decision, str]:
    """Return the decision with what the menu is known by later, and what it is to a person: a role and first items."""
    found = snapshot.row("SELECT role, signature FROM menus WHERE menu = ?", menu) or {"role": "", "signature": ""}
    items = snapshot.rows(
        "SELECT label, url FROM menu_items WHERE menu = ? ORDER BY ordinal LIMIT ?", menu, MAX_TARGETS
    )
    targets = tuple(item["url"] for item in items if item["url"] and len(item["url"]) <= MAX_TEXT)
    was = f"{found['role']}: {', '.join(item['label'] for item in items[:3])}"
    return Decision("menu-role", str(menu), role, found["signature"][:MAX_TEXT], targets), was[:MAX_TEXT]


def _lapsed(snapshot: Snapshot, decisions: Sequence[Decision]) -> set[Decision]:
    """Return the decisions that speak of pages or menus that the workspace does not hold any more."""
    addresses = {decision: _addresses(decision) for decision in decisions}
    numbers = {text: number for texts in addresses.values() for text in texts if (number := _number_of(text))}
    known = _known_pages(snapshot, numbers.values())
    lapsed = {
        decision
        for decision, texts in addresses.items()
        if not all(text in numbers and numbers[text] in known for text in texts)
    }
    roles = [decision for decision in decisions if decision.kind == "menu-role"]
    if roles and snapshot.has("menus", "menu_items"):
        menus = snapshot.workspace.arrow("menus", ["menu", "signature"])
        items = snapshot.workspace.arrow("menu_items", ["menu", "ordinal", "url"])
        lapsed |= set(roles) - set(decided_menus(menus, items, roles))
    return lapsed


def _addresses(decision: Decision) -> tuple[str, ...]:
    """Return the addresses of the pages without which a decision has no effect."""
    if decision.kind in ("merge", "move"):
        return (decision.subject, decision.object)
    return (decision.subject,) if decision.kind in ("separate", "name") else ()


def _number_of(text: str) -> int | None:
    address = normalise(text)
    return None if address is None else url_id(address)


def _known_pages(snapshot: Snapshot, numbers: Iterable[int]) -> set[int]:
    table = "aliases" if snapshot.has("aliases") else "pages"
    if not snapshot.has(table):
        return set()
    sql = f"SELECT url_id FROM {table} WHERE list_contains(?, url_id)"  # noqa: S608 (one of two names)
    return {row["url_id"] for row in snapshot.rows(sql, sorted(numbers))}


def _entry(kept: Kept, *, is_lapsed: bool = False) -> Entry:
    return Entry(
        id=kept.id,
        at=kept.at,
        kind=kept.decision.kind,
        subject=kept.decision.subject,
        object=kept.decision.object,
        was=kept.was,
        note=kept.note,
        is_withdrawn=kept.is_withdrawn,
        is_lapsed=is_lapsed and not kept.is_withdrawn,
    )
