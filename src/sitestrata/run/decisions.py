"""The decisions of a person, kept in the workspace: a file that only grows, a JSON object a line.

A decision is never changed; it can be withdrawn, by a further line. So the file is the history of what was decided,
and a crash can cost the line that was being written and no other. The next `mine` hands the decisions that stand to
the stages that know what to do with them (the option ``decisions``); whatever depends on these is done again.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from sitestrata.errors import UsageError
from sitestrata.model import DECISION_KINDS, DECISION_SETTINGS, Decision, DecisionKind

__all__ = [
    "MAX_TEXT",
    "NAME",
    "Entry",
    "add_decision",
    "decision_settings",
    "decisions_to_pairs",
    "read_decisions",
    "read_entries",
    "withdraw",
]

NAME = "decisions.jsonl"
MAX_TEXT = 4000  # characters of a subject, object or note


@dataclass(frozen=True, slots=True)
class Entry:
    """A decision with its history."""

    id: str
    at: str  # ISO 8601
    decision: Decision
    was: str  # what held before: the entry page of the old site, the role and items of a menu; else ""
    note: str
    is_withdrawn: bool = False


def read_decisions(folder: Path) -> tuple[Decision, ...]:
    """Return the decisions that stand, in the order they were made; the same one twice counts once."""
    return tuple(dict.fromkeys(entry.decision for entry in read_entries(folder) if not entry.is_withdrawn))


def decision_settings(decisions: Sequence[Decision]) -> dict[str, tuple[Decision, ...]]:
    """Return the decisions by the option under which a stage gets them."""
    return {
        setting: tuple(decision for decision in decisions if decision.kind in kinds)
        for setting, kinds in DECISION_SETTINGS.items()
    }


def read_entries(folder: Path) -> list[Entry]:
    """Return everything that was ever decided; a line that cannot be read is passed over."""
    entries: dict[str, Entry] = {}
    for row in _rows(folder / NAME):
        if "withdraws" in row:
            before = entries.get(str(row["withdraws"]))
            if before is not None:
                entries[before.id] = Entry(
                    before.id, before.at, before.decision, before.was, before.note, is_withdrawn=True
                )
        elif row.get("kind") in DECISION_KINDS and isinstance(row.get("subject"), str):
            decision = Decision(
                cast(DecisionKind, row["kind"]),
                row["subject"],
                str(row.get("object", "")),
                str(row.get("place", "")),
                _texts(row.get("targets")),
            )
            entries[str(row.get("id"))] = Entry(
                str(row.get("id")), str(row.get("at", "")), decision, str(row.get("was", "")), str(row.get("note", ""))
            )
    return list(entries.values())


def add_decision(folder: Path, decision: Decision, *, was: str = "", note: str = "", at: str | None = None) -> Entry:
    """Keep a decision, on disk when this returns."""
    if decision.kind not in DECISION_KINDS:
        raise UsageError(f"There is no decision {decision.kind!r}; there are: {', '.join(DECISION_KINDS)}.")
    texts = (decision.subject, decision.object, decision.place, was, note, *decision.targets)
    if not decision.subject or max(map(len, texts)) > MAX_TEXT:
        raise UsageError(f"A decision needs a subject, and no part of it may be longer than {MAX_TEXT:,} characters.")
    at = at or datetime.now(UTC).isoformat(timespec="seconds")
    count = sum(1 for _ in _rows(folder / NAME))
    parts = [decision.kind, decision.subject, decision.object, at, count]
    number = blake2b(json.dumps(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    entry = Entry(number, at, decision, was, note)
    row: dict[str, Any] = {
        "id": entry.id,
        "at": entry.at,
        "kind": decision.kind,
        "subject": decision.subject,
        "object": decision.object,
        "was": was,
        "note": note,
    }
    if decision.targets:
        row |= {"place": decision.place, "targets": list(decision.targets)}
    _append(folder / NAME, row)
    return entry


def withdraw(folder: Path, number: str, *, at: str | None = None) -> bool:
    """Take a decision back; tell whether there was one that stood."""
    if not any(entry.id == number and not entry.is_withdrawn for entry in read_entries(folder)):
        return False
    _append(folder / NAME, {"withdraws": number, "at": at or datetime.now(UTC).isoformat(timespec="seconds")})
    return True


def decisions_to_pairs(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return what decisions say about pairs of pages, as gold that ``sitestrata eval`` reads."""
    pairs: dict[tuple[str, str], bool] = {}
    for entry in entries:
        if entry.is_withdrawn:
            continue
        decision = entry.decision
        if decision.kind in ("merge", "move"):
            pairs[decision.subject, decision.object] = True
        if decision.kind in ("move", "separate") and entry.was and entry.was != decision.subject:
            pairs[decision.subject, entry.was] = False
    return [{"first": first, "second": second, "same": same} for (first, second), same in pairs.items()]


def _texts(found: Any) -> tuple[str, ...]:
    return tuple(text for text in found if isinstance(text, str)) if isinstance(found, list) else ()


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text("utf-8", errors="replace")
    except FileNotFoundError:
        return
    for line in text.split("\n"):
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row


def _append(path: Path, row: dict[str, Any]) -> None:
    """Write one line as a whole: writers wait for each other, and a line that a crash cut off is ended first."""
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        end = file.seek(0, os.SEEK_END)
        start = b""
        if end:
            file.seek(end - 1)
            start = b"" if file.read(1) == b"\n" else b"\n"
        file.write(start + json.dumps(row, ensure_ascii=True).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
