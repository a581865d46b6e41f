"""``sitestrata cluster``: MCL clusters of the link graph."""

from pathlib import Path

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.output import emit, note, output_options

__all__ = ["command"]


@make_command(example="sitestrata cluster ws --inflation 1.4")
@click.argument("workspace", type=click.Path(path_type=Path))
@click.option("--inflation", type=float, help="Above 1; the larger, the finer.  [default: 1.2]")
@click.option("--profile", type=click.Choice(["default", "paper"]), default="default", help="paper: unweighted links.")
@click.option("--merge/--no-merge", default=None, help="Join closely related clusters.  [default: merge; paper: not]")
@click.option("--extend", type=click.IntRange(1), help="Extend so many random clusters by flow (with --profile paper).")
@click.option("--seed", type=int, default=0, help="Which random clusters.  [default: 0]")
@click.option("--max-pages", type=click.IntRange(1), help="With --extend: look at no more pages a cluster than this.")
@click.option("--no-url-evidence", is_flag=True, help="Weigh links without looking at addresses.")
@output_options
def command(
    workspace: Path,
    inflation: float | None,
    profile: str,
    merge: bool | None,
    extend: int | None,
    seed: int,
    max_pages: int | None,
    no_url_evidence: bool,
    output: str | None,
) -> None:
    """Cluster the link graph by MCL.

    One row a cluster, largest first.
    """
    from sitestrata.errors import UsageError
    from sitestrata.run.cluster import cluster_rows, extended_rows
    from sitestrata.run.workspace import open_workspace

    if extend is not None:
        if profile != "paper":
            raise UsageError("--extend repeats the paper's second experiment; say --profile paper with it.")
        rows = extended_rows(
            open_workspace(workspace), count=extend, inflation=inflation, seed=seed, max_pages=max_pages
        )
        emit(rows, ["cluster", "size", "extended", "label"], output=output)
        return
    rows = cluster_rows(
        open_workspace(workspace),
        inflation=inflation,
        is_paper=profile == "paper",
        is_merged=(profile != "paper") if merge is None else merge,
        use_urls=not no_url_evidence,
    )
    count = emit(rows, ["cluster", "size", "label"], output=output)
    note(f"{sum(row['size'] for row in rows):,} pages: {count:,} clusters")
