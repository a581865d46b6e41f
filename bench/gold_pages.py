"""Write the pages that table gold is about as a WARC, so that they can be mined like any others.

    python bench/gold_pages.py $CORPORA/homepages/tables.jsonl -o $SCRATCH/fragments.warc.gz
    python bench/gold_pages.py $CORPORA/wikipedia-tables/pages.warc.gz --strip -o $SCRATCH/articles.warc.gz

Table fragments have no address; each becomes a page at the address under which `sitestrata eval` looks for it.
``--strip`` takes class, id, role and style away and turns th into td: where editors' classes are the gold, a method
must not read them.
"""

import argparse
import io
import json
from collections.abc import Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from sitestrata.evaluate.formats.corpora import fragment_url

DATE = "2000-01-01T00:00:00Z"  # same input, same bytes
TELLTALE = ("class", "id", "role", "style")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gold", type=Path, help="JSON lines with table fragments, or a WARC")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--strip", action="store_true", help="remove class, id, role, style; th becomes td")
    options = parser.parse_args()
    pages = fragments(options.gold) if options.gold.suffix == ".jsonl" else captures(options.gold)
    count = 0
    with options.output.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, body in pages:
            write(writer, url, strip(body) if options.strip else body)
            count += 1
    print(f"{count:,} pages in {options.output}")


def fragments(path: Path) -> Iterator[tuple[str, bytes]]:
    with path.open(encoding="utf-8") as file:
        for row in map(json.loads, file):
            html = f"<!doctype html><meta charset=utf-8><title>{row['id']}</title><body>{row['html']}"
            yield fragment_url(row["id"]), html.encode()


def captures(path: Path) -> Iterator[tuple[str, bytes]]:
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "response":
                yield record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read()


def strip(body: bytes, *, keep_th: bool = False) -> bytes:
    tree = LexborHTMLParser(body)
    for node in tree.css("*"):
        for name in TELLTALE:
            if name in node.attributes:
                del node.attrs[name]
    if keep_th:
        return (tree.html or "").encode()
    html = (tree.html or "").replace("<th>", "<td>").replace("<th ", "<td ").replace("</th>", "</td>")
    return html.encode()


def write(writer: WARCWriter, url: str, body: bytes) -> None:
    headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
    record = writer.create_warc_record(
        url, "response", payload=io.BytesIO(body), http_headers=headers, warc_headers_dict={"WARC-Date": DATE}
    )
    record.rec_headers.replace_header("WARC-Record-ID", f"<urn:sitestrata:{url}>")
    writer.write_record(record)


if __name__ == "__main__":
    main()
