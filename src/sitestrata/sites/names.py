"""What pages and sites call themselves.

*Titles*: most sites write "page - site" or "site: page". A part of the titles that many pages share is the site's; what
is left is the page's. Parts are cut at signs, never at words, so this works in any language.

*Labels*: a page is called what the page above calls it, if that is a name. "More" and "next" are no names: a name is
for one page, while such words lead everywhere.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sitestrata.flow.keywords import words
from sitestrata.graph.numbering import distinct, numbered
from sitestrata.sites.places import prefixes
from sitestrata.sites.site_web import SiteWeb
from sitestrata.urls import host

__all__ = ["page_labels", "shared_title_parts", "site_keywords", "site_name", "title_parts"]

Ints = NDArray[np.int64]

SHARED_SHARE = 0.3  # of the pages whose titles must share a part for it to be the site's
SHARED_PAGES = 3
ALL_TITLES = 0.8  # share of the pages whose whole title it may be nevertheless
ABSENT_SHARE = 0.5  # of the pages that must share a part which the entry page lacks; fewer are a kind of pages
RUN_SHARE = 0.5  # of the other titles that must say the same words in a row
RUN_GAIN = 1.2  # times as many as share a part of the title that the entry page lacks
RUN_WORDS = 6
RUN_TITLES = 2_000  # looked at
MAX_KEYWORDS = 10
LABEL_ENDS = 0.08  # of the labels with a word that it ends, if it says something by itself
MAX_LABEL = 200  # characters
NAME_TARGETS = 2  # pages that a name may lead to: two of them may bear the same name
# Signs that stand between the parts of a title; a hyphen only with space around it.
_BRACKETS = {"(": ")", "[": "]", "{": "}", "（": "）", "「": "」", "【": "】"}
_WORDS = re.compile(r"[^\W_]+")
_SIGNS = re.compile(r"(?:^|\s+)[-–—:·•/\\~]+(?:\s+|$)|\s*[|»«›‹→←⇒—∙⋅]+\s*|\s+::\s*|::\s+|(?<=\w):\s+|\s+-+\s+")


def title_parts(title: str) -> list[str]:
    """Cut a title at the signs that stand between its parts.

    >>> title_parts("Installing – Guide | Acme")
    ['Installing', 'Guide', 'Acme']
    >>> title_parts("Acme –")
    ['Acme']
    """
    return [part.strip() for part in _SIGNS.split(title) if part.strip()]


def shared_title_parts(titles: Sequence[str]) -> Counter[str]:
    """Return the parts that many titles share, with the number of titles that have them."""
    counts = Counter(part for title in titles for part in dict.fromkeys(title_parts(title)))
    least = max(SHARED_PAGES, SHARED_SHARE * sum(1 for title in titles if title))
    return Counter({part: count for part, count in counts.items() if count >= least})


def page_labels(web: SiteWeb, parent: Ints) -> list[str]:
    """Name every page: by the label the page above links it with, by its breadcrumb, else by its title."""
    links = web.links
    count = max(len(web), 1)
    inside = np.flatnonzero((links.target >= 0) & ~links.in_head & (links.target != links.page))
    label, target, page = links.label[inside], links.target[inside], links.page[inside]
    spread = np.bincount(distinct(label * count + target) // count, minlength=len(web.labels))
    has_name = np.array([any(sign.isalnum() for sign in text) for text in web.labels], np.bool_)
    by_parent = parent[target] == page
    named = has_name[label] & (spread[label] <= NAME_TARGETS) & ~links.has_fragment[inside]
    uses, use = numbered(target * max(len(web.labels), 1) + label)
    frequency = np.bincount(use, minlength=len(uses))[use]
    order = np.lexsort((label, -frequency, ~by_parent, ~named, target))
    chosen = np.full(len(web), -1, np.int64)
    first = np.concatenate([[True], target[order][1:] != target[order][:-1]])[: len(order)]
    best = order[first]
    best = best[named[best]]
    chosen[target[best]] = label[best]
    crumbs = _crumb_names(web)
    shared = shared_title_parts(web.title)
    names = []
    for row in range(len(web)):
        text = crumbs.get(row) or (web.labels[chosen[row]] if chosen[row] >= 0 else "")
        names.append((text or _own_title(web, row, shared))[:MAX_LABEL])
    if names:
        names[web.entry] = site_name(web)[0][:MAX_LABEL]  # "home" says nothing outside the site
    return names


def site_name(web: SiteWeb) -> tuple[str, str]:
    """Return what a site calls itself, and what says so: titles, logo, heading, title or address."""
    on_entry = title_parts(web.title[web.entry]) if len(web) else []
    shared = _of_the_site(shared_title_parts(web.title), on_entry, web.title)
    run, run_share = _common_run(web)
    if shared:
        # The part that most pages share; of those that nearly as many share, one that the entry page has too.
        most = max(shared.values())
        near = [part for part, uses in shared.items() if uses >= 0.8 * most]
        # Of a name and a motto that stand side by side the address says the name; else it is the first of them.
        place = {part: number for number, part in reversed([*enumerate(on_entry)])}
        near.sort(
            key=lambda part: (
                part not in on_entry,
                not _is_in_address(part, web.url[web.entry]),
                -shared[part],
                place.get(part, 0),
                part,
            )
        )
        # A part that the entry page does not have is a section's, if what both have in common is on more pages.
        wider = run_share * sum(1 for title in web.title if title) >= RUN_GAIN * shared[near[0]]
        if near[0] in on_entry or not (run and wider):
            return near[0], "titles"
    if run:
        return run, "titles"
    logo = _logo(web)
    if logo:
        return logo, "logo"
    if word := _word_of_address(web):
        return word, "titles"
    if len(web) and web.heading[web.entry]:
        return web.heading[web.entry], "heading"
    if on_entry:
        return web.title[web.entry], "title"
    # A folder of a host is a site beside others, with the same host name as they.
    return (prefixes(web.url[web.entry])[-1] if len(web) else ""), "address"


def _is_in_address(part: str, url: str) -> bool:
    """Tell whether the host of an address says the whole of a name, in any spelling.

    >>> _is_in_address("Zone Concours", "http://www.zone-concours.com/")
    True
    """
    name = host(url).removeprefix("www.")
    said = {"".join(_WORDS.findall(step)).casefold() for step in (name, *name.split("."))}
    return "".join(_WORDS.findall(part)).casefold() in said - {""}


def _of_the_site(shared: Counter[str], on_entry: Sequence[str], titles: Sequence[str]) -> Counter[str]:
    """Leave out parts that the entry page lacks and that say what some pages are: whole titles, kinds of pages.

    What names a site stands first or last, or the entry page has it too.
    """
    alone = Counter(title.strip() for title in titles)
    ends = Counter(part for title in titles for part in {*title_parts(title)[:1], *title_parts(title)[-1:]})
    titled = sum(1 for title in titles if title)
    return Counter(
        {
            part: uses
            for part, uses in shared.items()
            if part in on_entry
            or uses >= ALL_TITLES * titled
            or (2 * alone[part] < uses <= 2 * ends[part] and uses >= ABSENT_SHARE * titled)
        }
    )


def _word_of_address(web: SiteWeb) -> str:
    """Return the word of the address that nearly all titles say, if they say nothing of the entry page's own title."""
    others = [title for row, title in enumerate(web.title) if title and row != web.entry]
    if len(others) < SHARED_PAGES:
        return ""
    said = Counter(word for title in others[:RUN_TITLES] for word in dict.fromkeys(_WORDS.findall(title)))
    folded: Counter[str] = Counter()
    for word, uses in said.items():
        folded[word.casefold()] += uses
    least = ALL_TITLES * min(len(others), RUN_TITLES)
    own = {word.casefold() for word in _WORDS.findall(f"{web.title[web.entry]} {web.heading[web.entry]}")}
    if any(folded[word] >= ABSENT_SHARE * least for word in own):
        return ""
    known = [word.casefold() for word in _WORDS.findall(prefixes(web.url[web.entry])[-1])]
    found = max((word for word in known if folded[word] >= least and len(word) > 1), key=folded.__getitem__, default="")
    return max((word for word in said if word.casefold() == found), key=lambda word: (said[word], word), default="")


