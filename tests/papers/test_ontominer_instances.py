"""The worked example of OntoMiner 6: Figure 1, three pages of which only the third segment differs."""

from sitestrata.instances.align import FlatSegment, align, instance_segments
from sitestrata.instances.labelling import LabelledValue, frequent_texts, label_values, promote_frequent
from sitestrata.instances.template import extract, group_paths, instance_template
from sitestrata.model import TreeNode

HEADER = FlatSegment((1, 1, 1), ("Home", "World", "Sports"))
NAVIGATION = FlatSegment((2, 2), ("Archive", "Search"))
FOOTER = FlatSegment((4,), ("Copyright",))


def _story(*texts: str) -> list[FlatSegment]:
    return [HEADER, NAVIGATION, FlatSegment((5, 6, 6), texts), FOOTER]


A = _story("Quake hits", "Reporters said", "Page 1")
C = _story("Cup final", "In the end", "Page 2")


def test_segments_align_one_by_one_and_only_the_third_differs() -> None:
    assert [(0, 0), (1, 1), (2, 2), (3, 3)] == align(A, C)
    assert ([2], [2]) == instance_segments(A, C)


def test_an_advertisement_on_one_page_does_not_shift_the_others() -> None:
    with_banner = [HEADER, FlatSegment((9,), ("Buy now",)), *A[1:]]

    assert [(0, 0), (1, None), (2, 1), (3, 2), (4, 3)] == align(with_banner, C)


def test_the_template_is_the_path_set_whose_paths_occur_most_often() -> None:
    story = group_paths([(A, [2]), (C, [2])])
    other = frozenset({5, 6})
    advert = frozenset({9})

    assert frozenset({5, 6}) == story
    assert story == instance_template([advert, story, other])


def test_the_template_extracts_the_instance_from_a_third_page() -> None:
    third = _story("Election", "Votes were counted", "Page 3")

    assert [(2, [0, 1, 2])] == extract(third, frozenset({5, 6}))


def test_frequent_labels_are_promoted_over_what_follows_them() -> None:
    frequent = {0: True, 2: True}

    assert [(0, [1]), (2, [3, 4])] == promote_frequent([0, 1, 2, 3, 4], frequent)
    assert [(None, [5]), (0, [1])] == promote_frequent([5, 0, 1], frequent)


def test_texts_of_half_the_instances_are_labels() -> None:
    instances = [[(1, "Price"), (2, "10")], [(1, "Price"), (2, "12")], [(1, "Rate"), (2, "12")]]

    assert {(1, "Price"), (2, "12")} == frequent_texts(instances)
    assert frozenset() == frequent_texts(instances[:1])


def test_promoted_nodes_are_attributes_and_their_children_values() -> None:
    rows = [(-1, ""), (0, "Rates"), (1, "10"), (1, "12"), (0, "Address"), (0, "1 Main St")]
    nodes = [
        TreeNode(1, i, parent, "leaf", "record", label, None, i, i, i + 1) for i, (parent, label) in enumerate(rows)
    ]

    assert [LabelledValue(1, 2), LabelledValue(1, 3), LabelledValue(4, 5)] == label_values(nodes, {4: True})
