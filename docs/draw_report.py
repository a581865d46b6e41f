"""Draw pictures of a report in Chromium, for the documentation.

python docs/draw_report.py demo/ws/report.html docs/pictures/report-sample.png
python docs/draw_report.py demo/ws/report.html docs/pictures/report-tree.png --part site-by-site
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SIZE = (1100, 820)


def draw(report: Path, picture: Path, *, part: str | None, size: tuple[int, int]) -> None:
    """Take a picture of a report, or of one part of it, as a reader sees it on opening."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("Chromium is not installed.")
    text = report.read_text("utf-8")
    if part is not None:  # the part alone: a headless browser does not scroll
        start = text.index(f'<section id="{part}">')
        text = (
            text[: text.index("<header>")] + text[start : text.index("</section>", start)] + "</section></body></html>"
        )
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(text, "utf-8")
        subprocess.run(  # noqa: S603 - our own page
            [
                chromium,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                f"--user-data-dir={folder}/profile",
                f"--window-size={size[0]},{size[1]}",
                f"--screenshot={picture.absolute()}",
                page.as_uri(),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=Path)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--part", help="Only this part of the report, such as site-by-site.")
    parser.add_argument("--width", type=int, default=SIZE[0])
    parser.add_argument("--height", type=int, default=SIZE[1])
    given = parser.parse_args()
    draw(given.report, given.picture, part=given.part, size=(given.width, given.height))


if __name__ == "__main__":
    main()
