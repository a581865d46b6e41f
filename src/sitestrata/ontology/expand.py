"""Home pages -> the ontology of their domain, page by page: it asks for pages, and is told what became of them.

The home pages give the first taxonomy, together with their translations. Level by level the pages of its concepts are
asked for, their labels join (under the concept they are about, without the frame that every page of the site shows),
and the taxonomy is mined again. Pages of concepts also list instances, and some of the pages behind a listing show what
else is said about each. A page that brings nothing new ends its branch; budgets end the rest.

Paper: OntoMiner 5.5

Algorithm 1 of the paper prints H where the fetched pages H' are meant (line 7).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from sitestrata.instances.listings import Listing
from sitestrata.instances.places import PagePlaces, read_places
from sitestrata.model import Attribute, Instance, TreeNode, Want
from sitestrata.ontology.concept_pages import (
    about_tree,
    menu_pages,
    page_names,
    page_words,
    site_frames,
    translation_addresses,
)
from sitestrata.ontology.details import Behind, Form, listing_forms_of, pages_behind, read_details, with_partners
from sitestrata.ontology.examples import Example, page_examples
from sitestrata.ontology.home_listings import home_instances
from sitestrata.ontology.options import OntologyOptions
from sitestrata.ontology.paper_instances import FlatPage, group_links, paper_instances, read_flat
from sitestrata.ontology.records import (
    Extracted,
    join_extracted,
    leading_listings,
    listed_concepts,
    listing_instances,
    mark_same,
    record_pages,
    site_listings,
)
from sitestrata.page import PageFacts, UnusablePageError
from sitestrata.partition.tree import TreeOptions, find_tree
from sitestrata.taxonomy.mine import Taxonomy, TaxonomyHints, mine_taxonomy, paper_taxonomy, without_utilities
from sitestrata.taxonomy.owners import assign_owners
from sitestrata.taxonomy.translations import translated_labels
from sitestrata.taxonomy.trees import SiteTree, naming
from sitestrata.taxonomy.words import fold
from sitestrata.urls import registered_domain, url_id

__all__ = ["Asker", "Expansion", "Ontology", "ReadPages", "Seen", "expand"]

PAGES_PER_CONCEPT = 2  # of one site
HOME_PRIORITY = 1000.0
MAX_TRANSLATIONS = 8  # of one home page

ReadPages = Callable[[Sequence[str]], Iterator[tuple[str, PageFacts | None]]]  # addresses -> each with its page, if any


class Seen(Protocol):
    """What became of a wanted page."""

    @property
    def url(self) -> str:
        """The address as wanted."""
        ...

    @property
    def facts(self) -> PageFacts | None:
        """The page, if there was one."""
        ...


@dataclass(frozen=True, slots=True)
class _Read:
    url: str
    facts: PageFacts | None


@dataclass(frozen=True, slots=True)
class Ontology:
    """Taxonomy and instances of one domain, and the addresses of the pages they are from."""

    taxonomy: Taxonomy
    extracted: Extracted
    pages: dict[int, str]  # url_id -> address
    missing: tuple[str, ...]  # home pages that could not be had
    owners: int = 0  # of the home pages
    examples: tuple[Example, ...] = ()  # every text of the pages with instances, if asked for


@dataclass(slots=True)
class _Page:
    number: int  # url_id
    tree: SiteTree
    places: PagePlaces | None = None
    flat: FlatPage | None = None  # in the paper's profile


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A page that may be about a concept."""

    url: str
    site: int
    label: str  # of the concept; "" = of a menu, under no concept
    support: int
    is_below: bool = False  # it lists instances of the concept only


class Asker(Protocol):
    """Asks for pages, is told what became of them, and has a result."""

    def wanted(self) -> list[Want]:
        """Return the pages to fetch now."""
        ...

    def observe(self, page: Seen) -> None:
        """Take what became of a wanted page."""
        ...

    def result(self) -> Ontology:
        """Return what was found so far."""
        ...


