"""Which fetched pages are inside a site when addresses say nothing: standing among the pages, and names in titles.

Pages are ranked by their standing (`sitestrata.flow.inside.Incidence.standing`). Those that stand nearly as well as the
best quarter are inside as far as the name allows that this quarter carries in its titles:

    own         the site's name, and names of its parts: names that add words to it on pages of another make (a sister
                adds to it beside the site's menu), names of pages that answer the site's page by page (translations),
                and names within the site's, if the site links several of their pages again and again
    strange     all other names that several pages share; where the best have no name, those of pages far below them
    cut         going down the ranking, where pages of own names outnumber those of strange names most: what is above is
                inside, and of what is below pages of own names, and pages without a name that answer in groups
    no links    pages that lead nowhere cannot answer: in the end they go with the pages that link them

Paper: Senellart 2.4.2 (the idea; his algorithm is `sitestrata.flow.online`)
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sitestrata.flow.inside import (
    BEST,
    ENOUGH,
    HALF,
    NAMED,
    NO_PARTS,
    NO_TITLES,
    PROBES,
    Incidence,
    Pages,
    Titles,
    Verdict,
)
from sitestrata.flow.titles import common_parts

__all__ = ["Names", "judge_by_standing", "site_names", "standing_by_name"]

STANDING = 0.2  # of the upper quartile's standing that a page must reach
HABIT = 0.1  # of the site's pages that must link a page of a part: more than those that list all sites of a kind
SEVERAL = 3  # pages that answer or are linked; sister sites link little more than each other's home page

Standing = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Names:
    """The parts of titles by which pages of a site, and of others, are known."""

    own: frozenset[str] = NO_PARTS
    strange: frozenset[str] = NO_PARTS

    def side(self, title: frozenset[str]) -> int:
        """Return 1 for a title of the site, -1 for a strange one, 0 where it does not tell."""
        return 1 if title & self.own else -1 if title & self.strange else 0


_WORD = re.compile(r"\w+")


def judge_by_standing(
    starts: Sequence[str],
    pages: Pages,
    titles: Titles = NO_TITLES,
    *,
    standing: Standing | None = None,
    names: Names | None = None,
    dead: frozenset[str] | None = None,
) -> Verdict:
    """Take the pages that stand nearly as well as the best quarter of them, as far as names allow.

    Args:
        standing: of the pages, where it is known already.
        names: as `site_names` tells them, where they are known already.
        dead: addresses without a page.
    """
    known = Incidence(pages).standing(starts) if standing is None else standing
    told = site_names(starts, pages, known, titles) if names is None else names
    inside = _well_standing(starts, known)
    if told.own:
        inside = _cut_by_name(pages, known, inside, told, titles)
    else:
        inside = {url for url in inside if told.side(titles.get(url, NO_PARTS)) >= 0}
    if dead is not None:
        inside |= _silent(pages, inside, dead)
    return Verdict((), (), frozenset({*inside, *(start for start in starts if start in known)}))


def standing_by_name(starts: Sequence[str], standing: Standing, names: Names, titles: Titles) -> Mapping[str, float]:
    """Let pages that carry the site's name stand well enough, however they are built, and those of strange names not.

    What the ones link is promising; what the others link is not, though the site's pages link it too (a bar).
    """
    sides = {url: names.side(titles.get(url, NO_PARTS)) for url in standing}
    if not names.own:
        return {url: value if sides[url] >= 0 else 0.0 for url, value in standing.items()}
    bar = STANDING * _upper_quartile(starts, standing)
    found = {url: max(value, bar) if sides[url] > 0 else value for url, value in standing.items()}
    strange = [url for url, side in sides.items() if side < 0 and url not in starts]
    ours = sum(found[url] for url, side in sides.items() if side > 0 and url not in starts)
    against = -ours / max(len(strange), ENOUGH)
    return found | dict.fromkeys(strange, against)


def site_names(starts: Sequence[str], pages: Pages, standing: Standing, titles: Titles) -> Names:
    """Return the names that the site has in its titles, those of its parts that call themselves otherwise too."""
    own = _name_of_best(starts, standing, titles)
    if not own:
        return Names(strange=_weak_names(starts, pages, standing, titles))
    carriers: dict[str, list[str]] = {}
    for url in sorted(pages):
        for part in titles.get(url, NO_PARTS):
            carriers.setdefault(part, []).append(url)
    site = sorted({url for name in own for url in carriers[name]})
    shared = {part for part, urls in carriers.items() if len(urls) >= ENOUGH}
    parts = set()
    for part in sorted(carriers.keys() - own):
        urls = [url for url in carriers[part] if own.isdisjoint(titles[url])]
        if part in shared:
            is_part = len(urls) >= ENOUGH and _is_part(pages, site, own, part, urls)
        else:
            # A page alone may be called after the site (a manual of one page), if it carries nobody else's name.
            alone = [url for url in urls if shared.isdisjoint(titles[url])]
            is_part = bool(alone) and _is_called_after(pages, site, own, part, alone)
        if is_part:
            parts.add(part)
    own |= parts
    ours = {part: sum(not own.isdisjoint(titles[url]) for url in carriers[part]) for part in shared - own}
    return Names(own, frozenset(part for part, count in ours.items() if count <= (1 - NAMED) * len(carriers[part])))


def _weak_names(starts: Sequence[str], pages: Pages, standing: Standing, titles: Titles) -> frozenset[str]:
    """Return the names that only pages far below the best carry and that the best hardly answer.

    They are strange where the best share no name, unless they take up the title of the start page.
    """
    bar = HALF * _upper_quartile(starts, standing)
    core = {url for url, value in standing.items() if value >= bar or url in starts}
    first = sorted({part for start in starts for part in titles.get(start, NO_PARTS)})
    carriers: dict[str, list[str]] = {}
    for url in sorted(pages):
        for part in titles.get(url, NO_PARTS):
            carriers.setdefault(part, []).append(url)
    weak = set()
    for part, urls in carriers.items():
        if len(urls) < ENOUGH or not core.isdisjoint(urls) or any(_contains(part, name) for name in first):
            continue
        pairs = [(url, page) for url in urls for page in core.intersection(pages[url]) if url in pages[page]]
        if min(len({url for url, _ in pairs}), len({page for _, page in pairs})) < SEVERAL:
            weak.add(part)
    return frozenset(weak)


def _is_part(pages: Pages, site: Sequence[str], own: Iterable[str], part: str, urls: Sequence[str]) -> bool:
    """Tell whether pages of another name are a part of a site rather than another site."""
    if _is_called_after(pages, site, own, part, urls):
        return True
    home, there = frozenset(site), frozenset(urls)
    back = {url: home.intersection(pages[url]) for url in urls}
    # Translations answer page by page; the pages of an organisation's bar may all answer one home page.
    pairs = [(url, page) for url, found in back.items() for page in found if url in pages[page]]
    if min(len({url for url, _ in pairs}), len({page for _, page in pairs})) >= HALF * len(urls):
        return True
    linked = Counter(target for page in site for target in there.intersection(pages[page]))
    return (
        any(_contains(name, part) for name in own)
        and sum(count >= HABIT * len(site) for count in linked.values()) >= SEVERAL
        and sum(map(bool, back.values())) >= HALF * len(urls)
    )


def _is_called_after(pages: Pages, site: Sequence[str], own: Iterable[str], part: str, urls: Sequence[str]) -> bool:
    """Tell whether a name adds to the site's on pages of another make: a sister adds to it beside the site's menu."""
    return any(_contains(part, name) for name in own) and not _shows_menu(pages, site, urls)


def _contains(name: str, other: str) -> bool:
    """Tell whether one name contains all words of another one, in a row, and more."""
    words, wanted = (f" {' '.join(_WORD.findall(text))} " for text in (name, other))
    return bool(wanted.strip()) and wanted in words


def _shows_menu(pages: Pages, site: Sequence[str], urls: Sequence[str]) -> bool:
    """Tell whether half of some pages link what nearly all pages of the site link of it: they show its menu."""
    home = frozenset(site)
    counts = Counter(target for url in site for target in home.intersection((url, *pages[url])))
    menu = {target for target, count in counts.items() if count >= NAMED * len(site)}
    return sum(len(menu.intersection(pages[url])) >= ENOUGH for url in urls) >= HALF * len(urls)


def _upper_quartile(starts: Sequence[str], standing: Standing) -> float:
    others = [value for url, value in standing.items() if url not in starts]
    return float(np.quantile(others, BEST)) if others else 0.0


def _well_standing(starts: Sequence[str], standing: Standing) -> set[str]:
    bar = STANDING * _upper_quartile(starts, standing)
    return {url for url, value in standing.items() if value >= bar and value > 0}


def _name_of_best(starts: Sequence[str], standing: Standing, titles: Titles) -> frozenset[str]:
    """Return the parts that nearly all titles of the best quarter carry, from the rarest on.

    A part that is common to more pages ("a page | the department | the university") is the site's too only if half of
    the pages that it adds stand well.
    """
    others = sorted((url for url in standing if url not in starts), key=lambda url: (-standing[url], url))
    best = others[: max(int((1 - BEST) * len(others)), ENOUGH)]
    found = common_parts([titles.get(url, NO_PARTS) for url in best], share=NAMED)
    if not found or len(others) < PROBES:
        return NO_PARTS
    carriers = {part: {url for url in standing if part in titles.get(url, NO_PARTS)} for part in found}
    inside = _well_standing(starts, standing)
    name: list[str] = []
    covered: set[str] = set()
    for part in sorted(found, key=lambda part: (len(carriers[part]), part)):
        more = carriers[part] - covered
        if not name or len(more & inside) >= HALF * len(more):
            name.append(part)
            covered |= more
    return frozenset(name)


def _cut_by_name(pages: Pages, standing: Standing, inside: set[str], names: Names, titles: Titles) -> set[str]:
    """Cut the ranking of the pages that stand at all where the site's names outnumber strange ones most."""
    side = {url: names.side(titles.get(url, NO_PARTS)) for url in standing}
    ranked = sorted((url for url in standing if standing[url] > 0), key=lambda url: (-standing[url], url))
    lead = np.cumsum([side[url] for url in ranked])
    cut = int(np.flatnonzero(lead == lead.max())[0]) + 1
    return {
        *ranked[:cut],
        *(url for url in side if side[url] > 0),
        *_answered_groups(pages, side, inside),
    }


def _answered_groups(pages: Pages, side: Mapping[str, int], inside: Iterable[str]) -> list[str]:
    """Return the pages without a name, in groups that answer each other, of which several and the site's answer too."""
    group = {url: {url} for url in sorted(inside) if side[url] == 0}
    answered = set()
    for url in sorted(group):
        for other in pages[url]:
            if side.get(other, 0) > 0 and url in pages[other]:
                answered.add(url)
            elif other in group and url in pages[other] and group[url] is not group[other]:
                small, large = sorted((group[url], group[other]), key=len)
                large |= small
                for page in small:
                    group[page] = large
    return [url for url, found in group.items() if len(found & answered) >= SEVERAL]


def _silent(pages: Pages, inside: set[str], dead: frozenset[str]) -> set[str]:
    """Return the pages that lead nowhere, and so cannot answer, and that pages inside link more than others do."""
    silent = {url for url, targets in pages.items() if dead.issuperset(to for to in targets if to != url)} - inside
    votes = Counter[str]()
    for page in sorted(pages):
        for target in silent.intersection(pages[page]):
            votes[target] += 1 if page in inside else -1
    return {url for url, count in votes.items() if count > 0}
