"""Floors rise by themselves and fall only when told to."""

from typing import Any

from floors import Measured, faults_of, update


def web(**floors: float) -> dict[str, Any]:
    return {"digest": "d", "floors": {name.replace("__", "."): floor for name, floor in floors.items()}}


def test_a_score_below_its_floor_is_a_fault() -> None:
    (fault,) = faults_of("w", web(sites__adjusted_rand=0.9), Measured("d", {"sites.adjusted_rand": 0.89}))

    assert "worse than its floor" in fault


def test_an_error_above_its_floor_is_a_fault() -> None:
    floors = web(confidence__expected_error=0.1)

    assert [] == faults_of("w", floors, Measured("d", {"confidence.expected_error": 0.05}))
    assert 1 == len(faults_of("w", floors, Measured("d", {"confidence.expected_error": 0.2})))


def test_a_figure_that_is_gone_and_one_without_floor_are_faults() -> None:
    faults = faults_of("w", web(sites__adjusted_rand=0.9), Measured("d", {"menus.f1_by_target": 0.5}))

    assert ["not answered any more", "no floor yet"] == [
        next(words for words in ("not answered any more", "no floor yet") if words in fault) for fault in faults
    ]


def test_other_data_cannot_be_compared() -> None:
    (fault,) = faults_of("w", web(), Measured("other", {}))

    assert "another one" in fault


def test_an_update_raises_floors_and_adds_new_ones() -> None:
    one = web(sites__adjusted_rand=0.8)

    faults = update("w", one, Measured("d", {"sites.adjusted_rand": 0.9, "coverage.pages": 1.0}), allow_lower=False)

    assert [] == faults
    assert {"sites.adjusted_rand": 0.895, "coverage.pages": 1.0} == one["floors"]


def test_an_update_does_not_lower_a_floor_within_its_margin() -> None:
    one = web(sites__adjusted_rand=0.9)

    assert [] == update("w", one, Measured("d", {"sites.adjusted_rand": 0.901}), allow_lower=False)
    assert {"sites.adjusted_rand": 0.9} == one["floors"]


def test_lowering_needs_the_flag() -> None:
    one = web(sites__adjusted_rand=0.9)
    measured = Measured("d", {"sites.adjusted_rand": 0.5})

    assert update("w", one, measured, allow_lower=False)
    assert {"sites.adjusted_rand": 0.9} == one["floors"]
    assert [] == update("w", one, measured, allow_lower=True)
    assert {"sites.adjusted_rand": 0.495} == one["floors"]
