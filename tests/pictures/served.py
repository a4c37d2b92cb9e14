"""Rendered pages, served to a browser with their style and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.wrappers import Response

from server.processes.services import open_services
from server.web import create_app
from tests.pictures.pages import every_page
from tests.support.machine.ports import free_port
from tests.support.server.services import Clock, settings_for, sqlite_database
from tests.support.web.chromium import serving

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


@contextmanager
def shown(
    more: Mapping[str, str] | None = None, which: Callable[[Mapping[str, str]], Iterable[str]] = iter
) -> Iterator[dict[str, str]]:
    """Serve pages; yield the URLs of all pages and of those that `which` chooses, by their picture names."""
    listen = f"127.0.0.1:{free_port()}"
    with TemporaryDirectory() as folder:
        settings = settings_for(sqlite_database(folder), base_url="https://games.example.org")
        services = open_services(settings, Clock())
        made = list(every_page(services))
        pages = {**dict(made), **(more or {})}
        assert len(pages) == len(made) + len(more or {}), "no two have the same name"

        def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            page = pages.get(environ["PATH_INFO"].removeprefix("/"))
            response = Response(page, 404 if page is None else 200, content_type="text/html; charset=utf-8")
            return response(environ, start_response)

        app = create_app(services)
        app.wsgi_app = DispatcherMiddleware(app.wsgi_app, {"/shown": answer})  # type: ignore[method-assign]
        with serving(app, listen):
            yield {name: f"http://{listen}/shown/{name}" for name in which(pages)}
        services.engine.dispose()
