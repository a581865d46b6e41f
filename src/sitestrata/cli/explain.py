"""``sitestrata explain``: what is known about one URL."""

import sys
from pathlib import Path

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.escape import json_text, visible

__all__ = ["command"]


@make_command(example="sitestrata explain ws https://example.org/")
@click.argument("workspace", type=click.Path(path_type=Path), metavar="WS")
@click.argument("url")
@click.option("--json", "is_json", is_flag=True, help="One JSON object. Default when the output is not a terminal.")
def command(workspace: Path, url: str, is_json: bool) -> None:
    """Tell what is known about one URL, and why."""
    from sitestrata.run.explain import explain
    from sitestrata.run.workspace import open_workspace

    known = explain(open_workspace(workspace), url)
    if is_json or not sys.stdout.isatty():
        click.echo(json_text(known, indent=1))
    else:
        for line in _lines(known, 0):
            click.echo(line)


def _lines(value: object, depth: int) -> list[str]:
    """Return nested values as indented lines for a person."""
    indent = "  " * depth
    if isinstance(value, dict):
        lines = []
        for name, item in value.items():
            if isinstance(item, dict | list) and item:
                lines += [f"{indent}{name}:", *_lines(item, depth + 1)]
            elif item not in (None, [], {}):
                lines.append(f"{indent}{name}: {visible(str(item), one_line=True)}")
        return lines
    if isinstance(value, list):
        return [line for item in value for line in _item(item, depth)]
    return [f"{indent}{visible(str(value), one_line=True)}"]


def _item(item: object, depth: int) -> list[str]:
    lines = _lines(item, depth + 1)
    return [f"{'  ' * depth}- {lines[0].lstrip()}", *lines[1:]] if lines else []
