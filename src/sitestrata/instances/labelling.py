"""The leaves of an instance -> attribute labels with their values.

The instance's leaves are arranged by the hierarchical partitioner. One more promotion rule holds here than elsewhere:
a *frequent* label, one that the instances of the concept repeat, is promoted over what follows it. What was promoted is
an attribute label, its children are its values; what stands under no label is a value without one.

Paper: OntoMiner 6.3
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sitestrata.model import TreeNode

__all__ = ["FREQUENT", "LabelledValue", "frequent_texts", "label_values", "promote_frequent"]

FREQUENT = 0.5  # a text that at least half of the instances print at one path is a label; open in the paper
MIN_INSTANCES = 2


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """A value with the label it stands under, if any; both are leaves of the page, by number."""

    label: int | None
    value: int


def frequent_texts(
    instances: Sequence[Iterable[tuple[int, str]]], *, share: float = FREQUENT
) -> frozenset[tuple[int, str]]:
    """Return the (path, text) leaves that at least ``share`` of the instances have; needs two instances."""
    if len(instances) < MIN_INSTANCES:
        return frozenset()
    count = Counter(leaf for instance in instances for leaf in set(instance))
    return frozenset(leaf for leaf, times in count.items() if times >= max(MIN_INSTANCES, share * len(instances)))


def promote_frequent(children: Sequence[int], is_frequent: Mapping[int, bool]) -> list[tuple[int | None, list[int]]]:
    """Arrange sibling leaves: a frequent leaf is promoted over the others up to the next frequent one.

    Two frequent leaves in a row: the first names nothing, so it is dropped as decoration.
    """
    arranged: list[tuple[int | None, list[int]]] = []
    label: int | None = None
    values: list[int] = []
    for leaf in children:
        if is_frequent.get(leaf, False):
            if values:
                arranged.append((label, values))
            label, values = leaf, []
        else:
            values.append(leaf)
    if values:
        arranged.append((label, values))
    return arranged


def label_values(nodes: Sequence[TreeNode], is_frequent: Mapping[int, bool]) -> list[LabelledValue]:
    """Read attribute-value pairs off the label hierarchy of one instance.

    ``nodes`` is the hierarchy in preorder, leaves by their number in ``first_leaf``. A node with a label and children
    is an attribute (the partitioner promoted it); among children without one the frequent leaves are promoted.
    """
    children: dict[int, list[TreeNode]] = {}
    for node in nodes:
        children.setdefault(node.parent, []).append(node)
    found: list[LabelledValue] = []

    def descend(ordinal: int, label: int | None) -> None:
        run: list[int] = []  # neighbouring leaves

        def flush() -> None:
            for own, values in promote_frequent(run, is_frequent):
                found.extend(LabelledValue(label if own is None else own, value) for value in values)
            run.clear()

        for child in children.get(ordinal, ()):
            if child.ordinal not in children:
                run.append(child.first_leaf)
                continue
            flush()
            descend(child.ordinal, child.first_leaf if child.label else label)
        flush()

    descend(-1, None)
    return found
