"""The envelope of an email that arrived without one: from a mailbox, a folder or a pipe."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from mail.addresses import addresses, mailboxes, normalised, tagged
from mail.fields import Headers, split
from mail.incoming.receiving import Received
from mail.reading.author import author_of

log = logging.getLogger(__name__)

Ours = Callable[[str], bool]
"""`ours(address)` returns whether this server accepts email at an address, which is normalised."""

NOBODY = ""
"""The recipient of an email without an address of this server: it is kept, but nothing acts on it."""

# Mail systems write the address for which they deliver on top; the sender's fields come last.
_PLACES = (("Delivered-To",), ("X-Original-To",), ("Envelope-To",), ("To", "Cc"))


def received(source: str, content: bytes, *, ours: Ours, mail_from: str | None = None) -> Received:
    """Return an email with its sender and recipients, as far as its header contains them.

    An address with a tag names a game, so it takes precedence over one without, in any field. The recipient is
    NOBODY if no address in the header is Nabu's, or if looking for one fails. `mail_from` is the return path if
    it is known; "" is the null path of machines.
    """
    try:
        found = _recipients(split(content)[0], ours)
    except Exception as error:  # for any error: later emails must not wait for this one
        log.error("cannot find the recipient of an email: %s", type(error).__name__)
        found = []
    return enclosed(source, content, mail_from, found or [NOBODY])


def enclosed(source: str, content: bytes, mail_from: str | None, recipients: Iterable[str]) -> Received:
    """Return an email with these recipients and this sender; with None, the sender in its header."""
    if mail_from is None:
        mail_from = _return_path(split(content)[0])
    return Received(source, "", mail_from.strip("<> "), tuple(recipients), content)


def _recipients(headers: Headers, ours: Ours) -> list[str]:
    values = [[value for name in names for value in headers.all(name)] for names in _PLACES]
    places = [[address for address in addresses(each) if ours(address)] for each in values]
    with_tag = [[address for address in place if tagged(address)[1]] for place in places]
    return next(filter(None, with_tag), None) or next(filter(None, places), [])


def _return_path(headers: Headers) -> str:
    """Return the path that the mail system wrote on top, or the address in From, since "" means a machine."""
    for value in headers.all("Return-Path")[:1]:
        if value.strip() == "<>":
            return ""
        found = [normalised(address) for _, address in mailboxes(value)]
        if found and found[0]:
            return found[0]
    return author_of(headers).address
