"""Protection of players from other sites: cookies, tokens in forms, headers and limits."""

import base64
from hashlib import sha256
from urllib.parse import urlsplit

from flask import Flask, Response, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from flask_wtf import CSRFProtect

from rules.drawing import STYLE
from server.accounts.login import sessions
from server.limits import LARGEST_FORM
from server.settings import Settings
from server.store.keys.derivation import derive
from server.web import api, mail_webhooks
from server.web.account import unsubscribe
from server.web.game import page_updates
from server.web.lobby import watching
from server.web.shared.visits import services

_BOARD_STYLE = base64.b64encode(sha256(STYLE.encode()).digest()).decode()
_HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'self' 'sha256-{_BOARD_STYLE}'; script-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; worker-src 'self'; manifest-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # URLs contain the secrets of login links, so other sites must not see them.
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # Pages contain their reader's messages and orders. Pictures and style sheets set this header themselves.
    "Cache-Control": "no-store",
}
_ONE_HOUR = 3600
_ONE_YEAR = 365 * 24 * 3600


class _Sessions(SecureCookieSessionInterface):
    """Sessions that sign the cookie when its content changes, and once an hour for a page that a reader opens.

    A picture or an update that arrives after the next page would bring back the cookie from before that page.
    """

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        """Return whether to sign the cookie.

        Notes the hour of a page in the session, so that the content changes once an hour.
        """
        if request.blueprint in (page_updates.pages.name, api.pages.name):
            return False
        hour = int(services().now().timestamp() // _ONE_HOUR)
        is_page = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
        if session.permanent and is_page and session.get("hour") != hour:
            session["hour"] = hour
        return super().should_set_cookie(app, session)


def protect(app: Flask, settings: Settings) -> None:
    """Set up `app` so that only its own pages, at its own address, can act for a player."""
    address = urlsplit(settings.base_url)
    encrypted = address.scheme == "https"
    app.secret_key, *older = [derive(secret, "web sessions") for secret in settings.secret_keys]
    app.config.update(
        SECRET_KEY_FALLBACKS=older,
        SESSION_COOKIE_NAME="__Host-nabu" if encrypted else "nabu",
        SESSION_COOKIE_SECURE=encrypted,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=sessions.LASTS,
        SESSION_REFRESH_EACH_REQUEST=False,
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        TRUSTED_HOSTS=[address.hostname, "127.0.0.1", "localhost"],
        # A page may stay open for days before its form is sent, so the token lives as long as the session.
        WTF_CSRF_TIME_LIMIT=None,
        # The check would require a Referer header, which the pages do not send.
        WTF_CSRF_SSL_STRICT=False,
    )
    app.session_interface = _Sessions()
    protection = CSRFProtect(app)
    unsubscribe.exempt(protection)
    watching.exempt(protection)
    mail_webhooks.exempt(protection)
    # The API ignores cookies, so other sites cannot abuse a browser's login there.
    protection.exempt(api.pages)
    headers = dict(_HEADERS)
    if encrypted:
        headers["Strict-Transport-Security"] = f"max-age={_ONE_YEAR}"

    @app.after_request
    def add_headers(response: Response) -> Response:
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        return response
