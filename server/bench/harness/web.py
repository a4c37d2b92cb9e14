"""The web process of a measurement, and requests to its pages."""

import socket
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from multiprocessing.connection import Connection

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from werkzeug.test import EnvironBuilder, run_wsgi_app

from server.accounts import players
from server.accounts.login import sessions
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import writing
from server.store.models import Player
from server.web import create_app
from server.web.server import WebServer


def run_web(settings: Settings, behind_proxy: bool, ready: Connection) -> None:
    """Serve the pages as `nabu web` does; without a proxy in front, each address has only its share."""
    services = open_services(settings)
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = free.getsockname()
    pages = WebServer(create_app(services), *address, own=lambda peer: behind_proxy)
    pages.start()
    ready.send(address)
    ready.recv()
    pages.stop()
    services.close()


def cookie_of(app: Flask, services: Services, player: Player, **more: object) -> str:
    """Log a player in and return the browser's cookie after its first page; `more` is added to the session."""
    with writing(services.engine) as session:
        if sessions.recognised(session, players.identity(player), player.login_serial) is None:
            sessions.begin(session, datetime.now(UTC), player, "A browser")
    signer = SecureCookieSessionInterface().get_signing_serializer(app)
    said = {"player": players.identity(player), "login": player.login_serial, "_permanent": True, **more}
    browser = app.test_client()
    browser.set_cookie("nabu", "" if signer is None else str(signer.dumps(said)))
    browser.get("/colours")
    cookie = browser.get_cookie("nabu")
    return "" if cookie is None else cookie.value


def ask(app: Flask, address: str, headers: Iterable[tuple[str, str]]) -> tuple[float, int, int]:
    """Request a page without a server; return the processor time of the answer, its size, and its status."""
    environ = EnvironBuilder(address, headers=[*headers]).get_environ()
    began = time.process_time()
    body, status, _ = run_wsgi_app(app, environ, buffered=True)
    size = sum(map(len, body))
    return time.process_time() - began, size, int(status.split()[0])
