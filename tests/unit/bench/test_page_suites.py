"""Cases in html5lib's format are read, reduced to what a Dom holds, and counted."""

from pathlib import Path

import page_suites
import pytest

TREES = b"""#data
<!doctype html><title>T</title><p class=a id=b x=c> one
two<!-- c --><table><td>3
#errors
none of ours
#document
| <!DOCTYPE html>
| <html>
|   <head>
|     <title>
|       "T"
|   <body>
|     <p>
|       class="a"
|       id="b"
|       x="c"
|       " one
two"
|       <!-- c -->
|     <table>
|       <tbody>
|         <tr>
|           <td>
|             "3"

#data
<b>x
#errors
#document-fragment
body
#document
| <b>
|   "x"

#data
<i>wrong
#errors
#document
| <html>
|   <head>
|   <body>
|     <b>
|       "wrong"
"""
ENCODINGS = b"""#data
<meta charset=koi8-r>
#encoding
koi8-r

#data
<meta charset=koi8-r>
#encoding
big5
"""


def test_cases_are_counted_by_outcome(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trees.dat").write_bytes(TREES)
    (tmp_path / "labels.dat").write_bytes(ENCODINGS)
    arguments = ["--trees", str(tmp_path / "trees.dat"), "--encodings", str(tmp_path / "labels.dat")]
    monkeypatch.setattr("sys.argv", ["page_suites.py", *arguments])

    status = page_suites.main()

    lines = capsys.readouterr().out.splitlines()
    assert "trees.dat: 1 of 2 passed; 1 failed: the parser's own tree differs; 1 not applicable: fragments" == lines[0]
    assert "labels.dat: 1 of 2 passed; 1 failed: ours: meta says otherwise" == lines[1]
    assert 1 == status
