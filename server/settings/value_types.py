"""Types that check the text of settings; each error says which form is correct."""

import re
import shlex
from typing import Annotated, Literal
from urllib.parse import urlsplit

import pyrage
from email_validator import EmailNotValidError, validate_email
from pydantic import AfterValidator, BeforeValidator
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from mail.incoming.imap_session import read_account
from mail.incoming.peers import read_networks
from mail.outgoing.delivering import Relay

SHORTEST_KEY = 32
"""The least number of characters of a secret key."""

SENTRY_FORM = "must be https://KEY@HOST/NUMBER"
_SWITCH = {"1": "true", "yes": "true", "on": "true", "0": "false", "no": "false", "off": "false"}
_DATABASES = "must be sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME"
# Leaves room for a plus sign, `bounces-` and 32 letters: mail systems accept at most 64 characters before the
# @.
_NAME = re.compile(r"[a-z0-9_-](?:[a-z0-9._-]{0,21}[a-z0-9_-])?")
_SELECTOR = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,62}")
_PORT = re.compile(r"[0-9]{1,5}")
_ONE_OF_HOSTS = re.compile(r"(?P<host>\[[^]]*\]|[^:]*)(?::(?P<port>[0-9]*))?")
_DSN = re.compile(r"https?://[^\s/@]+@[^\s/@]+/(?:\S+/)?\d+")
_DOMAIN = re.compile(r"[^\s@<>\"\\,;:()\[\]\0-\x1f]{1,253}")


def split_list(text: str) -> list[str]:
    """Return the items of a list such as "a.example, b.example,", without spaces and empty items."""
    return [each.strip() for each in text.split(",") if each.strip()]


def host_and_port(value: str) -> tuple[str, int]:
    """Split `"127.0.0.1:2525"` into host and port. Raises ValueError."""
    host, colon, port = value.rpartition(":")
    if not colon or not _PORT.fullmatch(port) or int(port) > 65535 or not _is_host(host.strip("[]")):
        raise ValueError("must be HOST:PORT")
    return host.strip("[]"), int(port)


def _is_host(name: str) -> bool:
    """Return whether a name can be looked up in the DNS (or needs no lookup)."""
    try:
        name.encode("idna")
    except UnicodeError:
        return False
    return True


def _domain(domain: str) -> str:
    if not _DOMAIN.fullmatch(domain):
        raise ValueError("must be a domain")
    return domain.lower()


def _mail_name(name: str) -> str:
    if not _NAME.fullmatch(name.lower()):
        raise ValueError("must have 1 to 23 letters, digits, dots, hyphens or underscores, and no plus sign")
    return name.lower()


def _database_url(url: str) -> str:
    if url.startswith("postgresql://"):
        url = "postgresql+psycopg" + url.removeprefix("postgresql")
    if not url.startswith(("sqlite:///", "postgresql+psycopg://")):
        raise ValueError(_DATABASES)
    url = _hosts_as_parameters(url)
    try:
        read = make_url(url)
        read.get_dialect()().create_connect_args(read)
    except (ArgumentError, ValueError):
        raise ValueError(_DATABASES) from None
    return url


def _hosts_as_parameters(url: str) -> str:
    """Translate a URL in PostgreSQL's form `USER@HOST:PORT,HOST:PORT/NAME` for SQLAlchemy."""
    scheme, _, rest = url.partition("://")
    place, _, name = rest.partition("/")
    user, at, hosts = place.rpartition("@")
    found = [_ONE_OF_HOSTS.fullmatch(each) for each in hosts.split(",")]
    places = [(each["host"].strip("[]"), each["port"] or "") for each in found if each is not None]
    if len(found) == 1 or len(places) < len(found):
        return url
    names, ports = (",".join(each) for each in zip(*places, strict=True))
    return f"{scheme}://{user}{at}/{name}{'&' if '?' in name else '?'}host={names}&port={ports}"


