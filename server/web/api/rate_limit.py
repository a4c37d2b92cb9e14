"""The rate limit of the API: a number of requests per minute for each token."""

from math import ceil

from flask import current_app
from werkzeug.exceptions import TooManyRequests

from mail.incoming.rates import RateLimit
from server.accounts.login import api_tokens
from server.web.shared.visits import services

EXTENSION = "api_rate"
"""The name under which the app has the limits of all tokens."""


def check_rate(secret: str) -> None:
    """Raise TooManyRequests for a token that is used too often, before looking it up in the database."""
    limit: RateLimit = current_app.extensions[EXTENSION]
    seconds = ceil(limit.wait(services().now().timestamp(), api_tokens.fingerprint(secret)))
    if seconds:
        most = services().settings.api_rate
        raise TooManyRequests(
            f"A token is good for {most} requests a minute. Go on in {seconds} s.", retry_after=seconds
        )
