"""Found tables against gold tables: which are data, how they are oriented, which cells are headers.

Only tables that gold judges count. A gold data table that the answer does not list at all was missed.

Paper: OntoMiner 7.3, 7.4
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sitestrata.evaluate.facts import TableFact
from sitestrata.evaluate.precision_recall import PrecisionRecall

__all__ = ["TableScores", "always_column", "everything_is_data", "score_tables"]

Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class TableScores:
    """Detection, orientation and header cells over all judged tables."""

    detection: PrecisionRecall
    orientation_judged: int  # gold data tables with an orientation
    orientation_right: int  # of these, called data and oriented as gold says
    orientation_of_found: float  # accuracy among those that were called data
    confusion: dict[tuple[str, str], int]  # (gold orientation, found orientation)
    header_cells: PrecisionRecall  # of gold data tables with judged headers
    unlisted: int  # judged tables that the answer does not mention

    @property
    def orientation_accuracy(self) -> float:
        """Share of gold data tables that were found and oriented as gold says."""
        return self.orientation_right / self.orientation_judged if self.orientation_judged else 1.0


def score_tables(found: Mapping[Key, TableFact], gold: Mapping[Key, TableFact]) -> TableScores:
    """Compare tables by page and place; keys are (address of the page, index of the table)."""
    called = {key for key in gold if key in found and found[key].is_data}
    true = {key for key, table in gold.items() if table.is_data}
    oriented = [key for key in sorted(true) if gold[key].orientations]
    confusion: Counter[tuple[str, str]] = Counter()
    right = answered = 0
    for key in oriented:
        said = _orientation(found[key]) if key in called else "not found"
        is_right = said in gold[key].orientations
        confusion[(gold[key].orientations[0], gold[key].orientations[0] if is_right else said)] += 1
        right += is_right
        answered += key in called
    cells = PrecisionRecall(0, 0, 0)
    for key in sorted(true):
        wanted = gold[key].header_cells
        if wanted is None:
            continue
        got = set(found[key].header_cells or ()) if key in called else set()
        cells += PrecisionRecall(len(got & set(wanted)), len(got), len(set(wanted)))
    return TableScores(
        detection=PrecisionRecall(len(called & true), len(called), len(true)),
        orientation_judged=len(oriented),
        orientation_right=right,
        orientation_of_found=right / answered if answered else 0.0,
        confusion=dict(sorted(confusion.items())),
        header_cells=cells,
        unlisted=sum(key not in found for key in gold),
    )


def everything_is_data(gold: Mapping[Key, TableFact]) -> dict[Key, TableFact]:
    """Answer that every table is data with headers on top: the baseline for detection and orientation alike."""
    return {key: always_column(table) for key, table in gold.items()}


def always_column(table: TableFact) -> TableFact:
    """Answer that a table has its headers on top; without a look, no header cell is named."""
    return TableFact(table.url, table.index, is_data=True, orientations=("column",), header_cells=())


def _orientation(table: TableFact) -> str:
    return table.orientations[0] if table.orientations else "none"


def by_key(tables: Sequence[TableFact]) -> dict[Key, TableFact]:
    """Index tables by page and place."""
    return {(table.url, table.index): table for table in tables}
