"""Cut a corpus to a crawl that took little of each site: its home page and some other pages, drawn at random.

    python bench/shallow.py $CORPORA/apache -o $SCRATCH/apache-shallow.warc.gz

What a main menu leads to is then hardly ever captured, as in most crawls of the open web.
"""

import argparse
import csv
import json
import random
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.warcwriter import WARCWriter


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("corpus", type=Path, help="folder with NAME.warc.gz, truth.tsv and menus.json")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=8, help="of each site, beside its home page")
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    wanted = chosen_pages(options.corpus, options.pages, options.seed)
    count = 0
    with (options.corpus / f"{options.corpus.name}.warc.gz").open("rb") as source, options.out.open("wb") as target:
        writer = WARCWriter(target, gzip=True)
        for record in ArchiveIterator(source):
            is_page = record.rec_type in ("response", "revisit")
            if is_page and record.rec_headers.get_header("WARC-Target-URI") in wanted:
                writer.write_record(record)
                count += 1
    print(f"{count} records")


def chosen_pages(corpus: Path, pages: int, seed: int) -> set[str]:
    """Return the addresses of the home page and some pages of each site."""
    of_site: dict[str, list[str]] = {}
    with (corpus / "truth.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            of_site.setdefault(row["site"], []).append(row["url"])
    menus = json.loads((corpus / "menus.json").read_text(encoding="utf-8"))
    homes = (site.get("home") or site.get("entry") for site in menus.values())
    wanted = {home for home in homes if home}
    draw = random.Random(seed)
    for site in sorted(of_site):
        wanted.update(draw.sample(sorted(of_site[site]), min(pages, len(of_site[site]))))
    return wanted


if __name__ == "__main__":
    main()
