"""``sitestrata breadcrumbs``: the way from the entry page of its site down to each URL."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.output import emit, note, output_options

__all__ = ["command"]

COLUMNS = ("url", "site", "breadcrumb")


@make_command(example="sitestrata breadcrumbs ws < urls.txt")
@click.argument("workspace", type=click.Path(path_type=Path), metavar="WS")
@output_options
def command(workspace: Path, output: str | None) -> None:
    """Print breadcrumbs for URLs on standard input.

    One row a URL, in the order given; a URL that the workspace does not know has an empty breadcrumb.
    """
    from sitestrata.run.tree import breadcrumb_rows
    from sitestrata.run.workspace import open_workspace

    unknown = 0

    def counted() -> Iterator[dict[str, object]]:
        nonlocal unknown
        for row in breadcrumb_rows(open_workspace(workspace), _urls()):
            unknown += not row["breadcrumb"]
            yield row

    count = emit(counted(), COLUMNS, output=output)
    note(f"{count - unknown:,} breadcrumbs; {unknown:,} URLs are not known.")


def _urls() -> Iterator[str]:
    for line in sys.stdin.buffer:  # one bad byte in a list of addresses must not end the list
        url = line.decode("utf-8", "replace").strip()
        if url:
            yield url
