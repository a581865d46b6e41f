"""``sitestrata partition``: the label hierarchy of one page."""

import sys
from pathlib import Path

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.escape import json_text, visible

__all__ = ["command"]


@make_command(example="sitestrata partition page.html --xml")
@click.argument("place", metavar="FILE|URL|-")
@click.option("--in", "workspace", type=click.Path(path_type=Path), help="Read the page of this URL from a workspace.")
@click.option("--base-url", help="Where a file was found: links are resolved against it.")
@click.option(
    "--profile",
    type=click.Choice(["default", "paper"]),
    default="default",
    help="paper: OntoMiner's own partitioner.",
)
@click.option("--xml", "form", flag_value="xml", help="XML, as the paper writes it.")
@click.option("--json", "form", flag_value="json", help="One JSON object. Default when the output is not a terminal.")
@click.option("--pairs", is_flag=True, help="List label-value pairs, each with what it is said of.")
def command(
    place: str, workspace: Path | None, base_url: str | None, profile: str, form: str | None, pairs: bool
) -> None:
    """Show the label hierarchy of one page.

    Blocks have a role (navigation, listing, record, article, footer, form, decoration); in them, labels stand over what
    they name.
    """
    from sitestrata.cli.output import emit
    from sitestrata.errors import UsageError
    from sitestrata.partition.tree import tree_to_json, tree_to_xml
    from sitestrata.run.page_tree import page_nodes, page_pairs
    from sitestrata.run.workspace import open_workspace

    opened = None if workspace is None else open_workspace(workspace)
    if pairs:
        if form == "xml" or profile == "paper":
            raise UsageError("--pairs prints a table or JSON, of the default profile; leave out --xml and --profile.")
        rows = page_pairs(place, workspace=opened, base_url=base_url)
        emit(rows, ("label", "value", "subject", "sections"), output=form)
        return
    nodes, title = page_nodes(place, workspace=opened, base_url=base_url, profile=profile)
    if form == "xml":
        click.echo(tree_to_xml(nodes, title=title), nl=False)
    elif form == "json" or not sys.stdout.isatty():
        click.echo(json_text(tree_to_json(nodes, title=title)))
    else:
        depth = [0] * len(nodes)
        for node in nodes:
            depth[node.ordinal] = 0 if node.parent < 0 else depth[node.parent] + 1
            text = node.label or f"[{node.role or node.kind}]"
            click.echo(f"{'  ' * depth[node.ordinal]}{visible(text, one_line=True)}")
