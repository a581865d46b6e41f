"""The server: the HTTP interface over one workspace, and the files of the front end.

Everything under ``/api`` is data; every other address is a view of the front end, which reads its own address. Errors
are JSON with one field, ``error``, that says what happened and what to do.
"""

import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException

from sitestrata import __version__
from sitestrata.errors import Error, UsageError, WorkspaceError, WorkspaceLocked
from sitestrata.report.server.catalogue import QUERY_SECONDS, BusyError, Catalogue, TooSlowError
from sitestrata.report.server.endpoints import compare, decisions, overview, pages, runs, scales, sites, taxonomy, trees
from sitestrata.report.server.guard import Guard, host_names, make_token
from sitestrata.report.server.jobs import Jobs
from sitestrata.report.server.state import Server

__all__ = ["BUNDLE", "bundle_is_built", "make_app"]

LOG = logging.getLogger("sitestrata.server")
BUNDLE = Path(__file__).parents[1] / "ui"
HOW_TO_BUILD = (
    "The web interface is not built. In a checkout: make web. From PyPI: pip install --force-reinstall sitestrata."
)
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".html": "text/html",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
}


def make_app(
    folder: Path,
    *,
    compare_with: dict[str, Path] | None = None,
    host: str = "127.0.0.1",
    token: str | None = None,
    bundle: Path = BUNDLE,
    query_seconds: float = QUERY_SECONDS,
) -> Any:
    """Return the ASGI application for a workspace; its attribute ``token`` is what changes need."""
    secret = token or make_token()
    server = Server(
        catalogue=Catalogue(folder, seconds=query_seconds),
        others={name: Catalogue(path, seconds=query_seconds) for name, path in (compare_with or {}).items()},
        jobs=Jobs(),
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        # What the first view asks for is put together while the browser starts.
        threading.Thread(target=_warm, args=(server.catalogue,), daemon=True).start()
        yield
        server.jobs.close()

    app = FastAPI(
        title="Sitestrata",
        version=__version__,
        description="What a workspace holds. Reading is free; changes need the header X-Sitestrata-Token.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.state.server = server
    api = APIRouter(prefix="/api", responses=_RESPONSES)
    for module in (overview, sites, trees, scales, pages, taxonomy, decisions, compare, runs):
        api.include_router(module.router)
    app.include_router(api)
    _add_errors(app)
    _add_views(app, bundle)
    return Guard(app, hosts=host_names(host), token=secret)


def _warm(catalogue: Catalogue) -> None:
    with suppress(Error, BusyError, TooSlowError):
        sites.map_text(catalogue.current())


def bundle_is_built(bundle: Path = BUNDLE) -> bool:
    """Tell whether the front end is there."""
    return (bundle / "index.html").is_file()


_ERROR = {"content": {"application/json": {"schema": {"type": "object", "properties": {"error": {"type": "string"}}}}}}
_RESPONSES: dict[int | str, dict[str, Any]] = {
    400: {"description": "The request makes no sense as it stands.", **_ERROR},
    401: {"description": "A change without the token.", **_ERROR},
    404: {"description": "There is no such thing.", **_ERROR},
    409: {"description": "A run is at work.", **_ERROR},
    413: {"description": "The request is too large.", **_ERROR},
    415: {"description": "The request is not JSON.", **_ERROR},
    422: {"description": "A part of the request is not in form.", **_ERROR},
    503: {"description": "The question takes too long, or there is no workspace yet.", **_ERROR},
}


def _add_errors(app: FastAPI) -> None:
    def answer(status: int, text: Callable[[Any], str]) -> Any:
        def handle(_: Request, error: Exception) -> JSONResponse:
            return JSONResponse({"error": text(error)}, status)

        return handle

    def http_error(_: Request, error: Any) -> JSONResponse:
        return JSONResponse({"error": error.detail}, error.status_code)

    def fault(_: Request, error: Exception) -> JSONResponse:
        LOG.error("a request failed", exc_info=error)
        return JSONResponse({"error": f"This is a fault of Sitestrata: {type(error).__name__}."}, 500)

    too_slow = "The question takes too long; ask for less."
    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(RequestValidationError, answer(422, _invalid))
    app.add_exception_handler(UsageError, answer(400, str))
    app.add_exception_handler(WorkspaceLocked, answer(409, str))
    app.add_exception_handler(WorkspaceError, answer(503, str))
    app.add_exception_handler(Error, answer(400, str))
    app.add_exception_handler(TooSlowError, answer(503, lambda _: too_slow))
    app.add_exception_handler(BusyError, answer(503, lambda _: "Too many questions at once; try again."))
    app.add_exception_handler(Exception, fault)


def _invalid(error: Any) -> str:
    parts = (f"{'.'.join(str(step) for step in item['loc'][1:])}: {item['msg']}" for item in error.errors()[:5])
    return "; ".join(parts)


def _add_views(app: FastAPI, bundle: Path) -> None:
    """Serve the front end: its files by name, its start page for every view."""
    files = {path.name: path for path in (bundle / "assets").glob("*") if path.is_file()}

    @app.get("/assets/{name}", include_in_schema=False)
    def asset(name: str) -> Response:
        path = files.get(name)
        if path is None:
            return JSONResponse({"error": "There is no such file."}, 404)
        # Their names hold a digest of their content, so they never change.
        headers = {"cache-control": "public, max-age=31536000, immutable"}
        return FileResponse(path, media_type=_TYPES.get(path.suffix, "application/octet-stream"), headers=headers)

    @app.get("/{view:path}", include_in_schema=False)
    def view(view: str) -> Response:
        if view.startswith("api/"):
            return JSONResponse({"error": "There is no such address."}, 404)
        if not bundle_is_built(bundle):
            return HTMLResponse(f"<!doctype html><title>Sitestrata</title><p>{HOW_TO_BUILD}</p>", 503)
        return FileResponse(bundle / "index.html", media_type="text/html")
