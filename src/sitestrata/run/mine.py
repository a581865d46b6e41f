"""The main job: read the sources, run the plan, leave a workspace.

A stage is skipped if it was finished with the same options on the same input. So a run that was interrupted goes on
where it was, a run with new input does what depends on it, and a run with nothing new does nothing.
"""

import errno
import json
import logging
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sitestrata import __version__
from sitestrata.errors import UsageError, WorkspaceError
from sitestrata.model import Decision
from sitestrata.model.regions import PARTS
from sitestrata.run.choose_engine import CrewSettings, SparkSettings, choose_engine
from sitestrata.run.decisions import decision_settings, read_decisions
from sitestrata.run.engine import Bodies, Engine, Made, Step, shard_name
from sitestrata.run.forget import forgotten_ids, scrub_files
from sitestrata.run.groups import count_pieces
from sitestrata.run.jobs import read_markers
from sitestrata.run.manifest import Input, StageRecord
from sitestrata.run.one_page import page_reader
from sitestrata.run.pieces import CHUNK_PAGES, PAGE_SECONDS
from sitestrata.run.plan import (
    PLAN,
    Stage,
    check_plan,
    check_settings,
    one_pass,
    options_of,
    prerequisites,
    stages_named,
)
from sitestrata.run.storage import PARSED, count_rows, schema_of
from sitestrata.run.worker import cpu_seconds, forget_peak, peak_memory
from sitestrata.run.workspace import Workspace, WorkspaceWriter, open_workspace, write_workspace
from sitestrata.sources import Source, find_sources
from sitestrata.sources.crawl import CrawlOptions, crawl
from sitestrata.sources.places import size_and_time
from sitestrata.sources.source import relocated

__all__ = ["Progress", "mine"]

