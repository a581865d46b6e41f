"""Runs that are started from the browser."""

import sys
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from sitestrata.errors import UsageError, WorkspaceLocked
from sitestrata.report.server.jobs import Job, Jobs, mine_command


def wait(job: Job, seconds: float = 20) -> Job:
    end = time.monotonic() + seconds
    while job.ended is None and time.monotonic() < end:
        time.sleep(0.02)
    assert job.ended is not None
    return job


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_progress_becomes_stages_and_everything_else_the_log() -> None:
    lines = [
        '{"stage": "pages", "done": 3, "total": 9, "is_skipped": false, "is_finished": false}',
        '{"stage": "pages", "done": 1, "total": 1, "is_skipped": false, "is_finished": true}',
        '{"stage": broken',
        "hello",
    ]
    jobs = Jobs()

    job = wait(jobs.start(python(f"print({chr(10).join(lines)!r})")))

    assert [{"stage": "pages", "done": 9, "total": 9, "state": "done"}] == list(job.stages.values())
    assert ['{"stage": broken', "hello"] == list(job.log)
    assert "done" == job.status


def test_a_run_that_fails_says_so_and_the_next_can_start() -> None:
    jobs = Jobs()

    job = wait(jobs.start(python("raise SystemExit('no such file')")))

    assert ("failed", ["no such file"]) == (job.status, list(job.log))
    assert 2 == wait(jobs.start(python("pass"))).number


def test_only_one_run_at_a_time_and_it_can_be_cancelled() -> None:
    jobs = Jobs()
    job = jobs.start(python("import time; print('up', flush=True); time.sleep(60)"))
    with pytest.raises(WorkspaceLocked):
        jobs.start(python("pass"))

    jobs.cancel(job.number)

    assert "cancelled" == wait(job).status
    assert jobs.cancel(99) is None


def test_an_endless_log_keeps_its_end() -> None:
    job = wait(Jobs().start(python("for i in range(5000): print(i)")))

    assert ("4999", 3000) == (job.log[-1], job.dropped)


def test_what_a_person_types_is_never_an_option(tmp_path: Path) -> None:
    (tmp_path / "web.warc").touch()
    for source in ("--only=read", "-o", "", "  ", "relative.warc", "/does/not/exist.warc", "/tmp/\x1b[31m"):
        with pytest.raises(UsageError):
            mine_command(tmp_path / "ws", sources=[source])

    command = mine_command(tmp_path / "ws", sources=[str(tmp_path / "web.warc")], contact="--help")

    assert ["--contact=--help", "--", str(tmp_path / "web.warc")] == command[-3:]


def test_a_workspace_with_nothing_in_it_needs_a_source(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        mine_command(tmp_path / "ws")


@pytest.mark.slow
def test_mining_again_from_the_page_follows_the_run_to_its_end(private: tuple[TestClient, Path]) -> None:
    client, _ = private
    site = client.get("/api/sites", params={"limit": 1}).json()["rows"][0]
    client.post("/api/decisions", json={"kind": "name", "subject": site["entry_url"], "object": "Renamed"})

    run = client.post("/api/runs", json={}).json()

    assert 409 == client.post("/api/runs", json={}).status_code
    end = time.monotonic() + 60
    while run["status"] == "running" and time.monotonic() < end:
        time.sleep(0.1)
        run = client.get(f"/api/runs/{run['run']}").json()
    assert "done" == run["status"], run["log"]
    assert "sites" in [stage["stage"] for stage in run["stages"]]
    assert "Renamed" == client.get(f"/api/sites/{site['site']}").json()["name"]
    assert not client.get("/api/overview").json()["pending"]
