"""kill -9 at any moment, two runs at once, a full disk: nothing is lost or half-written."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sitestrata.errors import WorkspaceError, WorkspaceLocked
from sitestrata.run import storage
from sitestrata.run.embedded import EmbeddedEngine
from sitestrata.run.mine import mine as mine_all
from sitestrata.run.nasty import NastyEngine
from sitestrata.run.workspace import open_workspace, write_workspace

from .web import PAGES, mine, page, write_warc

KILLS = 10


def _start(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "sitestrata", "mine", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell that runs the tests in the background has them ignore Ctrl-C, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def _digests(folder: Path) -> dict[str, str]:
    workspace = open_workspace(folder)
    return {table: workspace.digest(table) for table in workspace.tables}


@pytest.mark.slow
def test_killed_at_random_instants_a_run_still_ends_with_the_same_rows(tmp_path: Path) -> None:
    chance = random.Random(20260101)
    pages = {
        f"http://h{host}.example/p{number}": page(f"{host} {number}", [f"/p{other}" for other in range(40)])
        for host in range(8)
        for number in range(60)
    }
    warc = write_warc(tmp_path / "crawl.warc.gz", pages)
    began = time.monotonic()
    mine_all([warc], tmp_path / "whole", engine=EmbeddedEngine(2, 1 << 30, chunk_pages=50))
    usual = time.monotonic() - began + 0.5
    expected = _digests(tmp_path / "whole")
    killed = 0
    attempt = 0
    while killed < KILLS:
        out = tmp_path / f"ws{attempt}"
        attempt += 1
        for _ in range(8):  # several kills into one workspace before it may end
            run = _start(warc, "-o", out, "--workers", 2, "--chunk-pages", 50)
            try:
                run.communicate(timeout=chance.uniform(0.2, usual))
            except subprocess.TimeoutExpired:
                os.kill(run.pid, signal.SIGKILL)
                run.communicate()
                killed += 1
            _check_readable(out)
        last = _start(warc, "-o", out, "--workers", 2)
        _, complaint = last.communicate(timeout=300)

        assert 0 == last.returncode, complaint
        assert expected == _digests(out)
        assert not list((out / "staging").glob("*"))


def _check_readable(folder: Path) -> None:
    """Whatever has happened, what the manifest lists is there and whole."""
    if (folder / "manifest.json").exists():
        workspace = open_workspace(folder)
        for table in workspace.tables:
            assert workspace.count(table) == workspace.arrow(table).num_rows


def test_a_second_run_in_the_same_workspace_is_refused(tmp_path: Path) -> None:
    warc = write_warc(tmp_path / "crawl.warc.gz", PAGES)

    with (
        write_workspace(tmp_path / "ws"),
        pytest.raises(WorkspaceLocked, match=f"process {os.getpid()}.* is at work"),
    ):
        mine([warc], tmp_path / "ws", engine=NastyEngine(1))


def test_the_lock_of_a_killed_run_does_not_stay(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom sitestrata.run.workspace import write_workspace\n"
        "with write_workspace(sys.argv[1]):\n print('locked', flush=True)\n time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, tmp_path / "ws"], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert "locked\n" == holder.stdout.readline()
    holder.kill()
    holder.wait()
    holder.stdout.close()

    with write_workspace(tmp_path / "ws") as workspace:
        assert 1 == workspace.manifest.runs


@pytest.mark.parametrize("nth", [1, 6])
def test_a_full_disk_ends_the_run_and_loses_nothing(nth: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warc = write_warc(tmp_path / "crawl.warc.gz", PAGES)
    expected = mine([warc], tmp_path / "whole", engine=NastyEngine(1))
    real, calls = os.fsync, 0

    def full(descriptor: int) -> None:
        nonlocal calls
        calls += 1
        if calls > nth:
            raise OSError(28, "No space left on device")
        real(descriptor)

    with monkeypatch.context() as context:
        context.setattr(storage.os, "fsync", full)
        with pytest.raises(WorkspaceError, match="No space left"):
            mine([warc], tmp_path / "ws", engine=NastyEngine(2))
    continued = mine([warc], tmp_path / "ws", engine=NastyEngine(3))

    assert {t: expected.digest(t) for t in expected.tables} == {t: continued.digest(t) for t in continued.tables}


@pytest.mark.skipif(not os.access("/proc/mounts", os.R_OK) or os.geteuid() != 0, reason="needs root to mount a tmpfs")
@pytest.mark.slow
def test_a_disk_that_really_is_full_gives_a_message_and_a_way_on(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48k", "tmpfs", disk], check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        warc = write_warc(tmp_path / "crawl.warc.gz", PAGES)
        run = _start(warc, "-o", disk / "ws", "--workers", 1)
        _, complaint = run.communicate(timeout=120)

        assert 1 == run.returncode
        assert "No space left on device" in complaint
        assert f"sitestrata mine --resume -o {disk / 'ws'}" in complaint
        assert "Traceback" not in complaint
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        again = _start("--resume", "-o", disk / "ws", "--workers", 1)
        _, complaint = again.communicate(timeout=120)

        assert 0 == again.returncode, complaint
        assert len(PAGES) == open_workspace(disk / "ws").count("pages")
    finally:
        subprocess.run(["umount", disk], check=True)


def test_ctrl_c_leaves_a_workspace_that_can_be_continued(tmp_path: Path) -> None:
    pages = {f"http://a.example/{n}": page(str(n), [f"/{m}" for m in range(80)]) for n in range(2500)}
    warc = write_warc(tmp_path / "crawl.warc.gz", pages)
    run = _start(warc, "-o", tmp_path / "ws", "--workers", 1, "-v")
    assert run.stderr is not None
    for line in run.stderr:
        if "stage pages begins" in line:
            break
    os.killpg(run.pid, signal.SIGINT)
    _, complaint = run.communicate(timeout=60)

    assert 1 == run.returncode
    assert f"Continue with: sitestrata mine --resume -o {tmp_path / 'ws'}" in complaint
    assert "Traceback" not in complaint
    assert not open_workspace(tmp_path / "ws").manifest.is_finished
