"""The records that cross a stage border: frozen, slotted, plain values only.

The same fields are the columns of the tables (`sitestrata.model.tables`). Where there are millions (links, edges)
stages pass Arrow or NumPy columns with these names rather than record objects.

Every ``*_id`` is a 64-bit hash of content (`sitestrata.urls.url_id`), never a counter: two runs and two engines agree.
"""

from dataclasses import dataclass
from datetime import datetime

__all__ = [
    "Alias",
    "Attribute",
    "Boundary",
    "Capture",
    "Concept",
    "ConceptLabel",
    "Crumb",
    "DataTable",
    "Instance",
    "IsA",
    "Link",
    "LinkSegment",
    "MainMenuItem",
    "Menu",
    "MenuItem",
    "MenuPage",
    "Objective",
    "Page",
    "PagePlace",
    "RegionPage",
    "Reject",
    "Site",
    "SiteAddress",
    "SiteProfile",
    "Subsite",
    "TableValue",
    "TemplateSlot",
    "TreeNode",
    "Want",
]


@dataclass(frozen=True, slots=True)
class Capture:
    """One answer a crawler got for one URL; its body stays in the source, at ``source`` + ``offset``."""

    url_id: int
    url: str  # parsed and serialised as WHATWG says, without fragment
    source: str  # file as given; a member of an archive is "crawl.wacz!archive/data.warc.gz"
    offset: int  # of the record in the file (compressed bytes where records are separate members)
    length: int  # of the record in the same bytes; 0 = unknown
    record_type: str  # response, resource, revisit, file
    fetched_at: datetime | None
    status: int
    media_type: str  # lower case, without parameters
    charset: str | None  # as the header says
    location: str | None  # absolute target of a redirect
    robots: str | None  # X-Robots-Tag
    size: int  # of the decoded body
    digest: str  # BLAKE2b-128 of the decoded body, hexadecimal
    is_html: bool  # decided by type and, where that is missing or vague, by content
    # What a revisit names its original by; for all others, what they are named by: hashes of record id, of address and
    # time, of the archive's payload digest; 0 = not given.
    keys: tuple[int, int, int] = (0, 0, 0)
    original_source: str | None = None  # of a resolved revisit: where its body is
    original_offset: int | None = None


@dataclass(frozen=True, slots=True)
class Crumb:
    """One step of a breadcrumb."""

    label: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """What one parse of one HTML capture tells about the page as a whole."""

    url_id: int
    url: str
    title: str | None
    language: str | None
    charset: str  # the one that was used
    canonical_link: str | None  # rel=canonical, absolute
    base: str  # what relative links were resolved against
    robots: str | None  # meta robots
    refresh: str | None  # target of a meta refresh, absolute
    heading: str | None  # text of the first h1
    breadcrumb: tuple[Crumb, ...]  # given as markup: schema.org or aria-label
    node_count: int
    link_count: int
    leaf_count: int
    table_count: int
    text_length: int  # visible characters
    linked_text_length: int  # of these, inside links
    links_digest: int  # hash of the resolved link targets in order
    template: tuple[int, ...]  # hashes of the DOM paths that lead to links: the page's template, as a sorted set
    resources: tuple[int, ...]  # url_ids of its style sheets, scripts, icons and images, as a sorted set


@dataclass(frozen=True, slots=True)
class Link:
    """One edge out of a page, in document order."""

    page: int  # url_id of the page it stands on
    ordinal: int  # its place among the page's links
    target: int  # url_id of the absolute target, without fragment
    fragment: str | None
    kind: str  # a, area, frame, iframe, refresh, link (a <link rel=next|prev|up|...> in the head)
    label: str  # visible text, else alt, title or aria-label
    label_source: str  # text, alt, title, aria-label, none
    rel: str | None
    landmark: str | None  # nearest of banner, navigation, main, complementary, contentinfo, search, form
    path: str  # DOM path of the link: "html/body/div#top.bar/ul.menu/li/a"
    segment: int  # ordinal of the link segment it is a direct child of; -1 = none (an edge that is no hyperlink)
    node: int  # preorder number of its element, to draw it on the page
    gap: int  # bytes of text between the edge before and this one: little in a list, much in prose


