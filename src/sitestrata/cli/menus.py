"""``sitestrata menus``: the menus of a workspace, or of one page."""

from pathlib import Path

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.output import emit, output_options
from sitestrata.errors import UsageError

__all__ = ["command"]

COLUMNS = ("menu", "site", "role", "pages", "items", "signature", "kind", "confidence", "reason")


@make_command(example="sitestrata menus ws --site https://example.org/ --role main")
@click.argument("place", metavar="WS|FILE|URL|-")
@click.option("--site", metavar="URL", help="Only menus of the site that this page belongs to.")
@click.option("--role", metavar="ROLE", help="Only menus of this role: main, local, footer, ...")
@click.option("--base-url", help="Where a file was found: links are resolved against it.")
@output_options
def command(place: str, site: str | None, role: str | None, base_url: str | None, output: str | None) -> None:
    """List the menus of a workspace, or the lists of menu links of one page.

    One page alone is judged by its structure, without the repetition that tells menus and their roles in a workspace.
    """
    from sitestrata.menus.roles import ROLES
    from sitestrata.run.menu_listing import list_menus, list_page_menus
    from sitestrata.run.one_page import is_address, live_page, local_page
    from sitestrata.run.workspace import open_workspace

    if is_address(place) or place == "-" or Path(place).is_file():
        if site or role:
            raise click.UsageError("--site and --role choose among the menus of a workspace, not of one page.")
        facts = live_page(place) if is_address(place) else local_page(place, base_url=base_url)
        emit(list_page_menus(facts), COLUMNS, output=output)
    else:
        if role is not None and role not in ROLES:
            raise UsageError(f"--role {role}: there is no such role; there are: {', '.join(ROLES)}")
        emit(list_menus(open_workspace(Path(place)), site=site, role=role), COLUMNS, output=output)
