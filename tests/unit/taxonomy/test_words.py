"""Labels are compared by what they say, in any script."""

import pytest

from sitestrata.taxonomy.words import common_language, fold, readable, stem_set, stems, words


def test_case_width_spacing_and_outer_punctuation_do_not_count() -> None:
    assert fold("Ｓports  News »") == fold("[sports news]") == "sports news"


def test_invisible_and_control_characters_are_gone() -> None:
    assert "ab c" == readable("a\u202eb\x00c\u2066".replace("\x00", " "))
    assert "" == readable("\u200b\u202e\x00")


def test_stems_follow_the_language_of_the_page() -> None:
    assert ("sport",) == stems("Sports", "en-GB")
    assert stems("Nachrichten", "de") == stems("Nachricht", "de")
    assert ("sports",) == stems("Sports", None)
    assert ("sports",) == stems("Sports", "xx")


@pytest.mark.parametrize("label", ["製品情報", "スポーツ", "新闻", "ข่าวกีฬา"])
def test_scripts_without_spaces_are_split_into_overlapping_pairs(label: str) -> None:
    found = words(label)

    assert len(label) - 1 == len(found)
    assert label == found[0] + "".join(pair[1] for pair in found[1:])


def test_mixed_scripts_keep_their_words() -> None:
    assert ("web", "開発", "guide") == words("Web開発 Guide")


def test_an_apostrophe_belongs_to_the_longer_part() -> None:
    assert stem_set("Women's", "en") == stem_set("women", "en")
    assert ("actualité",) == words("l'actualité")


def test_the_language_of_most_pages_is_the_common_one() -> None:
    assert "de" == common_language(["en", "de-AT", None, "de"])
    assert common_language([None]) is None
