"""Pages around a home page, as the taxonomy reads them: what a concept's page says, and where translations are."""

from dataclasses import replace

from sitestrata.page import PageFacts
from sitestrata.taxonomy.translations import is_translated_address
from sitestrata.taxonomy.trees import ABOUT, SiteTree, label_above, naming
from sitestrata.taxonomy.words import fold, stems

__all__ = ["about_tree", "page_names", "page_words", "translation_addresses"]


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
