"""The settings, from environment variables `NABU_…` or one file of `NAME=value` lines."""

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from mail.incoming.imap_session import read_account
from mail.incoming.peers import Networks, read_networks
from server.settings.provider_settings import with_providers
from server.settings.value_types import (
    Command,
    DatabaseUrl,
    Domain,
    Listening,
    ListeningOrNot,
    LogLevel,
    MailboxUrl,
    MailName,
    NetworkList,
    Recipients,
    RelayUrl,
    SentryAddress,
    WebAddress,
    split_list,
)

ROOT = Path(__file__).resolve().parents[2]
"""Where `templates` and `docs` lie beside the packages."""

_SWITCH = {"1": "true", "yes": "true", "on": "true", "0": "false", "no": "false", "off": "false"}


@with_providers
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
    mail_domain: Domain = Field(
        description="The part after the @ in Nabu's own addresses, `NAME@DOMAIN` and `NAME+…@DOMAIN`."
    )
    mail_name: MailName = Field(
        default="play",
        description="The part before the @, and before the plus sign: all mail comes to `NAME@DOMAIN`.",
    )
    base_url: WebAddress = Field(
        default="http://127.0.0.1:8000", description="Where people find the web pages; used for links in mails."
    )
    database_url: DatabaseUrl = Field(
        default="sqlite:///var/nabu.db",
        description="`sqlite:///PATH` or `postgresql+psycopg://USER:PASSWORD@HOST/NAME`.",
    )
    http_listen: Listening = Field(default="127.0.0.1:8000", description="Address and port of the web pages.")
    trusted_proxies: NetworkList = Field(
        default="127.0.0.0/8,::1",
        description="Addresses and networks, separated by commas, of web proxies in front of the pages that "
        "are trusted to say who is asking (`X-Forwarded-For`).",
    )
    own_networks: NetworkList = Field(
        default="127.0.0.0/8,::1",
        description="Addresses and networks, separated by commas, of our own mail servers: these may hand over "
        "mail from anyone, what they wrote at its top is trusted, and they have limits of their own.",
    )
    smtp_listen: ListeningOrNot = Field(
        default="127.0.0.1:2525", description="Address and port where mail comes in by SMTP; empty for none."
    )
    lmtp_listen: ListeningOrNot = Field(
        default="", description="Address and port where mail comes in by LMTP; empty for none."
    )
    imap_url: MailboxUrl = Field(
        default="",
        description="A mailbox to fetch mail from, `imaps://USER:PASSWORD@HOST/FOLDER,FOLDER`; empty for none.",
    )
    imap_handled: str = Field(
        default="Nabu/Handled", description="The folder of that mailbox to move stored mails into."
    )
    imap_pause: int = Field(
        default=60,
        ge=1,
        le=86_400,
        description="Seconds between two checks of that mailbox; where servers can, they report mail in its "
        "first folder at once.",
    )
    maildir: str = Field(
        default="", description="A maildir to take mail from; created if missing; empty for none."
    )
    smtp_url: RelayUrl = Field(
        default="smtp://127.0.0.1:25",
        description="The relay for outgoing mail: `smtp://`, `smtp+starttls://` or `smtps://`, then "
        "`[USER:PASSWORD@]HOST:PORT`.",
    )
    first_game: bool = Field(
        default=True,
        description="Whether a game against the computer that explains its rules waits for new players.",
    )
    computer_processes: int = Field(
        default=0,
        ge=0,
        le=1000,
        description="Processes that think for computer players at the same time, with low priority; 0 for half "
        "of the cores, at least one.",
    )
    administrator: str = Field(
        default="",
        description="Mail address of the administrator, who is told once a day what was given up, quarantined "
        "or fails; services that carry notices to browsers are told it, too.",
    )
    dkim_key: str = Field(
        default="",
        description="File with the private key (PEM, RSA or Ed25519) that signs outgoing mail; empty for none.",
    )
    dkim_selector: str = Field(
        default="nabu", description="The public key is in the DNS at `SELECTOR._domainkey.MAIL_DOMAIN`."
    )
    authserv_ids: str = Field(
        default="",
        description="Names of our own mail servers, or of the mailbox's, whose `Authentication-Results` are "
        "trusted, separated by commas.",
    )
    arc_sealers: str = Field(
        default="", description="Domains of forwarders whose seals (ARC) are trusted, separated by commas."
    )
    check_senders: Literal["auto", "true", "false"] = Field(
        default="auto",
        description="Whether SPF, DKIM and DMARC are checked here: `auto`, unless `NABU_AUTHSERV_IDS` names a "
        "mail server that does so; `true`, whenever that server has said nothing; `false`, never: everyone is "
        "taken for whoever they say they are.",
    )
    api_rate: int = Field(
        default=120,
        ge=1,
        le=1_000_000,
        description="The most requests per minute that a program makes with one token; each web process counts "
        "by itself.",
    )
    domain_rate: int = Field(
        default=120, ge=1, le=1_000_000, description="The most mails per minute to any one destination domain."
    )
    delivery_lease: int = Field(
        default=120,
        ge=1,
        le=86_400,
        description="Seconds after which mails that a worker has taken but not sent are taken over by another.",
    )
    give_up_days: int = Field(
        default=5,
        ge=1,
        le=3650,
        description="Days after which a mail that the relay does not accept is given up.",
    )
    keep_mail_days: int = Field(
        default=14, ge=1, le=36_500, description="Days for which the raw text of handled mail is kept."
    )
    daily_mail_megabytes: int = Field(
        default=1000,
        ge=300,
        le=1_000_000,
        description="Megabytes of incoming mail stored per day (UTC): half for replies, a quarter for other "
        "mail from players, a quarter for strangers. What exceeds them is put off until the next day.",
    )
    backup_folder: str = Field(
        default="",
        description="Folder for backups; empty for `backups` beside the SQLite file, or where Nabu runs.",
    )
    backup_recipients: Recipients = Field(
        default="",
        description="Public keys of age, separated by commas, for which backups are encrypted; empty for none.",
    )
    metrics_token: str = Field(
        default="",
        description="Who asks for `/metrics` with this bearer token is answered; empty for programs on this "
        "machine alone.",
    )
    metrics_listen: ListeningOrNot = Field(
        default="",
        description="Address and port where a process that was started by itself tells what it counts; empty "
        "for none.",
    )
    alert_urls: str = Field(
        default="",
        description="Where the administrator is told at once what needs somebody: addresses as Apprise knows "
        "them, separated by blanks.",
    )
    alert_command: Command = Field(
        default="", description="A command that is handed the same, on its standard input; it ends with 0."
    )
    sentry_dsn: SentryAddress = Field(
        default="", description="The address (DSN) at which Sentry is told of errors; empty for none."
    )
    log_format: Literal["text", "json"] = Field(
        default="text", description="Lines of the log for people, `text`, or for programs, `json`."
    )
    log_level: LogLevel = Field(default="INFO", description="DEBUG, INFO, WARNING or ERROR.")

    @field_validator("*", mode="before")
    @classmethod
    def _text(cls, written: object) -> object:
        # An environment may contain any bytes.
        if isinstance(written, str) and (
            "\0" in written or any("\ud800" <= sign <= "\udfff" for sign in written)
        ):
            raise ValueError("it is not UTF-8 text")
        return written

    @field_validator("imap_handled")
    @classmethod
    def _another_folder(cls, name: str, given: ValidationInfo) -> str:
        url = given.data.get("imap_url")
        if not name or (url and name in read_account(url).folders):
            raise ValueError("handled mails need their own folder, from which no mail is fetched")
        return name

    @field_validator("check_senders", mode="before")
    @classmethod
    def _known_choice(cls, written: object) -> str:
        word = str(written).strip().lower() or "auto"
        word = _SWITCH.get(word, word)
        if word not in ("auto", "true", "false"):
            raise ValueError("it is auto, true or false")
        return word

    @property
    def backups(self) -> Path:
        """The folder for backups."""
        file = self.database_file
        return Path(self.backup_folder or (Path() if file is None else file.parent) / "backups")

    @property
    def backup_keys(self) -> tuple[str, ...]:
        """The public keys of age for which backups are encrypted."""
        return tuple(split_list(self.backup_recipients))

    @property
    def database_file(self) -> Path | None:
        """The file of the database; None for PostgreSQL."""
        url = self.database_url
        return Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite") else None

    @property
    def plain_address(self) -> str:
        """Where mail goes that belongs to no game; all our other addresses have something after a plus."""
        return f"{self.mail_name}@{self.mail_domain}"

    @property
    def checks_senders(self) -> bool:
        """Whether senders are checked here if no mail server of ours has done so."""
        return self.check_senders == "true" or (
            self.check_senders == "auto" and not split_list(self.authserv_ids)
        )

    @property
    def believes_senders(self) -> bool:
        """Whether everyone is taken for who they say they are, unless a mail server of ours denies it."""
        return self.check_senders == "false"

    @property
    def thinkers(self) -> int:
        """How many processes think for computer players at the same time."""
        return self.computer_processes or max(1, len(os.sched_getaffinity(0)) // 2)

    @property
    def secret_keys(self) -> tuple[str, ...]:
        """All keys that may have encrypted something, the one in use first."""
        return (self.secret_key, *split_list(self.old_secret_keys))

    @property
    def proxies(self) -> Networks:
        """Where the web proxies are that we trust."""
        return read_networks(self.trusted_proxies)

    @property
    def own_peers(self) -> Networks:
        """Where our own mail servers are."""
        return read_networks(self.own_networks)
