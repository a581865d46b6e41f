"""Shops and travel sites: sections, listings with pagers, records with labelled attributes."""

from collections.abc import Iterable

from sitestrata.sample.build import (
    add_concept,
    add_concepts,
    add_frame,
    add_page,
    add_statics,
    fill_listing,
    finish,
    new_site,
    note_concept,
)
from sitestrata.sample.domains import Concept, domain
from sitestrata.sample.dress import dress
from sitestrata.sample.vocabulary import interface_labels
from sitestrata.sample.web import Group, Node, Site

__all__ = ["shop", "travel"]


def shop(group: Group) -> None:
    """Build a shop; audiences stand above categories, below them, or not at all."""
    plan = group.plan
    name = ("fashion", "electronics")[plan.seed % 2]
    site = new_site(
        group,
        0,
        kind="shop",
        name=plan.name.title(),
        host=plan.host,
        language=plan.language,
        quota=plan.pages,
        domain_name=name,
    )
    grow_shop(site)


def grow_shop(site: Site) -> None:
    """Grow a shop inside a new site."""
    rng = site.chance
    assert site.domain is not None
    goods = domain(site.domain)
    frame = add_frame(site, site.home)
    width = max(4, min(8, site.quota // 14))
    order = rng.choice(("facet-first", "category-first", "category-only"))
    listings: list[Node] = []
    if order == "facet-first":
        tops = add_concepts(site, goods.facets, site.home, kind="section", keep=0.85, limit=3)
        for top in tops:
            listings += add_concepts(site, _leaves(goods.concepts), top, kind="listing", keep=0.35, limit=width)
    else:
        tops = add_concepts(site, goods.concepts, site.home, kind="section", keep=0.75, limit=width)
        for top in tops:
            concept = next(concept for concept in goods.concepts if concept.key == top.concept)
            leaves = add_concepts(site, concept.children, top, kind="listing", keep=0.8, limit=8)
            if order == "category-first" and site.quota > 60:
                for leaf in leaves[:2]:
                    leaf.kind = "section"
                    listings += [
                        add_concept(site, facet, leaf, kind="listing") for facet in goods.facets[: rng.randint(1, 3)]
                    ]
                listings += leaves[2:]
            else:
                listings += leaves
    for key in rng.sample(("newin", "offers"), rng.randint(0, 2)):
        extra = add_page(site, "listing", rng.choice(interface_labels(key, site.language)), site.home, key=key)
        tops.insert(0, extra)
        listings.append(extra)
    keys = ["about", "contact", "delivery", "returns", "sizes", "privacy", "terms", "careers", "stores", "help"]
    statics = add_statics(site, rng.sample(keys, min(len(keys), 3 + site.quota // 12)), site.home)
    dress(site, frame, tops, statics, crumbs=0.7, local=0.5)
    schema = tuple(rng.sample(goods.attributes, min(len(goods.attributes), rng.randint(4, 7))))
    if "price" in schema:
        schema = ("price", *(key for key in schema if key != "price"))
    fill_listing(site, listings, item_kind="item", schema=schema, per_page=rng.choice((8, 12, 16, 24)))
    site.home.items = [item for listing in listings for item in listing.items[:2]][:8]
    finish(site)


def _leaves(concepts: Iterable[Concept]) -> list[Concept]:
    return [leaf for concept in concepts for leaf in concept.children]


def travel(group: Group) -> None:
    """Build a travel site: regions and countries, places to stay with rates."""
    plan = group.plan
    site = new_site(
        group,
        0,
        kind="travel",
        name=f"{plan.name.title()} Travel",
        host=plan.host,
        language=plan.language,
        quota=plan.pages,
        domain_name="travel",
    )
    rng = site.chance
    goods = domain("travel")
    frame = add_frame(site, site.home)
    site.table_rate = 0.5
    width = max(4, min(7, site.quota // 12))
    tops = add_concepts(site, goods.concepts, site.home, kind="section", keep=0.85, limit=width)
    listings: list[Node] = []
    for top in tops:
        concept = next(concept for concept in goods.concepts if concept.key == top.concept)
        listings += add_concepts(site, concept.children, top, kind="listing", keep=0.85, limit=6)
    # A country's page lists places to stay there: the same concepts again, further down.
    stay = next(concept for concept in goods.concepts if concept.key == "stay")
    if site.quota > 80:
        for listing in list(listings)[::3]:
            if listing.parent is not None and listing.parent.concept in ("europe", "asia", "africa", "americas"):
                below = add_page(
                    site,
                    "listing",
                    listing.label + " " + stay.children[0].labels[site.language][0],
                    listing,
                    concept="hotels",
                )
                note_concept(site, below)
                listings.append(below)
    statics = add_statics(
        site,
        rng.sample(("about", "contact", "privacy", "terms", "newsletter", "help", "press", "imprint"), 5),
        site.home,
    )
    dress(site, frame, tops, statics, crumbs=0.7, local=0.6)
    fill_listing(
        site,
        listings,
        item_kind="item",
        schema=tuple(rng.sample(goods.attributes, rng.randint(4, 6))),
        per_page=rng.choice((10, 15, 20)),
    )
    site.home.items = [item for listing in listings for item in listing.items[:1]][:8]
    finish(site)
