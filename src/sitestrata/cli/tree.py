"""``sitestrata tree``: the hierarchy of one site."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.escape import json_text, visible
from sitestrata.cli.output import emit, note

__all__ = ["command"]

COLUMNS = ("depth", "position", "label", "url", "parent", "evidence", "votes", "document", "subsite")
TERMINAL_CHILDREN = 12  # of one page on a terminal; a pipe gets all


@make_command(example="sitestrata tree ws https://example.org/ --depth 2")
@click.argument("workspace", type=click.Path(path_type=Path), metavar="WS")
@click.argument("site")
@click.option("--depth", type=click.IntRange(min=0), help="How many levels below the entry page to show.")
@click.option("--csv", "output", flag_value="csv", help="Comma-separated values, a line a page, with a header line.")
@click.option("--nl", "output", flag_value="nl", help="JSON, one page a line.")
@click.option("--json", "output", flag_value="json", help="One nested object. Default when the output is no terminal.")
def command(workspace: Path, site: str, depth: int | None, output: str | None) -> None:
    """Show the hierarchy of one site.

    SITE is the address of its entry page, or of any of its pages.
    """
    from sitestrata.run.tree import EVERY_DEPTH, site_tree, tree_rows
    from sitestrata.run.workspace import open_workspace

    opened = open_workspace(workspace)
    levels = EVERY_DEPTH if depth is None else depth
    if output in ("csv", "nl"):
        emit(tree_rows(opened, site, depth=levels), COLUMNS, output=output)
        return
    root = site_tree(opened, site, depth=levels)
    if output == "json" or not sys.stdout.isatty():
        click.echo(json_text(root))
        return
    for line in _lines(root):
        click.echo(line)
    note(f"{_size(root):,} pages; addresses and evidence come with --json or --csv.")


def _lines(root: dict[str, Any]) -> Iterator[str]:
    """Draw a tree, long families cut short."""
    yield visible(root["label"], one_line=True)
    stack = [("", _family(root))]
    while stack:
        indent, family = stack[-1]
        node = next(family, None)
        if node is None:
            stack.pop()
            continue
        label, is_last, below = node
        yield f"{indent}{'└── ' if is_last else '├── '}{label}"
        if below is not None:
            stack.append((f"{indent}{'    ' if is_last else '│   '}", _family(below)))


def _family(parent: dict[str, Any]) -> Iterator[tuple[str, bool, dict[str, Any] | None]]:
    children = parent["children"]
    shown = children if len(children) <= TERMINAL_CHILDREN else children[: TERMINAL_CHILDREN - 1]
    for number, child in enumerate(shown):
        mark = " (document)" if child.get("document") == child["url"] else " (subsite)" if "subsite" in child else ""
        yield visible(child["label"], one_line=True) + mark, number == len(children) - 1, child
    if len(shown) < len(children):
        yield f"... and {len(children) - len(shown):,} more", True, None


def _size(node: dict[str, Any]) -> int:
    count = 0
    stack = [node]
    while stack:
        count += 1
        stack += stack.pop()["children"]
    return count
