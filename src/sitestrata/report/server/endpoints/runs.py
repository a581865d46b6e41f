"""Runs of ``mine``: start, follow, cancel."""

import shlex
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter
from fastapi import Path as InPath
from pydantic import BaseModel, ConfigDict, Field

from sitestrata.errors import UsageError
from sitestrata.report.server.jobs import Job, mine_command
from sitestrata.report.server.shapes import JobState
from sitestrata.report.server.state import Asked, missing

__all__ = ["router"]

router = APIRouter(tags=["runs"])

Number = Annotated[int, InPath(ge=1, le=10**9)]
SHOWN_LINES = 500


class NewRun(BaseModel):
    """What to mine; without sources, what is there is mined again, with the decisions that stand now."""

    model_config = ConfigDict(extra="forbid")

    sources: list[Annotated[str, Field(min_length=1, max_length=4000)]] = Field(default_factory=list, max_length=100)
    base_url: str | None = Field(default=None, max_length=4000)
    max_pages: int | None = Field(default=None, ge=1, le=10**7)
    contact: str | None = Field(default=None, max_length=400)
    allow_private: bool = False


@router.get("/runs")
def runs(server: Asked) -> list[JobState]:
    """List the runs that this server has started, the newest first."""
    return [_state(job, lines=0) for job in server.jobs.all()]


@router.post("/runs", status_code=201)
def start(server: Asked, new: NewRun) -> JobState:
    """Start a run into the workspace that is served."""
    if new.contact and not new.contact.isprintable():
        raise UsageError("The contact must be an e-mail or web address.")
    command = mine_command(
        server.catalogue.folder.absolute(),
        sources=new.sources,
        base_url=new.base_url,
        max_pages=new.max_pages,
        contact=new.contact,
        allow_private=new.allow_private,
    )
    return _state(server.jobs.start(command))


@router.get("/runs/{run}")
def one_run(server: Asked, run: Number) -> JobState:
    """Tell how far a run is, with the end of its log."""
    job = server.jobs.get(run)
    if job is None:
        raise missing("There is no such run.")
    return _state(job)


@router.post("/runs/{run}/cancel")
def cancel(server: Asked, run: Number) -> JobState:
    """Stop a run; what it did is kept."""
    job = server.jobs.cancel(run)
    if job is None:
        raise missing("There is no such run.")
    return _state(job)


def _state(job: Job, *, lines: int = SHOWN_LINES) -> JobState:
    shown = ["sitestrata", *job.command[job.command.index("mine") :]] if "mine" in job.command else job.command
    return JobState(
        run=job.number,
        status=job.status,
        began=job.began,
        ended=job.ended,
        command=shlex.join(str(Path(part)) if part.startswith("/") else part for part in shown),
        stages=list(job.stages.values()),
        log=list(job.log)[-lines:] if lines else [],
        dropped=job.dropped,
    )
