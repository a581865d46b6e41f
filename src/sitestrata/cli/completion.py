"""``sitestrata completion``: the code that makes a shell complete our commands."""

import click
from click.shell_completion import get_completion_class

from sitestrata.cli.command import command as make_command

__all__ = ["command"]


@make_command(example="sitestrata completion bash >> ~/.bashrc")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the code that makes a shell complete sitestrata commands."""
    from sitestrata.cli import main

    completion = get_completion_class(shell)
    assert completion is not None
    click.echo(completion(main, {}, "sitestrata", "_SITESTRATA_COMPLETE").source())
