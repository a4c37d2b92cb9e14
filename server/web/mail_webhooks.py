"""Mail that providers post: checked, stored, and only then acknowledged, so that they try again what failed."""

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
"""Bytes: forms and documents write a byte of a mail as up to three, and some tell its parts once more."""
_PATIENCE = 10.0
_LARGEST_ANSWER = 100_000


class _NoWayOn(urllib.request.HTTPRedirectHandler):
    """The address was checked, but the one it redirects us to was not."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


def fetched(url: str) -> bytes:
    """What is at this very address; raises OSError."""
    with urllib.request.build_opener(_NoWayOn).open(url, timeout=_PATIENCE) as answer:
        content: bytes = answer.read(_LARGEST_ANSWER)
    return content


def prepare(app: Flask, fetch: Fetch) -> None:
    """Give the pages `fetch`, with which they get what requests name; certificates are kept."""
    app.extensions["fetch"] = fetch
    app.extensions["certificates"] = Certificates(fetch, app.extensions["services"].now)


def exempt(protection: CSRFProtect) -> None:
    """Let providers post without a token of ours: each request proves where it comes from."""
    protection.exempt(pages)


@pages.before_request
def make_room() -> None:
    """Mails are larger than what people send from pages."""
    request.max_content_length = LARGEST_REQUEST


def take(provider: str) -> Response:
    """200 once the mails are stored; 4xx for what is not taken; 503 for what shall be tried again."""
    try:
        mails = _read(PROVIDERS[provider])
        if any(len(mail.content) > MAX_SIZE for mail in mails):
            return _refused(provider, 413, f"The mail is larger than {MAX_SIZE} bytes.")
        reception = services().reception()
        reception.store([_for_us(mail, reception) for mail in mails])
    except NotSet:
        abort(404)
    except Unsigned as problem:
        return _refused(provider, 403, str(problem))
    except NoMail as problem:
        return _refused(provider, 400, str(problem))
    except NoRoom as problem:
        # Every provider tries again after 503; after most of 4xx, SendGrid and Amazon do not.
        logger.warning("mail from %s not stored: %s", provider, problem)
        return _answer(503, "There is no room for it now; please try again later.")
    except (OSError, DBAPIError) as error:
        # What went wrong may name addresses: its class is enough.
        logger.error("mail from %s not stored: %s", provider, type(error).__name__)
        return _answer(503, "It could not be stored; please try again later.")
    return _answer(200, "It is stored.")


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
    """The mail with those of its recipients that are ours."""
    return replace(mail, recipients=tuple(filter(reception.owns, mail.recipients)) or (NOBODY,))


def _refused(provider: str, status: int, why: str) -> Response:
    logger.warning("mail from %s not taken: %s", provider, why)
    return _answer(status, why)


def _answer(status: int, sentence: str) -> Response:
    return Response(f"{sentence}\n", status, content_type="text/plain; charset=utf-8")
