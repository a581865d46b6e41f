"""Body of a page -> UTF-8 text and the name of the charset it was written in, as browsers decide it.

In this order (HTML Standard 13.2.3, Encoding Standard): byte order mark; what the HTTP header says; what ``<meta>``
says in the first kilobyte, else later in the head; then detection, which only a page without any label needs: UTF-8 if
the bytes are valid UTF-8, else the most likely legacy charset, else windows-1252. Bytes that make no sense in the
charset become U+FFFD. A label nobody knows counts as no label.

Difference from browsers: the Encoding Standard decodes iso-2022-kr and hz-gb-2312 to nothing, because their escape
sequences can smuggle scripts past a filter. We run no scripts, so we read them.
"""

import codecs
import re
from dataclasses import dataclass

from sitestrata._kernels import load

__all__ = ["Decoded", "decode", "encoding_for_label", "python_codec"]

PRESCAN = 1024  # bytes; HTML Standard 13.2.3.2
LATE_META = 65_536  # bytes in which a later <meta> is looked for, as a parser that meets it would start again
_META_LENGTH = 256  # bytes in which a plain <meta> ends after the word "charset"
SAMPLE = 8_192  # bytes that detection looks at
MIN_EVIDENCE = 64  # bytes beyond ASCII; fewer are western names and signs far more often than not
FALLBACK = "windows-1252"

# Encoding Standard 4.2: name -> labels. The name itself is always a label.
# fmt: off
_LABELS = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8",
    "ibm866": "866 cp866 csibm866",
    "iso-8859-2": "csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    "iso-8859-3": "csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    "iso-8859-4": "csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    "iso-8859-5": "csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
    "iso-8859-6": "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",  # noqa: E501
    "iso-8859-7": "csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek",  # noqa: E501
    "iso-8859-8": "csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual",  # noqa: E501
    "iso-8859-8-i": "csiso88598i logical",
    "iso-8859-10": "csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso-8859-13": "iso8859-13 iso885913",
    "iso-8859-14": "iso8859-14 iso885914",
    "iso-8859-15": "csisolatin9 iso8859-15 iso885915 iso_8859-15 l9",
    "iso-8859-16": "",
    "koi8-r": "cskoi8r koi koi8 koi8_r",
    "koi8-u": "koi8-ru",
    "macintosh": "csmacintosh mac x-mac-roman",
    "windows-874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620",
    "windows-1250": "cp1250 x-cp1250",
    "windows-1251": "cp1251 x-cp1251",
    "windows-1252": "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252",  # noqa: E501
    "windows-1253": "cp1253 x-cp1253",
    "windows-1254": "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 x-cp1254",  # noqa: E501
    "windows-1255": "cp1255 x-cp1255",
    "windows-1256": "cp1256 x-cp1256",
    "windows-1257": "cp1257 x-cp1257",
    "windows-1258": "cp1258 x-cp1258",
    "x-mac-cyrillic": "x-mac-ukrainian",
    "gbk": "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk",
    "gb18030": "",
    "big5": "big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc-jp": "cseucpkdfmtjapanese x-euc-jp",
    "iso-2022-jp": "csiso2022jp",
    "shift_jis": "csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis",
    "euc-kr": "cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949",
    "iso-2022-kr": "csiso2022kr",
    "hz-gb-2312": "",
    "utf-16be": "unicodefffe",
    "utf-16le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16",
    "x-user-defined": "",
}
# fmt: on
_ENCODINGS = {label: name for name, labels in _LABELS.items() for label in (name, *labels.split())}

# Python's codec of each encoding, where its name differs: the superset that the Encoding Standard means.
_CODECS = {
    "ibm866": "cp866",
    "iso-8859-8-i": "iso-8859-8",
    "macintosh": "mac-roman",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "hz-gb-2312": "hz",
}
_BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16be"), (codecs.BOM_UTF16_LE, "utf-16le"))


@dataclass(slots=True)
class Decoded:
    """The text of a page and where its charset was found."""

    text: bytes  # valid UTF-8 without byte order mark
    charset: str  # name in the Encoding Standard, lower case
    source: str  # bom, header, meta, detected, fallback


