"""Crawled text on its way to a terminal or a spreadsheet: what could steer either is made harmless."""

import json
import re

__all__ = ["json_text", "spreadsheet_cell", "visible"]

# C0 and C1 controls, DEL, bidirectional controls and marks, line and paragraph separators, the byte order mark and lone
# surrogates. ESC begins terminal sequences (ECMA-48), and the 8-bit C1 forms do so without it; the bidirectional
# controls reorder what a person reads (Unicode UAX 9, "Trojan Source").
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_STEERING_OR_SPACE = re.compile("[\t\n]|" + _STEERING.pattern)
# What makes a spreadsheet read a cell as a formula (OWASP, "CSV Injection").
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def visible(text: str, *, one_line: bool = False) -> str:
    r"""Return text in which no character steers a terminal; each such character shows as ``\x1b`` or ``\u202e``.

    >>> visible("red \x1b[31m")
    'red \\x1b[31m'
    """
    return (_STEERING_OR_SPACE if one_line else _STEERING).sub(_escape, text)


def json_text(value: object, *, indent: int | None = None) -> str:
    r"""Return JSON that is exact and yet safe to print: steering characters are written as ``\u`` escapes.

    >>> json_text({"title": "\u202e"})
    '{"title": "\\u202e"}'
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    return _STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def spreadsheet_cell(text: str) -> str:
    """Return a CSV cell that no spreadsheet takes for a formula: a quote in front marks it as text.

    >>> spreadsheet_cell("=HYPERLINK(1)")
    "'=HYPERLINK(1)"
    """
    return visible(f"'{text}" if text.startswith(_FORMULA) else text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