@dataclass(frozen=True, slots=True)
class LinkSegment:
    """MenuMiner's segment: the hyperlinks directly under one node that survives rules 1-4."""

    page: int
    ordinal: int
    parent: int  # ordinal of the enclosing segment; -1 = none
    path: str  # DOM path of the node
    links: tuple[int, ...]  # ordinals of its direct links, in document order
    node: int


@dataclass(frozen=True, slots=True)
class DataTable:
    """One table of a page, spans expanded: what it is, how it is oriented, which of its cells are headers."""

    page: int
    index: int  # among all <table> elements of the page; ARIA tables and definition lists are counted after them
    source: str  # table, aria, list
    node: int
    parent: int  # index of the table it is nested in; -1 = none
    is_data: bool
    score: float  # above 0 = data; how sure
    orientation: str  # column, row, row-column, multi-header-..., none (headers on top = column)
    title: str | None  # its caption, or the text of its title rows
    rows: int
    columns: int
    grid: tuple[tuple[str, ...], ...]  # the text of each slot; of a layout table in a workspace: empty
    header_cells: tuple[tuple[int, int], ...]  # (row, column) after the expansion of spans
    row_roles: tuple[str, ...]  # of each row: header, data, title, unit, total, section (a label inside the body)


@dataclass(frozen=True, slots=True)
class TableValue:
    """One data cell of a data table, with the header paths that key it and its value as a typed quantity."""

    page: int
    index: int  # of the table
    record: int  # ordinal of the record in the table: a row, or a column where the headers are on the left
    attribute: int  # ordinal of the attribute in the table
    record_path: tuple[str, ...]  # headers that name the record; empty in tables with headers on one side only
    path: tuple[str, ...]  # headers that name the attribute, outermost first; empty = the table names none
    value: str
    kind: str  # empty, text, number, percent, currency, quantity, date, time
    number: float | None  # of a number, percentage, amount or quantity
    unit: str | None  # as printed: a currency sign or code, a unit of measure
    date: str | None  # ISO 8601, as far as the text tells: 2004, 2004-11, 2004-11-02


# Not frozen: no table has it, a page has hundreds, and to make a frozen one takes twice as long. Nobody changes it.
@dataclass(slots=True, unsafe_hash=True)
class TreeNode:
    """One node of the label hierarchy of a page (OntoMiner's partition tree), in preorder."""

    page: int
    ordinal: int
    parent: int  # ordinal; -1 for the root
    kind: str  # root, block, group (its children are alike), member (of a group), leaf
    # Of a block: navigation, listing, record, article, footer, form, decoration, other; of all else: that of its block.
    role: str
    label: str  # "" where nothing names it
    url: str | None  # where the label links to, absolute
    node: int  # preorder number of the element it comes from, to draw it on the page
    first_leaf: int  # the leaves of the page that it covers: first_leaf .. end_leaf - 1
    end_leaf: int


@dataclass(frozen=True, slots=True)
class Alias:
    """Which page a URL stands for, and the rules that say so."""

    url_id: int
    url: str
    page_id: int  # url_id of the canonical URL
    canonical: str
    rules: tuple[str, ...]  # in the order applied: redirect, scheme, www, index, slash, parameter, ...
    is_captured: bool


