"""Requests beside answers -> the answers that a link would get.

What a form was answered (POST) and what a probe was (HEAD) stand under the same address as the page itself, and later:
as the last capture of the address they would take its place. Only the request tells them apart. Writers put it right
before or right after the answer, so one record of patience is enough.
"""

from collections.abc import Iterator

from sitestrata.sources.records import Fault, Record

__all__ = ["without_posts"]

_METHODS = (b"POST ", b"PUT ", b"PATCH ", b"DELETE ", b"OPTIONS ", b"HEAD ")


def without_posts(found: Iterator[Record | Fault]) -> Iterator[Record | Fault]:
    """Pass everything on, with a fault in place of each answer whose request, before or after it, was not a GET."""
    waiting: Record | None = None  # an answer whose request may come next
    posted: Record | None = None  # a request other than GET whose answer may come next
    for item in found:
        post = item if isinstance(item, Record) and item.kind == "request" and item.block.startswith(_METHODS) else None
        if waiting is not None:
            yield _refusal(post, waiting) if post is not None and _belong_together(post, waiting) else waiting
            waiting = None
        if isinstance(item, Record) and item.kind in ("response", "revisit"):
            if posted is not None and _belong_together(posted, item):
                yield _refusal(posted, item)
            else:
                waiting = item
        else:
            yield item
        posted = post
    if waiting is not None:
        yield waiting


def _refusal(request: Record, answer: Record) -> Fault:
    method = request.block.partition(b" ")[0].decode("ascii")
    detail = f"This is what a {method} request was answered, not the page at the address."
    return Fault(answer.offset, "not-a-get", detail)


def _belong_together(request: Record, answer: Record) -> bool:
    if request.fields.get(b"warc-target-uri") != answer.fields.get(b"warc-target-uri"):
        return False
    asked, told = request.fields.get(b"warc-concurrent-to"), answer.fields.get(b"warc-concurrent-to")
    names = (request.fields.get(b"warc-record-id"), answer.fields.get(b"warc-record-id"))
    # Where neither names the other, being neighbours under one address has to do.
    return (asked is None and told is None) or asked == names[1] or told == names[0]
