"""Pages that are made while the site is built: the reference of the command line, from its parser, and of Python.

They are not kept in the repository, so they cannot be out of date.
"""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

import sitestrata
from sitestrata.cli import COMMANDS, main

__all__ = ["api_reference", "cli_reference", "on_config", "on_files"]

_WIDTH = 100


def cli_reference() -> str:
    """Return the help of every command as one page."""
    parts = [
        "# Command line\n",
        "Made from the parser. Every command also has `--help`.\n",
        "| command | does |\n|---|---|",
    ]
    context = click.Context(main, info_name="sitestrata", max_content_width=_WIDTH, terminal_width=_WIDTH)
    names = main.list_commands(context)
    parts += [f"| [`sitestrata {name}`](#sitestrata-{name}) | {COMMANDS[name]} |" for name in names]
    parts.append("")
    for name in names:
        command = main.get_command(context, name)
        assert command is not None
        inner = click.Context(command, parent=context, info_name=name, max_content_width=_WIDTH, terminal_width=_WIDTH)
        parts.append(f"## sitestrata {name}\n\n```text\n{command.get_help(inner)}\n```\n")
    return "\n".join(parts)


def api_reference() -> str:
    """Return the public names with signature and docstring as one page."""
    parts = ["# Python reference\n", "Made from the docstrings; [Python](../python.md) has examples.\n"]
    for name in sitestrata.__all__:
        if name == "__version__":
            continue
        parts += _entry(name, getattr(sitestrata, name))
    return "\n".join(parts)


def _entry(name: str, thing: Any) -> Iterator[str]:
    yield f"## {name}\n"
    if inspect.isclass(thing):
        bases = ", ".join(base.__name__ for base in thing.__bases__ if base is not object)
        yield f"```python\nclass {name}{f'({bases})' if bases else ''}\n```\n"
        yield _prose(thing)
        for member, value in sorted(vars(thing).items()):
            if member.startswith("_") or not (inspect.isfunction(value) or isinstance(value, property)):
                continue
            function = value.fget if isinstance(value, property) else value
            assert function is not None
            head = f"{name}.{member}" + ("" if isinstance(value, property) else _signature(function))
            yield f"```python\n{head}\n```\n"
            yield _prose(function)
    else:
        yield f"```python\n{name}{_signature(thing)}\n```\n"
        yield _prose(thing)


def _signature(function: Any) -> str:
    signature = inspect.signature(function)
    kept = [item for key, item in signature.parameters.items() if key != "self"]
    text = str(signature.replace(parameters=kept))
    return re.sub(r"\b(?:sitestrata|collections\.abc|pyarrow\.lib|typing|pathlib|os)\.(?:\w+\.)*", "", text)


def _prose(thing: Any) -> str:
    """Return a docstring as Markdown: its sections of arguments and errors become lists."""
    lines = (inspect.getdoc(thing) or "").split("\n")
    done: list[str] = []
    is_section = False
    for line in lines:
        if line in ("Args:", "Raises:", "Returns:"):
            is_section = True
            done.append("")
        elif is_section and (match := re.match(r"    (\w+): (.*)", line)):
            done.append(f"- `{match[1]}`: {match[2]}")
        elif is_section and line.startswith("      "):
            done[-1] += " " + line.strip()
        else:
            is_section = is_section and not line.strip()
            done.append(line.replace("``", "`"))
    return "\n".join(done) + "\n"


def on_config(config: Any) -> Any:
    """Put pages that the navigation does not name where they belong (called by mkdocs)."""
    folder = Path(config["docs_dir"])
    named = set(_leaves(config["nav"]))
    sections = {title: pages for entry in config["nav"] if isinstance(entry, dict) for title, pages in entry.items()}
    for path in sorted(folder.rglob("*.md")):
        name = path.relative_to(folder).as_posix()
        if name not in named:
            section = "Project" if name.startswith("adr/") else "Results" if name.startswith("results") else "Reference"
            sections[section].append(name)
    return config


def _leaves(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for item in nav.values() if isinstance(nav, dict) else nav:
            yield from _leaves(item)


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages (called by mkdocs)."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, "reference/cli.md", content=cli_reference()))
    files.append(File.generated(config, "reference/api.md", content=api_reference()))
    return files