def _listening(value: str) -> str:
    host_and_port(value)
    return value


def _listening_or_not(value: str) -> str:
    return value and _listening(value)


def _networks(text: str) -> str:
    try:
        read_networks(text)
    except ValueError:
        raise ValueError("must be IP addresses and networks, separated by commas") from None
    return text


def _relay_url(url: str) -> str:
    Relay(url, hostname="")
    return url


def _mailbox_url(url: str) -> str:
    if url:
        read_account(url)
    return url


def _recipients(keys: str) -> str:
    try:
        for each in split_list(keys):
            pyrage.x25519.Recipient.from_str(each)
    except pyrage.RecipientError:
        raise ValueError("must be public keys of age, separated by commas, as age-keygen prints them") from None
    return keys


def _web_address(url: str) -> str:
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
        raise ValueError("must be a URL that begins with https:// or http://")
    return url.rstrip("/")


def _command(command: str) -> str:
    try:
        shlex.split(command)
    except ValueError as error:
        raise ValueError(
            f"must be a command as in a shell ({str(error)[:1].lower()}{str(error)[1:]})"
        ) from None
    return command


def _old_keys(keys: str) -> str:
    if any(len(key) < SHORTEST_KEY for key in split_list(keys)):
        raise ValueError(f"each key must have at least {SHORTEST_KEY} characters")
    return keys


def _email_address(address: str) -> str:
    if not address:
        return ""
    try:
        return validate_email(address, check_deliverability=False, test_environment=True).normalized
    except EmailNotValidError:
        raise ValueError("must be an email address") from None


def _selector(selector: str) -> str:
    if not _SELECTOR.fullmatch(selector):
        raise ValueError("must have 1 to 63 letters, digits, dots, hyphens or underscores")
    return selector


def _domain_list(domains: str) -> str:
    if not all(map(_DOMAIN.fullmatch, split_list(domains))):
        raise ValueError("must be domains, separated by commas")
    return domains


def _auto_or_switch(written: object) -> str:
    word = str(written).strip().lower() or "auto"
    return _SWITCH.get(word, word)


def _sentry(address: str) -> str:
    if address and not _DSN.fullmatch(address):
        raise ValueError(SENTRY_FORM)
    return address


def _level(level: str) -> str:
    if level.upper() not in ("DEBUG", "INFO", "WARNING", "ERROR"):
        raise ValueError("must be DEBUG, INFO, WARNING or ERROR")
    return level.upper()


HIDDEN = "hidden"
"""Marks the type of a setting whose value no message may show."""

Secret = Annotated[str, HIDDEN]
OldKeys = Annotated[str, AfterValidator(_old_keys), HIDDEN]
Domain = Annotated[str, AfterValidator(_domain)]
DomainList = Annotated[str, AfterValidator(_domain_list)]
MailName = Annotated[str, AfterValidator(_mail_name)]
EmailAddress = Annotated[str, AfterValidator(_email_address)]
Selector = Annotated[str, AfterValidator(_selector)]
DatabaseUrl = Annotated[str, AfterValidator(_database_url), HIDDEN]
Listening = Annotated[str, AfterValidator(_listening)]
ListeningOrNot = Annotated[str, AfterValidator(_listening_or_not)]
NetworkList = Annotated[str, AfterValidator(_networks)]
RelayUrl = Annotated[str, AfterValidator(_relay_url), HIDDEN]
MailboxUrl = Annotated[str, AfterValidator(_mailbox_url), HIDDEN]
Recipients = Annotated[str, AfterValidator(_recipients)]
WebAddress = Annotated[str, AfterValidator(_web_address)]
Command = Annotated[str, AfterValidator(_command), HIDDEN]
SentryAddress = Annotated[str, AfterValidator(_sentry), HIDDEN]
AutoOrSwitch = Annotated[Literal["auto", "true", "false"], BeforeValidator(_auto_or_switch)]
LogLevel = Annotated[str, AfterValidator(_level)]
