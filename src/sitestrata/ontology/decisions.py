"""An ontology as mined -> the same without the concepts and labels that a person rejected."""

from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.model import Decision

__all__ = ["apply_concept_decisions"]


def apply_concept_decisions(tables: Mapping[str, pa.Table], decisions: Sequence[Decision]) -> dict[str, pa.Table]:
    """Return the tables without what was rejected; concepts go by their id, so a decision holds as long as they do.

    Instances of a rejected concept stay, without a concept. The label that a concept goes by cannot be rejected: who
    means that rejects the concept.
    """
    made = dict(tables)
    gone = pa.array(
        [int(decision.subject) for decision in decisions if decision.kind == "reject-concept" and _is_id(decision)],
        pa.int64(),
    )
    if len(gone):
        for name, columns in (("concepts", ["concept"]), ("labels", ["concept"]), ("is_a", ["parent", "child"])):
            for column in columns:
                made[name] = made[name].filter(pc.invert(pc.is_in(made[name][column], value_set=gone)))
        instances = made["instances"]
        place, field = instances.schema.get_field_index("concept"), instances.schema.field("concept")
        is_gone = pc.is_in(instances["concept"], value_set=gone)
        kept = pc.if_else(is_gone, pa.scalar(None, pa.int64()), instances["concept"])
        made["instances"] = instances.set_column(place, field, kept)
    rejected = {
        (int(decision.subject), decision.object)
        for decision in decisions
        if decision.kind == "reject-label" and _is_id(decision)
    }
    if rejected:
        own = dict(zip(made["concepts"]["concept"].to_pylist(), made["concepts"]["label"].to_pylist(), strict=True))
        labels = made["labels"]
        rows = zip(labels["concept"].to_pylist(), labels["label"].to_pylist(), strict=True)
        is_kept = [(concept, label) not in rejected or own.get(concept) == label for concept, label in rows]
        made["labels"] = labels.filter(pa.array(is_kept, pa.bool_()))
    return made


def _is_id(decision: Decision) -> bool:
    return decision.subject.removeprefix("-").isdecimal() and -(2**63) <= int(decision.subject) < 2**63
