"""Redirects followed by doubling end where following them one by one does."""

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from sitestrata.identity.captured import FILE, MISSING, PAGE, REDIRECT, SILENT, Captured
from sitestrata.identity.content import follow

OUTSIDE = 1000
KINDS = [PAGE, FILE, MISSING, SILENT, REDIRECT, REDIRECT, REDIRECT]


def one_by_one(kinds: list[int], targets: list[int], row: int) -> tuple[int, int]:
    """Return (row of the last answer, row of the last redirect), -1 where there is none."""
    seen: list[int] = []
    here = row
    while kinds[here] == REDIRECT:
        if here in seen:
            return -1, -1
        seen.append(here)
        if targets[here] >= len(kinds):
            return -1, here
        here = targets[here]
    return (-1 if kinds[here] == SILENT else here), (seen[-1] if seen else row)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 14)), min_size=1, max_size=14))
def test_doubling_agrees_with_following_one_by_one(rows: list[tuple[int, int]]) -> None:
    kinds = [kind for kind, _ in rows]
    targets = [target if target < len(rows) else OUTSIDE for _, target in rows]
    count = len(rows)
    empty = np.zeros(count, dtype=np.int64)
    captured = Captured(
        ids=np.arange(count),
        urls=pa.chunked_array([], pa.string()),
        kind=np.array(kinds, dtype=np.int8),
        target=np.array(targets),
        digest=empty,
        place=empty,
        names=empty,
        counts=empty,
        links_digest=empty,
        redirects=empty,
        locations=pa.table({}),
        canonical=pa.table({}),
    )

    final, last = follow(captured)

    assert [one_by_one(kinds, targets, row) for row in range(count)] == list(
        zip(final.tolist(), last.tolist(), strict=True)
    )
