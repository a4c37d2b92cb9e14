"""Mails by which `nabu doctor` and `nabu setup` see that mail goes out and comes in."""

import re
from collections.abc import Iterable
from secrets import token_hex

_NAME = re.compile(r"[0-9a-f]{24}\.probe")


def new_id(domain: str) -> str:
    """A Message-ID, without its angle brackets."""
    return f"{token_hex(12)}.probe@{domain}"


def answers_one(answered: Iterable[str], domain: str) -> bool:
    """Whether a mail answers one of these: nobody waits for a word from us."""
    for each in answered:
        name, _, where = each.strip("<>").rpartition("@")
        if where.lower() == domain and _NAME.fullmatch(name):
            return True
    return False
