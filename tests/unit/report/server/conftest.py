"""A small sample web, mined once for all tests of the server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the server needs FastAPI; install the project's dependencies")

from fastapi.testclient import TestClient

from sitestrata.report.server import make_app
from sitestrata.run.mine import mine
from sitestrata.sample import write

TOKEN = "test-token"


@pytest.fixture(scope="session")
def sample_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    write(folder / "web.warc.gz", seed=3, pages=80)
    mine([folder / "web.warc.gz"], folder / "ws", workers=1)
    return folder / "ws"


@pytest.fixture(scope="session")
def client(sample_workspace: Path) -> Iterator[TestClient]:
    """A client that only reads."""
    app = make_app(sample_workspace, token=TOKEN)
    with TestClient(app, base_url="http://127.0.0.1:8737") as opened:
        yield opened


@pytest.fixture
def private(sample_workspace: Path, tmp_path: Path) -> Iterator[tuple[TestClient, Path]]:
    """A client that may change its own copy of the workspace."""
    import shutil

    copy = tmp_path / "ws"
    shutil.copytree(sample_workspace, copy)
    app = make_app(copy, token=TOKEN)
    headers = {"x-sitestrata-token": TOKEN}
    with TestClient(app, base_url="http://127.0.0.1:8737", headers=headers) as opened:
        yield opened, copy


@pytest.fixture(scope="session")
def some_page(client: TestClient) -> dict[str, Any]:
    rows = client.get("/api/pages", params={"sort": "links", "descending": True, "limit": 1}).json()["rows"]
    row: dict[str, Any] = rows[0]
    return row