def decode(body: bytes, header: str | None = None) -> Decoded:
    """Decode a body; ``header`` is the charset parameter of its Content-Type."""
    for mark, marked in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return Decoded(_to_utf8(body[len(mark) :], marked), marked, "bom")
    name = encoding_for_label(header) if header else None
    if name:
        return Decoded(_to_utf8(body, name), name, "header")
    name = _meta(body)
    if name:
        return Decoded(_to_utf8(body, name), name, "meta")
    if body.isascii() and b"\x1b" not in body:
        return Decoded(body, FALLBACK, "fallback")
    if _is_utf8(body):
        return Decoded(body, "utf-8", "detected")
    name = _detect(body)
    return Decoded(_to_utf8(body, name or FALLBACK), name or FALLBACK, "detected" if name else "fallback")


def encoding_for_label(label: str) -> str | None:
    """Return the encoding that a label means, or None.

    >>> encoding_for_label(" Latin1 "), encoding_for_label("klingon")
    ('windows-1252', None)
    """
    return _ENCODINGS.get(label.strip(" \t\r\n\f").lower())


def _to_utf8(body: bytes, name: str) -> bytes:
    if name == "utf-8":
        return body if _is_utf8(body) else body.decode("utf-8", "replace").encode()
    if name == "x-user-defined":
        return "".join(chr(byte if byte < 0x80 else 0xF700 + byte) for byte in body).encode()
    if body.isascii() and name not in _NOT_ASCII:
        return body
    text = body.decode(_CODECS.get(name, name), "replace")
    return text.encode("utf-8", "replace")  # a lone surrogate of broken UTF-16 has no UTF-8 form


# Encodings that a <meta> can name and mean.
_TAKEN_AS_SAID = frozenset(_LABELS) - {"utf-16be", "utf-16le", "x-user-defined"}
# Encodings in which ASCII bytes may mean something else.
_NOT_ASCII = frozenset({"utf-16be", "utf-16le", "iso-2022-jp", "iso-2022-kr", "hz-gb-2312"})


_is_utf8 = load("utf8").is_utf8


# The two ways in which nearly all pages say it; where something before it could mislead, the slow scan decides.
_LABEL = rb"([\w:.-]+)"
_PRAGMA = rb"(?:\"content-type\"|'content-type'|content-type)"
_PLAIN_META = re.compile(
    rb"<meta\s+(?:"
    rb"charset=(?:\"" + _LABEL + rb"\"|'" + _LABEL + rb"'|" + _LABEL + rb"(?=[\s/>]))|"
    rb"http-equiv=" + _PRAGMA + rb"\s+content=(?:\"[^\"'<>;]*;\s*charset=" + _LABEL + rb"\"|"
    rb"'[^\"'<>;]*;\s*charset=" + _LABEL + rb"'))[^<>]*>",
    re.IGNORECASE,
)


def _meta(body: bytes) -> str | None:
    """Return the encoding that a <meta> names."""
    head = body[:PRESCAN]
    name = _plain_meta(head)
    if name:
        return name
    at = body[:LATE_META].lower().find(b"charset")
    if at < 0:
        return None
    name = _prescan(head) if at < PRESCAN else None
    if name or len(body) <= PRESCAN:
        return name
    name = _plain_meta(body[: at + _META_LENGTH])
    return name or _prescan(_without_scripts(body[:LATE_META]))


def _plain_meta(head: bytes) -> str | None:
    """Return the encoding that the first <meta charset> names if nothing before it can mislead."""
    match = _PLAIN_META.search(head)
    if match is None:
        return None
    before = head[: match.start()].lower()
    if b"charset" in before or before.rfind(b"<") > before.rfind(b">"):
        return None
    if before.rfind(b"<!--") > before.rfind(b"-->") or before.rfind(b"<script") > before.rfind(b"</script"):
        return None
    if before.count(b'"') % 2 or before.count(b"'") % 2:
        return None
    name = encoding_for_label((match[match.lastindex or 0]).decode("latin-1"))
    return name if name in _TAKEN_AS_SAID else None


_ATTRIBUTE = re.compile(rb"[\s/]*([^\s/>=][^\s/>=]*)?(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]*)))?", re.DOTALL)
_TAG_END = re.compile(rb"[\s/]*>")
_TAG_OR_COMMENT = re.compile(rb"<(?:!--|meta(?=[\s/])|/?[a-z]|[!/?])", re.IGNORECASE)
_PRAGMA_CHARSET = re.compile(rb"charset\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s;\"'][^\s;]*))", re.IGNORECASE)
_SCRIPTS = re.compile(rb"<(script|style|title|textarea|noscript)(?=[\s>/]).*?(?:</\1|\Z)", re.IGNORECASE | re.DOTALL)


