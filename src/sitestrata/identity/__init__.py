"""Which addresses stand for one page: rules that propose, a collection that decides, evidence for every decision."""

from sitestrata.identity.aliases import find_aliases
from sitestrata.identity.hosts import find_evidence
from sitestrata.identity.nodes import find_remainders
from sitestrata.identity.options import PAPER_RULES, RULES, IdentityOptions

__all__ = ["PAPER_RULES", "RULES", "IdentityOptions", "find_aliases", "find_evidence", "find_remainders"]
