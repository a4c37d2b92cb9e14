"""`nabu web`: the process that serves the web pages."""

import logging
from functools import partial
from pathlib import Path

import click

from mail.incoming.peers import within
from server.cli.run import instrument, open_configured, wait_for_signal
from server.cli.startup_checks import WEB, check_ports
from server.monitoring import pulse
from server.settings.value_types import host_and_port
from server.web import create_app
from server.web.server import WebServer, keep_what_is_loaded

logger = logging.getLogger(__name__)


@click.command()
@click.pass_obj
def web(config: Path | None) -> None:
    """Serve the web pages."""
    services = open_configured(config)
    check_ports(services, WEB)
    instrument(services, "web")
    host, port = host_and_port(services.settings.http_listen)
    proxies = services.settings.proxies
    pages = WebServer(
        create_app(services),
        host,
        port,
        own=lambda peer: within(peer, proxies),
        beat=partial(pulse.beat, "web"),
    )
    keep_what_is_loaded()
    pages.start()
    logger.info("web pages on http://%s:%s", host, port)
    wait_for_signal()
    pages.stop()
    services.close()
