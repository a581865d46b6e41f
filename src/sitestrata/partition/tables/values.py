"""The text of a cell -> a typed value: number, percentage, amount of money, quantity with unit, date, time, or text.

Nothing here reads English: digits of any script, the separators of any locale, currency signs by their Unicode
category and codes by ISO 4217, units by their place behind a number, dates by their shape. Names of months are known in
the languages of ``_MONTHS``; in others a day, a word and a year still make a date, of which only the year is known.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["CURRENCIES", "NUMERIC", "Value", "decimal_mark", "read_value"]

MAX_LENGTH = 64  # characters; longer texts are text
NUMERIC = ("number", "percent", "currency", "quantity")


@dataclass(frozen=True, slots=True)
class Value:
    """What a text says, as far as its form tells."""

    kind: str  # empty, text, number, percent, currency, quantity, date, time
    number: float | None = None
    unit: str | None = None
    date: str | None = None


# Signs that pages print where a value is missing.
_MISSING = frozenset("-‐‑‒–—―−·…*?/\\.")

# ISO 4217, the codes in use.
_ISO_4217 = (
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY "
    "COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR "
    "ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK "
    "MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF "
    "SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS "
    "VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL DEM FRF ITL ESP ATS NLG BEF FIM IEP PTE GRD"
)
CURRENCIES = frozenset(_ISO_4217.split())

# The first letters of the twelve months, in order; enough of each name to tell it from the others of its language.
# fmt: off
_MONTHS: tuple[tuple[str, ...], ...] = (
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),  # English
    ("jan", "feb", "mär", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"),  # German
    ("janv", "fév", "mars", "avr", "mai", "juin", "juil", "aoû", "sept", "oct", "nov", "déc"),  # French
    ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"),  # Spanish
    ("gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"),  # Italian
    ("jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"),  # Portuguese
    ("jan", "feb", "maa", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"),  # Dutch
    ("sty", "lut", "mar", "kwi", "maj", "cze", "lip", "sie", "wrz", "paź", "lis", "gru"),  # Polish
    ("led", "úno", "bře", "dub", "kvě", "červn", "červe", "srp", "zář", "říj", "lis", "pro"),  # Czech
    ("янв", "фев", "мар", "апр", "мая", "июн", "июл", "авг", "сен", "окт", "ноя", "дек"),  # Russian
    ("січ", "лют", "бер", "кві", "тра", "чер", "лип", "сер", "вер", "жов", "лис", "гру"),  # Ukrainian
    ("oca", "şub", "mar", "nis", "may", "haz", "tem", "ağu", "eyl", "eki", "kas", "ara"),  # Turkish
    ("tam", "hel", "maa", "huh", "tou", "kes", "hei", "elo", "syy", "lok", "mar", "jou"),  # Finnish
    ("ian", "feb", "mar", "apr", "mai", "iun", "iul", "aug", "sep", "oct", "noi", "dec"),  # Romanian
)
# fmt: on

_NUMBER = r"[+\-−–±~≈<>≤≥]?\s?(?:\d{1,3}(?:[ \u00a0\u202f'’.,]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[.,]\d+)"
_EXCHANGED = str.maketrans(".,", ",.")
_PLAIN = re.compile(rf"\(?({_NUMBER})\)?\.?")
_PERCENT = re.compile(rf"\(?({_NUMBER})\s?([%‰٪])\)?")
_UNIT = r"[^\W\d_]{1,12}[²³]?(?:\s?[/·.^-]\s?[^\W\d_]{1,8}[²³\d]?)*\.?|[°′″\"'](?:\s?[^\W\d_]{1,2})?"
_QUANTITY = re.compile(rf"({_NUMBER})[ \u00a0\u202f]?({_UNIT})(?:\s?\(.*\))?")
_RANGE = re.compile(rf"({_NUMBER})\s?[-–—:/x×]\s?({_NUMBER})(?:\s?({_UNIT}|[%‰]))?")
_SEASON = re.compile(r"(?:1[5-9]|20)\d\d\s?[-–—/]\s?(?:\d\d){1,2}\s[^\W\d_]+")  # a span of years with its name
_AMOUNT = re.compile(rf"([^\d\s+\-]{{1,4}})\s?({_NUMBER})(?:\s?([^\d\s]{{1,4}}))?|({_NUMBER})\s?([^\d\s]{{1,4}})")
_ISO_DATE = re.compile(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?:[T ]\d{1,2}:\d{2}.*)?")
_NUMERIC_DATE = re.compile(r"(\d{1,2})[-/.]\s?(\d{1,2})[-/.]\s?(\d{4}|\d{2})(?:,?\s\d{1,2}:\d{2}.*)?")
_EAST_DATE = re.compile(r"(\d{4})\s?[年년]\s?(?:(\d{1,2})\s?[月월]\s?)?(?:(\d{1,2})\s?[日일])?.{0,4}")
_WORD = r"[^\W\d_]{3,12}"
_DAY_FIRST = re.compile(
    rf"(?:{_WORD}\.?,?\s)?(\d{{1,2}})(?:\.|st|nd|rd|th|er|º)?[\s-]?(?:de\s)?({_WORD})\.?,?[\s-](?:de\s)?'?(\d{{4}}|\d{{2}})\b.{{0,16}}"
)
_MONTH_FIRST = re.compile(rf"(?:{_WORD}\.?,?\s)?({_WORD})\.?\s(\d{{1,2}})(?:st|nd|rd|th)?,?\s(\d{{4}})\b.{{0,16}}")
_DAY_AND_MONTH = re.compile(rf"(?:{_WORD}\.?,?\s)?(?:(\d{{1,2}})\.?[\s-]({_WORD})|({_WORD})\.?\s(\d{{1,2}}))\.?")
_MONTH_AND_YEAR = re.compile(rf"({_WORD})\.?,?[\s-](\d{{4}})")
_TIME = re.compile(r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?\s?(?:[ap]\.?m\.?|[hH]|Uhr|[A-Z]{3,4})?", re.IGNORECASE)


# A number that tells which mark sets off its decimals: both marks are in it, one is there twice, or not three digits
# follow the only one.
_TELLING = re.compile(r"(?<![\d.,])\d+(?:[.,]\d+)+(?![\d.,])")

# Languages whose countries write a comma before the decimals, and places where they do not (CLDR, numbers).
# fmt: off
_COMMA_LANGUAGES = frozenset({
    "be", "bg", "bs", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fr", "gl", "hr", "hu", "id", "is", "it",
    "ka", "kk", "lt", "lv", "mk", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "tr",
    "uk", "vi",
})
_POINT_PLACES = frozenset({"ch", "li", "mx", "us", "gt", "hn", "ni", "pa", "pe", "pr", "sv", "do"})
# fmt: on


def decimal_mark(texts: Iterable[str], *, language: str | None = None) -> str | None:
    """Return the mark that sets off decimals in some texts that belong together; None where they do not agree.

    Where none of them tells, the language of the page does.

    >>> decimal_mark(["1.500", "2.000,5"])
    ','
    """
    found = set()
    for text in texts:
        if len(text) <= MAX_LENGTH and ("," in text or "." in text):
            for number in _TELLING.findall(text):
                found.add(_decimal_of(number))
    found.discard(None)
    if len(found) == 1:
        return found.pop()
    name, _, place = (language or "").lower().replace("_", "-").partition("-")
    return "," if not found and name in _COMMA_LANGUAGES and place not in _POINT_PLACES else None


def _decimal_of(number: str) -> str | None:
    points, commas = number.count("."), number.count(",")
    if points and commas:
        return "." if number.rfind(".") > number.rfind(",") else ","
    if points + commas > 1:  # of several equal marks none sets off decimals, but dates have two points
        return "." if commas and all(len(group) == 3 for group in number.split(",")[1:]) else None
    return None if len(re.split("[.,]", number)[1]) == 3 else "." if points else ","


@lru_cache(maxsize=65_536)
def read_value(text: str, decimal: str | None = None) -> Value:
    """Tell what a text says, if known with the mark that sets off decimals where it stands.

    >>> read_value("1.234,50 €")
    Value(kind='currency', number=1234.5, unit='€', date=None)
    >>> read_value("2. November 2004").date
    '2004-11-02'
    """
    text = text.strip()
    if not text or all(char in _MISSING or char.isspace() for char in text):
        return Value("empty")
    if len(text) > MAX_LENGTH:
        return Value("text")
    text = _ascii_digits(text)
    if not any(char.isdecimal() for char in text):
        return Value("text")
    return _date(text) or _quantity(_with_points(text) if decimal == "," else text) or Value("text")


def _with_points(text: str) -> str:
    """Write numbers as if a point set off their decimals, where a comma does: marks change places."""
    return _TELLING.sub(lambda match: match[0].translate(_EXCHANGED), text)


def _ascii_digits(text: str) -> str:
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)


def _quantity(text: str) -> Value | None:
    if match := _PLAIN.fullmatch(text):
        number = _number(match[1])
        return Value("number", -number if text.startswith("(") and text.endswith(")") else number)
    if match := _PERCENT.fullmatch(text):
        return Value("percent", _number(match[1]), match[2])
    if _TIME.fullmatch(text):
        return Value("time")
    if (match := _AMOUNT.fullmatch(text)) and (amount := _amount(match)):
        return amount
    if _SEASON.fullmatch(text):
        return None
    if match := _RANGE.fullmatch(text):
        # A range, a score, a ratio: numeric, but not one number.
        return Value("quantity" if match[3] else "number", None, match[3])
    if match := _QUANTITY.fullmatch(text):
        return Value("quantity", _number(match[1]), match[2])
    return None


def _amount(match: re.Match[str]) -> Value | None:
    before, number, behind, number_first, sign_last = match.groups()
    sign = _currency(before) or _currency(behind) or _currency(sign_last)
    return Value("currency", _number(number or number_first), sign) if sign else None


def _currency(text: str | None) -> str | None:
    """Return a currency sign or code as printed; prefixes such as US in US$ belong to it."""
    if not text:
        return None
    text = text.strip()
    is_sign = any(unicodedata.category(char) == "Sc" for char in text) and all(
        unicodedata.category(char) in ("Sc", "Lu") or char == "." for char in text
    )
    return text if is_sign or text.upper() in CURRENCIES else None


def _number(text: str) -> float:
    """Read a number whatever its separators: the last of two kinds is the decimal one, a lone one by its digits."""
    sign = -1.0 if text[:1] in "-−–" else 1.0
    digits = text.lstrip("+-−–±~≈<>≤≥ \u00a0")
    for space in " \u00a0\u202f'’":
        digits = digits.replace(space, "")
    last = max(digits.rfind("."), digits.rfind(","))
    if last >= 0:
        mark = digits[last]
        other = "," if mark == "." else "."
        repeats = digits.count(mark) > 1
        groups = len(digits) - last - 1 == 3 and 1 <= len(digits[:last].replace(other, "")) <= 3 and digits[0] != "0"
        # "1,234" and "1.234" alone are ambiguous: a group of three behind one to three digits is a thousand, but for
        # the point, which most pages use as the decimal mark.
        if repeats or (groups and other not in digits and mark == ","):
            digits = digits.replace(".", "").replace(",", "")
        else:
            digits = digits[:last].replace(other, "").replace(mark, "") + "." + digits[last + 1 :]
    return sign * float(digits)


def _date(text: str) -> Value | None:
    if match := _ISO_DATE.fullmatch(text):
        return _made(int(match[1]), int(match[2]), int(match[3]) if match[3] else None)
    if match := _NUMERIC_DATE.fullmatch(text):
        first, second, year = int(match[1]), int(match[2]), _year(match[3])
        # Day or month first is a matter of country, save with points; where only one reading exists, it is taken.
        if first > 12 or "." in text[:6]:
            return _made(year, second, first)
        if second > 12:
            return _made(year, first, second)
        return Value("date", date=f"{year:04}")
    if match := _EAST_DATE.fullmatch(text):
        return _made(int(match[1]), int(match[2]) if match[2] else None, int(match[3]) if match[3] else None)
    if match := _MONTH_FIRST.fullmatch(text):
        return _named(match[3], match[1], match[2])
    if match := _DAY_FIRST.fullmatch(text):
        return _named(match[3], match[2], match[1])
    if (match := _MONTH_AND_YEAR.fullmatch(text)) and _month(match[1]):
        return _made(int(match[2]), _month(match[1]), None)
    if (match := _DAY_AND_MONTH.fullmatch(text)) and _month(match[2] or match[3]):
        return Value("date")
    return None


def _named(year: str, word: str, day: str) -> Value | None:
    month = _month(word)
    if month:
        return _made(_year(year), month, int(day))
    return Value("date", date=year) if len(year) == 4 and 1 <= int(day) <= 31 and year[0] in "12" else None


def _year(text: str) -> int:
    year = int(text)
    return year if len(text) == 4 else year + (1900 if year >= 70 else 2000)


def _made(year: int, month: int | None, day: int | None) -> Value | None:
    if month is not None and not 1 <= month <= 12:
        return None
    if day is not None and not 1 <= day <= 31:
        return None
    parts = [f"{year:04}", *(f"{part:02}" for part in (month, day) if part is not None)]
    return Value("date", date="-".join(parts))


@lru_cache(maxsize=1024)
def _month(word: str) -> int | None:
    word = word.casefold()
    best = 0
    found = None
    for names in _MONTHS:
        for number, name in enumerate(names, 1):
            if len(name) > best and word.startswith(name):
                best, found = len(name), number
    return found
