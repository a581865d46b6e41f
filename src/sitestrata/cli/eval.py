"""``sitestrata eval``: how good is a result, against gold and beside simple baselines?"""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.escape import visible
from sitestrata.cli.output import emit, note, output_options
from sitestrata.errors import UsageError

__all__ = ["command"]

JUDGED = "judged.jsonl"
COLUMNS = ("task", "system", "metric", "value", "count", "headline", "url", "what")
TASK_NAMES = (
    "coverage, sites, strict-sites, subsites, pairs, confidence, identity, menus, entries, roles, compounds, "
    "hierarchy, site, segments, partition, tables, ontology, instances"
)
BASELINE_NAMES = "host, first-folder, second-folder, alone, two-way, kmeans-links, kmeans-words, or all"


@make_command(example="sitestrata eval ws --gold corpus/truth.tsv corpus/menus.json --baseline all --worst 5")
@click.argument("answer", type=click.Path(exists=True, path_type=Path), metavar="WS|FILE")
@click.argument("more_gold", nargs=-1, type=click.Path(path_type=Path), metavar="[GOLD]...")
@click.option(
    "--gold",
    "gold",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Gold: files or folders, in any known format.",
)
@click.option("--task", "tasks", multiple=True, help=f"Score only this task: {TASK_NAMES}.")
@click.option("--baseline", "baselines", multiple=True, help=f"Score this beside the result: {BASELINE_NAMES}.")
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=0,
    help="List the worst cases of each task, with addresses to look at.",
)
@click.option(
    "--judge",
    type=click.IntRange(min=1),
    help="Ask about this many random pairs of pages first, and keep the answers as gold.",
)
@click.option("--seed", default=0, show_default=True, help="Of the pairs to judge.")
@click.option(
    "--floor",
    "floors",
    multiple=True,
    metavar="NAME=VALUE",
    help="Fail (exit 1) if a score is lower, as in sites.adjusted_rand=.95.",
)
@output_options
def command(
    answer: Path,
    more_gold: tuple[Path, ...],
    gold: tuple[Path, ...],
    tasks: tuple[str, ...],
    baselines: tuple[str, ...],
    worst: int,
    judge: int | None,
    seed: int,
    floors: tuple[str, ...],
    output: str | None,
) -> None:
    """Score a workspace, or a file of answers, against gold.

    A file of answers is CSV or TSV with the columns url and site, or what `pages`, `sites`, `menus`, `tables`,
    `partition`, `ontology` or `site` print as JSON. Without --gold the pairs that were judged with --judge are used.
    """
    from sitestrata.evaluate import evaluate
    from sitestrata.evaluate.floors import broken_floors, parse_floor
    from sitestrata.evaluate.formats import read_facts

    wanted_floors = [parse_floor(text) for text in floors]
    chosen_tasks, chosen_baselines = _tasks(tasks), _baselines(baselines)
    facts, edges_between, judged_path = _open(answer)
    if judge is not None:
        _judge(facts, judge, judged_path, seed)
    paths = [*gold, *more_gold] or ([judged_path] if judged_path.exists() else [])
    if not paths:
        raise UsageError("There is nothing to score against: give --gold PATH, or judge pairs of pages with --judge N.")
    truth = read_facts(paths)
    if answer.is_dir() and truth.cuts and "segments" in (chosen_tasks or ["segments"]):
        facts = _with_cuts(facts, answer, [fact.url for fact in truth.cuts])
    outcome = evaluate(facts, truth, tasks=chosen_tasks, baselines=chosen_baselines, edges_between=edges_between)
    for text in dict.fromkeys(outcome.notes):
        note(text)
    if not outcome.scores:
        raise UsageError(
            f"Gold and answer have nothing in common to score: gold has {', '.join(truth.parts()) or 'nothing'}, "
            f"the answer has {', '.join(facts.parts()) or 'nothing'}."
        )
    _show(outcome, worst, output)
    broken = broken_floors(outcome.scores, wanted_floors)
    for one in broken:
        note(str(one))
    if broken:
        sys.exit(1)


def _tasks(names: Sequence[str]) -> list[str]:
    from sitestrata.evaluate.tasks import TASKS

    return _known(names, TASKS, "task")


def _baselines(names: Sequence[str]) -> list[str]:
    from sitestrata.evaluate.baselines import BASELINES

    everything = [part for name in names for part in (BASELINES if name == "all" else [name])]
    return _known(everything, BASELINES, "baseline")


def _known(names: Sequence[str], known: Any, kind: str) -> list[str]:
    from difflib import get_close_matches

    flat = [part.strip() for name in names for part in name.split(",")]
    for name in flat:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f" Did you mean {near[0]}?" if near else f" There are: {', '.join(known)}."
            raise UsageError(f"There is no {kind} {name!r}.{hint}")
    return list(dict.fromkeys(flat))


