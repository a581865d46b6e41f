"""``sitestrata mine``: the main job."""

import click

from sitestrata.cli.command import command as make_command

__all__ = ["command"]


@make_command(example="sitestrata mine crawl.warc.gz -o ws")
@click.argument("sources", nargs=-1)
@click.option("-o", "--out", required=True, help="The workspace: a new folder, or an earlier workspace.")
@click.option("--workers", type=int, help="Processes. Default: all cores.")
def command(sources: tuple[str, ...], out: str, workers: int | None) -> None:
    """Read the sources, run the whole plan and write a workspace."""
    from sitestrata.run.mine import mine

    workspace = mine(sources, out, workers=workers, progress=lambda p: click.echo(str(p), err=True))
    click.echo(str({table: workspace.count(table) for table in workspace.tables}))
