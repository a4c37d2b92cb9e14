"""Email addresses: one spelling for each mailbox, the tag that names a game in Nabu's own addresses, and links
that open a new email (RFC 6068).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from urllib.parse import quote

from email_validator import EmailNotValidError, ValidatedEmail, validate_email

_LONGEST_LIST = 20_000  # characters of a header with addresses that are read
_MOST_ADDRESSES = 100
_LONGEST = 320  # characters of an address: 64, the @, and 255
_CLOSED = r'"(?:[^"\\]|\\.)*+"'
# An encoded word, a quoted string, an address in angle brackets, a comment, a separator, other text. An opening
# or closing sign without its counterpart is left over: a quote mark with all text after it, or a single sign.
_LEXEME = re.compile(
    rf'=\?[^?\s]+\?[BbQq]\?[^?\s]*\?=|{_CLOSED}|".*|<[^<>]*>|\([^()\\]*\)|[,;:]|[^"<>(),;:=]+|.', re.DOTALL
)
_LEFT_OVER = re.compile(rf'[<>()]|(?!{_CLOSED}\Z)".*', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SHOWN = 80  # characters of a wrong address that the answer quotes


class BadAddress(ValueError):
    """A text that is not an email address; `str(error)` is in complete sentences, for the player."""


def normalise(address: str) -> str:
    """Return the spelling under which a mailbox is stored and compared; it can also stand after RCPT TO.

    The whole address is in lower case: no mail system in use treats `Ann@` and `ann@` as different, and people
    mix them. The domain is in its ASCII form: for example, `Ann@Bücher.example` becomes
    `ann@xn--bcher-kva.example`. Domains for tests and examples (`.test`, `.example`, example.org) are accepted,
    and the DNS is not asked whether a domain exists. Raises BadAddress.
    """
    checked = _validated(address.strip())
    return f"{checked.local_part.lower()}@{checked.ascii_domain.lower()}"


def plain(address: str) -> str:
    """Return an address like `normalise`, but accept only the usual spelling of programs. Raises BadAddress.

    It refuses wide letters, unusual dots and the like, because only some programs read them as plain ones.
    """
    checked = _validated(address)
    local, _, domain = address.rpartition("@")
    if local != checked.local_part or _small(domain) not in (checked.ascii_domain.lower(), checked.domain):
        raise BadAddress(f"“{_shown(address)}” is not written like an email address.")
    return f"{checked.local_part.lower()}@{checked.ascii_domain.lower()}"


def normalised(address: str) -> str:
    """Return an address like `normalise`, or "" for a text that is not an email address."""
    try:
        return normalise(address)
    except BadAddress:
        return ""


def normalise_domain(written: str) -> str:
    """Return a domain as `normalise` spells it in addresses; an @ before it is ignored. Raises BadAddress."""
    written = written.strip().removeprefix("@")
    known = normalised(f"x@{written}").rpartition("@")[2]
    if not known:
        raise BadAddress(f"“{_shown(written)}” is not a domain.")
    return known


def tagged(address: str) -> tuple[str, str, str]:
    """Split `name+tag@domain` into its parts, in lower case; a missing part is "".

    For example, `Play+a1@Example.org` gives ("play", "a1", "example.org"). Some programs copy the plus sign
    from a link, where it is written `%2B`.
    """
    local, at, domain = address.strip().lower().rpartition("@")
    if not at:
        local, domain = domain, ""
    local = local.replace("%2b", "+", 1)
    name, _, tag = local.partition("+")
    return name, tag, domain


def with_tag(address: str, tag: str) -> str:
    """Return `name+tag@domain` for `name@domain`; the address itself if the tag is ""."""
    name, at, domain = address.rpartition("@")
    return f"{name}+{tag}{at}{domain}" if tag else address


def same_mailbox(one: str, other: str) -> bool:
    """Return whether two addresses differ only in tag and case; False if one of them is ""."""
    (name, _, domain), (other_name, _, other_domain) = tagged(one), tagged(other)
    return bool(name) and (name, domain) == (other_name, other_domain)


def mailboxes(value: str) -> list[tuple[str, str]]:
    """Return name and address of each mailbox in a header such as From, as written there, nothing decoded.

    For example, `"Ann" <ann@example.org>` gives ("Ann", "ann@example.org"). The address is "" if it is
    ambiguous (two in angle brackets, unclosed quotes or brackets): programs read such fields differently, and
    forged senders rely on that.
    """
    found: list[tuple[str, str]] = []
    mailbox: list[str] = []
    for lexeme in [*_LEXEME.findall(value[:_LONGEST_LIST]), ","]:
        if lexeme == ":":
            mailbox.clear()  # this was the name of a group
        elif lexeme not in (",", ";"):
            mailbox.append(lexeme)
        elif "".join(mailbox).strip():
            found.append(_mailbox(mailbox))
            mailbox = []
    return found


def addresses(values: Iterable[str]) -> Iterator[str]:
    """Yield the addresses in values such as To, normalised, each once; only the first hundred are read."""
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


# An email names its sender several times, and players write again.
@lru_cache(maxsize=1000)
def _validated(address: str) -> ValidatedEmail:
    if len(address) > _LONGEST:
        raise BadAddress(f"“{_shown(address)}” is not an email address. It is too long.")
    try:
        return validate_email(address, check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise BadAddress(f"“{_shown(address)}” is not an email address. {error}") from error


def _small(domain: str) -> str:
    """Lower-case only the ASCII letters: some others would become a different letter."""
    return "".join(sign.lower() if sign.isascii() else sign for sign in domain)


def _shown(address: str) -> str:
    """Return the wrong address on one line and shortened, since it is quoted in an email."""
    line = "".join(sign if sign.isprintable() else " " for sign in address[: _SHOWN + 1])
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


def mailto(address: str, subject: str = "", body: str = "") -> str:
    """Return a link that opens a new email to `address`, with subject and body filled in.

    Everything is percent-encoded, even `+`, which some programs would read as a space; line ends are CRLF. For
    example: `mailto:play%2Ba1@example.org?subject=Nibble%2087&body=a1%20c3`.
    """
    return mailtos(address, subject, [body])[body]


def mailtos(address: str, subject: str, bodies: Iterable[str]) -> dict[str, str]:
    """Return links like those of `mailto` for several bodies, by body; the common parts are encoded once."""
    shared = f"mailto:{quote(address, safe='@')}?"
    if subject:
        shared += f"subject={quote(subject, safe='')}&"
    return {body: f"{shared}{_body_parameter(body)}".rstrip("?&") for body in bodies}


def _body_parameter(body: str) -> str:
    if body.isascii() and body.isalnum():
        return f"body={body}"
    text = "\r\n".join(body.splitlines())
    return f"body={quote(text, safe='')}" if text else ""