def _open(path: Path) -> tuple[Any, Any, Path]:
    """Open a workspace or read a file of answers: its facts, its links, and where judged pairs are kept."""
    if path.is_dir():
        from sitestrata.evaluate.answer import answer_of_tables
        from sitestrata.evaluate.links import edges_between
        from sitestrata.run.workspace import open_workspace

        workspace = open_workspace(path)
        reader = workspace.reader()
        facts = answer_of_tables(reader, workspace.tables, name=path.name)
        links = partial(edges_between, reader, workspace.tables) if "links" in workspace.tables else None
        return facts, links, path / JUDGED
    from sitestrata.evaluate.formats import read_facts

    return read_facts([path]), None, path.with_suffix(f".{JUDGED}")


def _with_cuts(facts: Any, path: Path, urls: list[str]) -> Any:
    """Cut the pages that gold cuts: a workspace does not keep the leaves of its pages."""
    from dataclasses import replace

    from sitestrata.evaluate.answer import cuts_of_pages
    from sitestrata.run.one_page import page_reader
    from sitestrata.run.workspace import open_workspace

    return replace(facts, cuts=cuts_of_pages(page_reader(open_workspace(path))(urls)))


def _judge(facts: Any, count: int, path: Path, seed: int) -> None:
    from sitestrata.evaluate.facts import PairFact
    from sitestrata.evaluate.judge import open_pairs, read_judged, write_judged

    if facts.pages is None:
        raise UsageError("There are no pages to judge.")
    columns = [name for name in ("title", "trail") if name in facts.pages.column_names]
    about = {row["url"]: row for row in facts.pages.select(["url", *columns]).to_pylist()}
    pairs = open_pairs(list(about), count, read_judged(path), seed=seed)
    if not pairs:
        note(f"All {count:,} pairs are judged already, in {path}.")
    for number, (first, second) in enumerate(pairs, start=1):
        click.echo(f"\nPair {number} of {len(pairs)}", err=True)
        for url in (first, second):
            _describe(about[url])
        said = click.prompt(
            "Do both belong to one site? yes, no, skip, quit", type=click.Choice(["y", "n", "s", "q"]), err=True
        )
        if said == "q":
            break
        write_judged(path, PairFact(first, second, {"y": True, "n": False, "s": None}[said]))
    note(f"Answers are kept in {path}.")


def _describe(row: dict[str, Any]) -> None:
    click.echo(f"  {visible(row.get('title') or '(no title)', one_line=True)}", err=True)
    click.echo(f"    {visible(row['url'], one_line=True)}", err=True)
    if row.get("trail"):
        click.echo(f"    {visible(row['trail'], one_line=True)}", err=True)


def _show(outcome: Any, worst: int, output: str | None) -> None:
    if output is None and sys.stdout.isatty():
        _show_tables(outcome, worst)
        return
    emit(_rows(outcome, worst), COLUMNS, output=output)


def _rows(outcome: Any, worst: int) -> Iterator[dict[str, Any]]:
    for score in outcome.scores:
        yield {
            "task": score.task,
            "system": score.system,
            "metric": score.metric,
            "value": score.value,
            "count": score.count,
            "headline": score.is_headline,
        }
    for case in outcome.worst(worst) if worst else ():
        yield {"task": case.task, "metric": "worst", "value": case.loss, "url": case.url, "what": case.what}


def _show_tables(outcome: Any, worst: int) -> None:
    """Print one table a task: a row a metric, a column for the result and for each baseline."""
    for task in dict.fromkeys(score.task for score in outcome.scores):
        mine = [score for score in outcome.scores if score.task == task]
        systems = list(dict.fromkeys(score.system for score in mine))
        values = {(score.metric, score.system): score for score in mine}
        headline = {score.metric for score in mine if score.is_headline}
        click.echo(f"\n{task}")
        rows = (
            {
                "": metric.replace("_", " ") + (" *" if metric in headline else ""),
                **{system: _shown(values.get((metric, system))) for system in systems},
                "judged": max(score.count for score in mine if score.metric == metric),
            }
            for metric in dict.fromkeys(score.metric for score in mine)
        )
        emit(rows, ["", *systems, "judged"], output="table")
    click.echo("* counts most")
    for title, table in outcome.tables.items():
        if table:
            click.echo(f"\n{title}")
            emit(table, list(table[0]), output="table")
    if worst:
        click.echo("\nworst cases")
        cases = ({"task": case.task, "what": case.what, "look at": case.url} for case in outcome.worst(worst))
        emit(cases, ["task", "what", "look at"], output="table")


def _shown(score: Any) -> float | int | None:
    if score is None:
        return None
    return int(score.value) if score.metric == "parts" else float(score.value)