class Expansion:
    """Mines one domain; an asker of `sitestrata.run.rounds`."""

    def __init__(
        self,
        homes: Sequence[str],
        options: OntologyOptions | None = None,
        hints: TaxonomyHints | None = None,
        *,
        contents: Mapping[str, SiteTree] | None = None,
    ) -> None:
        self.options = options or OntologyOptions()
        self.hints = hints or TaxonomyHints(language=self.options.language)
        self.homes = tuple(dict.fromkeys(homes))
        self.contents = [contents[home] for home in self.homes if home in contents] if contents else []
        self.level = 1
        self.taxonomy: Taxonomy | None = None
        self._site_of: dict[str, int] = {home: url_id(home) for home in self.homes}
        self._domain_of = {number: registered_domain(home) for home, number in self._site_of.items()}
        self._about: dict[str, str] = {}  # address of a concept page -> label of the concept
        self._below: dict[str, str] = {}  # the same for pages that list instances of it only
        self._queue: list[_Candidate] = []  # pages about concepts that may be asked for yet
        self._had = 0  # pages about concepts
        self._pages: dict[str, _Page] = {}  # by address as wanted
        self._waiting: set[str] = set()
        self._asked: set[str] = set()
        self._behind: list[Behind] = []
        self._phase = "homes"
        self._new: list[Want] = [Want(home, "home page", HOME_PRIORITY) for home in self.homes]
        self._found: list[Extracted] = []
        self._examples: list[Example] = []
        self._translations: dict[str, list[str]] = {}  # home page -> addresses that may be translations of it
        self._original: dict[str, str] = {}  # translation -> home page
        self._home_labels: frozenset[str] | None = None  # once all home pages are there

    def wanted(self) -> list[Want]:
        """Return the pages to fetch now; nothing while some are under way."""
        if self._waiting:
            return []
        while not self._new and self._phase != "done":
            self._advance()
        batch, self._new = self._new, []
        self._waiting |= {want.url for want in batch}
        self._asked |= self._waiting
        return batch

    def observe(self, page: Seen) -> None:
        """Take what became of a wanted page."""
        self._waiting.discard(page.url)
        facts = page.facts
        if facts is None:
            return
        is_paper = self.options.profile == "paper"
        nodes = self._tree(facts) if self._phase != "details" or is_paper else ()  # records are read off the leaves
        tree = SiteTree(self._site_of[page.url], "", facts.url, facts.language, nodes, facts.title)
        if self._phase == "homes" and not is_paper:
            self._translations[page.url] = translation_addresses(facts)
        keeps = self._phase == "details" or (self.options.instances and not (is_paper and self._phase == "homes"))
        places = read_places(facts) if keeps else None
        is_flat = is_paper and self._phase == "details"
        flat = read_flat(facts, places, nodes) if is_flat and places is not None else None
        self._pages[page.url] = _Page(facts.url_id, tree, places, flat)
        self._had += self._phase == "concepts"

    def _tree(self, facts: PageFacts) -> tuple[TreeNode, ...]:
        try:
            return find_tree(facts, options=TreeOptions(self.options.profile))
        except UnusablePageError:  # too large for the paper's partitioner
            return find_tree(facts)

    def result(self) -> Ontology:
        """Return the ontology as far as it was mined."""
        if self.taxonomy is None:
            self._mine()
        assert self.taxonomy is not None
        pages = {page.number: page.tree.url for page in self._pages.values()}
        extracted = join_extracted(self._found)
        site_of = {page.number: page.tree.site for page in self._pages.values()}
        listed = listed_concepts(extracted.instances, site_of, support=self.options.support)
        taxonomy = without_utilities(self.taxonomy, listed)
        named = {concept.concept for concept in taxonomy.concepts}
        kept = [one if one.concept in named else replace(one, concept=None) for one in extracted.instances]
        instances = replace(extracted, instances=mark_same(kept))
        missing = tuple(home for home in self.homes if home not in self._pages)
        owners = len(
            {
                tree.owner
                for tree in assign_owners([self._pages[home].tree for home in self.homes if home in self._pages])
            }
        )
        return Ontology(taxonomy, instances, pages, missing, owners, tuple(self._examples))

    def _advance(self) -> None:
        """Go to the next phase: all pages of this one are there."""
        if self._phase == "homes":
            self._phase = "translations"
            self._ask_translations()
        elif self._phase == "translations":
            self._mine()
            self._phase = "concepts"
            self._ask_concepts()
        elif self._phase == "concepts":
            self._ask_queued()
            if self._new:
                return
            if self.level < self.options.depth:
                before = len(self.taxonomy.concepts) if self.taxonomy else 0
                self.level += 1
                self._mine()
                if self.taxonomy is not None and len(self.taxonomy.concepts) > before:
                    self._ask_concepts()
                    return
            if any(url in self._pages for url in self._about):
                self._mine()  # what the pages behind the labels say about them
            self._list_instances()
            self._phase = "details"
            self._ask_details()
        else:
            if self._phase == "details":
                self._read_details()
            self._phase = "done"

    def _mine(self) -> None:
        """Mine the pages of the levels so far."""
        home_trees = [self._pages[home].tree for home in self.homes if home in self._pages]
        frames: dict[int, set[str]] = defaultdict(set)
        for tree in home_trees:
            frames[tree.site] |= {label for _, label in naming(tree)}
        about = {
            url: about_tree(self._pages[url].tree, label, frames[self._pages[url].tree.site])
            for url, label in sorted(self._about.items())
            if url in self._pages
        }
        synonyms = []
        for url, home in sorted(self._original.items()):
            if url in self._pages and (found := list(translated_labels(self._pages[home].tree, self._pages[url].tree))):
                synonyms += found
                home_trees.append(self._pages[url].tree)
        known = {tree.site for tree in home_trees}
        contents = [tree for tree in self.contents if tree.site in known]
        further = contents if self.level > 1 else [*about.values(), *contents]
        owned = assign_owners([*home_trees, *about.values()])
        owner = {tree.site: tree.owner for tree in owned}
        trees = owned if self.level > 1 else owned[: len(home_trees)]
        further = [replace(tree, owner=owner[tree.site]) for tree in further]
        if self.options.profile == "paper":
            self.taxonomy = paper_taxonomy(
                trees,
                support=self.options.support,
                is_inside=self._is_inside,
                brings=self._brings,
            )
            return
        hints = replace(
            self.hints,
            synonyms=(*self.hints.synonyms, *synonyms),
            page_names={url: page_names(tree) for url, tree in about.items()},
            page_words={url: page_words(tree) for url, tree in about.items()},
        )
        self.taxonomy = mine_taxonomy(trees, support=self.options.support, hints=hints, further=further)

    def _ask_translations(self) -> None:
        """Ask for the pages that may be home pages in another language."""
        for home, urls in sorted(self._translations.items()):
            inside = [url for url in urls if url not in self._asked and self._is_inside(self._site_of[home], url)]
            for url in inside[:MAX_TRANSLATIONS]:
                if url not in self._original:
                    self._original[url] = home
                    self._site_of[url] = self._site_of[home]
                    self._new.append(Want(url, "translation of a home page", HOME_PRIORITY))

    def _brings(self, url: str) -> bool | None:
        """Tell whether a page brings labels that no home page has (OntoMiner 5.2); None if it is not at hand."""
        if url not in self._pages:
            return None
        if self._home_labels is None:
            trees = [self._pages[home].tree for home in self.homes if home in self._pages]
            self._home_labels = frozenset(label for tree in trees for _, label in naming(tree))
        return any(label not in self._home_labels for _, label in naming(self._pages[url].tree))

    def _is_inside(self, site: int, url: str) -> bool:
        return self._domain_of[site] == registered_domain(url)

    def _ask_concepts(self) -> None:
        """Ask for the pages of the concepts, the best supported first."""
        if self.options.depth < 2 and not self.options.instances:
            return
        assert self.taxonomy is not None
        labels = defaultdict(set)
        for row in self.taxonomy.labels:
            labels[row.concept].add(fold(row.label))
        found: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)  # (concept, site) -> targets
        by_label = {label: concept for concept, some in labels.items() for label in sorted(some)}
        homes = {page.tree.url for home, page in self._pages.items() if home in self._site_of}
        for address, page in self._pages.items():
            if address in self._below or (address in self._about and not self._brings(address)):
                continue  # the end of a branch
            for node, label in naming(page.tree):
                concept = by_label.get(label)
                if concept is None or not node.url or node.url in homes:
                    continue
                if self._is_inside(page.tree.site, node.url):
                    found[concept, page.tree.site][node.url] += 1
        support = {concept.concept: concept for concept in self.taxonomy.concepts}
        order = sorted(found, key=lambda key: (-support[key[0]].support, -support[key[0]].confidence, key))
        self._queue = [
            _Candidate(url, site, support[number].label, support[number].support)
            for number, site in order
            for url in sorted(found[number, site], key=lambda url: (-found[number, site][url], url))[:PAGES_PER_CONCEPT]
        ]
        if self.options.instances and self.options.profile != "paper":
            trees = [self._pages[home].tree for home in self.homes if home in self._pages]
            below, others = menu_pages(trees, by_label, self._is_inside)
            self._queue += [
                _Candidate(url, site, support[number].label, support[number].support, is_below=True)
                for number, site in sorted(below, key=lambda key: (-support[key[0]].support, key))
                for url in below[number, site]
            ]
            self._queue += [_Candidate(url, site, "", 1, is_below=True) for _, site, url in sorted(others)]
        self._ask_queued()

    def _ask_queued(self) -> None:
        """Ask for the next pages about concepts; what could not be had is not of the budget."""
        room = self.options.concept_pages - self._had
        chosen = dict.fromkeys(page.url for page in self._queue if page.url not in self._asked)
        asked = set(list(chosen)[: max(room, 0)])
        for page in self._queue:
            if page.url in asked and page.url not in self._about and page.url not in self._below:
                (self._below if page.is_below else self._about)[page.url] = page.label
                self._site_of[page.url] = page.site
                why = f"page of the concept {page.label}" if page.label else "page of a menu"
                self._new.append(Want(page.url, why, float(page.support)))
        self._queue = [page for page in self._queue if page.url not in asked]

    def _list_instances(self) -> None:
        """Find the listings of the concept pages."""
        if not self.options.instances or self.taxonomy is None:
            return
        by_label = {row.label: row.concept for row in self.taxonomy.labels}
        by_label |= {concept.label: concept.concept for concept in self.taxonomy.concepts}
        homes = [self._pages[home].tree for home in self.homes if home in self._pages]
        read = [page for url in sorted([*self._about, *self._below]) if (page := self._pages.get(url)) and page.places]
        frames = site_frames(homes, [(page.tree.site, page.places) for page in read if page.places])
        self._list_on_homes()
        labelled = [
            (url, label, page, page.places)
            for url, label in sorted([*self._about.items(), *self._below.items()])
            if (page := self._pages.get(url)) is not None and page.places is not None
        ]
        if self.options.profile == "paper":
            for _, label, page, _ in labelled:
                self._add_groups(page.tree, by_label.get(label))
            return
        regions = site_listings([(page.tree.site, places) for _, _, page, places in labelled], frames)
        regions = [
            some if url in self._about else leading_listings(places, some)
            for (url, _, _, places), some in zip(labelled, regions, strict=True)
        ]
        found = [
            self._instances(places, some, by_label.get(label))
            for (_, label, _, places), some in zip(labelled, regions, strict=True)
        ]
        records = record_pages({url: listed for (url, *_), listed in zip(labelled, found, strict=True)})
        for (url, _, page, places), some, listed in zip(labelled, regions, found, strict=True):
            if url in self._about or url not in records:
                self._keep(listed, [places])
                self._add_behind(listed, page.tree.site, listing_forms_of(places, page.tree.site, some))
            page.places = None

    def _instances(self, page: PagePlaces, regions: Sequence[Listing], concept: int | None) -> Extracted:
        assert self.taxonomy is not None
        domain = self.taxonomy.domain
        return join_extracted(listing_instances(page, region, domain=domain, concept=concept) for region in regions)

    def _list_on_homes(self) -> None:
        """Find what the home pages list under the names of concepts."""
        assert self.taxonomy is not None
        sure = {row.concept for row in without_utilities(self.taxonomy).concepts}
        concept_of = {fold(row.label): row.concept for row in self.taxonomy.labels if row.concept in sure}
        known = {fold(row.label) for row in self.taxonomy.labels}
        for home in self.homes:
            page = self._pages.get(home)
            if page is not None and page.places is not None:
                found = home_instances(
                    page.places, page.tree, domain=self.taxonomy.domain, concept_of=concept_of, labels=known
                )
                self._keep(found, [page.places])
                self._add_behind(found, page.tree.site)
                page.places = None

    def _add_behind(self, found: Extracted, site: int, forms: Mapping[int | None, Form] | None = None) -> None:
        """Note the pages behind the listings of a page."""

        def is_wanted(url: str) -> bool:
            return url not in self._asked and self._is_inside(site, url)

        for behind in pages_behind(found, is_wanted=is_wanted, most=self.options.detail_pages, forms=forms):
            self._behind.append(behind)
            for url in behind.urls:
                self._site_of.setdefault(url, site)

    def _add_groups(self, tree: SiteTree, concept: int | None) -> None:
        """Note the groups of a concept page whose links are to be fetched (OntoMiner 6.1)."""
        known = frozenset(
            node.url for home in self.homes if home in self._pages for node in self._pages[home].tree.nodes if node.url
        )
        groups = [
            [url for url in urls if self._is_inside(tree.site, url) and url not in self._asked]
            for urls in group_links(tree, known)
        ]
        chosen = [urls[: self.options.detail_pages] for urls in groups if len(urls) >= 2]
        if chosen:
            urls = [url for some in chosen for url in some]
            self._behind.append(Behind(concept, urls, chosen))
            for url in urls:
                self._site_of.setdefault(url, tree.site)

    def _ask_details(self) -> None:
        """Ask for the pages behind the listings."""
        self._behind = with_partners(self._behind)
        urls = dict.fromkeys(url for listing in self._behind for url in listing.urls if url not in self._asked)
        self._new += [Want(url, "page of an instance", 0.0) for url in urls]

    def _read_details(self) -> None:
        """Read the record of each page behind a listing."""
        assert self.taxonomy is not None
        domain = self.taxonomy.domain
        for listing in self._behind:
            if listing.groups:
                flat = {url: page.flat for url in listing.urls if (page := self._pages.get(url)) and page.flat}
                self._found.append(paper_instances(listing.groups, flat, domain=domain, concept=listing.concept))
        places = {url: page.places for url, page in self._pages.items() if page.places is not None}
        for found, pages in read_details([one for one in self._behind if not one.groups], places, domain=domain):
            self._keep(found, pages)

    def _keep(self, found: Extracted, pages: Sequence[PagePlaces]) -> None:
        """Keep the instances of some pages, and if asked for their texts as examples."""
        self._found.append(found)
        if not self.options.examples or self.taxonomy is None:
            return
        names = {concept.concept: concept.label for concept in self.taxonomy.concepts}
        attributes: dict[int, list[Attribute]] = defaultdict(list)
        for attribute in found.attributes:
            attributes[attribute.instance].append(attribute)
        on_page: dict[int, list[Instance]] = defaultdict(list)
        for instance in found.instances:
            on_page[instance.page].append(instance)
        for page in pages:
            if instances := on_page[page.url_id]:
                self._examples += page_examples(page, instances, attributes, names)


def expand(asker: Asker, pages: ReadPages, *, on_note: Callable[[str], None] | None = None) -> Ontology:
    """Let an asker have the pages it asks for, and return its result."""
    while wants := asker.wanted():
        if on_note is not None:
            on_note(f"{wants[0].why.partition(' of')[0]}: {len(wants):,} pages")
        for url, facts in pages([want.url for want in wants]):
            asker.observe(_Read(url, facts))
    return asker.result()
