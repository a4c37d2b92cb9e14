"""Incoming email from webhooks of providers.

Nabu checks and stores each email before it acknowledges the request, so that providers retry failures.
"""

import logging
import urllib.request
from dataclasses import replace
from functools import partial

from flask import Blueprint, Flask, abort, current_app, request
from flask_wtf import CSRFProtect
from sqlalchemy.exc import DBAPIError
from werkzeug.wrappers import Response

from mail.incoming.batching import NoRoom
from mail.incoming.envelopes import NOBODY
from mail.incoming.peers import network_of
from mail.incoming.receiving import MAX_SIZE, Received
from mail.incoming.webhooks.certificates import Certificates, Fetch
from mail.incoming.webhooks.errors import NoMail, NotSet, Unsigned
from mail.incoming.webhooks.provider import PostedRequest, WebhookProvider
from mail.incoming.webhooks.registry import PROVIDERS
from server.inbound.reception import Reception
from server.store import inbox, seen_signatures
from server.store.db import writing
from server.web.shared.visits import services

logger = logging.getLogger(__name__)

pages = Blueprint("webhooks", __name__, url_prefix="/mail")

LARGEST_REQUEST = 4 * MAX_SIZE
"""Bytes; forms and JSON need up to three bytes for one of an email, and some contain its parts twice."""
_PATIENCE = 10.0
_LARGEST_ANSWER = 100_000


class _NoWayOn(urllib.request.HTTPRedirectHandler):
    """A handler that refuses redirects: only the original URL has been checked."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


def fetched(url: str) -> bytes:
    """Return the content of a URL, without following redirects. Raises OSError."""
    with urllib.request.build_opener(_NoWayOn).open(url, timeout=_PATIENCE) as answer:
        content: bytes = answer.read(_LARGEST_ANSWER)
    return content


def prepare(app: Flask, fetch: Fetch) -> None:
    """Set the function that downloads what requests name, and a cache of certificates."""
    app.extensions["fetch"] = fetch
    app.extensions["certificates"] = Certificates(fetch, app.extensions["services"].now)


def exempt(protection: CSRFProtect) -> None:
    """Exempt webhooks from CSRF tokens: each request proves its origin itself."""
    protection.exempt(pages)


@pages.before_request
def make_room() -> None:
    """Accept larger requests than from pages, as emails are larger than forms."""
    request.max_content_length = LARGEST_REQUEST


def take(provider: str) -> Response:
    """Store the emails of a request.

    Returns status 200 when they are stored, 4xx if they are refused, and 503 if the provider should try again.
    """
    try:
        mails = _read(PROVIDERS[provider])
        if any(len(mail.content) > MAX_SIZE for mail in mails):
            return _refused(provider, 413, f"The email is larger than {MAX_SIZE} bytes.")
        reception = services().reception()
        reception.store([_for_us(mail, reception) for mail in mails])
    except NotSet:
        abort(404)
    except Unsigned as problem:
        return _refused(provider, 403, str(problem))
    except NoMail as problem:
        return _refused(provider, 400, str(problem))
    except NoRoom as problem:
        # All providers try again after 503. SendGrid and Amazon do not after most 4xx.
        logger.warning("email from %s not stored: %s", provider, problem)
        return _answer(503, "There is no room for the email now; please try again later.")
    except (OSError, DBAPIError) as error:
        # The error's message may contain addresses: log only its class.
        logger.error("email from %s not stored: %s", provider, type(error).__name__)
        return _answer(503, "The email could not be stored; please try again later.")
    return _answer(200, "The email is stored.")


for each in PROVIDERS.values():
    pages.add_url_rule(f"/{each.path}", view_func=take, methods=["POST"], defaults={"provider": each.name})


def _read(provider: WebhookProvider) -> list[Received]:
    settings, certificates = services().settings, current_app.extensions["certificates"]
    posted = PostedRequest(
        headers=dict(request.headers),
        body=request.get_data(),
        settings={setting.name: getattr(settings, setting.name) for setting in provider.settings},
        now=services().now(),
        admits=_admits,
        fetch=current_app.extensions["fetch"],
        fetch_certificate=partial(certificates.fetch, place=network_of(request.remote_addr or "")),
    )
    return provider.receive(posted)


def _admits(signature: str, mail: Received) -> bool:
    sealer = services().sealer
    fingerprints = inbox.fingerprints(sealer, mail)
    with writing(services().engine) as session:
        return seen_signatures.admits(session, sealer, services().now(), signature, fingerprints)


def _for_us(mail: Received, reception: Reception) -> Received:
    """Return the email with only the recipients at this server."""
    return replace(mail, recipients=tuple(filter(reception.owns, mail.recipients)) or (NOBODY,))


def _refused(provider: str, status: int, why: str) -> Response:
    logger.warning("email from %s refused: %s", provider, why)
    return _answer(status, why)


def _answer(status: int, sentence: str) -> Response:
    return Response(f"{sentence}\n", status, content_type="text/plain; charset=utf-8")
