"""Everything an operator can set, from environment variables `NABU_…` or one file of `NAME=value` lines."""

import os
import re
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from mail.incoming.imap_session import read_account
from mail.incoming.peers import Networks, read_networks
from mail.incoming.webhooks import amazon, sendgrid
from mail.outgoing.delivering import Relay
from server.settings.misspelt import misspelt, strange

ROOT = Path(__file__).resolve().parents[2]
"""Where `templates` and `docs` lie beside the packages."""


_SHORTEST_PASSWORD = 16
_DATABASES = "a database is sqlite:///PATH or postgresql+psycopg://USER:PASSWORD@HOST/NAME"
# Behind it there must be room for a plus sign, `bounces-` and 32 letters: mail systems take 64 at most.
_NAME = re.compile(r"[a-z0-9_-](?:[a-z0-9._-]{0,21}[a-z0-9_-])?")
_PORT = re.compile(r"[0-9]{1,5}")
_DOMAIN = re.compile(r"[^\s@<>\"\\,;:()\[\]\0-\x1f]{1,253}")
_SWITCH = {"1": "true", "yes": "true", "on": "true", "0": "false", "no": "false", "off": "false"}


class BadSettings(Exception):
    """Settings that cannot be used; the message has a line for each, with what would be right."""


class Settings(BaseSettings):
    """What one installation is set to; each field `x` is the variable `NABU_X`."""

    model_config = SettingsConfigDict(env_prefix="NABU_", extra="ignore", frozen=True)

    secret_key: str = Field(
        min_length=32,
        description="Signs reply addresses and logins, encrypts sealed orders and stored mail. At least 32 "
        "characters, secret, the same for all processes.",
    )
    old_secret_keys: str = Field(
        default="",
        description="Earlier secret keys, separated by commas, that can still read what they encrypted.",
    )
    mail_domain: str = Field(
        description="The part after the @ in Nabu's own addresses, `NAME@DOMAIN` and `NAME+…@DOMAIN`."
    )
    mail_name: str = Field(
        default="play",
        description="The part before the @, and before the plus sign: all mail comes to `NAME@DOMAIN`.",
    )
    base_url: str = Field(
        default="http://127.0.0.1:8000", description="Where people find the web pages, for links in mails."
    )
    database_url: str = Field(
        default="sqlite:///var/nabu.db",
        description="`sqlite:///PATH` or `postgresql+psycopg://USER:PASSWORD@HOST/NAME`.",
    )
    http_listen: str = Field(default="127.0.0.1:8000", description="Address and port of the web pages.")
    trusted_proxies: str = Field(
        default="127.0.0.0/8,::1",
        description="Addresses and networks, separated by commas, of web proxies in front of the pages that "
        "are believed who asks (`X-Forwarded-For`).",
    )
    own_networks: str = Field(
        default="127.0.0.0/8,::1",
        description="Addresses and networks, separated by commas, of our own mail servers: these may hand over "
        "mail from everybody, what they wrote on top of it counts, and they have room of their own.",
    )
    smtp_listen: str = Field(
        default="127.0.0.1:2525", description="Address and port where mail comes in by SMTP; empty for none."
    )
    lmtp_listen: str = Field(
        default="", description="Address and port where mail comes in by LMTP; empty for none."
    )
    imap_url: str = Field(
        default="",
        description="A mailbox from which mail is fetched, `imaps://USER:PASSWORD@HOST/FOLDER,FOLDER`; "
        "empty for none.",
    )
    imap_handled: str = Field(
        default="Nabu/Handled", description="The folder of that mailbox into which stored mails are moved."
    )
    imap_pause: int = Field(
        default=60,
        ge=1,
        le=86_400,
        description="Seconds between two looks into that mailbox; of mail in its first folder servers tell at "
        "once, where they can.",
    )
    maildir: str = Field(
        default="", description="A maildir from which mail is taken; it is made when missing; empty for none."
    )
    mailgun_signing_key: str = Field(
        default="",
        description="Mailgun's “HTTP webhook signing key”: takes what it posts to `/mail/mailgun/mime`.",
    )
    postmark_password: str = Field(
        default="", description="The password with which Postmark posts mail to `/mail/postmark`."
    )
    sendgrid_public_key: str = Field(
        default="", description="The public key with which SendGrid signs what it posts to `/mail/sendgrid`."
    )
    sendgrid_password: str = Field(
        default="",
        description="The password with which SendGrid posts mail there; with both, both must be right.",
    )
    amazon_topics: str = Field(
        default="",
        description="Topics (ARN) of Amazon SNS that post mail to `/mail/amazon`, separated by commas.",
    )
    smtp_url: str = Field(
        default="smtp://127.0.0.1:25",
        description="The relay for outgoing mail: `smtp://`, `smtp+starttls://` or `smtps://`, then "
        "`[USER:PASSWORD@]HOST:PORT`.",
    )
    operator: str = Field(
        default="",
        description="Mail address of the operator, who is told once a day what was given up or held, or fails.",
    )
    dkim_key: str = Field(
        default="",
        description="File with the private key (PEM, RSA or Ed25519) that signs outgoing mail; empty for none.",
    )
    dkim_selector: str = Field(
        default="nabu", description="The public key stands in the DNS under `SELECTOR._domainkey.MAIL_DOMAIN`."
    )
    authserv_ids: str = Field(
        default="",
        description="Names of our own mail servers, or that of the mailbox, whose `Authentication-Results` are "
        "believed, by commas.",
    )
    arc_sealers: str = Field(
        default="", description="Domains of forwarders whose seals (ARC) are believed, separated by commas."
    )
    check_senders: Literal["auto", "true", "false"] = Field(
        default="auto",
        description="Whether SPF, DKIM and DMARC are checked here: `auto`, unless `NABU_AUTHSERV_IDS` names a "
        "mail server that does so; `true`, always where it has said nothing; `false`, never, and everybody is "
        "believed to be whom they say.",
    )
    domain_rate: int = Field(
        default=120, ge=1, le=1_000_000, description="Mails a minute to one destination domain, at most."
    )
    delivery_lease: int = Field(
        default=120,
        ge=1,
        le=86_400,
        description="Seconds after which mails that a worker has taken but not sent are taken by another.",
    )
    give_up_days: int = Field(
        default=5,
        ge=1,
        le=3650,
        description="Days after which a mail that the relay does not take is given up.",
    )
    keep_mail_days: int = Field(
        default=14, ge=1, le=36_500, description="Days for which the raw text of handled mail is kept."
    )
    log_level: str = Field(default="INFO", description="DEBUG, INFO, WARNING or ERROR.")

    @field_validator("*", mode="before")
    @classmethod
    def _text(cls, written: object) -> object:
        # What an environment holds may be any bytes.
        if isinstance(written, str) and (
            "\0" in written or any("\ud800" <= sign <= "\udfff" for sign in written)
        ):
            raise ValueError("it is no text in UTF-8")
        return written

    @field_validator("mail_domain")
    @classmethod
    def _name_of_a_domain(cls, domain: str) -> str:
        if not _DOMAIN.fullmatch(domain):
            raise ValueError("a domain looks like games.example.org")
        return domain.lower()

    @field_validator("mail_name")
    @classmethod
    def _name_of_a_mailbox(cls, name: str) -> str:
        if not _NAME.fullmatch(name.lower()):
            raise ValueError(
                "a name has 1 to 23 letters, digits, dots, hyphens and underscores, and no plus sign"
            )
        return name.lower()

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, url: str) -> str:
        if url.startswith("postgresql://"):
            url = "postgresql+psycopg" + url.removeprefix("postgresql")
        if not url.startswith(("sqlite:///", "postgresql+psycopg://")):
            raise ValueError(_DATABASES)
        try:
            make_url(url)
        except (ArgumentError, ValueError):
            raise ValueError(_DATABASES) from None
        return url

    @field_validator("http_listen", "smtp_listen", "lmtp_listen")
    @classmethod
    def _host_and_port(cls, value: str, given: ValidationInfo) -> str:
        if value or given.field_name == "http_listen":
            host_and_port(value)
        return value

    @field_validator("trusted_proxies", "own_networks")
    @classmethod
    def _networks(cls, text: str) -> str:
        try:
            read_networks(text)
        except ValueError as error:
            raise ValueError(f"{error}; a network looks like 10.0.0.0/8 or 2001:db8::/32") from None
        return text

    @field_validator("smtp_url")
    @classmethod
    def _relay(cls, url: str) -> str:
        Relay(url, hostname="")
        return url

    @field_validator("imap_url")
    @classmethod
    def _mailbox(cls, url: str) -> str:
        if url:
            read_account(url)
        return url

    @field_validator("imap_handled")
    @classmethod
    def _another_folder(cls, name: str, given: ValidationInfo) -> str:
        url = given.data.get("imap_url")
        if not name or (url and name in read_account(url).folders):
            raise ValueError("handled mails need a folder of their own, from which none are fetched")
        return name

    @field_validator("postmark_password", "sendgrid_password")
    @classmethod
    def _long_enough(cls, password: str) -> str:
        if 0 < len(password) < _SHORTEST_PASSWORD:
            raise ValueError(f"a password of a webhook has at least {_SHORTEST_PASSWORD} characters")
        return password

    @field_validator("sendgrid_public_key")
    @classmethod
    def _public_key(cls, key: str) -> str:
        if key:
            sendgrid.Agreement(public_key=key)
        return key

    @field_validator("amazon_topics")
    @classmethod
    def _topics(cls, topics: str) -> str:
        if not all(map(amazon.TOPIC.fullmatch, _listed(topics))):
            raise ValueError("a topic looks like arn:aws:sns:eu-west-1:123456789012:NAME")
        return topics

    @field_validator("base_url")
    @classmethod
    def _web_address(cls, url: str) -> str:
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
            raise ValueError("a base URL looks like https://games.example.org")
        return url.rstrip("/")

    @field_validator("check_senders", mode="before")
    @classmethod
    def _known_choice(cls, written: object) -> str:
        word = str(written).strip().lower() or "auto"
        word = _SWITCH.get(word, word)
        if word not in ("auto", "true", "false"):
            raise ValueError("it is auto, true or false")
        return word

    @field_validator("log_level")
    @classmethod
    def _known_level(cls, level: str) -> str:
        if level.upper() not in ("DEBUG", "INFO", "WARNING", "ERROR"):
            raise ValueError("a log level is DEBUG, INFO, WARNING or ERROR")
        return level.upper()

    @property
    def plain_address(self) -> str:
        """Where mail goes that belongs to no game; all other addresses of ours have something behind a plus."""
        return f"{self.mail_name}@{self.mail_domain}"

    @property
    def checks_senders(self) -> bool:
        """Whether senders are checked here, where no mail server of ours has done so."""
        return self.check_senders == "true" or (self.check_senders == "auto" and not _listed(self.authserv_ids))

    @property
    def believes_senders(self) -> bool:
        """Whether everybody is taken for whom they say, unless a mail server of ours denies it."""
        return self.check_senders == "false"

    @property
    def secret_keys(self) -> tuple[str, ...]:
        """All keys that may have encrypted something, the one in use first."""
        return (self.secret_key, *_listed(self.old_secret_keys))

    @property
    def proxies(self) -> Networks:
        """Where the web proxies are that we trust."""
        return read_networks(self.trusted_proxies)

    @property
    def own_peers(self) -> Networks:
        """Where our own mail servers are."""
        return read_networks(self.own_networks)

    @property
    def topics(self) -> frozenset[str]:
        """The topics of Amazon SNS that are ours."""
        return frozenset(_listed(self.amazon_topics))


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def host_and_port(value: str) -> tuple[str, int]:
    """`"127.0.0.1:2525"` as its two parts; raises ValueError with what is right."""
    host, colon, port = value.rpartition(":")
    if not colon or not _PORT.fullmatch(port) or int(port) > 65535 or not _is_host(host.strip("[]")):
        raise ValueError(f"{value!r} is not HOST:PORT, such as 127.0.0.1:2525")
    return host.strip("[]"), int(port)


