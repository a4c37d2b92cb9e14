"""`nabu setup`: write settings and keys from a few answers, and print the DNS records and mail settings."""

import os
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any, get_type_hints

import click
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pydantic import TypeAdapter, ValidationError

from mail.outgoing.signing import Signer
from server.cli.doctor import await_reply
from server.cli.run import command_line, open_configured
from server.doctor import dns
from server.processes.mail_process import Mailroom
from server.settings import Settings
from server.settings.errors import example, problem
from server.settings.loading import BadSettings, load

_WAYS = {
    "lmtp": {"NABU_SMTP_LISTEN": "", "NABU_LMTP_LISTEN": "127.0.0.1:2424"},
    "imap": {"NABU_SMTP_LISTEN": ""},
}
_INSTALLED = Path("/var/lib/nabu")
"""The data folder of the Debian package."""
_RELAY = "Relay for outgoing emails (a provider's: smtps://USER:PASSWORD@HOST)"
_WAY_IN = "Incoming emails: lmtp, from a mail server on this machine; imap, from a mailbox at a provider"
_OFFER = (
    "If you have done that, Nabu can send you a test email now. You can also do it later, when Nabu is "
    "running:\n{}\nSend it now?"
)
_PATIENCE = 600.0
"""Seconds for the administrator to reply to the test email."""


def _like(setting: str) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """Return a function that checks an answer as a value of the setting."""

    def checked(_context: click.Context, _parameter: click.Parameter, answer: str | None) -> str | None:
        if answer is None:
            return None
        adapter: Any = TypeAdapter(get_type_hints(Settings, include_extras=True)[setting])
        field = Settings.model_fields[setting]
        try:
            value = str(adapter.validate_python(answer.strip()))
        except ValidationError as error:
            wrong = problem(field, error.errors()[0])
            raise click.BadParameter(f"{wrong}, such as {example(field)}") from None
        if not value:
            raise click.BadParameter(f"must not be empty; for example {example(field)}")
        return value

    return checked


def _refuse_existing(file: Path) -> None:
    if file.exists():
        raise click.ClickException(
            f"{file} already exists, and its secret key opens the database. Edit the file, or move it away."
        )


@click.command()
@click.option(
    "--domain",
    help="The domain of Nabu's email addresses, such as games.example.org.",
    callback=_like("mail_domain"),
)
@click.option(
    "--base-url",
    help="The public address of the web pages, such as https://games.example.org.",
    callback=_like("base_url"),
)
@click.option(
    "--relay", help="The mail server for outgoing emails, as in NABU_SMTP_URL.", callback=_like("smtp_url")
)
@click.option(
    "--way",
    help="The way in of emails: lmtp from a mail server on this machine, imap from a mailbox at a provider.",
    type=click.Choice(list(_WAYS)),
)
@click.option(
    "--mailbox", callback=_like("imap_url"), help="With --way imap: the mailbox, imaps://USER:PASSWORD@HOST."
)
@click.option(
    "--mail-name", callback=_like("mail_name"), help="With --way imap: the part of its address before the @."
)
@click.option("--administrator", help="The administrator's email address.", callback=_like("administrator"))
@click.option(
    "--database",
    callback=_like("database_url"),
    help="The database, such as postgresql://nabu@/nabu; default: a SQLite file.",
)
@click.option(
    "--dkim/--no-dkim", default=None, help="Sign outgoing emails with DKIM; default: only with --way lmtp."
)
@click.option("--try/--no-try", "tries", default=None, help="Send you a test email and wait for your answer.")
@click.pass_obj
def setup(
    config: Path | None,
    domain: str | None,
    base_url: str | None,
    relay: str | None,
    way: str | None,
    mailbox: str | None,
    mail_name: str | None,
    administrator: str | None,
    database: str | None,
    dkim: bool | None,
    tries: bool | None,
) -> None:
    """Write a settings file from a few answers.

    The file is nabu.env, or the one given by --config; an existing file is never changed. The command also
    makes new keys, and prints the remaining steps, such as DNS records. It asks for everything that no option
    gives.
    """
    file = (config or Path("nabu.env")).absolute()
    _refuse_existing(file)
    domain = domain or _ask("mail_domain", "Domain of Nabu's email addresses (the part after the @)")
    base_url = base_url or _ask("base_url", "Address of the web pages", f"https://{domain}")
    relay = relay or _ask("smtp_url", _RELAY, "smtp://127.0.0.1:25")
    way = way or str(click.prompt(_WAY_IN, default="lmtp", type=click.Choice(list(_WAYS))))
    administrator = administrator or _ask("administrator", "Your own email address")
    if way == "imap":
        mailbox = mailbox or _ask("imap_url", "The mailbox (imaps://USER:PASSWORD@HOST)")
        mail_name = mail_name or _ask("mail_name", "The part of its address before the @", "play")
    given = {
        "NABU_SECRET_KEY": token_hex(32),
        "NABU_MAIL_DOMAIN": domain,
        "NABU_BASE_URL": base_url,
        "NABU_DATABASE_URL": database or _database(),
        "NABU_SMTP_URL": relay,
        **_WAYS[way],
        **({"NABU_IMAP_URL": mailbox, "NABU_MAIL_NAME": mail_name} if mailbox and mail_name else {}),
        "NABU_ADMINISTRATOR": administrator,
    }
    if dkim or (dkim is None and way != "imap"):
        given["NABU_DKIM_KEY"] = str(_new_key(file.parent / "dkim.pem"))
    _write(file, "".join(f"{name}={value}\n" for name, value in given.items()).encode())
    settings = load(file)
    _tell(file, settings, way)
    later = command_line(file, "doctor", "--to", administrator)
    if tries or (tries is None and click.confirm(_OFFER.format(later))):
        _try(file, administrator)


