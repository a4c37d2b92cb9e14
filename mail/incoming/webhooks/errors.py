"""The reasons why a request is not accepted."""

from __future__ import annotations


class NotSet(Exception):
    """The administrator has not set up this provider."""


class Unsigned(Exception):
    """Nothing proves that the request comes from the provider; the message is for the log."""


class NoMail(Exception):
    """There is no email in the request; the message is for the log."""
