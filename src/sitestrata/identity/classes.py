"""Groups of addresses with equal remainder -> classes, so that no class holds two contents.

What was captured decides; addresses that were not captured go with the captured address they resemble most. Most
groups need no decision at all: those are settled in columns, and only the others are read.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitestrata.identity.captured import REDIRECT, Ids, positions
from sitestrata.identity.content import DIFFERENT, Contents
from sitestrata.identity.nodes import Nodes, read_texts
from sitestrata.identity.rules import Policies, differences
from sitestrata.model import TableReader

__all__ = ["Classes", "split_groups"]

_NONE = -1
_MAX_CONTENTS = 16  # told apart among addresses of equal remainder; further ones stay alone
_MAX_RESEMBLED = 4  # captured addresses of each content that an uncaptured one is held against
_FOLDER = 2  # Nodes.form
_LEAP = frozenset(["extension", "slash"])  # together they make a folder of a file


@dataclass(frozen=True, slots=True)
class Classes:
    """The nodes that may be joined with others, and the class of each."""

    nodes: Ids  # positions in Nodes, sorted
    label: Ids  # class of each
    row: Ids  # by class: captured row that stands for the content; -1 = none


@dataclass(frozen=True, slots=True)
class _Member:
    """One address of a group that must be split."""

    place: int  # in Classes.nodes
    url: str
    content: int
    form: int


def split_groups(tables: TableReader, contents: Contents, nodes: Nodes, policies: Policies, ends: Ids) -> Classes:
    """Split the groups of equal remainder into classes of compatible content.

    ``ends`` are further nodes that will be joined by other evidence and need a class.
    """
    by = np.argsort(nodes.remainder, kind="stable")
    key = nodes.remainder[by]
    shares = np.zeros(len(key), dtype=bool)
    shares[1:] = key[1:] == key[:-1]
    shares[:-1] |= key[1:] == key[:-1]
    active = np.union1d(by[shares], ends)
    _, first, label = np.unique(nodes.remainder[active], return_index=True, return_inverse=True)
    label = np.argsort(np.argsort(first))[label]  # numbered by their first node, not by a hash
    content = _contents_of(contents, nodes, active, label)
    is_conflicted = _conflicted(contents, label, content) | _mixed(label, nodes.form[active])
    groups = label
    label, row = _settle(label, content, is_conflicted)
    alone = np.flatnonzero(is_conflicted[groups])
    texts = read_texts(tables, nodes.ids[active[alone]]).to_pylist()
    members: dict[int, list[_Member]] = defaultdict(list)
    for place, url in zip(alone.tolist(), texts, strict=True):
        form = int(nodes.form[active[place]])
        members[int(groups[place])].append(_Member(place, url, int(content[place]), form))
    for group in members.values():
        for places in _split(group, contents, policies):
            label[places] = label[places[0]]
    return Classes(active, label, row)


def _contents_of(contents: Contents, nodes: Nodes, active: Ids, label: Ids) -> Ids:
    """Return the captured row that tells the content of each node, -1 for none, -2-n where it is node n's, unseen.

    An address that redirects out of its group to one that was never captured has that address's content, whatever
    it is; inside its group the redirect only confirms the rule.
    """
    captured = contents.captured
    at = positions(nodes.ids, captured.ids)  # every captured address is a node
    place = positions(active, at)
    rows = np.flatnonzero(place >= 0)
    content = np.full(len(active), _NONE, dtype=np.int64)
    content[place[rows]] = contents.final[rows]
    outside = rows[(captured.kind[rows] == REDIRECT) & (contents.final[rows] < 0)]
    last = contents.last[outside]
    outside, last = outside[last >= 0], last[last >= 0]
    target = positions(nodes.ids, captured.target[last])
    there = positions(active, target)
    leaves = label[place[outside]] != np.where(there >= 0, label[there], _NONE)
    content[place[outside[leaves]]] = -2 - target[leaves]
    return content


def _conflicted(contents: Contents, label: Ids, content: Ids) -> npt.NDArray[np.bool_]:
    """Mark the groups in which some content differs from the first one."""
    groups = int(label.max()) + 1 if len(label) else 0
    conflicted = np.zeros(groups, dtype=bool)
    has = np.flatnonzero(content != _NONE)
    by = has[np.lexsort((content[has], label[has]))]
    starts = np.ones(len(by), dtype=bool)
    starts[1:] = label[by][1:] != label[by][:-1]
    leader = content[by][np.maximum.accumulate(np.where(starts, np.arange(len(by)), 0))]
    member = content[by]
    unseen = ((leader < _NONE) | (member < _NONE)) & (leader != member)
    both = np.flatnonzero((leader >= 0) & (member >= 0) & (leader != member))
    differs = unseen
    differs[both] = _different(contents, leader[both], member[both])
    conflicted[label[by][differs]] = True
    return conflicted


def _mixed(label: Ids, form: npt.NDArray[np.int8]) -> npt.NDArray[np.bool_]:
    """Mark the groups that hold both a file and a folder of one name."""
    groups = int(label.max()) + 1 if len(label) else 0
    holds = np.zeros((groups, 3), dtype=bool)
    holds[label, form] = True
    return holds[:, 1] & holds[:, 2]


def _different(contents: Contents, one: Ids, other: Ids) -> npt.NDArray[np.bool_]:
    differs: npt.NDArray[np.bool_] = contents.compare(one, other) == DIFFERENT
    return differs


def _settle(label: Ids, content: Ids, is_conflicted: npt.NDArray[np.bool_]) -> tuple[Ids, Ids]:
    """Give each group its content; the nodes of conflicted groups become classes of their own for now."""
    label = label.copy()
    alone = np.flatnonzero(is_conflicted[label]) if len(label) else np.zeros(0, np.int64)
    label[alone] = len(is_conflicted) + np.arange(len(alone))
    row = np.full(len(is_conflicted) + len(alone), np.iinfo(np.int64).max, dtype=np.int64)
    np.minimum.at(row, label[content >= 0], content[content >= 0])
    row[row == np.iinfo(np.int64).max] = _NONE
    return label, row


def _split(group: list[_Member], contents: Contents, policies: Policies) -> list[list[int]]:
    """Split a group: by content first; what has none goes to the nearest content, else with its like.

    Returns lists of places that belong together.
    """
    classes: list[list[_Member]] = []
    for member in group:
        if member.content == _NONE:
            continue
        home = next((found for found in classes if _has_content_of(found[0], member, contents)), None)
        if home is not None:
            home.append(member)
        elif len(classes) < _MAX_CONTENTS:
            classes.append([member])
    left_over: dict[int, list[_Member]] = defaultdict(list)
    joined: list[list[_Member]] = [list(found) for found in classes]
    for member in group:
        if member.content == _NONE:
            nearest = _nearest(member, classes, policies)
            # Without any content to decide, an address that may be file or folder goes with the folder.
            like = member.form if classes or member.form else _FOLDER
            (left_over[like] if nearest is None else joined[nearest]).append(member)
    return [[member.place for member in found] for found in (*joined, *left_over.values())]


def _has_content_of(one: _Member, other: _Member, contents: Contents) -> bool:
    if one.content == other.content:
        return True
    if min(one.content, other.content) < 0:
        return False
    return not _different(contents, np.array([one.content]), np.array([other.content]))[0]


def _nearest(member: _Member, classes: list[list[_Member]], policies: Policies) -> int | None:
    """Return the class that fewest rules separate an address from; None if it is a leap away or two are as near."""
    scores = []
    for number, found in enumerate(classes):
        for other in found[:_MAX_RESEMBLED]:
            rules = differences(member.url, other.url, policies)
            if not _LEAP.issubset(rules):
                scores.append((len(rules), number))
    scores.sort()
    is_tied = any(score == scores[0][0] and number != scores[0][1] for score, number in scores[1:])
    return None if not scores or is_tied else scores[0][1]
