"""Worked example of MenuMiner 4."""

from sitestrata.page import read_page
from sitestrata.segments import find_segments


def test_menuminer_fig5_submenu_does_not_tear_its_link_off() -> None:
    """Four links, a submenu under the third: one segment with the four links, one for the submenu."""
    html = b"""<body><h1>Title</h1><div><ul>
      <li><a href=1>one</a></li>
      <li><a href=2>two</a></li>
      <li><a href=3>three</a><ul><li><a href=5>five</a></li><li><a href=6>six</a></li></ul></li>
      <li><a href=4>four</a></li>
    </ul></div><p>text</p>"""

    facts = read_page(html, "http://example.org/")
    segments = find_segments(facts).records(facts.url_id)

    labels = [[facts.links.label[link] for link in segment.links] for segment in segments]
    assert [["one", "two", "three", "four"], ["five", "six"]] == labels
    assert [-1, 0] == [segment.parent for segment in segments]
    assert ["html/body/div/ul", "html/body/div/ul/li/ul"] == [segment.path for segment in segments]
