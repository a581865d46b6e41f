"""Decisions are kept, can be withdrawn, survive a cut line, and are applied by the next run."""

import json
from pathlib import Path

import pytest

from sitestrata.errors import UsageError
from sitestrata.model import Decision
from sitestrata.run.decisions import (
    NAME,
    add_decision,
    decisions_to_pairs,
    read_decisions,
    read_entries,
    withdraw,
)
from sitestrata.run.listing import list_sites
from sitestrata.run.mine import mine

A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"


def test_decisions_come_back_in_the_order_they_were_made(tmp_path: Path) -> None:
    first = add_decision(tmp_path, Decision("merge", A, B), note="one \u202e owner\n")
    second = add_decision(tmp_path, Decision("name", A, "Café 💥"))

    assert (first.decision, second.decision) == read_decisions(tmp_path)
    assert ["one \u202e owner\n", ""] == [entry.note for entry in read_entries(tmp_path)]


def test_a_withdrawn_decision_stays_in_the_history_and_has_no_effect(tmp_path: Path) -> None:
    entry = add_decision(tmp_path, Decision("merge", A, B))

    assert withdraw(tmp_path, entry.id)
    assert not withdraw(tmp_path, entry.id)
    assert not withdraw(tmp_path, "nothing")
    assert () == read_decisions(tmp_path)
    assert [True] == [kept.is_withdrawn for kept in read_entries(tmp_path)]


def test_a_decision_can_be_made_again_after_it_was_withdrawn(tmp_path: Path) -> None:
    at = "2020-01-01T00:00:00+00:00"
    withdraw(tmp_path, add_decision(tmp_path, Decision("merge", A, B), at=at).id)

    add_decision(tmp_path, Decision("merge", A, B), at=at)

    assert (Decision("merge", A, B),) == read_decisions(tmp_path)


def test_a_line_that_a_crash_cut_off_costs_no_other(tmp_path: Path) -> None:
    add_decision(tmp_path, Decision("merge", A, B))
    with (tmp_path / NAME).open("a") as file:
        file.write('{"id": "x", "kind": "mer')

    add_decision(tmp_path, Decision("move", C, B))

    assert (Decision("merge", A, B), Decision("move", C, B)) == read_decisions(tmp_path)


def test_lines_that_are_no_decisions_are_passed_over(tmp_path: Path) -> None:
    lines = ["null", "[]", "{}", '{"kind": "explode", "subject": "x"}', '{"kind": "merge", "subject": 3}', "\xff"]
    (tmp_path / NAME).write_text("\n".join(lines), "utf-8")

    assert () == read_decisions(tmp_path)


def test_a_decision_without_a_subject_or_of_endless_length_is_refused(tmp_path: Path) -> None:
    for decision in (Decision("merge", "", B), Decision("name", A, "x" * 5000), Decision("explode", A)):  # type: ignore[arg-type]
        with pytest.raises(UsageError):
            add_decision(tmp_path, decision)


def test_decisions_about_pages_are_gold_pairs(tmp_path: Path) -> None:
    add_decision(tmp_path, Decision("merge", A, B), was=A)
    add_decision(tmp_path, Decision("move", C, B), was=A)
    withdraw(tmp_path, add_decision(tmp_path, Decision("merge", C, A)).id)

    assert [
        {"first": A, "second": B, "same": True},
        {"first": C, "second": B, "same": True},
        {"first": C, "second": A, "same": False},
    ] == decisions_to_pairs(read_entries(tmp_path))


def _web(folder: Path, *hosts: str) -> None:
    """Write some sites of four pages each that link nothing but themselves."""
    import io

    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    with (folder / "web.warc.gz").open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for host in hosts:
            links = "".join(f'<li><a href="/p{i}.html">Page {i}</a></li>' for i in range(3))
            for path in ("", "p0.html", "p1.html", "p2.html"):
                body = (
                    f"<title>{host} {path}</title><ul><li><a href='/'>Home</a></li>{links}</ul><p>{path}</p>".encode()
                )
                headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
                uri = f"https://{host}.example/{path}"
                writer.write_record(
                    writer.create_warc_record(uri, "response", payload=io.BytesIO(body), http_headers=headers)
                )


@pytest.mark.slow
def test_the_next_run_applies_decisions_and_repeats_only_what_depends_on_them(tmp_path: Path) -> None:
    _web(tmp_path, "a", "b", "c")
    before = mine([tmp_path / "web.warc.gz"], tmp_path / "ws", workers=1)
    assert 3 == before.count("sites")
    add_decision(tmp_path / "ws", Decision("merge", "https://b.example/p1.html", A))
    add_decision(tmp_path / "ws", Decision("move", "https://c.example/p2.html", A))
    name = add_decision(tmp_path / "ws", Decision("name", C, "See"))

    stages: list[str] = []
    after = mine(
        [],
        tmp_path / "ws",
        resume=True,
        workers=1,
        progress=lambda p: stages.append(p.stage) if not p.is_skipped else None,
    )

    sites = {row["entry_url"]: row for row in after.arrow("sites").to_pylist()}
    assert {A: 9, C: 3} == {url: row["pages"] for url, row in sites.items()}
    assert ("See", "decision") == (sites[C]["name"], sites[A]["method"])
    assert "See" in [row["name"] for row in list_sites(after)]
    assert not {"read", "captures", "pages", "aliases"} & set(stages)
    assert "decisions" not in json.loads((tmp_path / "ws" / "manifest.json").read_text())["options"]

    withdraw(tmp_path / "ws", name.id)
    again = mine([], tmp_path / "ws", resume=True, workers=1)
    assert "See" not in [row["name"] for row in again.arrow("sites").to_pylist()]
