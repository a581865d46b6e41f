"""An ontology as mined -> the same without the concepts and labels that a person rejected."""

from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.model import Decision
from sitestrata.taxonomy.words import fold

__all__ = ["apply_concept_decisions"]


def apply_concept_decisions(tables: Mapping[str, pa.Table], decisions: Sequence[Decision]) -> dict[str, pa.Table]:
    """Return the tables without what was rejected.

    Concepts go by their labels: their ids change with every site that comes or goes, and a decision must not. Instances
    of a rejected concept stay, without a concept. Two labels that do not mean the same are not both labels of one
    concept; it keeps the one that it goes by.
    """
    made = dict(tables)
    names = {fold(decision.subject) for decision in decisions if decision.kind == "reject-concept"} - {""}
    own = dict(zip(made["concepts"]["concept"].to_pylist(), made["concepts"]["label"].to_pylist(), strict=True))
    gone = pa.array([concept for concept, label in own.items() if fold(label) in names], pa.int64())
    if len(gone):
        for name, columns in (("concepts", ["concept"]), ("labels", ["concept"]), ("is_a", ["parent", "child"])):
            for column in columns:
                made[name] = made[name].filter(pc.invert(pc.is_in(made[name][column], value_set=gone)))
        instances = made["instances"]
        place, field = instances.schema.get_field_index("concept"), instances.schema.field("concept")
        is_gone = pc.is_in(instances["concept"], value_set=gone)
        kept = pc.if_else(is_gone, pa.scalar(None, pa.int64()), instances["concept"])
        made["instances"] = instances.set_column(place, field, kept)
    apart = [
        frozenset((fold(decision.subject), fold(decision.object)))
        for decision in decisions
        if decision.kind == "reject-label"
    ]
    if apart:
        labels = made["labels"]
        rows = list(zip(labels["concept"].to_pylist(), labels["label"].to_pylist(), strict=True))
        is_kept = [
            own[concept] == label or frozenset((fold(own[concept]), fold(label))) not in apart
            for concept, label in rows
        ]
        made["labels"] = labels.filter(pa.array(is_kept, pa.bool_()))
    return made
