"""The lexicon of a domain -> pairs of labels that mean the same, each with its evidence and a confidence.

*Spelling*: equal stems; equal stems once the site's own name or spaces are taken out (``words``); the beginning of the
other's words (``short``); other forms of the same words (``form``); a longer label of one owner around a label that
several owners print (``part``); a label that names two things at once ("Science & Environment"), which belongs to both
(``joint``).
*Collection*: labels that many sites choose between (``choice``), or set over the same labels (``below``); labels by
which several owners link to one page (``shared``); two labels of one site that lead to one page (``target``); a page
that calls itself by another label than its links do (``page``);
pages that are made of the same words (``similar``); the same place between the same neighbours on different sites
(``place``); the same place of a page and of its translation (``switch``).
*Given*: WordNet (``wordnet``), a sentence model (``meaning``), a file of the user's own (``file``), a vocabulary to be
extended (``seed``).

What speaks against a pair: an owner prints both, with different targets. Sites do not offer the same thing twice under
two names beside each other; co-hyponyms, which every other evidence likes, are always offered so.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sitestrata.taxonomy.encoder import Encoder
from sitestrata.taxonomy.exclusive import chosen_between, heads_of_the_same
from sitestrata.taxonomy.lexicon import JOINTS, Lexicon, siblings_of
from sitestrata.taxonomy.meaning import alike_in_meaning
from sitestrata.taxonomy.targets import similar_targets
from sitestrata.taxonomy.trees import label_above, related
from sitestrata.taxonomy.wordnet import WordNet
from sitestrata.taxonomy.words import fold, words
from sitestrata.urls import origin

__all__ = [
    "CONFIDENCE",
    "SURE",
    "Synonym",
    "find_synonyms",
    "is_held_apart",
    "near_labels",
    "synonyms_of_file",
]

# Share of right pairs of each evidence on the development gold (docs/results-ontology.md), rounded down.
CONFIDENCE = {
    "file": 1.0,
    "seed": 1.0,
    "stem": 0.95,
    "switch": 0.9,
    "words": 0.8,
    "shared": 0.7,  # four of four on the development gold, which are three pages
    "target": 0.4,
    "wordnet": 0.75,
    "meaning": 0.55,
    "short": 0.85,
    "form": 0.75,
    "choice": 0.7,  # five of five on a sample web; the development gold has too few sites
    "below": 0.7,  # 52 of 65 on six sample webs; the development gold has none
    "joint": 0.7,
    "page": 0.4,
    "part": 0.6,
    "word": 0.65,
    "similar": 0.2,
    "place": 0.05,
}
# Languages whose noun phrases begin with their head; in the others it comes last.
HEAD_FIRST = frozenset({"ca", "es", "fr", "ga", "gl", "id", "it", "pt", "ro"})
SPELLING = frozenset({"stem", "words", "short", "form", "part", "word"})  # not independent of each other
SURE = frozenset({"file", "seed", "stem", "switch"})  # holds whatever else speaks against it
TELLS_APART = frozenset({"part", "word"})  # a longer label may as well name a kind of what the shorter one names
WELL_FOUNDED = 0.85  # confidence of a pair that one site cannot refute
NEAR = 2  # steps between a label and one above it
MIN_SHORT = 3  # letters of an abbreviation
MIN_CUT = 3  # letters it leaves out
MIN_FORM = 5  # letters of a stem that is another form of a longer one
MAX_ENDING = 3  # letters that the longer one adds
COMMON_SENSES = 2  # of a word in WordNet: a label means these, not the rare ones
MAX_SIBLINGS = 100  # a longer list is no choice between labels, nor are so many labels of one page
WORD_OWNERS = 3  # that agree on such a word: two do by chance
MAX_WORD_LABEL = 3  # words of a label that one of them can stand for
MAX_PART = 5  # words of a label that is built around another
MAX_PART_WORDS = 3  # of these, those that it adds
ACCENTS = re.compile("(?<=[a-z])[\u0300-\u036f]+")  # on Latin letters; elsewhere marks make other letters
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Synonym:
    """Two labels (folded, in order) that mean the same, says some evidence."""

    first: str
    second: str
    evidence: str
    confidence: float


def find_synonyms(
    lexicon: Lexicon,
    labels: Iterable[str] | None = None,
    *,
    wordnet: WordNet | None = None,
    encoder: Encoder | None = None,
    page_names: Mapping[str, Sequence[str]] | None = None,
    page_words: Mapping[str, frozenset[str]] | None = None,
    near: Mapping[tuple[str, str], int] | None = None,
) -> list[Synonym]:
    """Return the synonyms among some labels, the best evidence of each pair, sorted by label.

    ``page_names`` says by address what pages call themselves: heading and title; ``page_words`` the stems of their own
    labels; ``near`` are the `near_labels` of the lexicon, if they are known.
    """
    chosen = sorted(lexicon.uses if labels is None else set(labels) & set(lexicon.uses))
    near = near_labels(lexicon) if near is None else near
    best: dict[tuple[str, str], Synonym] = {}
    sources: list[tuple[str, Iterator[tuple[str, str]]]] = [
        ("stem", _equal(chosen, lambda label: tuple(sorted(lexicon.stems(label))))),
        ("words", _equal(chosen, lambda label: tuple(sorted(lexicon.own_stems(label))))),
        ("words", _equal(chosen, lambda label: ("".join(words(label)),))),  # smart phones, smartphones
        ("words", _equal(chosen, _without_accents)),
        ("short", _abbreviations(lexicon, chosen)),
        ("form", _forms(lexicon, chosen)),
        ("part", _parts(lexicon, chosen)),
        ("word", _one_word_a_site(lexicon, chosen)),
        ("choice", chosen_between(lexicon, chosen)),
        ("below", heads_of_the_same(lexicon, chosen)),
        ("shared", _shared_page(lexicon, chosen)),
        ("target", _same_target(lexicon, chosen)),
        ("place", _same_place(lexicon, set(chosen))),
    ]
    if wordnet is not None:
        sources.append(("wordnet", _in_wordnet(lexicon, chosen, wordnet)))
    if encoder is not None:
        sources.append(("meaning", alike_in_meaning(lexicon, chosen, encoder)))
    if page_names:
        sources.append(("page", _page_names(lexicon, chosen, page_names)))
    if page_words:
        sources.append(("similar", similar_targets(lexicon, chosen, page_words)))
    for evidence, pairs in sources:
        for one, two in sorted(set(pairs)):
            pair = (one, two) if one < two else (two, one)
            if one == two or (evidence not in SURE and is_held_apart(near, pair, CONFIDENCE[evidence])):
                continue
            if evidence in TELLS_APART and _are_both_printed(lexicon, *pair):
                continue
            found = Synonym(*pair, evidence, CONFIDENCE[evidence])
            best[pair] = _both(best[pair], found) if pair in best else found
    return [best[pair] for pair in sorted(best)]


def _are_both_printed(lexicon: Lexicon, one: str, two: str) -> bool:
    """Tell whether an owner prints both labels and lets them lead to different pages: they are two things."""
    first, second = lexicon.uses[one], lexicon.uses[two]
    return any(
        not (first.targets.get(owner, set()) & second.targets.get(owner, set()))
        for owner in first.owners & second.owners
    )


def _both(first: Synonym, second: Synonym) -> Synonym:
    """Join two pieces of evidence for one pair: the surer one names it, and both must be wrong for it to be wrong."""
    name = max(first, second, key=lambda pair: (pair.confidence, pair.evidence)).evidence
    if first.evidence == second.evidence or {first.evidence, second.evidence} <= SPELLING:
        return Synonym(first.first, first.second, name, max(first.confidence, second.confidence))
    sure = 1 - (1 - first.confidence) * (1 - second.confidence)
    return Synonym(first.first, first.second, name, round(sure, 3))


def near_labels(lexicon: Lexicon) -> dict[tuple[str, str], int]:
    """Return the pairs of labels (in order) that owners set beside or above each other, with the number of owners.

    Sites do not offer one thing twice in one list, nor under itself, unless both lead to one page.
    """
    near: dict[tuple[str, str], set[str]] = defaultdict(set)
    for tree in lexicon.trees:
        names = [fold(node.label) for node in tree.nodes]
        pairs = [(tree.nodes[above], tree.nodes[below]) for above, below, i in related(tree) if i <= NEAR]
        for members in siblings_of(tree).values():
            if len(members) <= MAX_SIBLINGS:
                pairs += _pairs(members)
        for one, two in pairs:
            if one.url is None or one.url != two.url:
                first, second = sorted((names[one.ordinal], names[two.ordinal]))
                near[first, second].add(tree.owner)
    return {pair: len(owners) for pair, owners in near.items()}


def is_held_apart(near: Mapping[tuple[str, str], int], pair: tuple[str, str], confidence: float) -> bool:
    """Tell whether sites speak against a pair: one site is enough, two if the pair is well founded."""
    return near.get(pair, 0) >= (2 if confidence >= WELL_FOUNDED else 1)


def _equal(labels: Sequence[str], key: Callable[[str], tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Yield neighbours among labels with equal keys: enough to join them all."""
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for label in labels:
        alike[key(label)].append(label)
    for members in alike.values():
        for index, label in enumerate(members):
            for other in members[index + 1 :]:
                yield label, other


