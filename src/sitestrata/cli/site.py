"""``sitestrata site``: the logical website around seed pages."""

from pathlib import Path
from typing import Any

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.escape import json_text
from sitestrata.cli.output import emit, note
from sitestrata.errors import UsageError

__all__ = ["command"]


@make_command(example="sitestrata site https://example.org/manual/ --in ws")
@click.argument("seeds", nargs=-1, required=True, metavar="SEED...")
@click.option("--in", "workspace", type=click.Path(path_type=Path), help="The workspace that holds the pages.")
@click.option("--no-url-evidence", is_flag=True, help="Decide without looking at addresses.")
@click.option("--profile", type=click.Choice(["default", "paper"]), default="default", help="paper: MCL, then flow.")
@click.option("--keyword", help="With --profile paper: take the cluster with most addresses that contain this word.")
@click.option("--max-pages", type=click.IntRange(min=1), help="With --profile paper: look at no more pages than this.")
@click.option("--json", "form", flag_value="json", help="The same as --form json.")
@click.option(
    "--form",
    type=click.Choice(["json", "pages", "surt", "browsertrix"]),
    help="json (default in a pipe), the pages one URL a line, Heritrix SURT prefixes, or a Browsertrix scope.",
)
def command(
    seeds: tuple[str, ...],
    workspace: Path | None,
    no_url_evidence: bool,
    profile: str,
    keyword: str | None,
    max_pages: int | None,
    form: str | None,
) -> None:
    """Find the logical website around seed pages by flow.

    On a terminal the three most plausible scales are listed, the chosen one first; the pages come with --form pages.
    """
    from sitestrata.run.site import paper_record, site_record
    from sitestrata.run.workspace import open_workspace

    if workspace is None:
        raise UsageError("Say where the pages are: --in WS")
    if profile == "paper":
        record = paper_record(open_workspace(workspace), seeds, keyword=keyword, max_pages=max_pages)
    else:
        record = site_record(open_workspace(workspace), seeds, use_urls=not no_url_evidence)
    if len(record["seed_groups"]) > 1:
        groups = "; ".join(", ".join(group) for group in record["seed_groups"])
        note(f"These seeds look like pages of {len(record['seed_groups'])} different sites: {groups}")
    _print(record, form)
    chosen = record["chosen"]
    note(f"{chosen['size']:,} pages: {chosen['label']}; {len(record['chain'])} scales in the chain")


def _print(record: dict[str, Any], form: str | None) -> None:
    import sys

    if form == "pages":
        for url in record["chosen"]["pages"]:
            click.echo(url)
    elif form in ("surt", "browsertrix"):
        if "scope" not in record:
            raise UsageError(f"--form {form} is made of addresses; leave out --no-url-evidence")
        scope = record["scope"]
        click.echo("\n".join(scope["surts"]) if form == "surt" else scope["browsertrix"].rstrip("\n"))
        note(f"Prefixes alone miss {scope['missed_by_prefixes']:,} pages and add {scope['added_by_prefixes']:,}.")
    elif form == "json" or not sys.stdout.isatty():
        click.echo(json_text(record))
    else:
        emit(record["alternatives"], ["size", "scale", "conductance", "label", "differs"], output="table")
