"""``sitestrata crawl``: polite, resumable, into WARC."""

import sys
from pathlib import Path
from typing import Any

import click

from sitestrata.cli import command as making
from sitestrata.cli.amounts import SIZE, TIME
from sitestrata.cli.command import LOG
from sitestrata.cli.output import note
from sitestrata.errors import UsageError

__all__ = ["command"]


@making.command(example="sitestrata crawl https://example.org/ -o example.warc.gz --contact me@example.org")
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option(
    "-o",
    "--output",
    "out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="WARC to write; OUT-00000.warc.gz, OUT-00001.warc.gz ... once it is full.",
)
@click.option("--resume", is_flag=True, help="Go on with an interrupted crawl of the same name, if there is one.")
@click.option(
    "--scope",
    default="host",
    show_default=True,
    help="host, domain, prefix (the folder of each URL), any, or a file of SURT prefixes.",
)
@click.option("--max-pages", type=click.IntRange(min=1), help="End after this many pages (answers with status 2xx).")
@click.option("--max-depth", type=click.IntRange(min=0), help="Follow at most this many links from a start page.")
@click.option("--max-time", type=TIME, help="End after this time: 90s, 30m, 8h.")
@click.option("--max-bytes", type=SIZE, help="End after this many bytes of answers: 500M, 2GiB.")
@click.option("--sitemaps", is_flag=True, help="Also fetch what sitemaps name.")
@click.option("--include", multiple=True, metavar="REGEX", help="Follow only links that match (one of) these.")
@click.option("--exclude", multiple=True, metavar="REGEX", help="Follow no link that matches one of these.")
@click.option("--user-agent", help="Name of the crawler; its first word is what robots.txt can address.")
@click.option("--contact", help="E-mail or URL where site owners find you; goes into the user agent.")
@click.option(
    "--proxy", help="Proxy for all requests. Default: http_proxy, https_proxy and no_proxy of the environment."
)
@click.option("--concurrency", type=click.IntRange(min=1), default=16, show_default=True, help="Requests at a time.")
@click.option(
    "--per-host", type=click.IntRange(min=1), default=1, show_default=True, help="Requests at a time to one host."
)
@click.option("--delay", type=TIME, default=0.5, show_default=True, help="Least seconds between requests to one host.")
@click.option(
    "--retries", type=click.IntRange(min=0), default=2, show_default=True, help="Further tries after a failure."
)
@click.option("--timeout", type=TIME, default=120, show_default=True, help="Seconds for one answer.")
@click.option("--max-body", type=SIZE, default=32 << 20, help="Bytes of one answer that are kept.  [default: 32MiB]")
@click.option("--rotate", type=SIZE, default=1 << 30, help="Begin a new WARC file after this size.  [default: 1GiB]")
@click.option("--no-robots", is_flag=True, help="Do not ask for robots.txt and ignore nofollow (your own sites only).")
@click.option("--no-trap-detection", is_flag=True, help="Follow endless sets of addresses that tell nothing new.")
@click.option("--allow-private", is_flag=True, help="Also talk to private and loopback addresses.")
@click.option("--insecure", is_flag=True, help="Accept any TLS certificate.")
@click.option("--cdxj", is_flag=True, help="Write a CDXJ index beside the WARC.")
@click.option("--wacz", is_flag=True, help="Pack WARC, index and page list into OUT.wacz at the end.")
def command(
    urls: tuple[str, ...],
    out: Path,
    resume: bool,
    scope: str,
    no_robots: bool,
    no_trap_detection: bool,
    user_agent: str | None,
    max_bytes: float | None,
    max_body: float,
    rotate: float,
    cdxj: bool,
    wacz: bool,
    **rest: Any,
) -> None:
    """Crawl politely into a WARC file; an interrupted crawl goes on where it was.

    robots.txt is obeyed, one host gets one request at a time, private addresses are refused. Ctrl-C finishes what is
    under way and ends; a second one ends at once. Nothing is lost either way.
    """
    from sitestrata.sources.crawl.engine import run
    from sitestrata.sources.crawl.options import DEFAULT_AGENT, CrawlOptions
    from sitestrata.sources.crawl.scope import read_surts

    if not out.name.endswith(".warc.gz"):
        raise UsageError(f"{out}: the name must end in .warc.gz")
    is_file = scope not in ("host", "domain", "prefix", "any")
    if is_file and not Path(scope).is_file():
        raise UsageError(f"--scope {scope}: neither host, domain, prefix, any nor a file of SURT prefixes")
    options = CrawlOptions(
        scope="host" if is_file else scope,
        surts=read_surts(Path(scope)) if is_file else (),
        user_agent=user_agent or DEFAULT_AGENT,
        robots=not no_robots,
        follow_nofollow=no_robots,
        traps=not no_trap_detection,
        max_bytes=None if max_bytes is None else int(max_bytes),
        max_body=int(max_body),
        rotate=int(rotate),
        **rest,
    )
    if options.contact is None:
        note("No --contact given: site owners cannot reach you. Give an e-mail address or a URL.")
    meter = _Meter()
    result = run(list(urls), out, options, resume=resume, on_progress=meter.show, on_note=meter.note)
    meter.clear()
    if cdxj or wacz:
        from sitestrata.sources.crawl.packing_out import write_cdxj, write_wacz

        index = write_cdxj(out)
        note(f"{index}: index of {result.pages:,} pages")
        if wacz:
            note(f"{write_wacz(out)}: written")
    counts = result.counts
    trouble = sum(counts.get(key, 0) for key in ("error", "status", "refused address"))
    aside = sum(
        n for key, n in counts.items() if key not in ("ok", "redirect", "error", "status", "refused address", "wanted")
    )
    left = counts.get("wanted", 0)
    note(
        f"{result.pages:,} pages in {result.seconds:,.0f} s ({result.pages / max(result.seconds, 0.001):,.1f}/s), "
        f"{result.bytes / 1e6:,.1f} MB: {counts.get('redirect', 0):,} redirects, {trouble:,} without success, "
        f"{aside:,} put aside; {left:,} left. {', '.join(result.files)}"
    )
    if trouble and not counts.get("ok", 0):
        note("No page could be fetched. See why: --verbose")
        raise click.exceptions.Exit(1)


class _Meter:
    """One line on a terminal that is written over; a line every ten seconds elsewhere."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._shown = 0.0
        self._width = 0

    def show(self, progress: Any) -> None:
        if not self._is_terminal and progress.elapsed - self._shown < 10:
            return
        self._shown = progress.elapsed
        left = "?" if progress.seconds_left is None else _clock(progress.seconds_left)
        text = (
            f"{progress.pages:,} pages, {progress.pages_per_second:.1f}/s, {progress.queue:,} queued, "
            f"{progress.under_way} under way, {progress.errors:,} errors, {progress.bytes / 1e6:,.1f} MB, {left} left"
        )
        if self._is_terminal:
            click.echo("\r" + text.ljust(self._width), nl=False, err=True)
            self._width = len(text)
        else:
            note(text)

    def note(self, text: str) -> None:
        LOG.info(text)
        if text.startswith(("proxy:", "robots.txt of", "the WARC is damaged")) or "cut off" in text:
            self.clear()
            note(text)

    def clear(self) -> None:
        if self._width:
            click.echo("\r" + " " * self._width + "\r", nl=False, err=True)
            self._width = 0


def _clock(seconds: float) -> str:
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}"