def _without_accents(label: str) -> tuple[str, ...]:
    """Return the words of a label as a keyboard without accents writes them: México, Mexico."""
    return words(unicodedata.normalize("NFC", ACCENTS.sub("", unicodedata.normalize("NFD", label))))


def _abbreviations(lexicon: Lexicon, labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield labels of as many words of which one writes every word as the other or shorter (Docs, Documentation)."""
    vocabulary = {word for label in lexicon.uses for word in words(label)}
    by_start: dict[tuple[int, str], list[tuple[str, ...]]] = defaultdict(list)
    label_of: dict[tuple[str, ...], str] = {}
    for label in labels:
        found = tuple(word for word in words(label) if word not in lexicon.link_words)
        if found and found not in label_of:
            label_of[found] = label
            by_start[len(found), found[0][:MIN_SHORT]].append(found)
    for alike in by_start.values():
        for one in alike:
            for two in alike:
                short, long = lexicon.uses[label_of[one]], lexicon.uses[label_of[two]]
                if one is two or len(long.owners) < 2:
                    continue  # words that begin alike are many
                if all(_shortens(a, b, vocabulary) for a, b in zip(one, two, strict=True)):
                    yield short.label, long.label


def _shortens(short: str, long: str, vocabulary: set[str]) -> bool:
    if short == long:
        return True
    if any(long.startswith(word) and long[len(word) :] in vocabulary for word in (short, short.removesuffix("s"))):
        return False  # a compound, as news and letters make newsletters
    stem = short.removesuffix("s") if len(short) > MIN_SHORT else short
    least = 3 * MIN_SHORT if len(stem) == MIN_SHORT else len(stem) + MIN_CUT  # three letters begin many words
    return len(stem) >= MIN_SHORT and long.startswith(stem) and len(long) >= least


def _forms(lexicon: Lexicon, labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield labels of as many stems of which each begins as the other's (Issue Tracker, Issue Tracking)."""
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for label in labels:
        alike[tuple(stem[:MIN_FORM] for stem in lexicon.stems(label))].append(label)
    for members in alike.values():
        for one, two in _pairs(members):
            pairs = zip(lexicon.stems(one), lexicon.stems(two), strict=True)
            if all(a == b or _is_form(*sorted((a, b), key=len)) for a, b in pairs):
                yield one, two


def _is_form(short: str, long: str) -> bool:
    return len(short) >= MIN_FORM and long.startswith(short) and len(long) - len(short) <= MAX_ENDING


def _parts(lexicon: Lexicon, labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield a longer label of one owner with the longest label of several owners around whose head it is built."""
    known: dict[tuple[str, ...], str] = {}
    for label in sorted(labels, key=lambda label: (-len(lexicon.uses[label].owners), label)):
        known.setdefault(lexicon.stems(label), label)
    built: dict[str, list[str]] = defaultdict(list)  # by the label they are built around
    for label in labels:
        if len(JOINTS.split(label)) == 1 and len(lexicon.stems(label)) <= MAX_PART:
            whole = next((known[kept] for kept in _heads(lexicon, label) if kept in known), label)
            if whole != label:
                built[whole].append(label)
    for whole, longer in built.items():
        known_apart = [label for label in longer if len(lexicon.uses[label].owners) > 1]
        for label in longer:
            if len(lexicon.uses[label].owners) == 1:
                yield label, whole
            elif len(known_apart) == 1 and len(lexicon.uses[whole].owners) == 1:
                yield label, whole  # one site leaves out what the others say; with a choice it would mean all of them


def _one_word_a_site(lexicon: Lexicon, labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield labels with a word in common that every site prints in one label only.

    Such a word names a concept whatever else the label says: *alumni* in "Alumni", "Alumni Links", "Alumni Relations".
    """
    forms: dict[str, dict[str, set[tuple[str, ...]]]] = defaultdict(lambda: defaultdict(set))  # stem, owner
    with_stem: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        found = lexicon.stems(label)
        for stem in set(found):
            for owner in lexicon.uses[label].owners:
                forms[stem][owner].add(found)
        if len(found) <= MAX_WORD_LABEL and len(JOINTS.split(label)) == 1:
            for stem in dict.fromkeys((found[0], found[-1])):
                with_stem[stem].append(label)
    for stem, members in with_stem.items():
        owners = forms[stem]
        is_one = len(owners) >= WORD_OWNERS and all(len(found) == 1 for found in owners.values())
        if is_one and len(stem) >= MIN_SHORT and not any(stem in lexicon.own_words.get(owner, ()) for owner in owners):
            yield from _pairs(members)


def _heads(lexicon: Lexicon, label: str) -> Iterator[tuple[str, ...]]:
    """Yield the stems of a label's head, with ever fewer of its neighbours.

    What follows a word that ties ("People at Princeton") describes what stands before it.
    """
    tokens = label.split(" ")
    at = next((i for i in range(1, len(tokens)) if tokens[i] in lexicon.link_words), len(tokens))
    found = lexicon.stems(" ".join(tokens[:at]))
    own = set(lexicon.own_stems(label))
    if at < len(tokens):
        yield found
    is_head_first = (lexicon.uses[label].language or lexicon.language) in HEAD_FIRST
    for cut in range(1, min(len(found) - 1, MAX_PART_WORDS) + 1):
        yield found[: len(found) - cut] if is_head_first else found[cut:]
    if kept := tuple(stem for stem in found if stem in own):
        yield kept


def _same_target(lexicon: Lexicon, labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the two labels by which an owner links to one page, if it is not the home page."""
    homes = {tree.url for tree in lexicon.trees}
    leading: dict[tuple[str, str], set[str]] = defaultdict(set)
    for label in labels:
        for owner, urls in lexicon.uses[label].targets.items():
            for url in urls - homes:
                leading[owner, url].add(label)
    for _, found in sorted(leading.items()):
        if len(found) == 2:
            one, two = sorted(found)
            yield one, two


def _shared_page(lexicon: Lexicon, labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the labels by which different owners link to one page; to the root of a host each gives its own name."""
    homes = {tree.url for tree in lexicon.trees}
    leading: dict[str, dict[str, set[str]]] = defaultdict(dict)  # address -> label -> owners
    for label in labels:
        for owner, urls in lexicon.uses[label].targets.items():
            for url in urls - homes:
                if url != origin(url):
                    leading[url].setdefault(label, set()).add(owner)
    for _, found in sorted(leading.items()):
        if len(found) <= MAX_SIBLINGS:
            for one, two in _pairs(sorted(found)):
                if not found[one] & found[two]:
                    yield one, two


def _same_place(lexicon: Lexicon, labels: set[str]) -> Iterator[tuple[str, str]]:
    """Yield labels that stand among the same three neighbours on sites of different owners."""
    between: dict[tuple[tuple[str, ...], ...], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for tree in lexicon.trees:
        for members in siblings_of(tree).values():
            row = [fold(node.label) for node in members]
            stems = [tuple(sorted(lexicon.stems(label))) if label in lexicon.uses else () for label in row]
            for i, label in enumerate(row):
                if label not in labels:
                    continue
                for around in ((i - 2, i - 1, i + 1), (i - 1, i + 1, i + 2)):
                    if around[0] >= 0 and around[-1] < len(row):
                        place = (*(stems[j] for j in around), (str(around[0] - i),))
                        between[place][label].add(tree.owner)
    for found in between.values():
        for one, two in _pairs(sorted(found)):
            if not found[one] & found[two]:
                yield one, two


def _in_wordnet(lexicon: Lexicon, labels: Sequence[str], wordnet: WordNet) -> Iterator[tuple[str, str]]:
    """Yield labels that share a common sense of WordNet; under one parent, which tells what they mean, any sense.

    So do labels that are the same but for one word: "course schedules", "class schedules".
    """
    by_sense: dict[int, dict[str, int]] = defaultdict(dict)
    with_rest: dict[tuple[str, ...], dict[str, list[str]]] = defaultdict(dict)
    for label in labels:
        if (lexicon.uses[label].language or lexicon.language or "en") != "en":
            continue
        phrase = " ".join(word for word in words(label) if word not in lexicon.link_words)
        for rank, sense in enumerate(wordnet.senses(phrase)):
            by_sense[sense][label] = rank
        for rest, word in _each_word(lexicon, label):
            with_rest[rest].setdefault(word, []).append(label)
    above = _stems_above(lexicon)
    for found in by_sense.values():
        for one, two in _pairs(sorted(found)):
            if _is_common(found[one], found[two]) or above[one] & above[two]:
                yield one, two
    for words_of in with_rest.values():
        for first, second in _pairs(sorted(words_of)):
            if _mean_the_same(wordnet, first, second):
                yield from ((one, two) for one in words_of[first] for two in words_of[second])


def _is_common(first: int, second: int) -> bool:
    """Tell whether two words have a sense in common, by its ranks, that for one is the first that comes to mind."""
    return max(first, second) < COMMON_SENSES and not (first and second)


def _mean_the_same(wordnet: WordNet, first: str, second: str) -> bool:
    ranks = {sense: rank for rank, sense in enumerate(wordnet.senses(first))}
    return any(sense in ranks and _is_common(ranks[sense], rank) for rank, sense in enumerate(wordnet.senses(second)))


def _each_word(lexicon: Lexicon, label: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each word of a label of several, with the stems of the others and its place between them."""
    found = [word for word in words(label) if word not in lexicon.link_words]
    stems = lexicon.stems(label)
    if 2 <= len(found) == len(stems) <= MAX_PART:
        for place, word in enumerate(found):
            yield (*stems[:place], "", *stems[place + 1 :]), word


def _stems_above(lexicon: Lexicon) -> dict[str, set[tuple[str, ...]]]:
    """Return the stems of the labels directly above each label."""
    found: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for tree in lexicon.trees:
        for node, above in zip(tree.nodes, label_above(tree), strict=True):
            if above >= 0:
                found[fold(node.label)].add(tuple(sorted(lexicon.stems(fold(tree.nodes[above].label)))))
    return found


def _page_names(
    lexicon: Lexicon, labels: Sequence[str], page_names: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield a label with the label by which the page behind it calls itself."""
    by_stems: dict[frozenset[str], str] = {}
    for label in labels:
        if len(lexicon.uses[label].owners) >= 2:
            by_stems.setdefault(frozenset(lexicon.stems(label)), label)
    homes = {tree.url for tree in lexicon.trees}
    for label in labels:
        for owner, urls in sorted(lexicon.uses[label].targets.items()):
            for url in sorted(urls - homes):
                for name in page_names.get(url, ()):
                    own = frozenset(lexicon.stems(fold(name))) - lexicon.own_words.get(owner, frozenset())
                    other = by_stems.get(own)
                    if other is not None and other != label:
                        yield label, other


def synonyms_of_file(lines: Iterable[str], *, evidence: str = "file") -> Iterator[Synonym]:
    """Read synonyms: labels that mean the same on one line, separated by semicolons or tabs; ``#`` begins a comment."""
    for line in lines:
        labels = sorted({fold(part) for part in re.split("[;\t]", line.partition("#")[0])} - {""})
        for one, two in _pairs(labels):
            yield Synonym(one, two, evidence, CONFIDENCE[evidence])


def _pairs(items: Sequence[Item]) -> Iterator[tuple[Item, Item]]:
    for index, one in enumerate(items):
        for two in items[index + 1 :]:
            yield one, two