@dataclass(frozen=True, slots=True)
class Menu:
    """One menu as people see it, on all pages that show it, and what tells its role."""

    menu: int  # hash of its targets and of where it stands
    role: str  # main, local, footer, language, version, pager, breadcrumb, toc, organisation, other
    confidence: float  # of the role, 0 to 1
    kind: str  # clique, repeat (same targets), shape (same place, targets change from page to page), single (one page)
    signature: str  # aligned DOM path of its segments, "*" where they differ
    parent: int | None  # the menu in whose list it stands, as the submenu of a section
    pages: int  # that show it
    items: int
    clique: tuple[int, ...]  # page_ids of the largest segment clique behind it, sorted; empty = none
    home_share: float  # of its captured targets: those that show it too
    outside_share: float  # of its captured targets: those that share no other menu with most pages that show it
    position: float  # mean place of its first link among the links of a page, 0 = top, 1 = bottom
    landmark: str | None  # the commonest one around it
    reason: str  # what decided the role: short and countable


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One entry of a menu, in document order; of a menu that changes from page to page, only what stays."""

    menu: int
    ordinal: int
    parent: int  # ordinal of the item in whose drop-down it stands; -1 = none
    level: int  # 0 = the bar, 1 = its drop-downs, ...
    label: str
    target: int | None  # page_id; None for a heading that is no link
    url: str | None
    pages: int  # that show it, the page it leads to included
    is_core: bool  # its target is one of the pages of the clique


@dataclass(frozen=True, slots=True)
class MenuPage:
    """A menu on a page: which links show it there."""

    page: int  # page_id
    menu: int
    capture: int  # url_id under which the page's links and segments stand in their tables
    segments: tuple[int, ...]  # ordinals, in document order
    links: tuple[int, ...]  # ordinals of its links on this page, in document order
    current: int | None  # ordinal of the item that stands for this page; None = no item does


@dataclass(frozen=True, slots=True)
class MainMenuItem:
    """One entry of the main menu of a site, in document order."""

    site: int
    ordinal: int
    level: int  # 0 = the bar, 1 = its drop-downs, ...
    label: str
    target: int | None  # page_id; None for a heading that is no link
    url: str | None
    menu: int | None  # the menu it is an item of; None = the contents that the entry page lists


@dataclass(frozen=True, slots=True)
class Boundary:
    """Which site a page belongs to, and the evidence that put it there."""

    page_id: int
    site: int  # page_id of the site's entry page
    section: int  # page_id of the first page of its section (sitestrata.sites.sections), by id
    method: str  # links, ties, menus, flow, alone: what decided
    confidence: float  # 0 to 1
    section_votes: float  # sum of the votes between the page and its section
    rival_votes: float  # the same for the other section that pulls most
    rival_section: int | None
    tie: float | None  # log odds that bound its section to the site; None for the section that holds the entry page
    address: float | None  # the part of these log odds that addresses gave


@dataclass(frozen=True, slots=True)
class Site:
    """One logical website."""

    site: int
    entry_url: str
    name: str
    hosts: tuple[str, ...]  # most pages first
    pages: int
    sections: int
    parent: int | None
    method: str
    confidence: float


@dataclass(frozen=True, slots=True)
class RegionPage:
    """An address of a page that is looked at together with the other pages of its region."""

    group: int  # the region: smallest page_id in it
    page: int  # url_id or page_id
    own: bool  # False: a page of another region that this one sees too, because much leads to it


@dataclass(frozen=True, slots=True)
class SiteAddress:
    """An address of a page of a site, captured or not: what brings the rows of one site together."""

    group: int  # page_id of the site's entry page; of its smallest page, for a part of a very large site
    page: int  # url_id


@dataclass(frozen=True, slots=True)
class PagePlace:
    """A page's place in the hierarchy of its site, and the votes that put it there."""

    page_id: int
    site: int  # page_id of the site's entry page, which is the root
    parent: int | None  # page_id of the page above; None for the root
    position: int  # among the children of its parent, in the order the parent shows them, from 0
    depth: int  # steps from the root
    label: str  # what the page is called in the hierarchy
    evidence: tuple[str, ...]  # kinds of votes for this parent, the strongest first
    votes: float  # their sum
    rival: int | None  # page_id of the other page that most votes named as parent
    rival_votes: float
    document: int | None  # page_id of the first page of the compound document that it is a part of
    subsite: int | None  # page_id of the first page of the subsite that it belongs to


@dataclass(frozen=True, slots=True)
class Subsite:
    """A part of a site that a reader sees as a unit: a version, a language, a project, a manual."""

    subsite: int  # page_id of its first page
    site: int
    pages: int
    sign: str  # part, edition, make, host: what shows that it is one
    navigation: str  # shared: its pages carry that of the site; own: they do not


