"""Amounts with a unit, as people write them: 500M, 2GiB, 90s, 8h."""

import re
from typing import Any

import click

__all__ = ["SIZE", "TIME"]

_SIZES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30}
_TIMES = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


class _Amount(click.ParamType[float]):
    """A number with a unit."""

    def __init__(self, name: str, units: dict[str, int]) -> None:
        self.name = name
        self._units = units

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number and its unit."""
        if isinstance(value, int | float):
            return float(value)
        match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)\s*", str(value).lower())
        unit = match.group(2).removesuffix("b") if match else None
        if match is None or unit not in self._units:
            self.fail(f"{value!r} is no {self.name}: try a number with one of {', '.join(self._units)[2:]}", param, ctx)
        return float(match.group(1)) * self._units[unit]


SIZE = _Amount("size", _SIZES)
TIME = _Amount("time", _TIMES)
