"""``sitestrata sample``: a generated web with its truth, as a WARC or served on loopback."""

from pathlib import Path

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.output import note
from sitestrata.errors import UsageError

__all__ = ["command"]


@make_command(example="sitestrata sample -o web.warc.gz --pages 10000 --seed 7")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="WARC to write (.warc.gz, .warc)."
)
@click.option("--pages", type=click.IntRange(min=1), default=1000, show_default=True, help="Distinct HTML pages.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed is another web.")
@click.option("--hard", is_flag=True, help="Take away class, id, role and landmarks; labels become nonsense.")
@click.option("--only", metavar="KIND,...", default="", help="Only these kinds of site.")
@click.option("--serve", "port", type=click.IntRange(0, 65535), help="Serve it on this loopback port instead.")
def command(output: Path | None, pages: int, seed: int, hard: bool, only: str, port: int | None) -> None:
    """Write a generated web as a WARC with its truth, or serve it on loopback."""
    from sitestrata.sample import make_server, make_world, truth_folder, write

    kinds = tuple(kind for kind in only.split(",") if kind)
    if (output is None) == (port is None):
        raise UsageError(
            "Say either where to write the web (-o web.warc.gz) or on which port to serve it (--serve 8000)."
        )
    if port is not None:
        world = make_world(seed, pages, hard=hard, only=kinds, http_only=True)
        with make_server(world, port=port) as server:
            number = server.server_address[1]
            note(f"{pages:,} pages on port {number} of this machine; use it as an HTTP proxy. Stop with Ctrl-C.")
            note(f"http_proxy=http://127.0.0.1:{number} curl {world.plans[0].home}")
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                note("stopped")
        return
    assert output is not None
    manifest = write(output, seed=seed, pages=pages, hard=hard, only=kinds)
    note(
        f"{manifest['pages']:,} pages of {manifest['sites']:,} sites in {manifest['captures']:,} captures: {output}\n"
        f"truth ({manifest['menus']:,} menus, {manifest['tables']:,} tables): {truth_folder(output)}"
    )