def _common_run(web: SiteWeb) -> tuple[str, float]:
    """Return the words in a row of the entry page's title that the other titles say too, and the share that do.

    Longer runs are worth more: of "Welcome to the Acme Rocket project" the titles of the site say "Acme Rocket". A
    single word must be known from the address or a logo, or "page" would do.
    """
    others = [title for row, title in enumerate(web.title) if title and row != web.entry]
    spaces = [list(_WORDS.finditer(part)) for part in (title_parts(web.title[web.entry]) if len(web) else [])]
    if len(others) < SHARED_PAGES or not spaces:
        return "", 0.0
    said = [f" {' '.join(word.casefold() for word in _WORDS.findall(title))} " for title in others[:RUN_TITLES]]
    known = set(words(_logo(web))) | {name for name in host(web.url[web.entry]).split(".") if len(name) > 1}
    best = (0.0, "", 0.0)
    for part in spaces:
        for start in range(len(part)):
            for end in range(start + 1, min(len(part), start + RUN_WORDS) + 1):
                run = [match[0].casefold() for match in part[start:end]]
                if len(run) == 1 and run[0] not in known:
                    continue
                share = sum(f" {' '.join(run)} " in title for title in said) / len(said)
                if share < RUN_SHARE:
                    break  # a longer run is on fewer still
                text = _with_brackets(part[start].string, part[start].start(), part[end - 1].end())
                best = max(best, (share * math.log2(1 + len(run)), text, share))
    return best[1], best[2]