def _ask(setting: str, question: str, usual: str | None = None) -> str:
    """Ask for the value of a setting until the answer is valid."""
    check, context = _like(setting), click.get_current_context()
    checked = partial(check, context, context.command.params[0])
    return str(click.prompt(question, default=usual, value_proc=checked))


def _database() -> str:
    folder = _INSTALLED if os.access(_INSTALLED, os.W_OK) else Path("var").absolute()
    return f"sqlite:///{folder / 'nabu.db'}"


def _new_key(file: Path) -> Path:
    """Write a new DKIM key; keep an existing file, as its public key may already be in the DNS."""
    if not file.exists():
        key = generate_private_key(public_exponent=65537, key_size=2048)
        _write(file, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return file


def _write(file: Path, content: bytes) -> None:
    """Write a file that only this user can read."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as written:
            written.write(content)
    except OSError as error:
        raise BadSettings(f"{file} cannot be written: {error.strerror}.") from None


def _tell(file: Path, settings: Settings, way: str) -> None:
    key = settings.dkim_key
    signer = Signer(settings.mail_domain, settings.dkim_selector, Path(key).read_bytes()) if key else None
    click.echo(f"\nCreated {file}. Keep a copy of it{f' and of {key}' if key else ''} apart from all backups.")
    # With a mailbox, the provider publishes the records about incoming mail and allowed senders.
    keys = map(dns.key, filter(None, [signer]))
    if records := list(keys if way == "imap" else dns.zone(settings, signer)):
        click.echo("\nAdd these records to the DNS, unless they exist already:\n")
        click.echo("\n".join(records))
    if way == "lmtp":
        click.echo(
            "\nMake the mail server deliver the domain's mail to Nabu. For Postfix, add these lines to "
            "main.cf:\n"
        )
        click.echo("\n".join(dns.postfix(settings)))
    click.echo()


def _try(file: Path, administrator: str) -> None:
    """Send the administrator a test email, and receive mail until the reply comes in."""
    with closing(open_configured(file, upgrade=True)) as services:
        room = Mailroom(services)
        room.start()
        try:
            await_reply(services, administrator, _PATIENCE)
        finally:
            room.stop()
    click.echo(f"Now start Nabu ({command_line(file, 'serve')}), then run {command_line(file, 'doctor')}.")