def _without_scripts(head: bytes) -> bytes:
    return _SCRIPTS.sub(b"", head)


def _prescan(head: bytes) -> str | None:
    """Return the encoding that a <meta> names; HTML Standard 13.2.3.2, "prescan a byte stream"."""
    position = 0
    while match := _TAG_OR_COMMENT.search(head, position):
        opening = match[0].lower()
        if opening == b"<!--":
            end = head.find(b"-->", match.start() + 2)  # "<!-->" is a whole comment
            if end < 0:
                return None
            position = end + 3
        elif opening in (b"<!", b"</", b"<?"):
            end = head.find(b">", match.end())
            if end < 0:
                return None
            position = end + 1
        elif opening == b"<meta":
            name, position = _meta_attributes(head, match.end())
            if name:
                return name
        else:
            space = re.compile(rb"[\s>]").search(head, match.end())
            if not space:
                return None
            position = space.start()
            while True:
                attribute = _attribute(head, position)
                if attribute is None:
                    break
                position = attribute[2]
    return None


def _meta_attributes(head: bytes, position: int) -> tuple[str | None, int]:
    seen: set[bytes] = set()
    got_pragma = False
    need_pragma: bool | None = None
    charset: str | None = None
    while True:
        attribute = _attribute(head, position)
        if attribute is None:
            break
        name, value, position = attribute
        if name in seen:
            continue
        seen.add(name)
        if name == b"http-equiv":
            got_pragma = got_pragma or value == b"content-type"
        elif name == b"content":
            found = _PRAGMA_CHARSET.search(value)
            if found and charset is None:
                charset = encoding_for_label((found[1] or found[2] or found[3] or b"").decode("latin-1"))
                need_pragma = True if charset else need_pragma
        elif name == b"charset":
            charset = encoding_for_label(value.decode("latin-1"))
            need_pragma = False
    if _TAG_END.match(head, position) is None:
        return None, len(head)  # the tag never ends, and so counts for nothing
    if need_pragma is None or (need_pragma and not got_pragma) or charset is None:
        return None, position
    if charset.startswith("utf-16"):
        charset = "utf-8"
    if charset == "x-user-defined":
        charset = "windows-1252"
    return charset, position


def _attribute(head: bytes, position: int) -> tuple[bytes, bytes, int] | None:
    """Return name, value and end of the attribute at a position, lower-cased, or None at the end of the tag."""
    match = _ATTRIBUTE.match(head, position)
    if match is None or match.end() == position:
        return None
    name = match[1] or b""
    if not name and match[0].strip(b" \t\r\n\f/") == b"":
        return None
    value = next((group for group in match.groups()[1:] if group is not None), b"")
    return name.lower(), value.lower(), match.end()


# What a page without a label may be written in; ordered so that ties go to the more common one.
_LEGACY = (
    "windows-1252", "windows-1251", "shift_jis", "gbk", "euc-kr", "euc-jp", "big5", "windows-1250", "koi8-r",
    "windows-1254", "windows-1253", "windows-1256", "windows-1255", "windows-874", "windows-1257", "iso-8859-2",
)  # fmt: skip
_MARKUP = re.compile(rb"<(?:script|style).*?</(?:script|style)|<[^>]*>|&#?\w+;", re.IGNORECASE | re.DOTALL)


def _detect(body: bytes) -> str | None:
    """Guess the charset of a page that is not UTF-8 and says nothing about itself."""
    # Imported late: only unlabelled legacy pages need it.
    from charset_normalizer import from_bytes

    if b"\x1b$" in body[:LATE_META] and body.isascii():
        return "iso-2022-jp"
    lines = [line for line in _MARKUP.sub(b" ", body[: 32 * SAMPLE]).splitlines() if not line.isascii()]
    sample = b"\n".join(lines)[:SAMPLE]
    if len(sample.translate(None, bytes(range(128)))) < MIN_EVIDENCE:
        return None
    codec_of = {codecs.lookup(_CODECS.get(name, name)).name: name for name in _LEGACY}
    best = from_bytes(sample, cp_isolation=list(codec_of), enable_fallback=False).best()
    return None if best is None else codec_of.get(codecs.lookup(best.encoding).name)


def python_codec(name: str) -> str:
    """Return Python's name of an encoding that `decode` used."""
    return _CODECS.get(name, "latin-1" if name == "x-user-defined" else name)
