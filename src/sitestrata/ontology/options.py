"""What can be adjusted when an ontology is mined."""

from dataclasses import dataclass

__all__ = ["OntologyOptions"]


@dataclass(frozen=True, slots=True)
class OntologyOptions:
    """How much support a concept needs, and how far to look for it and its instances."""

    support: int = 2  # owners that must print a label or show a relation
    depth: int = 1  # levels of pages whose labels count: 1 = home pages, 2 = also the pages of their concepts, ...
    instances: bool = True
    concept_pages: int = 400  # looked at for instances and further labels
    detail_pages: int = 40  # looked at for each listing
    language: str | None = None  # of pages that declare none
    profile: str = "default"
    examples: bool = False  # keep every text of the pages with instances
