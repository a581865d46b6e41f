"""The expansion asks for pages and makes an ontology of what it gets."""

from dataclasses import dataclass

from sitestrata.ontology.domains import find_domains
from sitestrata.ontology.expand import Expansion, Ontology
from sitestrata.ontology.options import OntologyOptions
from sitestrata.page import PageFacts, read_page


@dataclass
class _Seen:
    url: str
    facts: PageFacts | None


def _menu(*labels: str) -> str:
    return "<ul>" + "".join(f"<li><a href='/{label.lower()}'>{label}</a></li>" for label in labels) + "</ul>"


def _web(site: str, *, is_plain: bool = False) -> dict[str, str]:
    base = f"http://{site}.example"
    frame = _menu("Sports", "Business", "Travel")
    stories = "".join(
        f"<div><h3><a href='/story{n}'>{site} story {n}</a></h3><p>By Writer {n}</p></div>" for n in range(4)
    )
    if is_plain:
        stories = "<ul>" + "".join(f"<li><a href='/story{n}'>{site} story {n}</a></li>" for n in range(4)) + "</ul>"
    pages = {
        f"{base}/": f"<title>{site}</title>{frame}",
        f"{base}/sports": f"{frame}<h2>Sports</h2>{_menu('Baseball', 'Tennis', 'Horse racing')}{stories}",
        f"{base}/business": f"{frame}<p>Nothing</p>",
    }
    for n in range(4):
        pages[f"{base}/story{n}"] = (
            f"<title>{site} story {n}</title>{frame}<h1>{site} story {n}</h1><p>Written by <b>Writer {n}</b></p>"
        )
    return pages


def _run(
    options: OntologyOptions,
    sites: tuple[str, ...] = ("one", "two"),
    *,
    is_plain: bool = False,
    further: dict[str, str] | None = None,
) -> tuple[Ontology, list[str]]:
    web = {url: body for site in sites for url, body in _web(site, is_plain=is_plain).items()} | (further or {})
    expansion = Expansion([f"http://{site}.example/" for site in sites], options)
    asked = []
    while wants := expansion.wanted():
        for want in wants:
            asked.append(want.url)
            body = web.get(want.url)
            expansion.observe(_Seen(want.url, read_page(body.encode(), want.url) if body else None))
    return expansion.result(), asked


def _labels(found: Ontology) -> set[str]:
    return {concept.label for concept in found.taxonomy.concepts}


def test_home_pages_alone_give_the_first_level() -> None:
    found, asked = _run(OntologyOptions(instances=False))

    assert {"Sports", "Business", "Travel"} == _labels(found)
    assert 2 == len(asked)


def test_the_sports_page_brings_baseball_tennis_and_horse_racing() -> None:
    found, _ = _run(OntologyOptions(depth=2, instances=False))

    name = {concept.concept: concept.label for concept in found.taxonomy.concepts}
    pairs = {(name[pair.parent], name[pair.child]) for pair in found.taxonomy.is_a}
    assert {("Sports", "Baseball"), ("Sports", "Tennis"), ("Sports", "Horse racing")} <= pairs


def test_the_paper_expands_too() -> None:
    found, _ = _run(OntologyOptions(depth=2, instances=False, profile="paper"))

    name = {concept.concept: concept.label for concept in found.taxonomy.concepts}
    assert ("Sports", "Tennis") in {(name[pair.parent], name[pair.child]) for pair in found.taxonomy.is_a}


def test_no_page_is_asked_for_twice() -> None:
    _, asked = _run(OntologyOptions(depth=5))

    assert len(asked) == len(set(asked))


def test_concept_pages_list_instances_whose_pages_tell_more() -> None:
    found, _ = _run(OntologyOptions())

    listed = [row for row in found.extracted.instances if row.kind == "listing"]
    detail = [row for row in found.extracted.instances if row.kind == "detail"]
    assert {f"one story {n}" for n in range(4)} <= {row.name for row in listed}
    assert {f"two story {n}" for n in range(4)} == {row.name for row in detail if row.name.startswith("two")}
    values = {row.value for row in found.extracted.attributes}
    assert {"Writer 0", "Writer 3"} <= values
    same = {row.same_as for row in found.extracted.instances if row.url == "http://one.example/story1"}
    assert 1 == len(same)
    assert all(row.page in found.pages for row in found.extracted.instances)


