"""Phrases that several commands print: times, numbers of things, and outgoing emails."""

from datetime import datetime

from server.admin.outgoing_mail import OutgoingView

RESUMED = "{name} gets emails again, starting with one that shows the state of their games."


def utc(moment: datetime) -> str:
    """Return a time to the minute."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def counted(count: int, what: str) -> str:
    """Return "1 email" or "2 emails" for `what` "email"."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def letter(mail: OutgoingView) -> str:
    """Return the letter of an email, with its game."""
    return mail.letter if mail.game is None else f"{mail.letter} of game {mail.game}"
