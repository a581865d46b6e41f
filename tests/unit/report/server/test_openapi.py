"""Whatever is asked in the form that OpenAPI describes, or out of it: no fault of ours comes back."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

from sitestrata.errors import WorkspaceLocked
from sitestrata.report.server import make_app
from sitestrata.report.server.jobs import Jobs

EXAMPLES = 20  # an operation and kind of request
HEADERS = {"host": "127.0.0.1", "x-sitestrata-token": "test-token"}
FEWEST_OPERATIONS = 25


@pytest.mark.slow
def test_no_request_brings_the_server_down(
    taught_workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise WorkspaceLocked("no runs in this test")

    monkeypatch.setattr(Jobs, "start", refuse)
    shutil.copytree(taught_workspace, tmp_path / "ws")
    app = make_app(tmp_path / "ws", compare_with={"same": taught_workspace}, token="test-token")
    with TestClient(app, base_url="http://127.0.0.1") as client:
        site = client.get("/api/sites", params={"limit": 1}).json()["rows"][0]["site"]
    # Made-up ids are never found, so things that exist are asked for as well.
    existing = {"site": site, "page": site, "name": "same", "concept": "7"}
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app, headers=HEADERS)
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) >= FEWEST_OPERATIONS
    modes = schemathesis.GenerationMode
    statuses: dict[int, int] = {}
    faults: list[str] = []
    always_in_form: list[str] = []
    for operation in operations:
        names = [parameter.name for parameter in operation.path_parameters]
        known = {name: existing[name] for name in names if name in existing}
        _ask(operation.as_strategy(modes.POSITIVE), statuses, faults)
        if known:
            _ask(operation.as_strategy(modes.POSITIVE, path_parameters=known), statuses, faults)
        try:
            _ask(operation.as_strategy(modes.NEGATIVE), statuses, faults)
        except Unsatisfiable:
            always_in_form.append(operation.label)

    assert [] == faults
    # Operations without parameters, or with a text that may be anything, cannot be asked out of form.
    assert len(always_in_form) <= len(operations) // 2, always_in_form
    assert statuses[200] > len(operations)
    assert statuses[404] > 0
    assert statuses[422] > 0


def _ask(strategy: Any, statuses: dict[int, int], faults: list[str]) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy)
    def ask(case: Any) -> None:
        answer = case.call(headers=HEADERS)
        statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
        if answer.status_code >= 500:
            faults.append(f"{case.method} {case.path} {case.path_parameters} {case.query} {case.body}: {answer.text}")

    ask()
