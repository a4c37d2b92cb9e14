"""What servers say when they do not take a mail: whether it is about the mailbox, and in which words."""

from __future__ import annotations

import re

_STATUS = re.compile(r"(?<![\w.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\w|@)")  # no part of an address
# About the address, but not the sender's; a closed mailbox; what Exchange says if there is none.
_OF_THE_MAILBOX = re.compile(r"5\.(?:1\.(?!7$|8$)\d+|2\.1|4\.1)")
# Addresses, names of hosts, numbers and ids differ from mail to mail, and from server to server.
_BRACKETED = re.compile(r"<[^>]*>")
_PARTICULAR = re.compile(r"<[^>]*>|\S*(?:[@\d_]|\w\.\w)\S*")
_LONGEST = 500
_LONGEST_GIST = 120


def status(text: str) -> str:
    """The status (RFC 3463) in a server's words, "" if there is none; of several, one that says much."""
    found = _STATUS.findall(_BRACKETED.sub(" ", text[:_LONGEST]))
    return next((each for each in found if not each.endswith(".0.0")), found[0] if found else "")


def is_hard(text: str) -> bool:
    """Whether a refusal says, by its status, that there is no such mailbox, or that it takes no mail any more.

    Words alone do not: "550 relay not permitted" is no less about the recipient than "550 no such user".
    """
    return _OF_THE_MAILBOX.fullmatch(status(text)) is not None


def gist(text: str) -> str:
    """What stays the same in a refusal, whoever it is about: its status and its words."""
    words = _PARTICULAR.sub(" ", text[:_LONGEST].lower())
    return " ".join(f"{status(text)} {words}".split())[:_LONGEST_GIST]
