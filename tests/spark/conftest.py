"""A Spark master with two workers on this machine, as `start-master.sh` and `start-worker.sh` would start them."""

import gzip
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest

from sitestrata.errors import MissingExtraError
from sitestrata.run.mine import mine
from sitestrata.run.spark import open_session
from sitestrata.run.spark.session import check_java
from sitestrata.run.workspace import Workspace
from sitestrata.sample import write as write_sample
from support.object_store import object_store

TESTS = Path(__file__).parents[1]
START_SECONDS = 120
# What compiles for long runs, and collects beside them, costs these short ones more than it gives.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# A task that runs longer than its fellows is started a second time, for no good reason: what does that harm?
SETTINGS = {
    "spark.speculation": "true",
    "spark.speculation.interval": "50ms",
    "spark.speculation.quantile": "0.1",
    "spark.speculation.multiplier": "1.01",
    "spark.speculation.minTaskRuntime": "300ms",
    "spark.executor.memory": "512m",
    "spark.driver.memory": "512m",
    "spark.executor.extraJavaOptions": JAVA,
    "spark.driver.extraJavaOptions": JAVA,
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    "spark.scheduler.maxRegisteredResourcesWaitingTime": f"{START_SECONDS}s",
    "spark.cores.max": "4",
    # Less than the tables of the sample web: whoever collected them would fail.
    "spark.driver.maxResultSize": "640k",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.spark)


@pytest.fixture(scope="session", autouse=True)
def _can_run() -> None:
    try:
        import pyspark  # noqa: F401

        check_java()
    except (ImportError, MissingExtraError) as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"no Spark here: {error}")
        pytest.skip(f"no Spark here: {error}")


@dataclass(slots=True)
class Cluster:
    """A master and its workers, each a process of its own."""

    url: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def executors(self) -> list[int]:
        """Return the processes that run tasks: the children of the workers."""
        parents = {worker.pid for worker in self.workers}
        return [process for process in _processes() if _parent(process) in parents]


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with one bucket, served on loopback as S3 is; processes that are started from now on know where."""
    folder = tmp_path_factory.mktemp("store")
    (folder / "crawls").mkdir()
    with pytest.MonkeyPatch.context() as patch, object_store(folder) as endpoint:
        patch.setenv("AWS_ENDPOINT_URL", endpoint)
        patch.setenv("AWS_ACCESS_KEY_ID", "anyone")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "anything")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        yield folder


@pytest.fixture(scope="session")
def cluster(store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    found = Cluster(f"spark://127.0.0.1:{port}")
    master = _start(folder / "master.log", "master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", 0)
    try:
        for number in range(2):
            arguments = ("--host", "127.0.0.1", "--cores", 2, "--memory", "1g", "--webui-port", 0)
            log, work = folder / f"worker{number}.log", folder / f"work{number}"
            found.workers.append(_start(log, "worker.Worker", *arguments, "--work-dir", work, found.url))
        yield found
    finally:
        for process in (*found.workers, master):
            process.terminate()
            process.wait()


@pytest.fixture(scope="session")
def spark(cluster: Cluster) -> Iterator[Any]:
    session = open_session(cluster.url, settings=SETTINGS)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two WARC files of the sample web."""
    folder = tmp_path_factory.mktemp("web")
    paths = [folder / f"{seed}.warc.gz" for seed in (5, 6)]
    for path, seed in zip(paths, (5, 6), strict=True):
        write_sample(path, seed=seed, pages=60)
    return paths


@pytest.fixture(scope="session")
def embedded(web: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """What the embedded engine makes of it."""
    return mine(web, tmp_path_factory.mktemp("embedded") / "ws", workers=1)


@pytest.fixture(scope="session")
def expected(embedded: Workspace) -> dict[str, str]:
    return digests(embedded)


def digests(workspace: Workspace) -> dict[str, str]:
    """Return the canonical digests of all tables."""
    assert workspace.manifest.is_finished
    return {table: workspace.digest(table) for table in workspace.tables}


def _start(log: Path, name: str, *arguments: object) -> subprocess.Popen[bytes]:
    import pyspark

    home = Path(pyspark.__file__).parent
    with log.open("wb") as file:
        process = subprocess.Popen(
            [home / "bin" / "spark-class", f"org.apache.spark.deploy.{name}", *map(str, arguments)],
            stdout=file,
            stderr=subprocess.STDOUT,
            env={
                **os.environ,
                "SPARK_HOME": str(home),
                "SPARK_LOCAL_IP": "127.0.0.1",
                "SPARK_DAEMON_JAVA_OPTS": JAVA,
                "PYSPARK_PYTHON": sys.executable,
                # The stages of these tests, and what this process imports.
                "PYTHONPATH": os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]),
            },
        )
    deadline = time.monotonic() + START_SECONDS
    while "Starting Spark" not in log.read_text(errors="replace"):
        assert process.poll() is None and time.monotonic() < deadline, log.read_text(errors="replace")
        time.sleep(0.2)
    return process


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _parent(process: int) -> int:
    try:
        stat = (Path("/proc") / str(process) / "stat").read_text(errors="replace")
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])


def kill(process: int) -> None:
    """End a process as a machine that dies does."""
    os.kill(process, signal.SIGKILL)


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """24 small pages of three hosts."""
    hosts = ("one.example", "two.example", "three.example")
    path = tmp_path / "crawl.warc.gz"
    with path.open("wb") as file:
        for url in (f"http://{host}/p{number}" for host in hosts for number in range(8)):
            links = "".join(f'<li><a href="/p{other}">{other}</a>' for other in range(8))
            body = f"<title>{url}</title><ul>{links}<li><a href=http://one.example/p0>one</a></ul>".encode()
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{uuid5(NAMESPACE_URL, url)}>\r\n"
                f"WARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
            ).encode()
            file.write(gzip.compress(head + http + b"\r\n\r\n", mtime=0))
    return path
