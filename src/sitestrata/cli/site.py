"""``sitestrata site``: the logical website around seed pages."""

import time
from pathlib import Path
from typing import Any

import click

from sitestrata.cli.amounts import TIME
from sitestrata.cli.command import LOG
from sitestrata.cli.command import command as make_command
from sitestrata.cli.escape import json_text, visible
from sitestrata.cli.output import emit, note
from sitestrata.errors import UsageError

__all__ = ["command"]

LIVE_PAGES = 10_000  # a search has an end, whatever the site does
EVERY = 10.0  # seconds between two lines of progress in a log
SHOWN_WIDTH = 100


@make_command(example="sitestrata site https://example.org/manual/ --in ws")
@click.argument("seeds", nargs=-1, required=True, metavar="SEED...")
@click.option("--in", "workspace", type=click.Path(path_type=Path), help="The workspace that holds the pages.")
@click.option("--live", is_flag=True, help="Fetch pages from the Web as they are needed, and stop at the site's edge.")
@click.option(
    "-o",
    "--output",
    "out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --live: keep what is fetched in this WARC (.warc.gz).",
)
@click.option(
    "--resume", is_flag=True, help="With --live -o: go on with a search that was interrupted, if there is one."
)
@click.option(
    "--to-budget",
    is_flag=True,
    help="With --live: after the site's end go on with the nearest pages, until --max-pages or --max-time.",
)
@click.option("--max-time", type=TIME, help="With --live: end after this time: 90s, 30m, 8h.")
@click.option("--delay", type=TIME, default=0.5, show_default=True, help="Least seconds between requests to one host.")
@click.option("--contact", help="E-mail or URL where site owners find you; goes into the user agent.")
@click.option("--proxy", help="Proxy for all requests. Default: http_proxy and no_proxy of the environment.")
@click.option("--allow-private", is_flag=True, help="With --live: also talk to private and loopback addresses.")
@click.option("--no-url-evidence", is_flag=True, help="Decide without looking at addresses.")
@click.option("--profile", type=click.Choice(["default", "paper"]), default="default", help="paper: MCL, then flow.")
@click.option("--keyword", help="With --profile paper: take the cluster with most addresses that contain this word.")
@click.option(
    "--keywords",
    type=click.Choice(["external", "all"]),
    default="external",
    help="With --in: the site's keywords are words of links from outside, or of all links to its pages.",
)
@click.option(
    "--max-pages",
    type=click.IntRange(min=1),
    help="With --live or --profile paper: look at no more pages than this.  [default with --live: 10000]",
)
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
    keywords: str,
    max_pages: int | None,
    form: str | None,
    live: bool,
    out: Path | None,
    resume: bool,
    to_budget: bool,
    **crawl: Any,
) -> None:
    """Find the logical website around seed pages by flow.

    On a terminal the three most plausible scales are listed, the chosen one first; the pages come with --form pages.
    With --live pages are fetched politely, nearest to the site first, until nothing more belongs to it.
    """
    if live and workspace is not None:
        raise UsageError("Pages come from the workspace (--in WS) or from the Web (--live), not from both")
    if not live and workspace is None:
        raise UsageError("Say where the pages are: --in WS for a workspace, or --live for the Web")
    if live:
        if to_budget and profile == "paper":
            raise UsageError("--to-budget goes on after the site's end, which --profile paper has none of")
        if keyword:
            raise UsageError("--keyword chooses a cluster of a workspace; it needs --in")
        record = _find_live(
            seeds,
            out,
            resume=resume,
            crawl=crawl,
            max_pages=max_pages,
            use_urls=not no_url_evidence,
            to_budget=to_budget,
            profile=profile,
        )
    else:
        assert workspace is not None
        record = _find(
            workspace,
            seeds,
            use_urls=not no_url_evidence,
            profile=profile,
            keyword=keyword,
            external_only=keywords == "external",
            limit=max_pages,
        )
    if len(record["seed_groups"]) > 1:
        groups = "; ".join(", ".join(group) for group in record["seed_groups"])
        note(f"These seeds look like pages of {len(record['seed_groups'])} different sites: {groups}")
    _print(record, form)
    chosen = record["chosen"]
    note(
        f"{_counted(chosen['size'], 'page')}: {chosen['label']}; {_counted(len(record['chain']), 'scale')} in the chain"
    )
    if chosen["size"] == 1 and not live:
        note("No other page is tied to this one by links: the site is this page alone.")
    if live:
        note(
            f"{_counted(record['fetched'], 'address', 'addresses')} fetched, "
            f"{_counted(len(record['outside']), 'page')} outside, "
            f"{len(record['unknown']):,} unknown; stopped: {record['stopped']}"
        )


