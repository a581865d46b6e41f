"""Scores on webs that nobody looked at while developing keep their floors."""

import json

import pytest
from floors import FLOORS, faults_of, measure

WEBS = json.loads(FLOORS.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(WEBS))
def test_scores_keep_their_floors(name: str) -> None:
    """Lowering a floor needs `python bench/floors.py --update --allow-lower`, and a reason in the commit."""
    assert [] == faults_of(name, WEBS[name], measure(WEBS[name]))