def _with_brackets(text: str, start: int, end: int) -> str:
    """Cut a piece out of a text, with the bracket behind it that closes one in it.

    >>> _with_brackets("Top (Acme (version 7))", 5, 20)
    'Acme (version 7)'
    """
    piece = text[start:end]
    for opening, closing in _BRACKETS.items():
        if piece.count(opening) > piece.count(closing) and text[end:].startswith(closing):
            return piece + closing
    return piece


def site_keywords(web: SiteWeb) -> tuple[str, ...]:
    """Return the words of the labels by which its pages are linked, by the number of labels that have them.

    A label counts once, however often it stands there: "next" leads to every page and describes none. Words that only
    join others ("and", "the") end hardly any label: they come last. Of a word of the site's name, which
    many labels begin with, one end is enough.
    """
    links = web.links
    inside = (links.target >= 0) & (links.target != links.page)
    uses: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    for label in distinct(links.label[inside]).tolist():
        found = words(web.labels[label])
        uses.update(set(found))
        ends.update(found[-1:])
    own = set(words(site_name(web)[0]))
    least = {word: 1.0 if word in own else LABEL_ENDS * uses[word] for word in uses}
    ranked = sorted(uses, key=lambda word: (ends[word] < least[word], -uses[word], word))
    return tuple(ranked[:MAX_KEYWORDS])


def _logo(web: SiteWeb) -> str:
    """Return the text of the picture by which most pages link the entry page."""
    links = web.links
    chosen = links.is_picture & (links.target == web.entry)
    uses = distinct(links.label[chosen] * max(len(web), 1) + links.page[chosen]) // max(len(web), 1)
    counts = Counter(uses.tolist())
    # A picture of a house says "home"; a logo says what the entry page says too.
    own = set(words(f"{web.title[web.entry]} {web.heading[web.entry]} {host(web.url[web.entry])}"))
    names = [(uses, web.labels[label]) for label, uses in counts.items() if own & set(words(web.labels[label]))]
    best = min(names, key=lambda pair: (-pair[0], pair[1]), default=(0, ""))
    return best[1] if best[0] >= max(2, SHARED_SHARE * len(web)) else ""


def _own_title(web: SiteWeb, row: int, shared: Counter[str]) -> str:
    parts = [part for part in title_parts(web.title[row]) if part not in shared]
    return " – ".join(parts) or web.heading[row] or web.title[row] or web.url[row]


def _crumb_names(web: SiteWeb) -> dict[int, str]:
    uses = Counter(
        (row, label)
        for row, label in zip(web.crumb_target.tolist(), web.crumb_label, strict=True)
        if row >= 0 and any(sign.isalnum() for sign in label)
    )
    names: dict[int, tuple[int, str]] = {}
    for (row, label), count in uses.items():
        if row not in names or (-count, label) < (-names[row][0], names[row][1]):
            names[row] = (count, label)
    return {row: label for row, (_, label) in names.items()}