def _find(
    workspace: Path,
    seeds: tuple[str, ...],
    *,
    use_urls: bool,
    profile: str,
    keyword: str | None,
    external_only: bool,
    limit: int | None,
) -> dict[str, Any]:
    from sitestrata.run.site import paper_record, site_record
    from sitestrata.run.workspace import open_workspace

    opened = open_workspace(workspace)
    if profile == "paper":
        return paper_record(opened, seeds, keyword=keyword, max_pages=limit)
    return site_record(opened, seeds, use_urls=use_urls, external_only=external_only)


def _find_live(
    seeds: tuple[str, ...],
    out: Path | None,
    *,
    resume: bool,
    crawl: dict[str, Any],
    max_pages: int | None,
    use_urls: bool,
    to_budget: bool,
    profile: str,
) -> dict[str, Any]:
    import tempfile

    from sitestrata.run.live_site import live_record
    from sitestrata.sources.crawl import CrawlOptions

    if out is None and resume:
        raise UsageError("--resume needs the WARC to go on with: -o site.warc.gz")
    if out is not None and not out.name.endswith(".warc.gz"):
        raise UsageError(f"{out}: the name must end in .warc.gz")
    if crawl["contact"] is None:
        note("No --contact given: site owners cannot reach you. Give an e-mail address or a URL.")
    meter = _Meter()
    with tempfile.TemporaryDirectory(prefix="sitestrata-") as folder:
        try:
            record = live_record(
                seeds,
                out or Path(folder, "site.warc.gz"),
                options=CrawlOptions(**crawl),
                resume=resume,
                max_pages=max_pages or LIVE_PAGES,
                use_urls=use_urls,
                to_budget=to_budget,
                is_paper=profile == "paper",
                on_progress=meter.show,
                on_note=LOG.info,
            )
        except KeyboardInterrupt:
            meter.clear()
            if out is not None:
                note(f"Interrupted. Go on with: sitestrata site {' '.join(seeds)} --live -o {out} --resume")
            raise
    meter.clear()
    if out is None:
        record["warc"] = None
    return record


class _Meter:
    """One line on a terminal that is written over; a line every ten seconds elsewhere."""

    def __init__(self) -> None:
        import sys

        self._is_terminal = sys.stderr.isatty()
        self._said = time.monotonic()
        self._width = 0

    def show(self, progress: Any) -> None:
        now = time.monotonic()
        if not self._is_terminal and now - self._said < EVERY:
            return
        self._said = now
        text = f"{progress.fetched:,} fetched, {progress.inside:,} inside; {visible(progress.address, one_line=True)}"
        if self._is_terminal:
            text = text[:SHOWN_WIDTH]
            click.echo("\r" + text.ljust(self._width), nl=False, err=True)
            self._width = len(text)
        else:
            note(text)

    def clear(self) -> None:
        if self._width:
            click.echo("\r" + " " * self._width + "\r", nl=False, err=True)
            self._width = 0


def _print(record: dict[str, Any], form: str | None) -> None:
    import sys

    if form == "pages":
        for url in sorted(record["chosen"]["pages"]):
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


def _counted(count: int, thing: str, things: str = "") -> str:
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {things or thing + 's'}"