def _is_host(name: str) -> bool:
    """Whether the DNS can be asked for a name, or none is needed."""
    try:
        name.encode("idna")
    except UnicodeError:
        return False
    return True


def load(file: Path | None = None, /, **given: str) -> Settings:
    """The settings of the environment and of `file`; `given` values win. Raises BadSettings."""
    if file is not None and not (file.is_file() and os.access(file, os.R_OK)):
        raise BadSettings(f"The file of settings, {file}, is not there or cannot be read.")
    try:
        wrong = misspelt(_names(), file)
    except UnicodeDecodeError:
        raise BadSettings(f"The file of settings, {file}, is no text in UTF-8.") from None
    try:
        settings = Settings(_env_file=file, **given)  # type: ignore[arg-type, call-arg]
    except ValidationError as error:
        raise BadSettings("\n".join([*wrong, *map(_sentence, error.errors())])) from None
    if wrong:
        raise BadSettings("\n".join(wrong))
    return settings


def strange_names() -> list[str]:
    """The names `NABU_…` in the environment that are like no setting: others mean something by them."""
    return strange(_names())


def _names() -> set[str]:
    return {f"NABU_{name.upper()}" for name in Settings.model_fields}


def _sentence(detail: object) -> str:
    assert isinstance(detail, dict)  # noqa: S101 - pydantic's errors are dicts; the type is private
    name = str(detail["loc"][0])
    variable = f"NABU_{name.upper()}"
    field = Settings.model_fields[name]
    if detail["type"] == "missing":
        return f"{variable} is not set. {field.description}"
    return f"{variable}: {str(detail['msg']).removeprefix('Value error, ')}. {field.description}"
