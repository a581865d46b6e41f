"""``sitestrata serve``: the web interface."""

from ipaddress import ip_address
from pathlib import Path

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.output import note
from sitestrata.errors import UsageError

__all__ = ["command"]

PORT = 8737
GRACE_SECONDS = 3  # for answers that are on their way when the server is stopped


@make_command(example="sitestrata serve ws")
@click.argument("workspace", type=click.Path(file_okay=False, path_type=Path), metavar="WS")
@click.option(
    "--compare",
    "others",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="WS",
    help="Another workspace of the same sites, to compare with.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0: any that is free.")
@click.option("--open/--no-open", "is_opened", default=False, help="Open it in the browser of this machine.")
def command(workspace: Path, others: tuple[Path, ...], host: str, port: int, is_opened: bool) -> None:
    """Open the web interface on this machine.

    The address that is printed carries the token that changes need. Whoever can reach the port can read the workspace.
    """
    import socket

    import uvicorn

    from sitestrata.report.server import bundle_is_built, make_app
    from sitestrata.report.server.app import HOW_TO_BUILD
    from sitestrata.run.workspace import open_workspace

    for folder in (workspace, *others):
        if folder in others or (folder.exists() and any(folder.iterdir())):
            open_workspace(folder).reader()  # something else, or of another build, is refused here, with a message
    if not bundle_is_built():
        note(f"{HOW_TO_BUILD} The HTTP interface is served without it.")
    app = make_app(workspace, compare_with=_named(others), host=host)
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        raise UsageError(f"Cannot listen on {host} port {port}: {error.strerror}. Choose another: --port 0") from error
    listener.listen()  # before the address is printed: who reads it may ask at once, and is answered in time
    number = listener.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{number}/#token={app.token}"
    if not _is_loopback(host):
        note(f"Warning: everybody who can reach {host} can read this workspace.")
    click.echo(address)
    note("Open this address in a browser. Stop with Ctrl-C.")
    if is_opened:
        import webbrowser

        webbrowser.open(address)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=3
    )
    uvicorn.Server(config).run(sockets=[listener])


def _named(others: tuple[Path, ...]) -> dict[str, Path]:
    """Give each workspace the shortest name that tells it from the others."""
    named: dict[str, Path] = {}
    for number, path in enumerate(others, start=1):
        name = path.resolve().name
        named[name if name not in named else f"{name}-{number}"] = path
    return named


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
