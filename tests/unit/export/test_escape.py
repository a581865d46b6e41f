"""Crawled text on its way out."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode

from sitestrata.export.escape import file_id, html_text, iri, spreadsheet_cell, xml_text
from sitestrata.urls import normalise
from support.workspaces import PAYLOADS


@pytest.mark.parametrize("text", PAYLOADS)
def test_xml_reads_back_what_xml_can_hold(text: str) -> None:
    element = ElementTree.fromstring(f'<a b="{xml_text(text)}">{xml_text(text)}</a>')

    assert element.get("b") == (element.text or "")
    assert len(text) == len(element.text or "")
    assert text == element.text or any(char in (element.text or "") for char in "\ufffd") or not text


@given(st.text())
def test_any_text_is_well_formed_xml(text: str) -> None:
    ElementTree.fromstring(f"<a>{xml_text(text)}</a>")


@given(st.text())
def test_any_address_is_an_iri(text: str) -> None:
    url = normalise(f"http://example.org/{text}?{text}")
    if url is not None:
        assert url.count("/") <= NamedNode(iri(url)).value.count("/")
        assert iri(url) == iri(iri(url))
        assert normalise(iri(url)) is not None


@given(st.text())
def test_no_cell_begins_a_formula(text: str) -> None:
    cell = spreadsheet_cell(text)

    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))


@pytest.mark.parametrize("text", PAYLOADS)
def test_html_text_holds_no_markup_and_no_steering(text: str) -> None:
    shown = html_text(text)

    assert not set("<>\"'\x00\x1b\u202e\n") & set(shown)


def test_file_ids_are_hexadecimal_and_told_apart_by_sign() -> None:
    assert ["0000000000000001", "ffffffffffffffff"] == [file_id(1), file_id(-1)]
