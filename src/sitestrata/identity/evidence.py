"""Does a rule hold here? Captured pairs of addresses that differ by one rule -> the policy of each host.

Every rule is asked about the pairs it would join where the collection has the answers of both: a pair votes for the
rule if it is one page (or one redirects to the other), against it if it is not. A host follows a rule that its own
pairs support. Where a host has no such pair, presumed rules hold, and others hold if the hosts that do have evidence
support them (several hosts, nearly unanimous).

Names are learned too: whichever last segment is served like its folder is an index name, and whichever parameter does
not change the page is dropped; unconventional names need more pairs, and say nothing about other hosts.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import numpy.typing as npt

from sitestrata.identity.captured import PAGE, Ids, positions
from sitestrata.identity.content import DIFFERENT, SAME, SIMILAR, UNKNOWN, Contents, Verdicts
from sitestrata.identity.rules import (
    PRESUMED,
    PRESUMED_INDEX,
    REDUCTIONS,
    Policies,
    Policy,
    differences,
    is_conventional_index,
    is_conventional_parameter,
    loosest_path,
    resting,
    scope,
    variants,
)
from sitestrata.identity.tables import CLAIMS
from sitestrata.model import TableReader

__all__ = ["Claim", "Tally", "read_policies", "tally_votes"]

MAX_AGAINST = 0.1  # share of votes against a rule that still passes: pages change between two visits
MIN_LEARNED = 3  # votes for a name that is no convention
MIN_HOSTS = 3  # with evidence of their own, before others are judged by them
_GENERIC = 3  # paths under which one body occurs on a host before it says nothing about any (error pages, log-ins)
_STRICT = frozenset(["parameter", "case"])  # pairs of similar but different pages are common under these
_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Claim:
    """That one rule (with one name, where it has one) holds on one host."""

    rule: str
    name: str
    scope: str


@dataclass(slots=True)
class Tally:
    """Votes of pairs about one claim."""

    agree: int = 0
    disagree: int = 0

    @property
    def passes(self) -> bool:
        """Tell whether hardly any vote is against."""
        return self.disagree <= MAX_AGAINST * (self.agree + self.disagree)


def read_policies(tables: TableReader, rules: frozenset[str]) -> Policies:
    """Decide by the votes of all hosts which rules and names the addresses of each follow."""
    if not rules & set(REDUCTIONS):
        return Policies()
    rows = tables.read(CLAIMS).to_pylist()
    tallies: dict[Claim, Tally] = defaultdict(Tally)
    for row in sorted(rows, key=lambda row: (row["scope"], row["rule"], row["name"])):
        tally = tallies[Claim(row["rule"], row["name"], row["scope"])]  # runs of a large host have votes each
        tally.agree += row["agree"]
        tally.disagree += row["disagree"]
    return tallies_to_policies(tallies, rules)


def tally_votes(contents: Contents, rules: frozenset[str]) -> dict[Claim, Tally]:
    """Count the pairs that speak for and against each claim."""
    urls = contents.captured.urls
    rest_hashes = [hash(resting(url, rules)) for url in _texts(urls)]
    rest = np.array(rest_hashes, dtype=np.int64)
    order = np.argsort(rest, kind="stable")
    tallies: dict[Claim, Tally] = defaultdict(Tally)
    generic = _generic_rows(contents)
    _vote_presumed(contents, rest, order, rules, tallies)
    _vote_proposed(contents, rest, order, rules, generic, tallies)
    _vote_canonical(contents, rest, order, rules, tallies)
    return dict(tallies)


def tallies_to_policies(tallies: dict[Claim, Tally], rules: frozenset[str]) -> Policies:
    """Turn votes into the policy of every host that has any, and that of all others."""
    by_scope: dict[str, list[tuple[Claim, bool]]] = defaultdict(list)
    hosts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for claim, tally in tallies.items():
        if not tally.agree + tally.disagree:
            continue
        is_usual = claim.rule in PRESUMED or _is_conventional(claim)
        enough = 0 if _is_presumed(claim) else 1 if is_usual else MIN_LEARNED
        holds = tally.passes and tally.agree >= enough
        by_scope[claim.scope].append((claim, holds))
        if _is_shared(claim):
            hosts[claim.rule, claim.name][not holds] += 1
    default = Policy(rules=rules & {*PRESUMED, "parameter"}, index=PRESUMED_INDEX if "index" in rules else frozenset())
    for (rule, name), (ayes, noes) in sorted(hosts.items()):
        claim = Claim(rule, name, "")
        if _is_presumed(claim):
            default = _with(default, claim, holds=ayes >= noes or noes < MIN_HOSTS)
        elif ayes >= MIN_HOSTS and noes <= MAX_AGAINST * (ayes + noes):
            default = _with(default, claim, holds=True)
    policies = {}
    for name, claims in by_scope.items():
        policy = default
        for claim, holds in claims:
            policy = _with(policy, claim, holds=holds)
        if policy != default:
            policies[name] = policy
    return Policies(default, policies)


def _with(policy: Policy, claim: Claim, *, holds: bool) -> Policy:
    if claim.rule == "index":
        return replace(policy, index=policy.index | {claim.name} if holds else policy.index - {claim.name})
    if claim.rule == "extension":
        endings = policy.extension | {claim.name} if holds else policy.extension - {claim.name}
        return replace(policy, extension=endings)
    if claim.rule == "parameter" and is_conventional_parameter(claim.name):
        return replace(policy, kept=policy.kept - {claim.name} if holds else policy.kept | {claim.name})
    if claim.rule == "parameter":
        return replace(policy, dropped=policy.dropped | {claim.name} if holds else policy.dropped - {claim.name})
    return replace(policy, rules=policy.rules | {claim.rule} if holds else policy.rules - {claim.rule})


def _is_presumed(claim: Claim) -> bool:
    if claim.rule == "index":
        return claim.name in PRESUMED_INDEX
    return claim.rule in PRESUMED or (claim.rule == "parameter" and is_conventional_parameter(claim.name))


def _is_conventional(claim: Claim) -> bool:
    if claim.rule == "index":
        return is_conventional_index(claim.name)
    if claim.rule == "parameter":
        return is_conventional_parameter(claim.name)
    return claim.rule != "case"


def _is_shared(claim: Claim) -> bool:
    """Tell whether hosts without evidence of their own are judged by the others.

    Endings are a habit of one server's set-up, and a file and a folder of one name are often two pages.
    """
    return claim.rule != "extension" and (claim.rule in PRESUMED or _is_conventional(claim))


def _texts(urls: object) -> Iterator[str]:
    """Read a column of text in pieces, so that not all of it becomes Python objects at once."""
    for start in range(0, len(urls), _CHUNK):  # type: ignore[arg-type]
        yield from urls.slice(start, _CHUNK).to_pylist()  # type: ignore[attr-defined]


def _generic_rows(contents: Contents) -> npt.NDArray[np.bool_]:
    """Mark pages whose body occurs under several paths of one host: they look alike whatever the address says."""
    captured = contents.captured
    generic = np.zeros(len(captured.ids), dtype=bool)
    rows = np.flatnonzero(captured.kind == PAGE)
    _, inverse, sizes = np.unique(captured.digest[rows], return_inverse=True, return_counts=True)
    rows = rows[sizes[inverse] >= _GENERIC]
    paths: dict[tuple[int, str], set[str]] = defaultdict(set)
    members: dict[tuple[int, str], list[int]] = defaultdict(list)
    for row, url in zip(rows.tolist(), captured.urls.take(rows).to_pylist(), strict=True):
        key = int(captured.digest[row]), scope(url)
        paths[key].add(loosest_path(url))
        members[key].append(row)
    for key, found in paths.items():
        if len(found) >= _GENERIC:
            generic[members[key]] = True
    return generic


def _vote_presumed(
    contents: Contents, rest: Ids, order: Ids, rules: frozenset[str], tallies: dict[Claim, Tally]
) -> None:
    """Compare captured addresses that presumed rules make equal."""
    follows = np.flatnonzero(np.append(False, rest[order][1:] == rest[order][:-1])) if len(rest) else order
    first = np.arange(len(order))
    first[follows] = 0
    first = np.maximum.accumulate(first)
    reference, member = order[first[follows]], order[follows]
    urls = contents.captured.urls
    policies = Policies(Policy(rules & frozenset(PRESUMED)))
    pairs = zip(urls.take(reference).to_pylist(), urls.take(member).to_pylist(), strict=True)
    for (one, other), verdict in zip(pairs, contents.compare(reference, member).tolist(), strict=True):
        for rule in differences(one, other, policies):
            tally = tallies[Claim(rule, "", scope(one))]
            tally.agree += verdict in (SAME, SIMILAR)
            tally.disagree += verdict == DIFFERENT


def _vote_proposed(
    contents: Contents,
    rest: Ids,
    order: Ids,
    rules: frozenset[str],
    generic: npt.NDArray[np.bool_],
    tallies: dict[Claim, Tally],
) -> None:
    """Compare captured addresses that one other rule makes equal; one vote a group of addresses that become one.

    Every last segment is an index name proposed, so claims are columns of hashes here; only those that can matter
    become objects.
    """
    columns = _proposals(contents, rest, order, rules)
    if not columns.shape[1]:
        return
    claim, other, row, reference, is_strict = columns[:, np.lexsort((columns[2], columns[1], columns[0]))]
    starts = np.append(True, (claim[1:] != claim[:-1]) | (other[1:] != other[:-1]))
    first = np.maximum.accumulate(np.where(starts, np.arange(len(row)), 0))
    reference = np.where(reference >= 0, reference, row[first])
    verdict = _votes(contents, generic, reference, row)
    verdict[rest[reference] == rest[row]] = UNKNOWN  # they do not differ by this rule
    verdict[(is_strict > 0) & (verdict == SIMILAR)] = UNKNOWN
    groups = np.flatnonzero(starts)
    low, high = np.minimum.reduceat(verdict, groups), np.maximum.reduceat(verdict, groups)
    found, at, number = np.unique(claim[groups], return_index=True, return_inverse=True)
    disagree = np.bincount(number, low == DIFFERENT, len(found)).astype(np.int64)
    agree = np.bincount(number, (low != DIFFERENT) & (high > UNKNOWN), len(found)).astype(np.int64)
    said = np.flatnonzero(agree + disagree)
    witnesses = contents.captured.urls.take(row[groups[at[said]]]).to_pylist()
    for claimed, url, ayes, noes in zip(
        found[said].tolist(), witnesses, agree[said].tolist(), disagree[said].tolist(), strict=True
    ):
        own = scope(url)
        for rule, name, _ in variants(resting(url, rules), rules):
            made = Claim(rule, name, own)
            # Every last segment may be an index name, and nearly none is; other names are few, and may be voted for in
            # another run of a large host.
            if hash((rule, name, own)) == claimed and (
                rule != "index" or _is_conventional(made) or ayes >= MIN_LEARNED
            ):
                tallies[made].agree += ayes
                tallies[made].disagree += noes


def _proposals(contents: Contents, rest: Ids, order: Ids, rules: frozenset[str]) -> Ids:
    """Return columns of: hash of claim, hash of other address, row, row that has it or -1, whether it is strict."""
    blocks: list[Ids] = [np.zeros((5, 0), dtype=np.int64)]
    sorted_rest = rest[order]
    texts = _texts(contents.captured.urls)
    for start in range(0, len(rest), _CHUNK):
        proposed = [
            (hash((rule, name, own)), hash(text), row, -1, rule in _STRICT)
            for row, url in enumerate(islice(texts, _CHUNK), start)
            for own in (scope(url),)
            for rule, name, text in variants(resting(url, rules), rules)
        ]
        block = np.array(proposed, dtype=np.int64).reshape(-1, 5).T
        partner = positions(sorted_rest, block[1])
        block[3] = np.where(partner >= 0, order[partner], -1)
        blocks.append(block[:, (partner >= 0) | (block[4] > 0)])
    return np.concatenate(blocks, axis=1)


def _votes(contents: Contents, generic: npt.NDArray[np.bool_], one: Ids, other: Ids) -> Verdicts:
    verdict = contents.compare(one, other)
    ends = contents.final[one], contents.final[other]
    meets_elsewhere = (ends[0] == ends[1]) & (ends[0] != one) & (ends[1] != other)
    says_nothing = (generic[ends[0]] | generic[ends[1]]) & (ends[0] != ends[1]) & (verdict != DIFFERENT)
    verdict[meets_elsewhere | says_nothing] = UNKNOWN
    return verdict


def _vote_canonical(
    contents: Contents, rest: Ids, order: Ids, rules: frozenset[str], tallies: dict[Claim, Tally]
) -> None:
    """Hear pages that name as canonical what one rule makes of them, where that address was not captured."""
    if "canonical" not in rules:
        return
    captured = contents.captured
    here = np.asarray(captured.canonical["row"], dtype=np.int64)
    pairs = list(zip(captured.urls.take(here).to_pylist(), captured.canonical["url"].to_pylist(), strict=True))
    named = np.fromiter((hash(resting(other, rules)) for _, other in pairs), dtype=np.int64, count=len(pairs))
    for at in np.flatnonzero(positions(rest[order], named) < 0).tolist():
        url, other = pairs[at][0], resting(pairs[at][1], rules)
        one = resting(url, rules)
        for source, target in ((one, other), (other, one)):
            for rule, name, text in variants(source, rules - _STRICT):
                claim = Claim(rule, name, scope(url))
                if text == target and _is_conventional(claim):
                    tallies[claim].agree += 1
