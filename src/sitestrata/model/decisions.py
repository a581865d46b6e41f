"""What a person decided about a collection: it overrules what was mined, in the stage that it concerns."""

from dataclasses import dataclass
from typing import Literal, get_args

__all__ = ["DECISION_KINDS", "DECISION_SETTINGS", "Decision", "DecisionKind"]

DecisionKind = Literal["merge", "separate", "move", "name", "menu-role", "reject-concept", "reject-label"]
DECISION_KINDS: tuple[str, ...] = get_args(DecisionKind)
# The option under which a stage is handed the decisions that concern it, and which these are: a stage is repeated when
# one of its own changes, not when any does.
DECISION_SETTINGS: dict[str, tuple[str, ...]] = {
    "decisions": ("merge", "separate", "move", "name"),
    "menu_decisions": ("menu-role",),
    "concept_decisions": ("reject-concept", "reject-label"),
}


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision; pages and sites go by an address, which stays the same from run to run.

    A menu goes by its id, which changes with the menu, and then by what it was when the decision was made.

    ============== ============================= =====================================
    kind           subject                       object
    ============== ============================= =====================================
    merge          a page of one site            a page of the site that it is a part of
    separate       a page: its section is a site
    move           a page                        a page of the site that it belongs to
    name           a page of a site              what the site is called
    menu-role      the id of a menu              its role
    reject-concept the label of a concept
    reject-label   the label of a concept        a label that does not mean the same
    ============== ============================= =====================================
    """

    kind: DecisionKind
    subject: str
    object: str = ""
    place: str = ""  # of a menu: its signature
    targets: tuple[str, ...] = ()  # of a menu: the addresses of its items
