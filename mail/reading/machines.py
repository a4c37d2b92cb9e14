"""Emails that only machines send, without a header that says so: reactions, and answers during an absence."""

from __future__ import annotations

from mail.reading.languages.absences import ABSENCES, REACTED
from mail.reading.languages.phrases import phrases
from mail.reading.parts import Part

REACTION = "text/vnd.google.email-reaction+json"
"""The part in which Gmail sends a reaction."""
_MOST_LINES = 3  # of a reaction: the sign, and the name
_LONGEST = 120  # characters of such a line
_FIRST_LINES = 3  # in which an away message may identify itself
_SHORTEST = 60  # characters of an away message recognized by its beginning
_AWAY = phrases("away")
_ABSENCES = [
    tuple(tuple(piece.strip() for piece in text.split(";")) for text in (absence.absent, absence.beside))
    for absence in ABSENCES.values()
]


def is_reaction(mail: Part) -> bool:
    """Return whether an email is a reaction, judging by its form."""
    if any(part.media_type == REACTION and not part.attached for part in mail.walk()):
        return True
    classes = (
        mail.headers.first(name) for name in mail.headers.names() if name.endswith(("itemclass", "item-class"))
    )
    return any("reaction" in value.lower() for value in (*classes, mail.headers.first("Content-Class")))


def says_reaction(text: str) -> bool:
    """Return whether a text only reports that someone reacted to an email from Nabu."""
    lines = [line.strip().lower().rstrip(" :.") for line in text.splitlines() if line.strip()]
    if not 0 < len(lines) <= _MOST_LINES:
        return False
    return len(lines[-1]) <= _LONGEST and lines[-1].endswith(REACTED)


def says_away(text: str) -> bool:
    """Return whether a text reads like the automatic answer of someone who is away.

    A person may write the same to Nabu, so this may only prevent an answer if the email contains no move or
    command.
    """
    lower = " ".join(text.lower().replace("’", "'").split())
    beginning = [line.lower() for line in text.splitlines() if line.strip()][:_FIRST_LINES]
    if len(lower) >= _SHORTEST and any(phrase in line for line in beginning for phrase in _AWAY):
        return True
    return any(
        any(phrase in lower for phrase in absent) and any(phrase in lower for phrase in beside)
        for absent, beside in _ABSENCES
    )
