"""``sitestrata menus``: the menus of a workspace."""

from pathlib import Path

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.output import emit, output_options

__all__ = ["command"]

COLUMNS = ("menu", "site", "role", "pages", "items", "signature", "kind", "confidence", "reason")


@make_command(example="sitestrata menus ws --site https://example.org/ --role main")
@click.argument("workspace", type=click.Path(path_type=Path), metavar="WS")
@click.option("--site", metavar="URL", help="Only menus of the site that this page belongs to.")
@click.option("--role", metavar="ROLE", help="Only menus of this role: main, local, footer, ...")
@output_options
def command(workspace: Path, site: str | None, role: str | None, output: str | None) -> None:
    """List the menus."""
    from sitestrata.run.menu_listing import list_menus
    from sitestrata.run.workspace import open_workspace

    emit(list_menus(open_workspace(workspace), site=site, role=role), COLUMNS, output=output)
