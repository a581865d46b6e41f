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
def command(place: str, workspace: Path | None, base_url: str | None, profile: str, form: str | None) -> None:
    """Show the label hierarchy of one page.

    Blocks have a role (navigation, listing, record, article, footer, form); in them, labels stand over what they name.
    """
    from dataclasses import replace

    from sitestrata.partition.tree import TreeOptions, find_tree, tree_to_json, tree_to_xml
    from sitestrata.run.one_page import is_address, live_page, local_page, menu_nodes, shown_address, stored_page
    from sitestrata.run.workspace import open_workspace

    navigation: frozenset[int] = frozenset()
    if workspace is not None:
        opened = open_workspace(workspace)
        facts = stored_page(opened, place)
        navigation = menu_nodes(opened, facts)
    else:
        facts = live_page(place) if is_address(place) else local_page(place, base_url=base_url)
    nodes = [
        replace(node, url=shown_address(node.url))
        for node in find_tree(facts, options=TreeOptions(profile=profile), navigation=navigation)
    ]
    if form == "xml":
        click.echo(tree_to_xml(nodes, title=facts.title), nl=False)
    elif form == "json" or not sys.stdout.isatty():
        click.echo(json_text(tree_to_json(nodes, title=facts.title)))
    else:
        depth = [0] * len(nodes)
        for node in nodes:
            depth[node.ordinal] = 0 if node.parent < 0 else depth[node.parent] + 1
            text = node.label or f"[{node.role or node.kind}]"
            click.echo(f"{'  ' * depth[node.ordinal]}{visible(text, one_line=True)}")
