"""Which labels mean the same, and what speaks against it."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from sitestrata.taxonomy.joints import joint_labels
from sitestrata.taxonomy.lexicon import build_lexicon, link_words
from sitestrata.taxonomy.merge import merge_labels
from sitestrata.taxonomy.synonyms import find_synonyms, near_labels, synonyms_of_file
from sitestrata.taxonomy.trees import SiteTree
from sitestrata.taxonomy.wordnet import WordNet, find_wordnet
from support.label_trees import tree


def _evidence(*trees: SiteTree, **options: object) -> dict[tuple[str, str], str]:
    found = find_synonyms(build_lexicon(trees), **options)  # type: ignore[arg-type]
    return {(pair.first, pair.second): pair.evidence for pair in found}


def _concepts(*trees: SiteTree, least: float = 0.5) -> list[set[str]]:
    lexicon = build_lexicon(trees)
    groups = merge_labels(
        lexicon,
        find_synonyms(lexicon),
        near=near_labels(lexicon),
        joint=joint_labels(lexicon, lexicon.uses, near=near_labels(lexicon)),
        least=least,
    )
    return [set(group.labels) for group in groups]


def test_equal_stems_are_synonyms() -> None:
    assert "stem" == _evidence(tree("Sport", site=1), tree("Sports", site=2))["sport", "sports"]


def test_accents_do_not_count() -> None:
    assert "words" == _evidence(tree("México", site=1), tree("Mexico", site=2))["mexico", "méxico"]
    assert {} == _evidence(tree("かき", site=1, language="ja"), tree("がぎ", site=2, language="ja"))


def test_a_word_that_joins_is_written_as_a_sign_elsewhere() -> None:
    """Even where most sites set it in capitals, so that typography does not tell it."""
    found = _evidence(tree("Terms And Conditions", "Shoes And Bags", site=1), tree("Terms & Conditions", site=2))

    assert "stem" == found["terms & conditions", "terms and conditions"]


def test_the_name_of_the_site_does_not_count() -> None:
    found = _evidence(tree("Wiki", site=1), tree("Acme Wiki", site=2, host="acme.example"))

    assert "words" == found["acme wiki", "wiki"]


def test_spaces_and_hyphens_do_not_count() -> None:
    found = _evidence(tree("Smart Phones", "E-Mail", site=1), tree("Smartphones", "Email", site=2))

    assert "words" == found["smart phones", "smartphones"] == found["e-mail", "email"]


def test_an_abbreviation_is_a_synonym_unless_it_is_part_of_a_compound() -> None:
    trees = [tree("Docs", "News", site=1), tree("Documentation", "Newsletters", "Letters", site=2)]
    trees += [tree("Documentation", "Newsletters", site=3)]

    found = _evidence(*trees)

    assert "short" == found["docs", "documentation"]
    assert ("news", "newsletters") not in found


def test_many_sites_choose_between_two_names_of_one_thing() -> None:
    """Eight sites offer Grants or Funding between the same neighbours, never both; Labs and Fees stand together."""
    trees = [tree(["Grants" if n % 2 else "Funding", "Labs", "Fees", "Dates"], site=n) for n in range(8)]

    found = _evidence(*trees)

    assert "choice" == found["funding", "grants"]
    assert not {("fees", "labs"), ("grants", "labs")} & set(found)
    assert ("funding", "grants") not in _evidence(*trees[:6])  # may be chance


def test_forms_of_one_word_are_synonyms() -> None:
    found = _evidence(tree("Issue Tracker", "New", site=1), tree("Issue Tracking", "News", site=2))

    assert "form" == found["issue tracker", "issue tracking"]
    assert ("new", "news") not in found or "form" != found["new", "news"]


def test_a_longer_label_of_one_site_is_known_by_its_head() -> None:
    trees = [tree("Technical Reports", "Technical Staff", "Annual Reports", site=n) for n in (1, 2)]
    trees += [tree("Departmental Technical Reports", site=3)]

    assert "part" == _evidence(*trees)["departmental technical reports", "technical reports"]


def test_a_word_that_every_site_prints_once_names_a_concept() -> None:
    trees = [tree("Alumni Links", site=1), tree("Alumni Relations", site=2), tree("Alumni Office", site=3)]

    assert "word" == _evidence(*trees)["alumni links", "alumni relations"]
    assert ("alumni links", "alumni relations") not in _evidence(*trees[:2])  # two agree by chance


def test_a_longer_label_is_no_synonym_where_its_site_prints_the_shorter_too() -> None:
    trees = [tree("Boots", site=1), tree("Boots", ("Sport", "Snow Boots"), site=2), tree("Walking Boots", site=3)]

    found = _evidence(*trees)

    assert ("boots", "snow boots") not in found
    assert "part" == found["boots", "walking boots"]


def test_evidence_that_may_be_wrong_does_not_chain() -> None:
    """*Relations* is a word of the rim of *Alumni*; what shares it is another thing."""
    alumni = [tree("Alumni", site=1), tree("Alumni", site=2), tree("Alumni Relations", site=3)]
    relations = [tree("Public Relations", site=4), tree("Relations", site=5)]

    assert {"alumni", "alumni relations"} in _concepts(*alumni, *relations)


def test_labels_that_a_site_sets_side_by_side_are_no_synonyms() -> None:
    trees = [tree(["Alumni Links", "Alumni Relations"], site=1), tree("Alumni Relations", site=2)]

    assert ("alumni links", "alumni relations") not in _evidence(*trees)


def test_a_veto_holds_for_the_whole_concept() -> None:
    """Reports joins one of two labels that a third site holds apart, not both."""
    trees = [
        tree(["Technical Reports", "Annual Reports"], site=1),
        tree("Technical Reports", site=2),
        tree("Annual Reports", site=3),
        tree("Reports", site=4),
    ]

    assert all(not {"technical reports", "annual reports"} <= group for group in _concepts(*trees))


def test_a_joint_label_belongs_to_both_concepts_and_joins_neither() -> None:
    trees = [tree(["Science", "Environment"], site=n) for n in (1, 2)] + [tree("Science & Environment", site=3)]

    groups = _concepts(*trees)

    assert {"science", "science & environment"} in groups
    assert {"environment", "science & environment"} in groups


def test_a_thing_that_one_site_names_alone_and_another_with_others_is_one_of_two_sites() -> None:
    groups = _concepts(tree("Environment", "Arts", site=1), tree("Science & Environment", site=2))

    assert {"environment", "science & environment"} in groups


def test_what_stands_where_a_sign_joins_elsewhere_joins_too() -> None:
    trees = [tree("Coats & Jackets", site=1), tree("coats and jackets", site=2), tree("Coats", "Jackets", site=3)]

    groups = _concepts(*trees)

    assert {"coats", "coats & jackets", "coats and jackets"} in groups
    assert {"jackets", "coats & jackets", "coats and jackets"} in groups


def test_words_that_tie_are_told_by_their_small_letters() -> None:
    forms = ["Calendar of Events", "House of Lords", "Map of Rome", "Museos y Arte", "News", "of note it says a lot"]

    assert {"of"} == link_words(forms)


def test_a_page_that_calls_itself_otherwise_gives_a_synonym() -> None:
    trees = [tree("Help Desk", site=1), tree("Assistance", site=2), tree("Assistance", site=3)]

    found = _evidence(*trees, page_names={"http://site1.example/help-desk": ["Assistance"]})

    assert "page" == found["assistance", "help desk"]


def test_labels_by_which_owners_link_to_one_page_are_synonyms_unless_it_is_the_root_of_a_host() -> None:
    def linking(label: str, url: str, site: int) -> SiteTree:
        found = tree(label, site=site)
        return replace(found, nodes=tuple(replace(node, url=url) if node.label else node for node in found.nodes))

    page, root = "http://fund.example/giving", "http://fund.example/"

    assert "shared" == _evidence(linking("Donate", page, 1), linking("Sponsors", page, 2))["donate", "sponsors"]
    assert {} == _evidence(linking("Donate", root, 1), linking("Sponsors", root, 2))
    assert "target" == _evidence(linking("Donate", page, 1), linking("Sponsors", page, 1))["donate", "sponsors"]


def test_a_file_gives_pairs_of_each_line() -> None:
    lines = ["World; International\tGlobal  # news", "", "# comment only", "Alone"]

    assert [("global", "international"), ("global", "world"), ("international", "world")] == [
        (pair.first, pair.second) for pair in synonyms_of_file(lines)
    ]


def _wordnet(folder: Path) -> WordNet:
    offsets = {"car": 1740, "film": 2100}
    lines = ["  1 licence"]
    for word, synset in [("auto", "car"), ("automobile", "car"), ("car", "car"), ("film", "film"), ("movie", "film")]:
        lines.append(f"{word} n 1 0 1 0 {offsets[synset]:08d}  ")
    (folder / "index.noun").write_text("\n".join(lines) + "\n")
    found = find_wordnet(str(folder))
    assert found is not None
    return found


def test_wordnet_files_are_read_as_wndb_says(tmp_path: Path) -> None:
    wordnet = _wordnet(tmp_path)

    assert (1740,) == wordnet.senses("autos") == wordnet.senses("automobile")
    assert (2100,) == wordnet.senses("film")
    assert () == wordnet.senses("nonsense")


def test_wordnet_gives_synonyms(tmp_path: Path) -> None:
    found = _evidence(tree("Movies", site=1), tree("Film", site=2), wordnet=_wordnet(tmp_path))

    assert "wordnet" == found["film", "movies"]


def test_phrases_that_differ_by_a_synonym_are_synonyms(tmp_path: Path) -> None:
    trees = tree("Movies & Music", "Car Rental", site=1), tree("Film & Music", "Car Repairs", "Rental Auto", site=2)
    found = _evidence(*trees, wordnet=_wordnet(tmp_path))

    assert {("film & music", "movies & music"): "wordnet"} == found


def test_a_rare_sense_counts_under_one_parent_only(tmp_path: Path) -> None:
    lines = [
        "  1 licence",
        "sound n 3 0 3 0 00000011 00000012 00000013  ",
        "audio n 3 0 3 0 00000021 00000022 00000013  ",
    ]
    (tmp_path / "index.noun").write_text("\n".join(lines) + "\n")
    wordnet = find_wordnet(str(tmp_path))

    apart = _evidence(tree("Sound", site=1), tree("Audio", site=2), wordnet=wordnet)
    under = _evidence(tree(("Shop", "Sound"), site=1), tree(("Shops", "Audio"), site=2), wordnet=wordnet)

    assert ("audio", "sound") not in apart
    assert "wordnet" == under["audio", "sound"]


class _Likeness:
    """Stands for a sentence model: labels that begin with given words are alike, long ones less so."""

    languages = frozenset({"en"})

    def __init__(self, *alike: str) -> None:
        self._alike = alike

    def encode(self, texts: list[str]) -> np.ndarray:
        angles = [0.01 * len(text) if text.split()[0] in self._alike else 2.0 + n for n, text in enumerate(texts)]
        return np.array([[np.cos(angle), np.sin(angle)] for angle in angles], np.float32)


def test_a_sentence_model_gives_synonyms() -> None:
    found = _evidence(tree("Trousers", site=1), tree("Pants", site=2), encoder=_Likeness("trousers", "pants"))

    assert {("pants", "trousers"): "meaning"} == found


def test_of_the_labels_of_a_site_only_the_most_alike_means_the_same() -> None:
    shop = tree("Trousers", "Slacks of ours", site=1)

    found = _evidence(shop, tree("Pants", site=2), encoder=_Likeness("trousers", "pants", "slacks"))

    assert {("pants", "trousers"): "meaning"} == found


def test_labels_that_one_site_prints_both_do_not_mean_the_same() -> None:
    trees = tree("Shorts", "Trousers", site=1), tree("Shorts", site=2), tree("Trousers", site=3)

    assert {} == _evidence(*trees, encoder=_Likeness("trousers", "shorts"))


def test_a_sentence_model_is_not_asked_about_other_languages_nor_long_labels() -> None:
    model = _Likeness("trousers", "pants")

    assert {} == _evidence(
        *(tree(x, site=n, language="de") for n, x in enumerate(("Pants", "Trousers"))), encoder=model
    )
    assert {} == _evidence(tree("Trousers to wear this year", site=1), tree("Pants", site=2), encoder=model)


def test_heads_over_the_same_labels_are_synonyms_if_nobody_prints_both() -> None:
    world = ("World", ["Asia", "Europe", "Africa"])
    international = ("International", ["Asia", "Europe"])

    assert "below" == _evidence(tree(world, site=1), tree(international, site=2))["international", "world"]
    both = _evidence(tree(world, site=1), tree(international, site=2), tree("World", "International", site=3))
    assert ("international", "world") not in both


def test_what_stands_under_two_heads_of_one_site_tells_neither() -> None:
    """Men and Women are over the same; Clothes on another site is neither of them."""
    shop = tree(("Men", ["Shirts", "Shoes"]), ("Women", ["Shirts", "Shoes"]), site=1)

    found = _evidence(shop, tree(("Clothes", ["Shirts", "Shoes"]), site=2))

    assert not [pair for pair, evidence in found.items() if evidence == "below"]


def test_no_wordnet_where_there_are_no_files(tmp_path: Path) -> None:
    assert find_wordnet(str(tmp_path / "nothing")) is None


def test_hostile_labels_do_no_harm() -> None:
    labels = ["(" * 50, "& & &", "a" * 119, "\u202eevil\u2066", "[x](y) \\1 (?P<n>", "&", "x & ", " / "]
    trees = [tree(labels, site=n) for n in (1, 2)]

    assert _concepts(*trees)
