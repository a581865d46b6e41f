"""What all commands share: verbosity, log file, configuration file, an example, and errors without tracebacks."""

import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from sitestrata.cli.config import options_from_file
from sitestrata.cli.escape import visible
from sitestrata.errors import Error, UsageError

__all__ = ["Command", "command"]

LOG = logging.getLogger("sitestrata")


class Command(click.Command):
    """A click command with our shared options; an `sitestrata.errors.Error` ends it with a message, not a traceback."""

    def __init__(self, *args: Any, example: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.example = example
        self.params += [
            click.Option(
                ["-v", "--verbose"],
                count=True,
                is_eager=True,
                expose_value=False,
                callback=_set_verbosity,
                help="Say more on standard error; twice for details.",
            ),
            click.Option(
                ["--log-file"],
                type=click.Path(dir_okay=False, path_type=Path),
                is_eager=True,
                expose_value=False,
                callback=_set_log_file,
                help="Append everything that is logged to this file.",
            ),
            click.Option(
                ["--config"],
                type=click.Path(exists=True, dir_okay=False, path_type=Path),
                is_eager=True,
                expose_value=False,
                callback=_read_config,
                help="TOML file with a table per command, keys named as the flags. Default: sitestrata.toml, if any.",
            ),
        ]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example that can be pasted."""
        with formatter.section("Example"):
            formatter.write_text(self.example)
        super().format_epilog(ctx, formatter)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; say what happened, with which input and what to do, if it cannot be done."""
        try:
            return super().invoke(ctx)
        except UsageError as error:
            raise click.UsageError(visible(str(error)), ctx) from error
        except Error as error:
            LOG.debug("failed", exc_info=True)
            raise click.ClickException(visible(str(error))) from error
        except BrokenPipeError:  # the reader of our output has seen enough: `sitestrata pages ws | head`
            _silence_stdout()
            return None
        except OSError as error:
            LOG.debug("failed", exc_info=True)
            where = f": {error.filename}" if error.filename else ""
            raise click.ClickException(visible(f"{error.strerror or error}{where}")) from error
        except (click.ClickException, click.exceptions.Exit, click.Abort, KeyboardInterrupt):
            raise
        except Exception as error:
            LOG.info("failed", exc_info=True)
            message = f"This is a fault of Sitestrata: {type(error).__name__}: {error}"
            raise click.ClickException(visible(f"{message}\nRun it again with -v to see where.")) from error


def command(*, example: str, **attributes: Any) -> Callable[[Callable[..., Any]], Command]:
    """Turn a function into a command; its docstring is the help and ``example`` a line that can be pasted."""

    def decorate(function: Callable[..., Any]) -> Command:
        name = function.__module__.rpartition(".")[2]
        made = click.command(name, cls=Command, example=example, **attributes)(function)
        assert isinstance(made, Command)
        return made

    return decorate


class _VisibleFormatter(logging.Formatter):
    """Log lines may quote crawled text: what could steer a terminal is made visible."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def _set_verbosity(ctx: click.Context, _param: click.Parameter, value: int) -> None:
    if ctx.resilient_parsing or not value:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_VisibleFormatter("%(levelname)s %(name)s: %(message)s"))
    handler.setLevel(logging.INFO if value == 1 else logging.DEBUG)
    _listen(ctx, handler)


def _set_log_file(ctx: click.Context, _param: click.Parameter, value: Path | None) -> None:
    if ctx.resilient_parsing or value is None:
        return
    try:
        handler = logging.FileHandler(value, encoding="utf-8")
    except OSError as error:
        raise click.BadParameter(f"cannot write {value}: {error.strerror}", ctx) from error
    handler.setFormatter(_VisibleFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.setLevel(logging.DEBUG)
    _listen(ctx, handler)


def _listen(ctx: click.Context, handler: logging.Handler) -> None:
    LOG.setLevel(logging.DEBUG)
    LOG.addHandler(handler)

    def stop() -> None:
        LOG.removeHandler(handler)
        handler.close()

    ctx.call_on_close(stop)


def _read_config(ctx: click.Context, _param: click.Parameter, value: Path | None) -> None:
    if ctx.resilient_parsing:
        return
    here = Path("sitestrata.toml")
    path = value or (here if here.is_file() else None)
    if path is None:
        return
    names = {
        option.lstrip("-"): param.name
        for param in ctx.command.params
        if isinstance(param, click.Option) and param.expose_value and param.name
        for option in param.opts
        if option.startswith("--")
    }
    try:
        ctx.default_map = options_from_file(path, ctx.command.name or "", names)
    except UsageError as error:
        raise click.UsageError(str(error), ctx) from error


def _silence_stdout() -> None:
    # Python would complain once more when it flushes the closed pipe at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
