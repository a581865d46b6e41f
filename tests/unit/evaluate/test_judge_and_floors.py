"""Judged pairs survive interruptions, and floors catch what fell."""

from itertools import islice
from pathlib import Path

import pytest

from sitestrata.errors import UsageError
from sitestrata.evaluate.facts import PairFact
from sitestrata.evaluate.floors import broken_floors, parse_floor
from sitestrata.evaluate.judge import draw_pairs, open_pairs, read_judged, write_judged
from sitestrata.evaluate.outcome import Score

URLS = [f"http://h.example/{i}" for i in range(6)]


def test_pairs_are_distinct_and_depend_on_the_seed_alone() -> None:
    pairs = list(draw_pairs(URLS, seed=4))

    assert 15 == len(pairs) == len({frozenset(pair) for pair in pairs})
    assert pairs == list(draw_pairs(URLS[::-1], seed=4))
    assert pairs != list(draw_pairs(URLS, seed=5))


def test_judging_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    path = tmp_path / "judged.jsonl"
    first = list(islice(draw_pairs(URLS, seed=0), 3))
    write_judged(path, PairFact(*first[0], same=True))
    write_judged(path, PairFact(*first[1], same=None))
    with path.open("a") as file:
        file.write('{"first": "http')  # the machine went down here
    write_judged(path, PairFact(*first[2], same=False))

    judged = read_judged(path)

    assert [True, None, False] == [pair.same for pair in judged]
    assert list(islice(draw_pairs(URLS, seed=0), 3, 5)) == open_pairs(URLS, 5, judged, seed=0)


SCORES = [
    Score("sites", "result", "adjusted_rand", 0.9, 10, is_headline=True),
    Score("sites", "host", "adjusted_rand", 0.99, 10, is_headline=True),
    Score("confidence", "result", "expected_error", 0.2, 10, is_headline=True),
]


def test_a_floor_holds_the_result_and_not_a_baseline() -> None:
    broken = broken_floors(SCORES, {"sites.adjusted_rand": 0.95})

    assert ["sites.adjusted_rand is 0.9000, below the floor of 0.9500"] == [str(one) for one in broken]
    assert [] == broken_floors(SCORES, {"sites": 0.9})


def test_an_error_may_not_rise_above_its_floor() -> None:
    assert 1 == len(broken_floors(SCORES, {"confidence": 0.1}))
    assert 0 == len(broken_floors(SCORES, {"confidence": 0.3}))


def test_a_floor_under_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="no score menus"):
        broken_floors(SCORES, {"menus": 0.9})


@pytest.mark.parametrize("text", ["sites", "sites=high"])
def test_a_floor_needs_a_number(text: str) -> None:
    with pytest.raises(UsageError, match="write for example"):
        parse_floor(text)
