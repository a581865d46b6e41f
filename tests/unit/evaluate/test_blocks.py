"""Blocks marked by xpath become cuts between leaves."""

import io
import json
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from sitestrata.errors import SourceError
from sitestrata.evaluate import evaluate
from sitestrata.evaluate.formats import read_facts
from sitestrata.evaluate.formats.blocks import cuts_of_blocks

PAGE = b"""<html><head><title>no leaf</title></head><body>
<div><a>Home</a> <a>News</a></div>
<div>Text <b>bold</b> tail<script>no leaf</script><img src=x alt="Picture"></div>
<p>End \xff</p></body></html>"""
XPATHS = ["/html/body/div[1]", "/html/body/div[2]", "/html/body/div[9]"]


def test_a_block_cuts_before_its_first_leaf_and_behind_its_last() -> None:
    leaves, cuts = cuts_of_blocks(PAGE, XPATHS)

    assert ("Home", "News", "Text", "bold", "tail", "Picture", "End \ufffd") == leaves
    assert (2, 6) == cuts


def test_labels_are_read_with_the_pages_beside_them(tmp_path: Path) -> None:
    url = "http://h.example/"
    rows = [{"url": url, "xpath": xpath, "type": "Menu", "level": "1"} for xpath in XPATHS]
    labels = tmp_path / "labels.jsonl"
    labels.write_text("\n".join(map(json.dumps, rows)))
    with (tmp_path / "pages.warc.gz").open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(PAGE), http_headers=head))
    gold = read_facts([labels])

    outcome = evaluate(gold, gold)

    assert [url] == [fact.url for fact in gold.cuts]
    assert 1 == next(score.value for score in outcome.scores if score.name == "segments.window_1_f1")


def test_labels_without_pages_are_told(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps({"url": "http://h/", "xpath": "/html", "type": "Menu", "level": "1"}))

    with pytest.raises(SourceError, match="no WARC file beside it"):
        read_facts([path])
