"""The tasks that can be scored, by name; each takes a `Context` and gives an `Outcome`.

A task is scored where gold and the answer both have what it compares; else its outcome is empty. To add one, write a
function and a line here.
"""

from collections.abc import Callable

from sitestrata.evaluate.outcome import Outcome
from sitestrata.evaluate.tasks.content import (
    score_data_tables,
    score_ontology,
    score_page_set,
    score_records,
    score_segments,
)
from sitestrata.evaluate.tasks.context import Context
from sitestrata.evaluate.tasks.hierarchies import score_hierarchy, score_label_trees
from sitestrata.evaluate.tasks.menus import score_compounds, score_entries, score_main_menus, score_menu_roles
from sitestrata.evaluate.tasks.partitions import (
    score_confidence,
    score_coverage,
    score_identity,
    score_pairs,
    score_sites,
    score_strict_sites,
    score_subsites,
)

__all__ = ["TASKS", "Context", "Task"]

Task = Callable[[Context], Outcome]

# name -> (part of gold it needs, function)
TASKS: dict[str, tuple[str, Task]] = {
    "coverage": ("pages", score_coverage),
    "sites": ("pages", score_sites),
    "strict-sites": ("pages", score_strict_sites),
    "subsites": ("pages", score_subsites),
    "pairs": ("pairs", score_pairs),
    "confidence": ("pages", score_confidence),
    "identity": ("aliases", score_identity),
    "menus": ("sites", score_main_menus),
    "entries": ("sites", score_entries),
    "roles": ("menus", score_menu_roles),
    "compounds": ("compounds", score_compounds),
    "hierarchy": ("", score_hierarchy),
    "site": ("pages", score_page_set),
    "segments": ("cuts", score_segments),
    "partition": ("trees", score_label_trees),
    "tables": ("tables", score_data_tables),
    "ontology": ("taxonomies", score_ontology),
    "instances": ("instances", score_records),
}
