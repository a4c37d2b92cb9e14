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
    AutoOrSwitch,
    Command,
    DatabaseUrl,
    Domain,
    DomainList,
    EmailAddress,
    Listening,
    ListeningOrNot,
    LogLevel,
    MailboxUrl,
    MailName,
    NetworkList,
    OldKeys,
    Recipients,
    RelayUrl,
    Secret,
    Selector,
    SentryAddress,
    WebAddress,
    split_list,
)

ROOT = Path(__file__).resolve().parents[2]
"""The folder that contains `templates`, `docs` and the packages."""


@with_providers
class Settings(BaseSettings):
    """The settings of one installation; the field `x` is the variable `NABU_X`."""

    model_config = SettingsConfigDict(env_prefix="NABU_", extra="ignore", frozen=True)

    secret_key: Secret = Field(
        min_length=32,
        examples=["0f5c…"],
        description="The key that signs reply addresses and logins and encrypts sealed orders and stored "
        "emails: at least 32 characters, the same for all processes. `nabu setup` makes one, and so does "
        '`python3 -c "import secrets; print(secrets.token_hex(32))"`. Keep a copy apart from the backups: '
        "without the key, sealed orders are lost.",
    )
    old_secret_keys: OldKeys = Field(
        default="",
        examples=["0123456789abcdef0123456789abcdef"],
        description="Earlier secret keys, separated by commas. Nabu still decrypts and verifies with them, but "
        "encrypts and signs with the new key only.",
    )
    mail_domain: Domain = Field(
        examples=["games.example.org"],
        description="The domain of Nabu's own addresses `NAME@DOMAIN` and `NAME+…@DOMAIN`.",
    )
    mail_name: MailName = Field(
        default="play",
        description="The name in Nabu's own addresses `NAME@DOMAIN` and `NAME+…@DOMAIN`. With a mailbox at a "
        "provider, use the name of that mailbox.",
    )
    base_url: WebAddress = Field(
        default="http://127.0.0.1:8000",
        examples=["https://games.example.org"],
        description="The public address of the web pages; emails link to it. Passkeys need https and a "
        "domain name, and stop working when that name changes.",
    )
    database_url: DatabaseUrl = Field(
        default="sqlite:///var/nabu.db",
        examples=["postgresql://nabu:PASSWORD@db.example.org/nabu"],
        description="The database: `sqlite:///PATH` (a path that begins with `/` makes four slashes) or "
        "`postgresql://USER:PASSWORD@HOST/NAME`. If the URL names several hosts, as in `@HOST,HOST/NAME`, Nabu "
        "uses the one that accepts writes.",
    )
    http_listen: Listening = Field(
        default="127.0.0.1:8000",
        description="The address and port on which the web pages are served.",
    )
    trusted_proxies: NetworkList = Field(
        default="127.0.0.0/8,::1",
        examples=["10.0.0.0/8,2001:db8::1"],
        description="Addresses and networks, separated by commas, of the web proxies in front of Nabu. It "
        "takes a visitor's address from their header field `X-Forwarded-For`.",
    )
    own_networks: NetworkList = Field(
        default="127.0.0.0/8,::1",
        examples=["127.0.0.0/8,192.0.2.25"],
        description="Addresses and networks, separated by commas, of your own mail servers. Nabu reserves "
        "connections for them, does not check their address by SPF, and trusts the `Authentication-Results` "
        "that they add under a name in `NABU_AUTHSERV_IDS`.",
    )
    smtp_listen: ListeningOrNot = Field(
        default="127.0.0.1:2525",
        examples=["0.0.0.0:25"],
        description="The address and port on which Nabu accepts mail by SMTP; empty for none.",
    )
    lmtp_listen: ListeningOrNot = Field(
        default="",
        examples=["127.0.0.1:2424"],
        description="The address and port on which Nabu accepts mail by LMTP; empty for none.",
    )
    imap_url: MailboxUrl = Field(
        default="",
        examples=["imaps://nabu:PASSWORD@imap.example.org/INBOX,Junk"],
        description="A mailbox from which Nabu fetches emails: `imaps://USER:PASSWORD@HOST/FOLDER,FOLDER`, or "
        "`imap+starttls://…`; empty for none. The folder is `INBOX` if none is given.",
    )
    imap_handled: str = Field(
        default="Nabu/Handled",
        description="The folder of the IMAP mailbox into which Nabu moves emails as soon as they are in its "
        "database; created if missing.",
    )
    imap_pause: int = Field(
        default=60,
        ge=1,
        le=86_400,
        description="Seconds between two checks of the IMAP mailbox. A server with IDLE reports new emails in "
        "the first folder immediately.",
    )
    maildir: str = Field(
        default="",
        examples=["/var/lib/nabu/mail"],
        description="A maildir from which Nabu moves emails into its database; created if missing; empty for "
        "none.",
    )
    smtp_url: RelayUrl = Field(
        default="smtp://127.0.0.1:25",
        examples=["smtp+starttls://nabu:PASSWORD@smtp.example.org:587"],
        description="The mail server that relays outgoing emails: `smtp://`, `smtp+starttls://` or "
        "`smtps://`, then `[USER:PASSWORD@]HOST:PORT`.",
    )
    first_game: bool = Field(
        default=True,
        examples=["false"],
        description="Start a game against the computer for each new player, with explanations of the rules.",
    )
    computer_processes: int = Field(
        default=0,
        ge=0,
        le=1000,
        examples=["2"],
        description="The number of processes that search for moves of computer players, with low priority; `0` "
        "for half of the cores, at least one. Each takes up to 100 MB. One more process finds hints and "
        "analyses finished games.",
    )
    computer_seconds: int = Field(
        default=5,
        ge=1,
        le=60,
        description="The most processor seconds that the strongest computer player takes for a move. It takes "
        "less if many games wait for a move.",
    )
    administrator: EmailAddress = Field(
        default="",
        examples=["admin@example.org"],
        description="The administrator's email address. It gets a daily report if emails were given up, "
        "quarantined or complained about, or if games fail. Browser push services get it as the contact "
        "address, and so do visitors of the pages about the server (without it, they get "
        "`postmaster@MAIL_DOMAIN`).",
    )
    pages_folder: str = Field(
        default="",
        description="The folder with your own `about.md`, `privacy.md` and `terms.md` for the pages `/about`, "
        "`/privacy` and `/terms`. A page without a file has a default text.",
        examples=["/etc/nabu/pages"],
    )
    dkim_key: str = Field(
        default="",
        examples=["/etc/nabu/dkim.pem"],
        description="The file with the private key (PEM, RSA or Ed25519) with which Nabu signs outgoing "
        "emails. Leave it empty if the relay (`NABU_SMTP_URL`) signs them.",
    )
    dkim_selector: Selector = Field(
        default="nabu",
        description="The DKIM selector: you publish the public key in the DNS at "
        "`SELECTOR._domainkey.MAIL_DOMAIN`.",
    )
    authserv_ids: DomainList = Field(
        default="",
        examples=["mx.example.org"],
        description="Names, separated by commas, of mail servers whose `Authentication-Results` Nabu trusts: "
        "your own, or those of the provider of the mailbox in `NABU_IMAP_URL`.",
    )
    arc_sealers: DomainList = Field(
        default="",
        examples=["lists.example.org"],
        description="Domains, separated by commas, of forwarders whose ARC seals Nabu trusts.",
    )
    check_senders: AutoOrSwitch = Field(
        default="auto",
        description="When Nabu checks SPF, DKIM and DMARC itself. `auto`: unless `NABU_AUTHSERV_IDS` is set; "
        "`true`: for each email without a trusted `Authentication-Results`; `false`: never. With `false`, "
        "anyone who knows a player's address can stop their emails or resign their games.",
    )
    api_rate: int = Field(
        default=120,
        ge=1,
        le=1_000_000,
        description="The most API requests per minute with one token. Each web process counts separately.",
    )
    domain_rate: int = Field(
        default=120,
        ge=1,
        le=1_000_000,
        description="The most emails per minute, from all processes, to one destination domain. The others "
        "wait for a minute.",
    )
    delivery_lease: int = Field(
        default=120,
        ge=1,
        le=86_400,
        description="Seconds within which a worker must send the emails that it has taken. After that, another "
        "worker sends the rest.",
    )
    give_up_days: int = Field(
        default=5,
        ge=1,
        le=3650,
        description="Days after which Nabu gives up an email that the relay refuses while it accepts others.",
    )
    keep_mail_days: int = Field(
        default=14,
        ge=1,
        le=36_500,
        description="Days for which Nabu keeps the text of incoming emails that it has handled.",
    )
    daily_mail_megabytes: int = Field(
        default=1000,
        ge=300,
        le=1_000_000,
        description="The most megabytes of incoming mail that Nabu stores per day (UTC): half for replies, a "
        "quarter for other emails from players, a quarter for strangers. Of the whole, one player may use "
        "1/40, one network of strangers 1/20 and one domain of strangers 1/10. Nabu defers emails beyond "
        "these quotas until the next day.",
    )
    backup_folder: str = Field(
        default="",
        examples=["/var/backups/nabu"],
        description="The folder for backups; empty for `backups` beside the SQLite file or, with PostgreSQL, "
        "in the working directory.",
    )
    backup_recipients: Recipients = Field(
        default="",
        examples=["age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"],
        description="Public keys made with age (https://age-encryption.org), separated by commas, for which "
        "backups are encrypted; empty for no encryption.",
    )
    metrics_token: Secret = Field(
        default="",
        examples=["a-long-random-text"],
        description="The bearer token required for `/metrics` from other machines; if empty, only this "
        "machine can read it.",
    )
    metrics_listen: ListeningOrNot = Field(
        default="",
        examples=["127.0.0.1:9100"],
        description="The address and port on which a process started separately, such as `nabu worker`, "
        "serves its metrics; empty for none. The processes of `nabu serve` report theirs on `/metrics`.",
    )
    alert_urls: Secret = Field(
        default="",
        examples=["ntfys://my-secret-topic"],
        description="Services to which alerts are sent immediately: URLs of "
        "Apprise (https://github.com/caronc/apprise/wiki), separated by spaces.",
    )
    alert_command: Command = Field(
        default="",
        examples=["/usr/local/bin/page-me"],
        description="A command, with arguments if needed, that receives each alert on its standard input. It "
        "must exit with 0; otherwise, Nabu repeats the alert after a minute.",
    )
    sentry_dsn: SentryAddress = Field(
        default="",
        examples=["https://0f5c@sentry.example.org/1"],
        description="The address (DSN) of Sentry, or of a compatible service, to which errors are reported, "
        "without any values of variables; empty for none.",
    )
    log_format: Literal["text", "json"] = Field(
        default="text",
        examples=["json"],
        description="The format of log lines: `text` for people, `json` for programs.",
    )
    log_level: LogLevel = Field(
        default="INFO",
        description="The lowest level that is logged: `DEBUG`, `INFO`, `WARNING` or `ERROR`.",
    )

    @field_validator("*", mode="before")
    @classmethod
    def _text(cls, written: object) -> object:
        # An environment may contain any bytes.
        if isinstance(written, str) and (
            "\0" in written or any("\ud800" <= sign <= "\udfff" for sign in written)
        ):
            raise ValueError("must be UTF-8 text")
        return written

    @field_validator("imap_handled")
    @classmethod
    def _another_folder(cls, name: str, given: ValidationInfo) -> str:
        url = given.data.get("imap_url")
        if not name:
            raise ValueError("must be a folder")
        if url and name in read_account(url).folders:
            raise ValueError("Nabu fetches emails from this folder (NABU_IMAP_URL), so it must be another one")
        return name

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
    def history_file(self) -> Path | None:
        """The file in which this machine remembers the age of the database; None if it has no place for it.

        It is beside the SQLite file, or in the folder that systemd names for the service.
        """
        file, folder = self.database_file, os.environ.get("STATE_DIRECTORY", "").partition(":")[0]
        if file is not None:
            return file.with_suffix(".history.json")
        return Path(folder, "nabu.history.json") if folder else None

    @property
    def plain_address(self) -> str:
        """The address for emails that belong to no game, such as `play@games.example.org`.

        All other addresses have a tag after a plus sign.
        """
        return f"{self.mail_name}@{self.mail_domain}"

    @property
    def checks_senders(self) -> bool:
        """Return whether Nabu checks the senders that no trusted mail server has checked."""
        return self.check_senders == "true" or (
            self.check_senders == "auto" and not split_list(self.authserv_ids)
        )

    @property
    def believes_senders(self) -> bool:
        """Return whether Nabu accepts every sender that no trusted mail server has found to be forged."""
        return self.check_senders == "false"

    @property
    def thinkers(self) -> int:
        """The number of processes that search moves for computer players."""
        return self.computer_processes or max(1, len(os.sched_getaffinity(0)) // 2)

    @property
    def secret_keys(self) -> tuple[str, ...]:
        """All secret keys, the current one first."""
        return (self.secret_key, *split_list(self.old_secret_keys))

    @property
    def proxies(self) -> Networks:
        """The networks of the trusted web proxies."""
        return read_networks(self.trusted_proxies)

    @property
    def own_peers(self) -> Networks:
        """The networks of the installation's own mail servers."""
        return read_networks(self.own_networks)
