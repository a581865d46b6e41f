"""The options of the stages as flags: a stage that gets an option gets a flag, with the same name and default."""

import inspect
import re
import types
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, fields
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import click

from sitestrata.run.plan import RUN_SETTINGS, Stage

__all__ = ["settings_of", "stage_options"]

_Function = TypeVar("_Function", bound=Callable[..., Any])


def stage_options(plan: Sequence[Stage]) -> Callable[[_Function], _Function]:
    """Give a command a flag for each option of each stage; it receives what was given, for `settings_of`."""

    def decorate(function: _Function) -> _Function:
        items = {item.name: (stage, item) for stage in reversed(plan) for item in fields(stage.options)}
        for name in RUN_SETTINGS:
            items.pop(name, None)
        ordered = sorted(items.values(), key=lambda pair: plan.index(pair[0]))
        for stage, item in reversed(ordered):
            function = _flag(stage, item)(function)
        return function

    return decorate


def settings_of(given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that were given on the command line or in the configuration file."""
    return {name: value for name, value in given.items() if value is not None}


def _flag(stage: Stage, item: Field[Any]) -> Callable[[_Function], _Function]:
    name = "--" + item.name.replace("_", "-")
    default = item.default if item.default_factory is MISSING else item.default_factory()
    help_text = f"Stage {stage.name}: {_comments(stage.options).get(item.name) or item.name.replace('_', ' ')}."
    if isinstance(default, bool):
        help_text += f"  [default: {'yes' if default else 'no'}]"
        return click.option(f"{name}/--no-{name[2:]}", item.name, default=None, help=help_text)
    shown = ", ".join(map(str, default)) if isinstance(default, tuple) else default
    hint = get_type_hints(stage.options)[item.name]
    return click.option(name, item.name, type=_type(hint), default=None, help=f"{help_text}  [default: {shown}]")


def _comments(options: type) -> dict[str, str]:
    """Return the comments that stand beside the fields of a dataclass: they are the documentation of its options."""
    try:
        source = inspect.getsource(options)
    except OSError:  # installed without sources
        return {}
    return dict(re.findall(r"^    (\w+):[^#\n]*#\s*([^\n]*?)\.?$", source, flags=re.MULTILINE))


def _type(hint: Any) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(part for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is Literal:
        return click.Choice(get_args(hint))
    if get_origin(hint) is tuple:
        return _Words(get_args(hint)[0])
    return hint


class _Words(click.ParamType[tuple[Any, ...]]):
    """Words with commas between them; a list in the configuration file."""

    name = "words"

    def __init__(self, item: Any) -> None:
        self._item = item

    def convert(self, value: Any, _param: click.Parameter | None, _ctx: click.Context | None) -> tuple[Any, ...]:
        """Split the words."""
        words = value if isinstance(value, list | tuple) else [word for word in str(value).split(",") if word]
        return tuple(self._item(word) for word in words)