LOG = logging.getLogger("sitestrata.run")
CRAWL_PAGES = 500  # where a source is a URL: enough for most sites, and half an hour at a polite pace


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: reported when a stage begins, goes on and ends."""

    stage: str
    done: int
    total: int  # pieces: sources, pages, groups, or 1
    is_skipped: bool = False  # it was finished before
    is_finished: bool = False


def mine(
    sources: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    base_url: str | None = None,
    resume: bool = False,
    only: Sequence[str] = (),
    relocate: Mapping[str, str] | None = None,
    workers: int | None = None,
    memory_limit: int | None = None,
    page_seconds: float | None = None,
    chunk_pages: int | None = None,
    max_pages: int = CRAWL_PAGES,
    contact: str | None = None,
    allow_private: bool = False,
    engine: Engine | str | None = None,
    spark: Any = None,
    master: str | None = None,
    spark_conf: Mapping[str, str] | None = None,
    shards: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    plan: Sequence[Stage] = PLAN,
    **settings: Any,
) -> Workspace:
    """Read sources and run the plan into the workspace ``out``; return the workspace.

    Args:
        sources: WARC, ARC or WACZ files, globs, folders of pages, URLs. What the workspace has stays part of it.
        out: The workspace: a new or empty folder, or an earlier workspace.
        base_url: The address of a folder of pages.
        resume: Go on with the sources and settings of an earlier run; both may be given to add to them.
        only: Names of stages: run these, even if they are finished, and before them what they need and is not there.
        relocate: Where files have moved: old path or folder to new.
        workers: Processes; all cores if not given.
        memory_limit: Bytes for all processes together, half of the machine if not given; on Spark, for each task.
        page_seconds: A page that takes longer is left out.
        chunk_pages: Pages that a worker reads before it writes them; also what a kill costs it at most.
        max_pages: How much is crawled where a source is a URL.
        contact: Where site owners find you, where a source is a URL.
        allow_private: Whether a crawl may reach addresses that are not public.
        engine: What runs the stages: ``local`` (processes on this machine), ``spark``, or an object.
        spark: A Spark session to run on.
        master: The master of a Spark session of our own; that of spark-submit, else this machine, if not given.
        spark_conf: Settings of that session.
        shards: Tasks that Spark cuts a stage into; by its size if not given.
        progress: Called as the run goes on.
        plan: The stages.
        settings: Options of the stages, by name.
    """
    check_plan(plan)
    check_settings(plan, settings)
    chosen = stages_named(plan, only) if only else one_pass(plan)
    plan = one_pass(plan)
    if not sources and not resume and not only and not relocate:
        raise UsageError("Name at least one source, or continue an earlier run with --resume.")
    crew = CrewSettings(workers, memory_limit, page_seconds or PAGE_SECONDS, chunk_pages or CHUNK_PAGES)
    on_spark = SparkSettings(spark, master, spark_conf or {}, shards)
    tell = progress or (lambda _: None)
    with (
        choose_engine(engine, crew, on_spark) as chosen_engine,
        _disk_faults(out),
        # In full: the processes of an engine may be anywhere.
        write_workspace(Path(out).absolute(), memory_limit=crew.memory // 2) as workspace,
    ):
        if only:
            workspace.reader()  # of another build nothing is left as it is, so that no stage can run alone
        spool = workspace.folder / "spool"
        files = [
            *_crawled(
                sources, spool, CrawlOptions(max_pages=max_pages, contact=contact, allow_private=allow_private), tell
            ),
            *(item for item in sources if not _is_url(item)),
        ]
        found = find_sources(files, base_url=base_url, spool=spool) if files else []
        if resume:
            settings = {**workspace.manifest.options, **settings}
        run = _Run(workspace, chosen_engine, plan, settings, tell, decisions=read_decisions(workspace.folder))
        run.begin(found, relocate or {})
        needed = prerequisites(plan, chosen) if only else ()
        for stage in plan:
            if stage in chosen:
                run.stage(stage, is_forced=bool(only))
            elif stage in needed and run.is_missing(stage):
                run.stage(stage, is_forced=False)
        if not only:
            workspace.update(is_finished=True)
    return open_workspace(out)


@contextmanager
def _disk_faults(out: str | os.PathLike[str]) -> Iterator[None]:
    """Tell a full or broken disk apart from faults of our own."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO):
            raise
        raise WorkspaceError(f"Cannot write to {out}: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What running a stage has come to."""

    made: Made  # staged files
    keep: Mapping[str, Sequence[str]]  # files of an earlier run that stay
    digest: str


class _Run:
    """One run of the plan over one workspace."""

    def __init__(
        self,
        workspace: WorkspaceWriter,
        engine: Engine,
        plan: Sequence[Stage],
        settings: Mapping[str, Any],
        progress: Callable[[Progress], None],
        *,
        decisions: Sequence[Decision] = (),
    ) -> None:
        self.workspace = workspace
        self.engine = engine
        self.plan = plan
        self.settings = settings
        # Decisions are kept in a file of their own, not among the options that a later run takes over.
        self.known = {**settings, **decision_settings(decisions)}
        self.progress = progress

    def begin(self, found: Sequence[Source], relocate: Mapping[str, str]) -> None:
        """Record what this run is about, so that it can be continued whenever it ends."""
        manifest = self.workspace.manifest
        inputs = {item.source.name: item for item in manifest.inputs}
        by_place = {(item.source.path, item.source.start): name for name, item in inputs.items()}
        for source in found:
            name = by_place.get((source.path, source.start), source.name)
            if name in inputs and inputs[name].source.path != source.path:
                name = source.path  # another file of the same name: it was given relative to another folder
            item = _input(replace(source, name=name))
            before = inputs.get(name)
            is_same = before is not None and source.kind != "folder" and replace(before, digest="") == item
            inputs[name] = before if is_same and before is not None else item
        if not inputs:
            raise UsageError("This workspace has no sources yet. Name at least one.")
        self.workspace.update(
            inputs=tuple(inputs[name] for name in sorted(inputs)),
            options=dict(self.settings),
            relocated={**manifest.relocated, **relocate},
        )

    def stage(self, stage: Stage, *, is_forced: bool) -> None:
        """Run a stage unless it was finished with the same options on the same input."""
        manifest = self.workspace.manifest
        options = options_of(stage, self.known)
        fingerprint = self._fingerprint(stage, options)
        before = manifest.stages.get(stage.name)
        if before is not None and before.fingerprint == fingerprint and not before.is_stale and not is_forced:
            self.progress(Progress(stage.name, 1, 1, is_skipped=True))
            return
        LOG.info("stage %s begins", stage.name)
        began, used = time.monotonic(), cpu_seconds()
        self.engine.peak_memory = 0
        forget_peak()
        step = Step(
            stage=stage,
            options=options,
            reader=self.workspace.reader((*stage.needs, stage.by) if stage.by else stage.needs),
            folder=self._staging(stage, options, is_forced=is_forced),
            report=lambda _: None,
        )
        run = {"source": self._sources, "page": self._pages}.get(stage.scope, self._others)
        outcome = run(step, is_forced=is_forced)
        made = {table: outcome.made.get(table, []) for table in {*stage.makes, "rejects", *outcome.made}}
        record = StageRecord(
            fingerprint=self._fingerprint(stage, options),
            digest=outcome.digest,
            recipe=_recipe(stage, options),
            options=_plain(options),
            files={},
            rows=_rows(self.workspace.folder, made, outcome.keep),
            seconds=round(time.monotonic() - began, 3),
            cpu_seconds=round(cpu_seconds() - used, 3),
            peak_memory=max(self.engine.peak_memory, peak_memory()),
        )
        stale = () if before is not None and before.digest == record.digest else self._dependents(stage)
        self.workspace.commit(stage.name, record, made, keep=outcome.keep, staging=step.folder, stale=stale)
        self.progress(Progress(stage.name, 1, 1, is_finished=True))
        LOG.info("stage %s took %.2f s", stage.name, record.seconds)

    def is_missing(self, stage: Stage) -> bool:
        """Tell whether what a stage makes is not there, or not of all that was given."""
        manifest = self.workspace.manifest
        has_new = stage.scope == "source" and any(not item.digest for item in manifest.inputs)
        return has_new or not manifest.is_done(stage.name)

    def _dependents(self, stage: Stage) -> tuple[str, ...]:
        """Name the stages that read what a stage makes, or what these make, and so on."""
        changed, names = set(stage.makes), []
        for other in self.plan:
            if {*other.needs, other.by} & changed:
                changed |= set(other.makes)
                names.append(other.name)
        return tuple(names)

    def _fingerprint(self, stage: Stage, options: Any) -> str:
        manifest = self.workspace.manifest
        read: list[Any] = []
        if stage.scope == "source":
            read = [(item.source.name, item.size, item.modified, item.digest) for item in manifest.inputs]
        needs = {*stage.needs, stage.by}
        for other in self.plan:
            if needs & set(other.makes):
                read.append((other.name, manifest.stages[other.name].digest))
        return _digest(_recipe(stage, options), read)

    def _staging(self, stage: Stage, options: Any, *, is_forced: bool) -> Path:
        """Return the stage's staging folder: the one an interrupted run left, if it had the same options."""
        folder = self.workspace.staging(f"{stage.name}-{_recipe(stage, options)[:8]}")
        self.workspace.clear_staging(keep=None if is_forced or stage.scope not in ("page", "source") else folder)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _reporter(self, step: Step, done: int, total: int) -> Step:
        count = done
        self.progress(Progress(step.stage.name, done, total))

        def report(more: int) -> None:
            nonlocal count
            count += more
            self.progress(Progress(step.stage.name, count, total))

        return replace(step, report=report)

    def _sources(self, step: Step, *, is_forced: bool) -> _Outcome:
        """Index the inputs that are new or have changed."""
        manifest = self.workspace.manifest
        before = self._before(step, is_forced=is_forced)
        staged = {} if is_forced else read_markers(step.folder)
        digests = {
            item.source.name: staged.get((item.source.name, item.size, item.modified)) for item in manifest.inputs
        }
        kept = {
            shard_name(item.source.name)
            for item in manifest.inputs
            if item.digest and before is not None and digests[item.source.name] is None
        }
        todo = [
            item
            for item in manifest.inputs
            if digests[item.source.name] is None and shard_name(item.source.name) not in kept
        ]
        step = self._reporter(step, len(manifest.inputs) - len(todo), len(manifest.inputs))
        found = self.engine.sources(step, todo)
        inputs = tuple(
            replace(item, digest=found.get(item.source.name) or digests[item.source.name] or item.digest)
            for item in manifest.inputs
        )
        self.workspace.manifest = replace(manifest, inputs=inputs)  # written with the stage's files, in commit
        made = _staged(step.folder, shards={shard_name(item.source.name) for item in inputs})
        scrub_files(made, forgotten_ids(self.workspace))
        return _Outcome(
            made,
            _kept(before, kept),
            _digest([(item.source.name, item.digest) for item in inputs]),
        )

    def _pages(self, step: Step, *, is_forced: bool) -> _Outcome:
        """Parse the chosen captures that no good shard holds."""
        manifest = self.workspace.manifest
        before = self._before(step, is_forced=is_forced)
        committed = [self.workspace.folder / name for name in (before.files.get(PARSED, ()) if before else ())]
        todo = self.engine.to_do(step, [*committed, *sorted((step.folder / PARSED).glob("*.parquet"))])
        bodies = Bodies(
            tuple(item.source for item in manifest.inputs),
            manifest.relocated,
            options_of(next(stage for stage in self.plan if stage.scope == "source"), self.settings),
        )
        step = self._reporter(step, todo.total - todo.count, todo.total)
        if todo.count:
            _check_sources(bodies)
        made = self.engine.pages(step, todo, bodies) if todo.count else {}
        shards = todo.good | {_shard(path.name) for path in made.get(PARSED, ())}
        staged, keep = _staged(step.folder, shards=shards), _kept(before, shards)
        scrub_files(staged, forgotten_ids(self.workspace))
        for table in step.stage.merges:
            raw = f"_{table}"
            files = [*staged.get(raw, ()), *(self.workspace.folder / name for name in keep.get(raw, ()))]
            staged[table] = self.engine.merge(step, table, files)
        salt = manifest.runs if is_forced else 0
        return _Outcome(staged, keep, _digest(self._fingerprint(step.stage, step.options), salt))

    def _others(self, step: Step, *, is_forced: bool) -> _Outcome:  # noqa: ARG002 - same shape as the other two
        """Run a stage that sees groups or everything: as a whole."""
        step = self._reporter(step, 0, count_pieces(step))
        if step.stage.reads_pages:
            run = partial(step.stage.run, pages=page_reader(self.workspace))
            step = replace(step, stage=replace(step.stage, run=run))
        made = _run(self.engine, step)
        return _Outcome(made, {}, self.engine.digest(made))

    def _before(self, step: Step, *, is_forced: bool) -> StageRecord | None:
        """Return the record of an earlier run of the stage whose shards may stay."""
        before = self.workspace.manifest.stages.get(step.stage.name)
        is_good = before is not None and before.recipe == _recipe(step.stage, step.options) and not is_forced
        return before if is_good else None


def _run(engine: Engine, step: Step) -> Made:
    """Run a stage that sees more than a page."""
    stage = step.stage
    if stage.scope == "relational":
        return engine.relational(step)
    if stage.scope in ("group", "neighbourhood"):
        return engine.groups(step)
    # A collection that no region is cut out of is one itself.
    if stage.scope == "collection" or not any(count_rows(Path(path)) for path in step.reader.files[stage.by]):
        return engine.collection(step)
    if stage.join is None:
        return engine.regions(step)
    parts = engine.regions(replace(step, folder=step.folder / "parts"))
    tables = {PARTS + table: parts.pop(PARTS + table, []) for table in stage.makes}
    reader = step.reader.with_files(tables)
    made = engine.collection(replace(step, stage=replace(stage, run=stage.join), reader=reader))
    return {table: [*made.get(table, ()), *parts.get(table, ())] for table in {*made, *parts}}


def _is_url(source: str | os.PathLike[str]) -> bool:
    return str(source).startswith(("http://", "https://"))


def _crawled(
    sources: Sequence[str | os.PathLike[str]],
    folder: Path,
    options: CrawlOptions,
    progress: Callable[[Progress], None],
) -> tuple[str, ...]:
    """Crawl the sources that are URLs and return the WARC files; a crawl that was interrupted goes on."""
    urls = sorted(str(item) for item in sources if _is_url(item))
    if not urls:
        return ()
    folder.mkdir(parents=True, exist_ok=True)
    result = crawl(
        urls,
        folder / f"crawl-{shard_name(*urls)}.warc.gz",
        options,
        resume=True,
        on_progress=lambda state: progress(Progress("crawl", state.pages, options.max_pages or state.pages)),
    )
    return result.files


def _input(source: Source) -> Input:
    return Input(source, *(size_and_time(source.path) or (0, 0)))


def _check_sources(bodies: Bodies) -> None:
    """Refuse to begin if a file is gone: better one message than a reject for each of its pages."""
    for source in bodies.sources:
        if source.kind != "unusable":
            relocated(source.path, bodies.relocated)


def _staged(folder: Path, *, shards: Collection[str]) -> Made:
    return {
        table.name: sorted(path for path in table.glob("*.parquet") if path.stem in shards)
        for table in sorted(folder.iterdir())
        if table.is_dir()
    }


def _kept(before: StageRecord | None, shards: Collection[str]) -> dict[str, list[str]]:
    files = before.files if before is not None else {}
    return {table: [name for name in names if _shard(name) in shards] for table, names in files.items()}


def _shard(name: str) -> str:
    """Return the shard of a file name, in staging (``shard.parquet``) or in place (``stage-run-shard.parquet``)."""
    return Path(name).stem.rpartition("-")[2]


def _rows(folder: Path, made: Made, keep: Mapping[str, Sequence[str]]) -> dict[str, int]:
    files = {
        table: [*made.get(table, ()), *(folder / name for name in keep.get(table, ()))] for table in {*made, *keep}
    }
    return {table: sum(count_rows(path) for path in files[table]) for table in sorted(files)}


def _recipe(stage: Stage, options: Any) -> str:
    """Return a digest of all that decides what a stage makes of its input: equal recipes, equal rows."""
    schemas = [str(schema_of(table)) for table in stage.makes]
    return _digest(__version__, stage.name, stage.merges, _plain(options), schemas)


def _plain(options: Any) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(asdict(options), default=str))
    return plain


def _digest(*parts: Any) -> str:
    return blake2b(json.dumps(parts, sort_keys=True, default=str).encode(), digest_size=16).hexdigest()
