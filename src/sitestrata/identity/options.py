"""What a user may switch in the decision which addresses stand for one page."""

from dataclasses import dataclass
from typing import Literal

from sitestrata.identity.rules import REDUCTIONS

__all__ = ["PAPER_RULES", "RULES", "IdentityOptions"]

RULES = (*REDUCTIONS, "redirect", "canonical", "bytes")
# The papers take an address without its fragment as the page: MenuMiner 3, Senellart 2.
PAPER_RULES: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IdentityOptions:
    """Which rules may be applied at all; each is still checked against the collection."""

    rules: tuple[str, ...] = RULES
    region_addresses: int = 2_000_000  # that are looked at together: columns of numbers, about 0.9 KB each
    captures: Literal["last", "first", "all-dates"] = "last"  # as for the pages: whose answer counts, of several

    def __post_init__(self) -> None:
        unknown = sorted(set(self.rules) - set(RULES))
        if unknown:
            message = f"unknown identity rule {unknown[0]!r}; choose from {', '.join(RULES)}"
            raise ValueError(message)
