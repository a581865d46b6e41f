"""A small sample web, mined once for all tests of the server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
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
def taught_workspace(sample_workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample workspace with a small ontology written by hand: Sports above Rugby (7), which has three matches."""
    import shutil

    from sitestrata.model import Attribute, Concept, ConceptLabel, Instance, IsA, table_from_records
    from sitestrata.run.manifest import StageRecord
    from sitestrata.run.storage import write_file
    from sitestrata.run.workspace import open_workspace, write_workspace

    page = open_workspace(sample_workspace).arrow("pages", ["url_id"])["url_id"][0].as_py()
    rows: dict[str, list[Any]] = {
        "concepts": [Concept(n, 1, name, "en", 2, (1,), (), True, 0.9) for n, name in ((6, "Sports"), (7, "Rugby"))],
        "labels": [
            ConceptLabel(7, "Rugby", "en", 2, "first", None, 1.0),
            ConceptLabel(7, "Rugger", "en", 2, "place", "Rugby", 0.6),
        ],
        "is_a": [IsA(6, 7, 1, 2, 0.8, 0, False, ("tree",), ("https://a.example/",))],
        "instances": [Instance(page, n, 1, 7, f"Match {n}", None, "listing", None, 3, n, 0.7) for n in range(3)],
        "attributes": [
            Attribute(page, n, 0, "Town", town, "text", None, None, None, "html/body/p", 4)
            for n, town in enumerate(("Bath", "Bath", "Leeds"))
        ],
    }
    folder = tmp_path_factory.mktemp("taught") / "ws"
    shutil.copytree(sample_workspace, folder)
    with write_workspace(folder) as workspace:
        staging = workspace.staging("ontology")
        staged = {}
        for name, records in rows.items():
            write_file(staging / name / "all.parquet", name, [table_from_records(name, records)])
            staged[name] = [staging / name / "all.parquet"]
        record = StageRecord("", "", "", {}, {}, {name: len(found) for name, found in rows.items()}, 0.0)
        workspace.commit("ontology", record, staged, keep={}, staging=staging)
        workspace.update(is_finished=True)
    return folder


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
