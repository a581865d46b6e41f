"""``sitestrata mine``: the main job."""

import shlex
import signal
from pathlib import Path
from typing import Any, NoReturn

import click

from sitestrata.cli.amounts import SIZE
from sitestrata.cli.command import command as make_command
from sitestrata.cli.output import note
from sitestrata.cli.progress import FORMS, shown_progress
from sitestrata.cli.stage_options import settings_of, stage_options
from sitestrata.errors import UsageError, WorkspaceError, WorkspaceLocked
from sitestrata.run.plan import ENGINES, PLAN, PROFILES

__all__ = ["command", "run_and_report"]


@make_command(example="sitestrata mine crawl.warc.gz -o ws")
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@click.option(
    "-o",
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="The workspace: a new folder or an earlier one.",
)
@click.option("--base-url", metavar="URL", help="The address that a folder of pages stands for.")
@click.option("--resume", is_flag=True, help="Go on with the sources and settings of an earlier run.")
@click.option(
    "--only",
    metavar="STAGE,...",
    help="Run these stages, even if they are finished; of the others what they need and is missing.",
)
@click.option("--relocate", multiple=True, metavar="OLD=NEW", help="Where a file or folder has moved since.")
@click.option("--engine", type=click.Choice(ENGINES), help="What runs the stages.  [default: local]")
@click.option("--master", metavar="URL", help="Spark: its master.  [default: that of spark-submit, else local[*]]")
@click.option("--spark-conf", multiple=True, metavar="NAME=VALUE", help="Spark: a setting of its session.")
@click.option("--shards", type=click.IntRange(min=1), help="Spark: tasks a stage is cut into.  [default: by size]")
@click.option("--workers", type=click.IntRange(min=1), help="Processes.  [default: all cores]")
@click.option(
    "--memory-limit",
    type=SIZE,
    help="For all processes: 2G, 500MiB; Spark: a task.  [default: half of the machine; 2G]",
)
@click.option("--page-seconds", type=float, help="A page that takes longer is left out.  [default: 60]")
@click.option("--chunk-pages", type=click.IntRange(min=1), help="Pages that are written at a time.  [default: 1000]")
@click.option("--max-pages", type=click.IntRange(min=1), help="Budget where a source is a URL.  [default: 500]")
@click.option("--contact", help="E-mail or URL where site owners find you, where a source is a URL.")
@click.option("--allow-private", is_flag=True, default=None, help="Let a crawl reach addresses that are not public.")
@click.option("--profile", type=click.Choice(PROFILES), help="The papers' own methods, or ours.  [default: default]")
@click.option("--url-evidence/--no-url-evidence", default=None, help="Whether addresses count as evidence for sites.")
@click.option("--progress", type=click.Choice(FORMS), default="auto", help="How progress is shown.  [default: auto]")
@stage_options(PLAN)
def command(
    sources: tuple[str, ...],
    out: Path,
    only: str | None,
    relocate: tuple[str, ...],
    spark_conf: tuple[str, ...],
    progress: str,
    **options: Any,
) -> None:
    """Read the sources, run the whole plan and write a workspace.

    A source is a WARC, ARC or WACZ file, a folder of pages (with --base-url), a pattern, a URL, or - for standard
    input. Sources are added to those a workspace already has; what was done before is not done again.
    """
    options["only"] = [name.strip() for name in only.split(",") if name.strip()] if only else ()
    options["relocate"] = dict(_moved(item) for item in relocate)
    options["spark_conf"] = dict(_setting(item) for item in spark_conf)
    if options["memory_limit"] is not None:
        options["memory_limit"] = int(options["memory_limit"])
    urls = [source for source in sources if source.startswith(("http://", "https://"))]
    if urls:
        from sitestrata.run.mine import CRAWL_PAGES

        budget = options["max_pages"] or CRAWL_PAGES
        note(f"Crawling {', '.join(urls)} first: at most {budget:,} pages (--max-pages), politely.")
    run_and_report(sources, out, settings_of(options), progress=progress)


def run_and_report(sources: tuple[str, ...], out: Path, options: dict[str, Any], *, progress: str = "auto") -> None:
    """Mine, write the report and end with one line of counts; an interrupted run says how to go on."""
    from sitestrata.report import write_report
    from sitestrata.run.listing import summary
    from sitestrata.run.mine import mine

    again = f"sitestrata mine --resume -o {shlex.quote(str(out))}"
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with shown_progress(progress) as show:
            workspace = mine(sources, out, progress=show, **options)
    except KeyboardInterrupt:
        note(f"Interrupted; what was done is kept. Continue with: {again}")
        raise click.exceptions.Exit(1) from None
    except WorkspaceLocked:
        raise
    except WorkspaceError as error:
        raise WorkspaceError(
            f"{error}\nWhat was done is kept. When the cause is mended, continue with: {again}"
        ) from error
    report = write_report(workspace)
    click.echo(f"{summary(workspace)} {report}")
    if workspace.count("pages") == 0:
        note(f"No page could be read. See why: {report}")
        raise click.exceptions.Exit(1)


def _moved(item: str) -> tuple[str, str]:
    old, separator, new = item.partition("=")
    if not (old and separator and new):
        raise UsageError(f"--relocate {item}: say OLD=NEW, for example --relocate /old/crawls=/new/crawls")
    return old, str(Path(new).absolute())


def _setting(item: str) -> tuple[str, str]:
    name, separator, value = item.partition("=")
    if not (name and separator):
        raise UsageError(f"--spark-conf {item}: say NAME=VALUE, for example --spark-conf spark.executor.memory=4g")
    return name, value


def _interrupt(_signal: int, _frame: Any) -> NoReturn:
    raise KeyboardInterrupt