@dataclass(frozen=True, slots=True)
class SiteProfile:
    """What a site calls itself, and how it gives access to its pages."""

    site: int
    name: str
    name_source: str  # titles, logo, links, heading, address: what gave the name
    keywords: tuple[str, ...]  # words of links that lead here, most frequent first
    access: str  # hierarchy, facets, products, blog, reference, document, single: how people get to its pages
    depth: int  # of its tree
    documents: int  # compound documents in it


@dataclass(frozen=True, slots=True)
class Objective:
    """What a partition of the pages into sites is worth, by the votes of all evidence."""

    partition: str  # sites, or the name of a rival: host, alone, together, two-way links
    parts: int
    value: float


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept of a domain: what several sites speak of, whatever they call it (OntoMiner 5.3)."""

    concept: int  # hash of the domain's and of its own sorted labels
    domain: int  # of overlapping sites: hash of their ids
    label: str  # the preferred one
    language: str | None  # of the preferred label, BCP 47
    support: int  # owners that print one of its labels; two editions of one portal count once
    sites: tuple[int, ...]  # the sites that do, sorted
    urls: tuple[str, ...]  # its pages: the targets of its labels, most linked first
    is_frequent: bool  # has the asked support by itself; the others are group siblings of such labels
    confidence: float  # 0 to 1: that it is a concept of the domain rather than decoration


@dataclass(frozen=True, slots=True)
class ConceptLabel:
    """One label of a concept, and why it was put there (the paper's Syn)."""

    concept: int
    label: str  # as most often printed
    language: str | None
    support: int  # owners that print it
    evidence: str  # first = the preferred label; else why it was joined, as `sitestrata.taxonomy.synonyms` lists
    merged_with: str | None  # the label of the concept that the evidence joins it to
    confidence: float  # 0 to 1: that both mean the same


@dataclass(frozen=True, slots=True)
class IsA:
    """A broader and a narrower concept (the paper's T)."""

    parent: int
    child: int
    domain: int
    support: int  # owners that nest them so, at any distance
    confidence: float
    distance: int  # nodes between them where they were first frequent (the i of i-related)
    is_facet: bool  # sites nest the two either way: both orders are true, and neither implies anything else
    evidence: tuple[str, ...]  # what nests them so: tree, menu, contents, page
    pages: tuple[str, ...]  # addresses of some pages that do


@dataclass(frozen=True, slots=True)
class Instance:
    """A member of a concept (the paper's I and Member)."""

    page: int  # url_id of the page it was found on
    instance: int  # hash of page and place
    domain: int | None
    concept: int | None
    name: str
    url: str | None  # its own page
    kind: str  # listing, detail, table
    template: int | None  # by which it was extracted
    node: int  # preorder number of the element that holds it
    same_as: int  # the first instance, by id, that says the same thing; itself if none does
    confidence: float


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of an instance (the paper's A)."""

    page: int
    instance: int
    ordinal: int
    label: str | None  # None: the page prints none
    value: str
    kind: str  # text, number, money, date, time, measure, link, image
    number: float | None  # of a value that is one
    unit: str | None  # as printed: currency sign, unit of measure
    url: str | None  # where the value links to
    path: str  # DOM path of the value
    node: int  # preorder number of the value's element


@dataclass(frozen=True, slots=True)
class TemplateSlot:
    """One place of an instance template: where on pages of one kind a value stands (OntoMiner 6.2)."""

    template: int  # hash of its slots
    ordinal: int
    path: str  # DOM path as `sitestrata.page.parse_path` reads it
    label: str | None  # that stands for it on most pages
    kind: str
    pages: int  # of the learning pages, those that have it


@dataclass(frozen=True, slots=True)
class Reject:
    """Something that could not be used, and why."""

    input: str  # file, or file + offset, or URL
    stage: str
    reason: str  # short and countable: truncated-record, bad-digest, too-large, too-deep, ...
    detail: str  # one sentence for a person


@dataclass(frozen=True, slots=True)
class Want:
    """A page that an algorithm asks for; read by the one loop that fetches, and by nobody else."""

    url: str  # in canonical form
    why: str  # short, for a person
    priority: float  # larger is sooner
