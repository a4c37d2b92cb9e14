"""The reasons that servers give for a refusal: whether it is about the mailbox, and the common wording."""

from __future__ import annotations

import re

_STATUS = re.compile(r"(?<![\w.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\w|@)")  # not a part of an address
# About the recipient's address; a closed mailbox; Exchange's status for an unknown mailbox.
_OF_THE_MAILBOX = re.compile(r"5\.(?:1\.(?!7$|8$)\d+|2\.1|4\.1)")
# Addresses, names of hosts, numbers and ids differ between emails, and between servers.
_BRACKETED = re.compile(r"<[^>]*>")
_PARTICULAR = re.compile(r"<[^>]*>|\S*(?:[@\d_]|\w\.\w)\S*")
_LONGEST = 500
_LONGEST_GIST = 120


def status(text: str) -> str:
    """Return the status code (RFC 3463) in a server's text, such as "5.1.1"; "" if there is none.

    Of several, the most specific is returned.
    """
    found = _STATUS.findall(_BRACKETED.sub(" ", text[:_LONGEST]))
    return next((each for each in found if not each.endswith(".0.0")), found[0] if found else "")


def is_hard(text: str) -> bool:
    """Return whether a refusal means, by its status, that the mailbox does not exist or is closed.

    Words alone prove nothing: a server can refuse any recipient with "550 relay not permitted".
    """
    return _OF_THE_MAILBOX.fullmatch(status(text)) is not None


def gist(text: str) -> str:
    """Return the part of a refusal that is the same for all recipients: status and words, without addresses."""
    words = _PARTICULAR.sub(" ", text[:_LONGEST].lower())
    return " ".join(f"{status(text)} {words}".split())[:_LONGEST_GIST]
