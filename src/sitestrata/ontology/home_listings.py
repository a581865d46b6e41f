"""A home page -> the records that it lists under the names of concepts: headlines under Business, offers under Sale.

A menu is a list under a name too. What tells records from the labels of a menu: their names say more than a label does,
or most of them say something besides their name; they lead somewhere, and are no labels that several owners print.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from statistics import median

from sitestrata.instances.listings import MIN_RECORDS, Listing, Record, cut_records
from sitestrata.instances.places import PagePlaces
from sitestrata.ontology.records import CHROME_SHARE, Extracted, join_extracted, listing_instances
from sitestrata.taxonomy.trees import SiteTree, label_above, labelled
from sitestrata.taxonomy.words import fold, words

__all__ = ["home_instances"]

MIN_NAME = 4  # words of most names of bare records; labels of menus have one to three
MIN_WORDS = 2  # of most names of records that say more


def home_instances(
    page: PagePlaces, tree: SiteTree, *, domain: int, concept_of: Mapping[str, int], labels: Collection[str]
) -> Extracted:
    """Return the records under the labels of concepts.

    ``concept_of`` are the folded labels of concepts, ``labels`` those that are printed as labels elsewhere too.
    """
    above = label_above(tree)
    under: dict[int, list[tuple[int, int]]] = defaultdict(list)  # head -> leaves of what stands directly under it
    for node, _ in labelled(tree):
        if above[node.ordinal] >= 0:
            under[above[node.ordinal]].append((node.first_leaf, node.end_leaf))
    found = []
    for head, cuts in under.items():
        concept = concept_of.get(fold(tree.nodes[head].label))
        if concept is None or len(cuts) < MIN_RECORDS:
            continue
        region = Listing(tree.nodes[head].node, 0.0, tuple(cut_records(page, cuts)), tree.nodes[head].first_leaf)
        if len(region.records) >= MIN_RECORDS and _are_records(page, region, labels):
            found.append(listing_instances(page, region, domain=domain, concept=concept))
    return join_extracted(found)


def _are_records(page: PagePlaces, region: Listing, labels: Collection[str]) -> bool:
    names = [page.texts[record.name] for record in region.records]
    if sum(fold(name) in labels for name in names) > CHROME_SHARE * len(names):
        return False
    leading = sum(any(page.link[record.first : record.end]) for record in region.records)
    if 2 * leading <= len(names):
        return False
    says_more = 2 * sum(_says_more(page, record) for record in region.records) > len(names)
    return median(len(words(name)) for name in names) >= (MIN_WORDS if says_more else MIN_NAME)


def _says_more(page: PagePlaces, record: Record) -> bool:
    """Tell whether a record says something besides its name; links to other things are its submenu."""
    return any(page.link[leaf] in (None, page.link[record.name]) for _, leaf in record.values)
