"""``sitestrata demo``: the main job on the built-in sample web."""

import shutil
import sys
from pathlib import Path

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.mine import run_and_report
from sitestrata.cli.output import note

__all__ = ["command"]

SEED = 1


@make_command(example="sitestrata demo")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    default=Path("demo"),
    show_default=True,
    help="Folder for the sample web and its workspace.",
)
@click.option("--pages", type=click.IntRange(min=1), default=300, show_default=True, help="Size of the sample web.")
def command(out: Path, pages: int) -> None:
    """Run the main job on the built-in sample web, end to end."""
    from sitestrata.sample import write

    out.mkdir(parents=True, exist_ok=True)
    warc, workspace = out / "sample.warc.gz", out / "ws"
    note(f"Writing a sample web to {warc}")
    write(warc, seed=SEED, pages=pages)
    note(f"$ sitestrata mine {warc} -o {workspace}")
    run_and_report((str(warc),), workspace, {})
    # As it can be typed: `make demo` does not put it on the path.
    program = "sitestrata" if shutil.which("sitestrata") else sys.argv[0]
    note(f"Open {workspace / 'report.html'} in a browser, or look at it with")
    for verb in ("sites", "pages", "menus", "serve"):
        note(f"  {program} {verb} {workspace}")
