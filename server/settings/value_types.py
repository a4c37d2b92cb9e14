"""Types that check the text of settings; each error says which form is correct."""

import re
import shlex
from typing import Annotated
from urllib.parse import urlsplit

import pyrage
from pydantic import AfterValidator
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from mail.incoming.imap_session import read_account
from mail.incoming.peers import read_networks
from mail.outgoing.delivering import Relay

_DATABASES = "must be sqlite:///PATH or postgresql+psycopg://USER:PASSWORD@HOST/NAME"
# Leaves room for a plus sign, `bounces-` and 32 letters: mail systems accept at most 64 characters before the
# @.
_NAME = re.compile(r"[a-z0-9_-](?:[a-z0-9._-]{0,21}[a-z0-9_-])?")
_PORT = re.compile(r"[0-9]{1,5}")
_DSN = re.compile(r"https?://[^\s/@]+@[^\s/@]+/(?:\S+/)?\d+")
_DOMAIN = re.compile(r"[^\s@<>\"\\,;:()\[\]\0-\x1f]{1,253}")


def split_list(text: str) -> list[str]:
    """Return the items of a comma-separated list, without spaces and empty items."""
    return [each.strip() for each in text.split(",") if each.strip()]


def host_and_port(value: str) -> tuple[str, int]:
    """Split `"127.0.0.1:2525"` into host and port. Raises ValueError with the correct form."""
    host, colon, port = value.rpartition(":")
    if not colon or not _PORT.fullmatch(port) or int(port) > 65535 or not _is_host(host.strip("[]")):
        raise ValueError(f"{value!r} is not HOST:PORT, such as 127.0.0.1:2525")
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
        raise ValueError("must be a domain, such as games.example.org")
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
    try:
        make_url(url)
    except (ArgumentError, ValueError):
        raise ValueError(_DATABASES) from None
    return url


def _listening(value: str) -> str:
    host_and_port(value)
    return value


def _listening_or_not(value: str) -> str:
    return value and _listening(value)


def _networks(text: str) -> str:
    try:
        read_networks(text)
    except ValueError as error:
        raise ValueError(f"{error}; a network looks like 10.0.0.0/8 or 2001:db8::/32") from None
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
        raise ValueError("must be public keys of age, such as age1…, as age-keygen prints them") from None
    return keys


def _web_address(url: str) -> str:
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
        raise ValueError("must be a URL, such as https://games.example.org")
    return url.rstrip("/")


def _command(command: str) -> str:
    try:
        shlex.split(command)
    except ValueError as error:
        raise ValueError(f"must be a command as in a shell: {error}") from None
    return command


def _sentry(address: str) -> str:
    if address and not _DSN.fullmatch(address):
        raise ValueError("must look like https://KEY@HOST/NUMBER")
    return address


def _level(level: str) -> str:
    if level.upper() not in ("DEBUG", "INFO", "WARNING", "ERROR"):
        raise ValueError("must be DEBUG, INFO, WARNING or ERROR")
    return level.upper()


Domain = Annotated[str, AfterValidator(_domain)]
MailName = Annotated[str, AfterValidator(_mail_name)]
DatabaseUrl = Annotated[str, AfterValidator(_database_url)]
Listening = Annotated[str, AfterValidator(_listening)]
ListeningOrNot = Annotated[str, AfterValidator(_listening_or_not)]
NetworkList = Annotated[str, AfterValidator(_networks)]
RelayUrl = Annotated[str, AfterValidator(_relay_url)]
MailboxUrl = Annotated[str, AfterValidator(_mailbox_url)]
Recipients = Annotated[str, AfterValidator(_recipients)]
WebAddress = Annotated[str, AfterValidator(_web_address)]
Command = Annotated[str, AfterValidator(_command)]
SentryAddress = Annotated[str, AfterValidator(_sentry)]
LogLevel = Annotated[str, AfterValidator(_level)]
