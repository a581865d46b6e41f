"""The command line: one module a command, loaded only when it is called.

A command ``name`` lives in ``cli/name.py`` as ``command``, made by `sitestrata.cli.command.command`; its line in
``COMMANDS`` is all the group needs to show it, so ``sitestrata --help`` imports click and nothing else. A line whose
module does not exist is not shown.
"""

import os
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from typing import NoReturn

import click

from sitestrata import __version__

__all__ = ["COMMANDS", "Commands", "main"]

# In the order of --help: from making a workspace to reading it.
COMMANDS: dict[str, str] = {
    "demo": "Run the main job on the built-in sample web, end to end.",
    "mine": "Read the sources, run the whole plan and write a workspace.",
    "crawl": "Crawl politely into a WARC file; an interrupted crawl goes on where it was.",
    "pages": "List the captured pages, one row a URL that answered with HTML.",
    "sites": "List the logical sites.",
    "menus": "List the menus of a workspace, or the lists of menu links of one page.",
    "tree": "Show the hierarchy of one site.",
    "site": "Find the logical website around seed pages by flow.",
    "cluster": "Cluster the link graph by MCL.",
    "partition": "Show the label hierarchy of one page.",
    "tables": "List the tables of pages, with orientation, headers and records.",
    "ontology": "Build taxonomy and instances of a domain from home pages.",
    "breadcrumbs": "Print breadcrumbs for URLs on standard input.",
    "forget": "Remove pages from a workspace.",
    "explain": "Tell what is known about one URL, and why.",
    "export": "Write the results in another format.",
    "eval": "Score a workspace, or a file of answers, against gold.",
    "serve": "Open the web interface on this machine.",
    "sample": "Write a generated web as a WARC with its truth, or serve it on loopback.",
    "plan": "List the stages, what each needs and what it makes.",
    "completion": "Print the code that makes a shell complete sitestrata commands.",
}


class Commands(click.Group):
    """The group of all commands; imports a command's module when the command is called, not before."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Name the commands that exist, in the order of the table."""
        return [name for name in COMMANDS if find_spec(f"{__name__}.{name}") is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        loaded = import_module(f"{__name__}.{cmd_name}").command
        assert isinstance(loaded, click.Command)
        return loaded

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or suggest the nearest one."""
        name = args[0]
        known = self.list_commands(ctx)
        if name not in known and not name.startswith("-") and not ctx.resilient_parsing:
            _refuse(ctx, name, known)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


def _refuse(ctx: click.Context, name: str, known: list[str]) -> NoReturn:
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f" Did you mean `sitestrata {near[0]}`?" if near else " See `sitestrata --help`."
    raise click.UsageError(f"There is no command {name!a}.{hint}", ctx)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Begin with `sitestrata demo`, or `sitestrata mine crawl.warc.gz -o ws`.",
)
@click.version_option(__version__, message="sitestrata %(version)s")
def main() -> None:
    """Tell which pages of a crawl form one website, what its menus are, and how it is organised."""
    # Arrow's own allocator holds twice of what it is asked for; to be said before Arrow is imported, also by workers.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    # A worker is a core's; threads of BLAS that wait for each other would take it from the others.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
