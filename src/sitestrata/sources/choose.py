"""Several captures of one address -> the one that is parsed."""

from typing import Literal, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.errors import UsageError

__all__ = ["Policy", "choose_captures"]

Policy = Literal["first", "last", "all-dates"]

# Answers that hold a whole page: not "no content", "reset content" and "partial content".
_NO_PAGE = (204, 205, 206)
_BEFORE_ALL = int(np.iinfo(np.int64).min)


def choose_captures(captures: pa.Table, policy: Policy = "last") -> pa.Table:
    """Return the rows to parse: one page an address (``first`` or ``last``), or one an address and time.

    Only HTML that was answered with success can be parsed, so an error or a redirect never displaces a page. Captures
    without a time count as the earliest; equal times are ordered by file and offset. Rows come sorted by address.
    """
    if policy not in get_args(Policy):
        raise UsageError(f"unknown way to choose captures: {policy!r}; say one of {', '.join(get_args(Policy))}")
    status = captures["status"]
    is_success = pc.and_(pc.greater_equal(status, 200), pc.less(status, 300))
    is_page = pc.and_(
        captures["is_html"], pc.and_(is_success, pc.invert(pc.is_in(status, pa.array(_NO_PAGE, status.type))))
    )
    pages = captures.filter(is_page)
    times = pc.fill_null(pages["fetched_at"].cast(pa.int64()), _BEFORE_ALL)
    names = ["url_id", "fetched_at", "source", "offset"]
    sortable = pa.table([pages["url_id"], times, pages["source"], pages["offset"]], names=names)
    order = pc.sort_indices(sortable, sort_keys=[(name, "ascending") for name in names])
    pages, times = pages.take(order), times.take(order)
    if not pages.num_rows:
        return pages
    ids = np.asarray(pages["url_id"])
    differs = ids[1:] != ids[:-1]
    if policy == "all-dates":
        moments = np.asarray(times)
        differs = differs | (moments[1:] != moments[:-1])
    edge = np.ones(1, dtype=bool)
    is_chosen = np.concatenate((edge, differs) if policy == "first" else (differs, edge))
    return pages.filter(pa.array(is_chosen))