def test_pages_of_labels_under_a_concept_list_instances_of_it() -> None:
    """Only one owner prints Chess, under Sports: what its page lists are instances of Sports."""
    games = "".join(f"<div><h3><a href='/game{n}'>Game {n}</a></h3><p>Played {n}</p></div>" for n in range(4))
    menu = "<nav><ul><li><a href='/sports'>Sports</a><ul><li><a href='/chess'>Chess</a></li></ul></li>"
    home = f"<title>one</title>{menu}<li><a href='/business'>Business</a></li></ul></nav>"

    found, asked = _run(
        OntologyOptions(), further={"http://one.example/": home, "http://one.example/chess": f"<p>Chess</p>{games}"}
    )

    sports = next(concept.concept for concept in found.taxonomy.concepts if concept.label == "Sports")
    assert "Chess" not in _labels(found)
    assert "http://one.example/chess" in asked
    assert {sports} == {row.concept for row in found.extracted.instances if row.name.startswith("Game")}


def test_a_single_record_is_told_by_the_listings_of_other_pages_of_the_site() -> None:
    """Business has one story, shown as the four of Sports are; what its page says is read as theirs are."""
    further = {}
    for site in ("one", "two"):
        base, frame = f"http://{site}.example", _menu("Sports", "Business", "Travel")
        story = f"<div><h3><a href='/story9'>{site} story 9</a></h3><p>By Writer 9</p></div>"
        further[f"{base}/business"] = f"{frame}<h2>Business</h2>{_menu('Shares', 'Banks', 'Rates')}{story}"
        body = f"<title>{site} story 9</title>{frame}<h1>{site} story 9</h1><p>Written by <b>Writer 9</b></p>"
        further[f"{base}/story9"] = body

    found, _ = _run(OntologyOptions(), further=further)

    concepts = {concept.concept: concept.label for concept in found.taxonomy.concepts}
    told = [one for one in found.extracted.instances if one.name == "one story 9"]
    assert {("listing", "Business"), ("detail", "Business")} == {(one.kind, concepts[one.concept or 0]) for one in told}


def test_what_most_pages_of_a_site_print_is_no_instance() -> None:
    frame = "".join(f"<div><h4><a href='/ad{n}'>Offer {n}</a></h4><p>Now at a price of {n}</p></div>" for n in range(5))
    pages = {
        f"http://one.example/{name}": f"<h2>{name}</h2>{frame}<p>{name}</p>"
        for name in ("sports", "business", "travel")
    }

    found, _ = _run(OntologyOptions(), further=pages)

    assert not [row for row in found.extracted.instances if row.name.startswith("Offer")]


def test_records_that_the_home_page_shows_too_are_no_frame() -> None:
    """Home pages show the latest stories; what most pages print is the frame."""
    further = {}
    for site in ("one", "two"):
        base, frame = f"http://{site}.example", _menu("Sports", "Business", "Travel")
        latest = "".join(f"<p><a href='/story{n}'>{site} story {n}</a></p>" for n in range(4))
        further[f"{base}/"] = f"<title>{site}</title>{frame}<h2>Latest</h2>{latest}"
        further[f"{base}/travel"] = f"{frame}<h2>Travel</h2><p>Nothing either</p>"

    found, _ = _run(OntologyOptions(), further=further)

    sports = next(concept.concept for concept in found.taxonomy.concepts if concept.label == "Sports")
    listed = {one.name for one in found.extracted.instances if one.kind == "listing" and one.concept == sports}
    assert {f"{site} story {n}" for site in ("one", "two") for n in range(4)} <= listed
    assert not {"Sports", "Business", "Travel"} & listed


def test_lists_of_one_kind_are_kept_whatever_their_length() -> None:
    terms = [
        "".join(f"<li><a href='/{term}{n}'>Course {term} number {n}</a> with Teacher {n}</li>" for n in range(count))
        for term, count in (("autumn", 20), ("spring", 3))
    ]
    page = f"<p>Sports</p><ul>{terms[0]}</ul><p>Spring</p><ul>{terms[1]}</ul>"

    found, _ = _run(OntologyOptions(), further={"http://one.example/sports": page})

    assert {f"Course spring number {n}" for n in range(3)} <= {row.name for row in found.extracted.instances}


def test_pages_of_a_menu_under_no_concept_list_instances_of_none() -> None:
    games = "".join(f"<div><h3><a href='/game{n}'>Game {n}</a></h3><p>Played {n}</p></div>" for n in range(4))
    menu = "<nav>" + _menu("Sports", "Business", "Travel", "Chess") + "</nav>"
    pages = {"http://one.example/": f"<title>one</title>{menu}", "http://one.example/chess": f"<p>Chess</p>{games}"}

    found, _ = _run(OntologyOptions(), further=pages)

    assert {None} == {row.concept for row in found.extracted.instances if row.name.startswith("Game")}
    assert 4 <= len([row for row in found.extracted.instances if row.name.startswith("Game")])


