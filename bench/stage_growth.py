"""How a stage that sees the whole collection, or a domain of it, grows with the number of pages, in time and memory.

    python bench/stage_growth.py sites $SCRATCH/g1000 $SCRATCH/g3000 $SCRATCH/g10000 $SCRATCH/g30000 --rounds 1

The workspaces are mined from the sample web as far as the stage needs:
``sitestrata mine web.warc.gz -o WS --only sites``.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
from timing import Contender, arguments, growth, report

from sitestrata.run.engine import Step
from sitestrata.run.groups import laid_out_regions
from sitestrata.run.one_page import page_reader
from sitestrata.run.plan import PLAN, Stage, options_of
from sitestrata.run.storage import as_batches, schema_of
from sitestrata.run.workspace import Workspace, open_workspace

STAGES = {stage.name: stage for stage in PLAN if stage.scope == "region"}


def main() -> None:
    parser = arguments(__doc__, rounds=3)
    parser.add_argument("stage", choices=sorted(STAGES))
    parser.add_argument("workspace", type=Path, nargs="+")
    options = parser.parse_args()
    by_size = {open_workspace(folder).count("pages"): folder for folder in options.workspace}
    outcome = growth(
        options.stage,
        sorted(by_size),
        lambda size: Contender(
            options.stage,
            partial(run, STAGES[options.stage]),
            lambda: open_workspace(by_size[size]),
            answer=lambda made: sum(table.num_rows for table in made.values()),
        ),
        rounds=options.rounds,
    )
    links = open_workspace(by_size[max(by_size)]).count("links")
    note = f"{outcome.peak[-1] / links:.0f} bytes a link at the largest size ({links:,} links), peak above the start."
    report(f"The stage {options.stage} on the sample web, by pages", [outcome], notes=note, record=options.record)


def run(stage: Stage, workspace: Workspace) -> dict[str, Any]:
    if stage.reads_pages:
        return run_domains(stage, workspace)
    made = stage.run(workspace.reader(), options_of(stage, {}))
    return {table: pa.Table.from_batches(as_batches(rows), schema_of(table)) for table, rows in made.items()}


def run_domains(stage: Stage, workspace: Workspace) -> dict[str, Any]:
    """Run a stage that reads pages on one domain after the other, as the engine of one machine does."""
    reads = partial(stage.run, pages=page_reader(workspace))
    with TemporaryDirectory() as folder:
        alone = replace(stage, run=reads, join=None)
        step = Step(alone, options_of(stage, {}), workspace.reader(), Path(folder), lambda _: None)
        made: dict[str, list[pa.Table]] = {}
        for _, reader in laid_out_regions(step, Path(folder)):
            for table, rows in reads(reader, step.options).items():
                made.setdefault(table, []).append(rows)
    return {table: pa.concat_tables(some) for table, some in made.items()}


if __name__ == "__main__":
    main()
