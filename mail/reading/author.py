"""The author of an email, read once from the bytes of its header.

The check of the sender and all actions use this result. Programs read unusual spellings of From differently,
and forged senders rely on that. So only a form that all of them read alike names an author: one From field with
one address, in ASCII or UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mail.addresses import BadAddress, plain
from mail.decoding import header_text
from mail.fields import Headers

_LONGEST = 4000  # characters of From

# Fields that may appear only once (RFC 5322, 3.6; RFC 2045; RFC 2183). Of two, programs read the first or the
# last, and a signature may cover the other one. To and Cc are missing because they do not name the author.
_ONCE = (
    "From", "Sender", "Reply-To", "Message-ID", "In-Reply-To", "References", "Subject", "Date", "MIME-Version",
    "Content-Type", "Content-Transfer-Encoding", "Content-ID", "Content-Description", "Content-Disposition",
)  # fmt: skip

# An encoded word is ordinary text here: it can only be a name. The signs of groups and routes,
# and unclosed quotes and brackets, match none of these.
_LEXEME = re.compile(
    r'(?P<quoted>"(?:[^"\\]|\\.)*+")'
    r"|(?P<comment>\([^()<>\\]*+\))"
    r'|<[ \t]*+(?P<address>[^<>()"\\,;: \t]++)[ \t]*+>'
    r"|(?P<blank>[ \t]++)"
    r'|(?P<text>[^"<>()\\,;: \t]++|,)'
)
_ESCAPED = re.compile(r"\\(.)")
_UNSEEN = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")


class _Uncertain(ValueError):
    """The reason why the author of an email is uncertain; a sentence for the log."""


@dataclass(frozen=True)
class Author:
    """The author of an email; if the author is uncertain, all is "" except `why`, a sentence for the log.

    `address` is normalised; `name` is the decoded name beside it.
    """

    address: str = ""
    name: str = ""
    why: str = ""

    @property
    def domain(self) -> str:
        """Return the domain of the address, in its ASCII form."""
        return self.address.rpartition("@")[2]


def author_of(headers: Headers) -> Author:
    """Return the author of an email with this header; never raises."""
    try:
        _check(headers)
        name, address = _mailbox(_written(headers))
        if "=?" in address:
            raise _Uncertain("The address in From is encoded.")
        return Author(plain(address), header_text(name))
    except BadAddress:
        return Author(why="There is no email address in From.")
    except _Uncertain as error:
        return Author(why=str(error))


def _check(headers: Headers) -> None:
    """Raise _Uncertain for a header in which programs may read a field differently."""
    if headers.flaw:
        raise _Uncertain(headers.flaw)
    for name in _ONCE:
        if len(headers.named(name)) > 1:
            raise _Uncertain(f"It has more than one field {name}.")


def _written(headers: Headers) -> str:
    """Return the value of From. Raises _Uncertain."""
    fields = headers.named("From")
    if any(not field.raw[4:].startswith(b":") for field in fields):
        raise _Uncertain("There is a space after the word From, which not every program takes for a field.")
    try:
        written = "".join(field.content.decode("utf-8") for field in fields)
    except UnicodeDecodeError:
        raise _Uncertain("From is neither in ASCII nor in UTF-8.") from None
    if len(written) > _LONGEST:
        raise _Uncertain("From is too long.")
    if _UNSEEN.search(written):
        raise _Uncertain("There are invisible characters in From.")
    return written


def _mailbox(written: str) -> tuple[str, str]:
    """Return name and address as written. Raises _Uncertain if there may be another address, or none."""
    lexemes = list(_lexemes(written))
    words = [each for each in lexemes if each["blank"] is None]
    angle = next((each for each in words if each["address"]), None)
    if angle is None:
        alone = [each[0] for each in words if each["comment"] is None]
        return "", alone[0] if len(alone) == 1 else ""
    if any(each.start() > angle.start() and each["comment"] is None for each in words):
        raise _Uncertain("There is something after the address in From.")
    before = [each for each in lexemes if each.start() < angle.start()]
    # Some programs repeat the address as the name, without the necessary quotes.
    if [each[0] for each in before if each["blank"] is None] != [angle["address"]]:
        _check_name(before)
    return _name(before), angle["address"]


def _check_name(lexemes: Sequence[re.Match[str]]) -> None:
    """Raise _Uncertain for a name that may contain an address: one without quotes, or split by a comma."""
    unquoted = [each[0] for each in lexemes if each["quoted"] is None and each["comment"] is None]
    looked_at = [each[0] for each in lexemes] if "," in unquoted else unquoted
    if any("@" in each for each in looked_at):
        raise _Uncertain("There may be two addresses in From.")


def _name(lexemes: Sequence[re.Match[str]]) -> str:
    """Return the text before the address, without comments and quotes."""
    seen = [each for each in lexemes if each["comment"] is None]
    return "".join(_ESCAPED.sub(r"\1", each[0][1:-1]) if each["quoted"] else each[0] for each in seen)


def _lexemes(written: str) -> Iterator[re.Match[str]]:
    """Yield the words, blanks and signs of From, in order. Raises _Uncertain at an invalid one."""
    place = 0
    while place < len(written):
        found = _LEXEME.match(written, place)
        if found is None:
            raise _Uncertain("From is not written like one email address, with or without a name.")
        yield found
        place = found.end()
