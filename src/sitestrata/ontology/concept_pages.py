"""Pages around a home page, as the taxonomy reads them: what a concept's page says, and where translations are."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from sitestrata.instances.places import PagePlaces
from sitestrata.page import PageFacts
from sitestrata.taxonomy.translations import is_translated_address
from sitestrata.taxonomy.trees import ABOUT, SiteTree, label_above, naming
from sitestrata.taxonomy.words import fold, stems

__all__ = ["about_tree", "menu_pages", "page_names", "page_words", "site_frames", "translation_addresses"]

NAVIGATION = "navigation"  # role of labels in menus
MIN_FRAME_PAGES = 3  # of a site, to tell its frame by what they repeat


def about_tree(tree: SiteTree, label: str, frame: set[str]) -> SiteTree:
    """Return the tree of a concept page with the concept over all, and without the frame of the site."""
    nodes = [tree.nodes[0], replace(tree.nodes[0], ordinal=1, parent=0, kind="block", label=label, url=tree.url)]
    place = {0: 1}
    for node in tree.nodes[1:]:
        parent = place.get(node.parent, 1)
        if fold(node.label) in frame:
            place[node.ordinal] = parent  # what stands below it moves up
            continue
        place[node.ordinal] = len(nodes)
        nodes.append(replace(node, ordinal=len(nodes), parent=parent))
    return replace(tree, nodes=tuple(nodes), is_about=True)


def page_names(tree: SiteTree) -> tuple[str, ...]:
    """Return what a page of a concept calls itself: its title, and the first label that stands over others."""
    above = set(label_above(tree)) - {-1, ABOUT}
    first = next((tree.nodes[ordinal].label for ordinal in sorted(above)), None)
    return tuple(name for name in (tree.title, first) if name)


def page_words(tree: SiteTree) -> frozenset[str]:
    """Return the stems of the labels of a page of a concept, without the concept's own."""
    return frozenset(
        stem for node, label in naming(tree) if node.ordinal != ABOUT for stem in stems(label, tree.language)
    )


def translation_addresses(facts: PageFacts) -> list[str]:
    """Return the addresses that a page links to as itself in another language, by markup or by what they look like."""
    marked, alike = [], []
    for node, url in zip(facts.links.node.tolist(), facts.links.address, strict=True):
        if url == facts.url:
            continue
        if facts.dom.attribute(node, "hreflang"):
            marked.append(url)
        elif is_translated_address(facts.url, url):
            alike.append(url)
    return list(dict.fromkeys([*marked, *alike]))


def menu_pages(
    homes: Sequence[SiteTree], concept_of: Mapping[str, int], is_inside: Callable[[int, str], bool]
) -> tuple[dict[tuple[int, int], list[str]], list[tuple[int, int, str]]]:
    """Return the pages of other labels in menus of home pages.

    They are no concepts themselves, as only one owner prints them. Where one stands under a concept, what its page
    lists are instances of it: these come by concept and site. The rest comes with its place and site.
    """
    addresses = {tree.url for tree in homes}
    below: dict[tuple[int, int], list[str]] = defaultdict(list)
    others: list[tuple[int, int, str]] = []
    for tree in homes:
        above = label_above(tree)
        for place, (node, label) in enumerate(naming(tree)):
            if label in concept_of or node.role != NAVIGATION or not node.url or node.url in addresses:
                continue
            if is_inside(tree.site, node.url):
                head = above[node.ordinal]
                number = concept_of.get(fold(tree.nodes[head].label)) if head >= 0 else None
                if number is None:
                    others.append((place, tree.site, node.url))
                else:
                    below[number, tree.site].append(node.url)
    return below, others


def site_frames(homes: Sequence[SiteTree], pages: Iterable[tuple[int, PagePlaces]]) -> dict[int, frozenset[str]]:
    """Return for each site what most of its pages print, and what several print without a link: no names of records.

    Of a site with few pages that is what its home page prints as labels. Elsewhere this would be too much: home pages
    show the latest records, and menus of small sites all of them.
    """
    frames: dict[int, set[str]] = defaultdict(set)
    for tree in homes:
        frames[tree.site] |= {label for _, label in naming(tree)}
    printed: dict[int, Counter[str]] = defaultdict(Counter)
    plain: dict[int, Counter[str]] = defaultdict(Counter)  # without a link: headings, names of attributes
    count: Counter[int] = Counter()
    for site, page in pages:
        count[site] += 1
        printed[site].update({fold(text) for text in page.texts})
        plain[site].update({fold(text) for text, link in zip(page.texts, page.link, strict=True) if link is None})
    for site, times in printed.items():
        if count[site] >= MIN_FRAME_PAGES:
            frames[site] = {text for text, some in times.items() if 2 * some >= count[site]}
            frames[site] |= {text for text, some in plain[site].items() if some >= MIN_FRAME_PAGES}
    return {site: frozenset(labels) for site, labels in frames.items()}
