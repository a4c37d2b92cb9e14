"""Checks of the web pages as a visitor reaches them: the certificate, and the proxy in front."""

import http.client
import socket
import ssl
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from mail.incoming.peers import is_elsewhere, within
from server.doctor.finding import Finding, fine, unknown, wrong
from server.doctor.installation import Installation

_PATIENCE = 10.0  # seconds
_LEAST_LEFT = 1 / 5
"""The part of a certificate's lifetime that must remain; most programs renew when a third remains."""


@dataclass(frozen=True)
class _Lasts:
    """The validity of a certificate."""

    begin: datetime
    end: datetime


def certificate(installation: Installation) -> Finding:
    """Check whether the pages answer over TLS, with a certificate that does not expire soon."""
    base = urlsplit(installation.settings.base_url)
    try:
        _, _, lasts = _visit(installation)
    except ssl.SSLCertVerificationError as error:
        return wrong(
            f"Browsers do not trust {base.hostname}: {error.verify_message}.", "Renew its certificate."
        )
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, socket.gaierror) and not installation.has_address(base.hostname or ""):
            return wrong(f"{base.hostname} has no address.", f"Add an A record for {base.hostname}.")
        return wrong(
            f"{installation.settings.base_url} does not answer: {error}.",
            "Start the proxy, or look into its log.",
        )
    if lasts is None:
        if base.hostname in ("localhost", "127.0.0.1", "::1"):
            return unknown("the pages are only for this machine, without encryption")
        return wrong(
            "The pages are not encrypted.",
            "Put a proxy with TLS in front, and set NABU_BASE_URL to https://….",
        )
    left = lasts.end - datetime.now(UTC)
    words = f"{left.days} days" if left.days else f"{left // timedelta(hours=1)} hours"
    if left < _LEAST_LEFT * (lasts.end - lasts.begin):
        return wrong(
            f"The certificate of {base.hostname} expires in {words}.", "Find out why it was not renewed."
        )
    return fine(f"{base.hostname}, {words} left")


def proxy(installation: Installation) -> Finding:
    """Check whether the proxy passes on each visitor's address."""
    asked_from, text, _ = _visit(installation)
    if not text.startswith("alive\n"):
        return wrong(
            "Another program answers there, not Nabu.",
            "Configure the proxy to pass all requests to NABU_HTTP_LISTEN.",
        )
    seen = text.partition("you are ")[2].strip()
    proxies = installation.settings.proxies
    if within(asked_from, proxies):
        return unknown("this machine is not a visitor from outside")
    if within(seen, proxies) or is_elsewhere(seen) != is_elsewhere(asked_from):
        return wrong(
            f"All visitors seem to come from {seen}, the address of the proxy.",
            "Configure it to set X-Forwarded-For, and name it in NABU_TRUSTED_PROXIES.",
        )
    return fine("passes on visitors' addresses")


def _visit(installation: Installation) -> tuple[str, str, _Lasts | None]:
    """Request the pages; return the address used, the answer, and the certificate's validity.

    Raises OSError or HTTPException.
    """
    base = urlsplit(installation.settings.base_url)
    host = base.hostname or ""
    connection = (
        http.client.HTTPSConnection(host, base.port, timeout=_PATIENCE, context=installation.tls)
        if base.scheme == "https"
        else http.client.HTTPConnection(host, base.port, timeout=_PATIENCE)
    )
    with closing(connection):
        connection.request("GET", f"{base.path}/healthz")
        lasts = _lasts(connection.sock) if isinstance(connection.sock, ssl.SSLSocket) else None
        here = str(connection.sock.getsockname()[0])
        return here, connection.getresponse().read(1000).decode(errors="replace"), lasts


def _lasts(encrypted: ssl.SSLSocket) -> _Lasts:
    given = encrypted.getpeercert() or {}
    begin, end = (ssl.cert_time_to_seconds(str(given[name])) for name in ("notBefore", "notAfter"))
    return _Lasts(datetime.fromtimestamp(begin, UTC), datetime.fromtimestamp(end, UTC))
