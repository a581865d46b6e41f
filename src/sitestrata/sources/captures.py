"""A record of an archive -> its Capture, or what is wrong with it; nothing for records that hold no answer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b

from sitestrata.model import Capture
from sitestrata.sources.answers import Answer, decode_body, header_text, parse_answer
from sitestrata.sources.codings import TooLargeError, UnknownCodingError, dechunk
from sitestrata.sources.limits import Limits
from sitestrata.sources.records import Fault, Record
from sitestrata.sources.revisits import keys_of, keys_of_original
from sitestrata.sources.sniff import is_html, parse_media_type
from sitestrata.sources.warc import digest_agrees, parse_time, unbracket
from sitestrata.urls import normalise, url_id

__all__ = ["body_digest", "body_of", "record_to_captures"]

_CAPTURED = frozenset(("response", "resource", "revisit"))
_STATUS_OF_A_RESOURCE = 200  # a document that was there, without the HTTP that brought it
_DIGEST_SIZE = 16
_OTHER_SCHEMES = frozenset(
    (b"about", b"blob", b"data", b"dns", b"file", b"filedesc", b"ftp", b"ftps", b"gopher", b"javascript", b"mailto",
     b"metadata", b"nntp", b"screenshot", b"sftp", b"urn", b"view-source", b"warcinfo", b"whois", b"ws", b"wss")
)  # fmt: skip
_SCHEME = re.compile(rb"([A-Za-z][A-Za-z0-9+.\-]*):")
_WRONG_PAYLOAD = "The payload does not have the digest that WARC-Payload-Digest says."


def body_digest(body: bytes) -> str:
    """Return the digest that a Capture holds of its decoded body."""
    return blake2b(body, digest_size=_DIGEST_SIZE).hexdigest()


def record_to_captures(record: Record, source: str, limits: Limits) -> Iterator[Capture | Fault]:
    """Turn one record into its capture, or into what is wrong with it, or into both or neither."""
    fault = _check_block(record)
    if fault is not None:
        yield fault
        if record.kind != "revisit":  # some writers give a revisit the digest of its original's block
            return
    if record.kind not in _CAPTURED:
        return
    target = unbracket(record.fields.get(b"warc-target-uri", b""))
    url = normalise(header_text(target))
    if url is None:
        if (fault := _about_url(record, target)) is not None:
            yield fault
        return
    if record.kind == "revisit":
        answer = parse_answer(record.block, max_header=limits.max_header) or Answer(0, {}, 0)
        yield _capture(record, source, url, answer, None)
        return
    found = _answer_of(record, limits)
    if isinstance(found, Fault):
        yield found
        return
    if record.is_cut:
        yield _cut_capture(record, source, url, found, limits)
        return
    body = _decode(record, found, limits)
    if isinstance(body, Fault):
        yield body
        return
    if body.notice is not None:
        yield body.notice
    yield _capture(record, source, url, found, body.data)


def body_of(record: Record, limits: Limits) -> bytes | Fault:
    """Return the decoded body of a response or resource record."""
    if record.is_cut:
        return Fault(record.offset, "too-large", f"The page is larger than {limits.max_body} bytes.")
    answer = _answer_of(record, limits)
    if isinstance(answer, Fault):
        return answer
    body = _decode(record, answer, limits)
    return body if isinstance(body, Fault) else body.data


@dataclass(slots=True)
class _Body:
    data: bytes
    notice: Fault | None = None


def _capture(record: Record, source: str, url: str, answer: Answer, body: bytes | None) -> Capture:
    media_type, charset = parse_media_type(tuple(answer.fields.get(b"content-type", ())))
    location = answer.first(b"location")
    robots = [header_text(value) for value in answer.fields.get(b"x-robots-tag", ())]
    return Capture(
        url_id=url_id(url),
        url=url,
        source=source,
        offset=record.offset,
        length=record.length,
        record_type=record.kind,
        fetched_at=parse_time(record.fields.get(b"warc-date", b"")),
        status=answer.status,
        media_type=media_type,
        charset=charset,
        location=None if location is None else normalise(header_text(location), url),
        robots=", ".join(robots) or None,
        size=0 if body is None else len(body),
        digest="" if body is None else body_digest(body),
        is_html=False if body is None else is_html(media_type, body),
        keys=keys_of_original(record.fields, url) if record.kind == "revisit" else keys_of(record.fields, url),
    )


def _cut_capture(record: Record, source: str, url: str, answer: Answer, limits: Limits) -> Capture | Fault:
    """Keep status, type and size of what is too large to hold, unless it may be a page."""
    capture = _capture(record, source, url, answer, None)
    if is_html(capture.media_type, record.block[answer.body_start :]):
        return Fault(record.offset, "too-large", f"The page is larger than {limits.max_body} bytes.")
    return replace(capture, size=record.block_size - answer.body_start)


def _check_block(record: Record) -> Fault | None:
    """Compare the block with the digest its writer took; a match vouches for the block from here on."""
    claim = record.fields.get(b"warc-block-digest")
    if claim is None or record.is_cut:
        return None
    agrees = digest_agrees(claim, (record.block,))
    if agrees is False:
        return Fault(record.offset, "bad-digest", "The block does not have the digest that WARC-Block-Digest says.")
    if agrees:
        record.is_checked = record.is_digested = True
    return None


def _answer_of(record: Record, limits: Limits) -> Answer | Fault:
    answer = parse_answer(record.block, max_header=limits.max_header)
    if answer is not None:
        return answer
    content_type = record.fields.get(b"content-type", b"")
    if record.kind == "response" and content_type.lower().startswith(b"application/http"):
        return Fault(record.offset, "bad-http", "The block of the response does not start with the head of an answer.")
    return Answer(_STATUS_OF_A_RESOURCE, {b"content-type": [content_type]}, 0)


def _decode(record: Record, answer: Answer, limits: Limits) -> _Body | Fault:
    raw = record.block[answer.body_start :]
    try:
        body, is_whole = decode_body(answer, raw, limits)
    except TooLargeError:
        return Fault(record.offset, "too-large", f"The body unpacks to more than {limits.max_body} bytes.")
    except UnknownCodingError as error:
        return Fault(record.offset, "bad-encoding", f"The body cannot be unpacked: {error}.")
    if record.is_digested:
        return _Body(body)
    claim = record.fields.get(b"warc-payload-digest")
    if claim is not None:
        agrees = _payload_agrees(claim, raw, body)
        if agrees:
            return _Body(body)
        if agrees is False and record.is_checked:
            # The bytes are as they were written; it is the writer who is wrong about them.
            return _Body(body, Fault(record.offset, "wrong-payload-digest", _WRONG_PAYLOAD + " The page was used."))
        if agrees is False:
            return Fault(record.offset, "bad-digest", _WRONG_PAYLOAD)
    if not is_whole and not record.is_checked and b"warc-truncated" not in record.fields:
        detail = "The packed body is damaged, and no digest says that it was sent like this."
        return Fault(record.offset, "bad-encoding", detail)
    return _Body(body)


def _payload_agrees(claim: bytes, raw: bytes, body: bytes) -> bool | None:
    """Compare with all that writers take for the payload: the bytes as sent, without chunks, and unpacked."""
    agrees = digest_agrees(claim, (raw,))
    if agrees is False:
        agrees = digest_agrees(claim, (dechunk(raw)[0],)) or digest_agrees(claim, (body,))
    return agrees


def _about_url(record: Record, target: bytes) -> Fault | None:
    scheme = _SCHEME.match(target)
    name = b"" if scheme is None else scheme.group(1).lower()
    # Other schemes hold no pages. One that nobody knows, of an HTTP answer, is a damaged one.
    if name in _OTHER_SCHEMES or (name not in (b"", b"http", b"https") and not record.block.startswith(b"HTTP/")):
        return None
    detail = (
        "The WARC-Target-URI of the record is no valid address." if target else "The record has no WARC-Target-URI."
    )
    return Fault(record.offset, "bad-url", detail)
