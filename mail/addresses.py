"""Mail addresses: one spelling for each mailbox, and the tag that names a game in ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from email_validator import EmailNotValidError, ValidatedEmail, validate_email

_LONGEST_LIST = 20_000  # characters of a header with addresses that are looked at
_MOST_ADDRESSES = 100
_LONGEST = 320  # characters of an address: 64, the sign between, and 255
_CLOSED = r'"(?:[^"\\]|\\.)*+"'
# An encoded word, a quoted string, an address in angle brackets, a comment, a separator, other text. What opens
# or closes without a counterpart is left over: a quote mark with everything after it, or a single sign.
_LEXEME = re.compile(
    rf'=\?[^?\s]+\?[BbQq]\?[^?\s]*\?=|{_CLOSED}|".*|<[^<>]*>|\([^()\\]*\)|[,;:]|[^"<>(),;:=]+|.', re.DOTALL
)
_LEFT_OVER = re.compile(rf'[<>()]|(?!{_CLOSED}\Z)".*', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SHOWN = 80  # characters of a wrong address that the answer quotes


class BadAddress(ValueError):
    """A text that is not a mail address; `str(error)` is in whole sentences, for the player."""


def normalise(address: str) -> str:
    """The one spelling under which a mailbox is stored and compared, fit to stand after RCPT TO.

    The address is lower-cased as a whole: no mail system in use keeps `Ann@` and `ann@` apart, and people mix
    them. The domain is in its ASCII form (`xn--…`). Domains for tests and examples (`.test`, `.example`,
    example.org) are accepted; whether a domain exists is not looked up. Raises BadAddress.
    """
    checked = _validated(address.strip())
    return f"{checked.local_part.lower()}@{checked.ascii_domain.lower()}"


def plain(address: str) -> str:
    """Like `normalise`, for an address written as programs write it; raises BadAddress for any other.

    Wide letters, unusual dots and the like, which only some programs read as plain ones, are refused.
    """
    checked = _validated(address)
    local, _, domain = address.rpartition("@")
    if local != checked.local_part or _small(domain) not in (checked.ascii_domain.lower(), checked.domain):
        raise BadAddress(f"“{_shown(address)}” is not written like an email address.")
    return f"{checked.local_part.lower()}@{checked.ascii_domain.lower()}"


def normalised(address: str) -> str:
    """Like `normalise`, but "" for a text that is not a mail address."""
    try:
        return normalise(address)
    except BadAddress:
        return ""


def normalise_domain(written: str) -> str:
    """The one spelling of a domain, as `normalise` gives it to addresses; an @ before it is left out.

    Raises BadAddress.
    """
    written = written.strip().removeprefix("@")
    known = normalised(f"x@{written}").rpartition("@")[2]
    if not known:
        raise BadAddress(f"“{_shown(written)}” is not a domain.")
    return known


def tagged(address: str) -> tuple[str, str, str]:
    """The parts of `name+tag@domain`, lower-cased; a missing part is ""."""
    local, at, domain = address.strip().lower().rpartition("@")
    if not at:
        local, domain = domain, ""
    name, _, tag = local.partition("+")
    return name, tag, domain


def with_tag(address: str, tag: str) -> str:
    """`name+tag@domain` for `name@domain`; the address itself if the tag is ""."""
    name, at, domain = address.rpartition("@")
    return f"{name}+{tag}{at}{domain}" if tag else address


def same_mailbox(one: str, other: str) -> bool:
    """Whether two addresses, neither "", differ in tag and case at most."""
    (name, _, domain), (other_name, _, other_domain) = tagged(one), tagged(other)
    return bool(name) and (name, domain) == (other_name, other_domain)


def mailboxes(value: str) -> list[tuple[str, str]]:
    """Name and address of each mailbox in a header such as From, as written there, nothing decoded.

    The address is "" if it is not certain which one is meant (two in angle brackets, quotes or brackets that do
    not close): programs read those differently, and that is how senders are forged.
    """
    found: list[tuple[str, str]] = []
    mailbox: list[str] = []
    for lexeme in [*_LEXEME.findall(value[:_LONGEST_LIST]), ","]:
        if lexeme == ":":
            mailbox.clear()  # that was the name of a group
        elif lexeme not in (",", ";"):
            mailbox.append(lexeme)
        elif "".join(mailbox).strip():
            found.append(_mailbox(mailbox))
            mailbox = []
    return found


def addresses(values: Iterable[str]) -> Iterator[str]:
    """The addresses in values such as that of To, normalised, each once; only the first hundred are read."""
    written = (address for value in values for _, address in mailboxes(value))
    yield from dict.fromkeys(filter(None, map(normalised, islice(written, _MOST_ADDRESSES))))


def _mailbox(lexemes: list[str]) -> tuple[str, str]:
    angles = [lexeme for lexeme in lexemes if lexeme.startswith("<")]
    words = [_unquoted(lexeme) for lexeme in lexemes if lexeme[0] not in "<("]
    text = " ".join("".join(words).split())
    if len(angles) > 1 or any(map(_LEFT_OVER.fullmatch, lexemes)):
        return text, ""
    if angles:
        return text, angles[0][1:-1].strip()
    return "", text


def _unquoted(lexeme: str) -> str:
    return _ESCAPED.sub(r"\1", lexeme[1:-1]) if lexeme.startswith('"') else lexeme


def _validated(address: str) -> ValidatedEmail:
    if len(address) > _LONGEST:
        raise BadAddress(f"“{_shown(address)}” is not an email address. It is too long.")
    try:
        return validate_email(address, check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise BadAddress(f"“{_shown(address)}” is not an email address. {error}") from error


def _small(domain: str) -> str:
    """With only ASCII letters lower-cased: some others would become a different letter."""
    return "".join(sign.lower() if sign.isascii() else sign for sign in domain)


def _shown(address: str) -> str:
    """The wrong address on one line and not too long, since it goes into a mail."""
    line = "".join(sign if sign.isprintable() else " " for sign in address[: _SHOWN + 1])
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"
