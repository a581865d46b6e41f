"""The hotel table of OntoMiner, Tables 1 to 4."""

from xml.etree import ElementTree

import pytest

from sitestrata.page import read_page
from sitestrata.partition.tables import TableOptions, find_tables, records_of, values_of
from sitestrata.partition.tree import TreeOptions, find_tree, tree_to_xml

HOTEL = """
<table border=1>
<tr><td colspan=2>Lodge<td>High class<td>Middle class<td>Low class
<tr><td rowspan=3>Adult<td>Single bed<td>$$<td>$$<td>$$
<tr><td>Double bed<td>$$<td>$$<td>$$
<tr><td>Extra<td>$$<td>$$<td>$$
</table>
"""


@pytest.mark.parametrize("profile", ["default", "paper"])
def test_ontominer_table1_hotel(profile: str) -> None:
    """Cleaned to 4 x 5, headers as in Table 3, records keyed as in Table 4."""
    facts = read_page(HOTEL.encode(), "https://example.org/")

    (table,) = find_tables(facts, options=TableOptions(profile=profile))

    assert ("Lodge", "Lodge", "High class", "Middle class", "Low class") == table.grid[0]
    assert ["Adult"] * 3 == [row[0] for row in table.grid[1:]]
    assert table.is_data
    mask = [
        "".join("H" if (row, column) in table.header_cells else "D" for column in range(5)) for row in range(table.rows)
    ]
    assert ["HHHHH", "HHDDD", "HHDDD", "HHDDD"] == mask
    assert "multi-header-row-column" == table.orientation
    values = values_of(table)
    assert [("Lodge", "Adult", "Single bed"), ("Lodge", "Adult", "Double bed"), ("Lodge", "Adult", "Extra")] == list(
        dict.fromkeys(value.record_path for value in values)
    )
    assert {
        "": "Lodge.Adult.Single bed",
        "High class": "$$",
        "Middle class": "$$",
        "Low class": "$$",
    } == records_of(table)[0]


@pytest.mark.parametrize("profile", ["default", "paper"])
def test_ontominer_table4_is_in_the_tree(profile: str) -> None:
    """What is extracted from the hotel table goes back to the partitioner, and into the XML."""
    facts = read_page(
        f"<b>Menu</b><ul><li>One<li>Two<li>Three</ul><h3>Prices</h3>{HOTEL}<p>End</p>".encode(), "https://example.org/"
    )

    page = ElementTree.fromstring(tree_to_xml(find_tree(facts, options=TreeOptions(profile=profile))))

    prices = ".//*[@label='Prices']/*[@label='Lodge']/*[@label='Adult']"
    assert ["Single bed", "Double bed", "Extra"] == [bed.get("label") for bed in page.findall(f"{prices}/*")]
    for bed in page.findall(f"{prices}/*"):
        assert [("High class", "$$"), ("Middle class", "$$"), ("Low class", "$$")] == [
            (head.get("label"), value.get("label")) for head in bed for value in head
        ]
    assert "End" in {node.get("label") for node in page.iter()}
