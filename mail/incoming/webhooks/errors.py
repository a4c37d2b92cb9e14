"""Errors for requests to a webhook that are not accepted."""

from __future__ import annotations


class NotSet(Exception):
    """Raised if the administrator has not set up this provider."""


class Unsigned(Exception):
    """Raised if nothing proves that a request comes from the provider; the message is for the log."""


class NoMail(Exception):
    """Raised if a request contains no email; the message is for the log."""
