"""Relational stages on one machine: `sitestrata.model.Relations` by DuckDB, which takes the disk for what is large."""

from dataclasses import dataclass
from typing import Any

from sitestrata.run.engine import Made, Step
from sitestrata.run.jobs import written

__all__ = ["DuckRelations", "run_relational"]

BATCH_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class DuckRelations:
    """Answers queries over a DuckDB connection."""

    connection: Any

    def keep(self, name: str, sql: str) -> None:
        """Keep the rows in a temporary table."""
        self.connection.execute(f'CREATE OR REPLACE TEMP TABLE "{name}" AS {sql}')

    def number(self, sql: str) -> int:
        """Answer a query of one number."""
        return int(self.connection.execute(sql).fetchall()[0][0])


def run_relational(step: Step) -> Made:
    """Run a relational stage and write what its last queries answer."""
    with step.reader.connect() as connection:
        queries = step.stage.run(DuckRelations(connection), step.options)
        made: Made = {}
        for table, sql in queries.items():
            made |= written(step.folder, "all", {table: connection.sql(sql).to_arrow_reader(BATCH_ROWS)})
    return made
