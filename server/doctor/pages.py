"""The web pages as a visitor reaches them: the certificate, and the proxy in front."""

import http.client
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
"""Of the time that a certificate lasts: most programs renew it when a third is left."""


@dataclass(frozen=True)
class _Lasts:
    """From when until when a certificate is good."""

    begin: datetime
    end: datetime


def certificate(installation: Installation) -> Finding:
    """Whether the pages are there, encrypted, with a certificate that lasts."""
    base = urlsplit(installation.settings.base_url)
    try:
        _, _, lasts = _visit(installation)
    except ssl.SSLCertVerificationError as error:
        return wrong(
            f"Browsers do not trust {base.hostname}: {error.verify_message}.", "Renew its certificate."
        )
    except (OSError, http.client.HTTPException) as error:
        return wrong(
            f"{installation.settings.base_url} does not answer: {error}.", "Start the proxy, or see its log."
        )
    if lasts is None:
        if base.hostname in ("localhost", "127.0.0.1", "::1"):
            return unknown("the pages are for this machine alone, unencrypted")
        return wrong(
            "The pages are not encrypted.",
            "Put a proxy in front that does TLS, and set NABU_BASE_URL to https://.",
        )
    left = lasts.end - datetime.now(UTC)
    told = f"{left.days} days" if left.days else f"{left // timedelta(hours=1)} hours"
    if left < _LEAST_LEFT * (lasts.end - lasts.begin):
        return wrong(f"The certificate of {base.hostname} expires in {told}.", "See why it is not renewed.")
    return fine(f"{base.hostname}, {told} left")


def proxy(installation: Installation) -> Finding:
    """Whether Nabu learns who a visitor is, and does not take the proxy for all of them."""
    asked_from, text, _ = _visit(installation)
    if not text.startswith("alive\n"):
        return wrong(
            "Something else than Nabu answers there.", "Have the proxy pass all on to NABU_HTTP_LISTEN."
        )
    seen = text.partition("you are ")[2].strip()
    proxies = installation.settings.proxies
    if within(asked_from, proxies):
        return unknown("no visitor from elsewhere could be tried")
    if within(seen, proxies) or is_elsewhere(seen) != is_elsewhere(asked_from):
        return wrong(
            f"Visitors seem to come from {seen}, where the proxy is.",
            "Have it set X-Forwarded-For, and name it in NABU_TRUSTED_PROXIES.",
        )
    return fine("visitors are told apart")


def _visit(installation: Installation) -> tuple[str, str, _Lasts | None]:
    """From which address we came to the pages, what they answered, and how long their certificate lasts.

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
