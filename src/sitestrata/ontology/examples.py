"""Pages with what was found on them -> labelled examples for training: every text of a page and what it is.

OntoMiner names this as later work: what was found without labels teaches a method that needs them. Every text of a page
is an example: the name of an instance, a value with its attribute, the label of an attribute, or none of these.

Paper: OntoMiner 8
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sitestrata.instances.places import PagePlaces
from sitestrata.model import Attribute, Instance
from sitestrata.taxonomy.words import fold, readable

__all__ = ["Example", "page_examples"]


@dataclass(frozen=True, slots=True)
class Example:
    """One text of a page."""

    page: str  # address
    ordinal: int  # of the text on the page
    text: str
    path: str
    is_link: bool
    is_heading: bool
    role: str  # name, value, label, none
    attribute: str | None  # of a value: its label
    instance: str | None
    concept: str | None  # label of the instance's concept


def page_examples(
    page: PagePlaces,
    instances: Iterable[Instance],
    attributes: Mapping[int, Iterable[Attribute]],  # by instance
    concepts: Mapping[int, str],
) -> Iterator[Example]:
    """Yield the texts of a page in document order, each with what was found in it."""
    role: dict[int, tuple[str, str | None, Instance]] = {}  # by node
    labels: dict[str, Instance] = {}
    for instance in instances:
        for attribute in attributes.get(instance.instance, ()):
            role[attribute.node] = ("value", attribute.label, instance)
            if attribute.label is not None:
                labels.setdefault(fold(attribute.label), instance)
        if instance.node:
            role[instance.node] = ("name", None, instance)
    for ordinal, text in enumerate(page.texts):
        node = int(page.node[ordinal])
        kind, attribute_label, owner = role.get(node, ("none", None, None))
        if owner is None and fold(text) in labels:
            kind, owner = "label", labels[fold(text)]
        yield Example(
            page=page.url,
            ordinal=ordinal,
            text=readable(text),
            path=page.paths[int(page.place[ordinal])],
            is_link=page.link[ordinal] is not None,
            is_heading=bool(page.is_heading[ordinal]),
            role=kind,
            attribute=attribute_label,
            instance=None if owner is None else str(owner.instance),
            concept=None if owner is None or owner.concept is None else concepts.get(owner.concept),
        )
