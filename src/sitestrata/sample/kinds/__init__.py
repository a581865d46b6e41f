"""The kinds of site the sample web is made of: one builder each."""

from collections.abc import Callable

from sitestrata.sample.kinds.books import documentation, manual, wiki
from sitestrata.sample.kinds.campus import university
from sitestrata.sample.kinds.commerce import shop, travel
from sitestrata.sample.kinds.networks import organisation, sisters, twohosts
from sitestrata.sample.kinds.press import directory, news, nomenu
from sitestrata.sample.kinds.small import frames, personal, single, tables97
from sitestrata.sample.kinds.tongues import languages
from sitestrata.sample.web import Group

__all__ = ["KINDS"]

# kind: (builder, smallest sensible number of pages, share of the pages of a web)
KINDS: dict[str, tuple[Callable[[Group], None], int, float]] = {
    "shop": (shop, 25, 3.0),
    "news": (news, 25, 2.0),
    "travel": (travel, 25, 1.2),
    "university": (university, 60, 1.6),
    "documentation": (documentation, 50, 2.0),
    "wiki": (wiki, 25, 1.2),
    "personal": (personal, 30, 1.0),
    "twohosts": (twohosts, 25, 1.0),
    "nomenu": (nomenu, 12, 0.5),
    "manual": (manual, 15, 1.0),
    "frames": (frames, 8, 0.3),
    "tables97": (tables97, 10, 0.5),
    "single": (single, 6, 0.1),
    "organisation": (organisation, 75, 1.6),
    "languages": (languages, 30, 0.8),
    "sisters": (sisters, 160, 1.6),
    "directory": (directory, 6, 0.2),
}