def test_home_pages_list_records_under_concepts_and_labels_in_menus() -> None:
    stories = "".join(f"<li><a href='/news{n}'>What became of plan {n}</a></li>" for n in range(5))
    labels = "".join(f"<li><a href='/part{n}'>Part {n}</a>{_menu(f'Piece {n}')}</li>" for n in range(5))
    home = f"<title>one</title>{_menu('Sports', 'Business', 'Travel')}"
    home += f"<h2>Sports</h2><ul>{stories}</ul><h2>Travel</h2><ul>{labels}</ul>"

    found, _ = _run(OntologyOptions(), further={"http://one.example/": home})

    name = {concept.concept: concept.label for concept in found.taxonomy.concepts}
    on_home = {
        (name.get(row.concept or 0), row.name)
        for row in found.extracted.instances
        if found.pages[row.page] == "http://one.example/"
    }
    assert {("Sports", f"What became of plan {n}") for n in range(5)} == on_home


def test_utilities_are_no_concepts_unless_sites_list_instances_of_them() -> None:
    foot = _menu("Privacy", "Imprint", "Classes")
    text = "".join(f"<p>Text {n} of some length that stands between menu and foot.</p>" for n in range(30))
    classes = "".join(f"<div><h3><a href='/class{n}'>Class {n}</a></h3><p>By Teacher {n}</p></div>" for n in range(4))
    pages, sites = {}, ("one", "two", "three", "four")
    for site in sites:
        nested = "<nav><ul><li><a href='/sports'>Sports</a>" + _menu("Tennis", "Chess") + "</li></ul></nav>"
        pages[f"http://{site}.example/"] = f"<title>{site}</title>{nested}{text}"
        if site in ("one", "two"):
            pages[f"http://{site}.example/"] += f"<footer>{foot}</footer>"
        pages[f"http://{site}.example/classes"] = f"<h2>Classes</h2>{classes}"

    with_classes, _ = _run(OntologyOptions(), sites, further=pages)
    without, _ = _run(OntologyOptions(instances=False), sites, further=pages)

    assert {"Sports", "Tennis", "Chess", "Classes"} == _labels(with_classes)
    assert {"Sports", "Tennis", "Chess"} == _labels(without)


def test_pages_that_cannot_be_had_are_not_of_the_budget() -> None:
    gone = {"http://one.example/sports": "", "http://two.example/sports": ""}

    _, asked = _run(OntologyOptions(concept_pages=1), further=gone)

    assert {"http://one.example/business", "http://two.example/business"} & set(asked)


def test_a_missing_home_page_is_named() -> None:
    expansion = Expansion(["http://gone.example/"])
    for want in expansion.wanted():
        expansion.observe(_Seen(want.url, None))
    while expansion.wanted():
        pass

    assert ("http://gone.example/",) == expansion.result().missing
    assert () == expansion.result().taxonomy.concepts


def test_budgets_end_the_search() -> None:
    _, asked = _run(OntologyOptions(concept_pages=1, detail_pages=2))

    assert len(asked) <= 2 + 1 + 2


def test_domains_are_groups_of_sites_with_labels_of_their_own_in_common() -> None:
    everywhere = {"home", "contact"}
    news = {"world", "sport", "business", "politics", "weather"}
    shops = {"men", "women", "shoes", "sale", "bags"}
    sites = {1: news | everywhere, 2: news | {"travel"} | everywhere, 3: shops | everywhere, 4: shops | everywhere}
    sites[5] = everywhere | {"me", "my cat", "my dog"}

    found = find_domains({site: frozenset(labels) for site, labels in sites.items()})

    assert [[1, 2], [3, 4]] == found


def test_headlines_of_one_site_do_not_set_it_apart_from_its_domain() -> None:
    news = {"world", "sport", "business", "politics", "weather"}
    shops = {"men", "women", "shoes", "sale", "bags"}
    headlines = {site: {f"headline {site} {n}" for n in range(200)} for site in (1, 2)}
    sites = {1: news | headlines[1], 2: news | headlines[2], 3: shops, 4: shops}

    found = find_domains({site: frozenset(labels) for site, labels in sites.items()})

    assert [[1, 2], [3, 4]] == found


def test_the_paper_finds_instances_by_aligning_pages_of_a_group() -> None:
    found, _ = _run(OntologyOptions(profile="paper"), is_plain=True)

    stories = {row.instance: row for row in found.extracted.instances if row.url and "story" in row.url}
    assert {"detail"} == {row.kind for row in stories.values()}
    values = {row.value for row in found.extracted.attributes if row.instance in stories}
    assert {"Writer 0", "Writer 3"} <= values
    assert not {"Sports", "Business", "Travel"} & values
