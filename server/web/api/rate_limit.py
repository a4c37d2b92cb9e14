"""The rate limit of the API, in requests per minute for each token."""

from math import ceil

from flask import current_app
from werkzeug.exceptions import TooManyRequests

from mail.incoming.rates import RateLimit
from server.accounts.login import api_tokens
from server.web.shared.visits import services

EXTENSION = "api_rate"
"""The key of the limits in the app's extensions."""


def check_rate(secret: str) -> None:
    """Raise TooManyRequests for a token above its rate limit, before it is looked up in the database."""
    limit: RateLimit = current_app.extensions[EXTENSION]
    seconds = ceil(limit.wait(services().now().timestamp(), api_tokens.fingerprint(secret)))
    if seconds:
        most = services().settings.api_rate
        raise TooManyRequests(
            f"A token can send {most} requests per minute. Try again in {seconds} s.", retry_after=seconds
        )
