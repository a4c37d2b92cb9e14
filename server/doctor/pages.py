"""The web pages as a visitor reaches them: the certificate, and the proxy in front."""

import http.client
import ssl
from contextlib import closing
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from mail.incoming.peers import is_elsewhere, within
from server.doctor.finding import Finding, fine, unknown, wrong
from server.doctor.patient import Patient

_PATIENCE = 10.0  # seconds
_SOON = timedelta(days=14)


def certificate(patient: Patient) -> Finding:
    """Whether the pages are there, encrypted, with a certificate that lasts."""
    base = urlsplit(patient.settings.base_url)
    try:
        _, _, expires = _visit(patient)
    except ssl.SSLCertVerificationError as error:
        return wrong(
            f"Browsers do not trust {base.hostname}: {error.verify_message}.", "Renew its certificate."
        )
    except (OSError, http.client.HTTPException) as error:
        return wrong(
            f"{patient.settings.base_url} does not answer: {error}.", "Start the proxy, or see its log."
        )
    if expires is None:
        if base.hostname in ("localhost", "127.0.0.1", "::1"):
            return unknown("the pages are for this machine alone, unencrypted")
        return wrong(
            "The pages are not encrypted.",
            "Put a proxy in front that does TLS, and set NABU_BASE_URL to https://.",
        )
    left = expires - datetime.now(UTC)
    if left < _SOON:
        return wrong(
            f"The certificate of {base.hostname} expires in {left.days} days.", "See why it is not renewed."
        )
    return fine(f"{base.hostname}, {left.days} days left")


def proxy(patient: Patient) -> Finding:
    """Whether Nabu learns who a visitor is, and does not take the proxy for all of them."""
    asked_from, text, _ = _visit(patient)
    if not text.startswith("alive\n"):
        return wrong(
            "Something else than Nabu answers there.", "Have the proxy pass all on to NABU_HTTP_LISTEN."
        )
    seen = text.partition("you are ")[2].strip()
    proxies = patient.settings.proxies
    if within(asked_from, proxies):
        return unknown("no visitor from elsewhere could be tried")
    if within(seen, proxies) or is_elsewhere(seen) != is_elsewhere(asked_from):
        return wrong(
            f"Visitors seem to come from {seen}, where the proxy is.",
            "Have it set X-Forwarded-For, and name it in NABU_TRUSTED_PROXIES.",
        )
    return fine("visitors are told apart")


def _visit(patient: Patient) -> tuple[str, str, datetime | None]:
    """From which address we came to the pages, what they answered, and until when their certificate lasts.

    Raises OSError or HTTPException.
    """
    base = urlsplit(patient.settings.base_url)
    host = base.hostname or ""
    encrypted = base.scheme == "https"
    connection = (
        http.client.HTTPSConnection(host, base.port, timeout=_PATIENCE, context=patient.tls)
        if encrypted
        else http.client.HTTPConnection(host, base.port, timeout=_PATIENCE)
    )
    with closing(connection):
        connection.request("GET", f"{base.path}/healthz")
        expires = None
        if isinstance(connection.sock, ssl.SSLSocket):
            given = str((connection.sock.getpeercert() or {})["notAfter"])
            expires = datetime.fromtimestamp(ssl.cert_time_to_seconds(given), UTC)
        here = str(connection.sock.getsockname()[0])
        return here, connection.getresponse().read(1000).decode(errors="replace"), expires
