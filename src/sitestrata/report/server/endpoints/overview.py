"""What is in the workspace, as a whole."""

from collections.abc import Sequence
from dataclasses import fields

from fastapi import APIRouter

from sitestrata.model import DECISION_SETTINGS, TABLES, Decision
from sitestrata.report.server.shapes import Overview, StageState
from sitestrata.report.server.state import Asked, Found
from sitestrata.run.decisions import read_decisions
from sitestrata.run.listing import summary
from sitestrata.run.manifest import Manifest
from sitestrata.run.plan import PLAN

__all__ = ["router"]

router = APIRouter(tags=["overview"])

_REJECTS = """
    SELECT stage, reason, count(*) AS count, min(detail) AS detail, list(input ORDER BY input)[:3] AS examples
    FROM rejects GROUP BY stage, reason ORDER BY count DESC, stage, reason LIMIT 100
"""
_OBJECTIVES = 'SELECT "partition", parts, value FROM objectives ORDER BY value DESC'


@router.get("/overview")
def overview(server: Asked, snapshot: Found) -> Overview:
    """Tell what was read, what was made of it and what could not be used."""
    manifest = snapshot.workspace.manifest
    decisions = read_decisions(server.catalogue.folder)
    return Overview(
        name=server.catalogue.name,
        version=snapshot.version,
        summary=snapshot.once("summary", lambda: summary(snapshot.workspace)),
        is_finished=manifest.is_finished,
        counts={name: snapshot.workspace.count(name) for name in sorted(snapshot.tables)},
        missing=[name for name in TABLES if name not in snapshot.tables and name != "wants"],
        stages=[
            StageState(
                stage=name,
                rows={table: count for table, count in record.rows.items() if not table.startswith("_")},
                seconds=record.seconds,
                is_stale=record.is_stale,
            )
            for name, record in manifest.stages.items()
        ],
        sources=[
            {"name": item.source.name, "kind": item.source.kind, "size": item.size} for item in manifest.inputs[:1000]
        ],
        rejects=snapshot.rows(_REJECTS) if snapshot.has("rejects") else [],
        objectives=snapshot.rows(_OBJECTIVES) if snapshot.has("objectives") else [],
        compare=sorted(server.others),
        decisions=len(decisions),
        pending=_standing(decisions) != _applied(manifest),
    )


def _standing(decisions: Sequence[Decision]) -> list[tuple[str, str, str]]:
    """Return the decisions that some stage of the plan would apply."""
    options = {item.name for stage in PLAN for item in fields(stage.options)}
    kinds = {kind for setting, kinds in DECISION_SETTINGS.items() if setting in options for kind in kinds}
    return sorted(_plain(decision) for decision in decisions if decision.kind in kinds)


def _applied(manifest: Manifest) -> list[tuple[str, str, str]]:
    """Return the decisions that the stages of the workspace knew."""
    known = {
        _plain(Decision(**row))
        for record in manifest.stages.values()
        for setting in DECISION_SETTINGS
        for row in record.options.get(setting, ())
    }
    return sorted(known)


def _plain(decision: Decision) -> tuple[str, str, str]:
    return decision.kind, decision.subject, decision.object
