"""`nabu mail`, the process that receives mail, and `nabu mail pipe`, which receives one email."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path

import click
from dotenv import dotenv_values

from mail.incoming.handover import hand_over
from mail.incoming.piping import Exit, Told, take, told
from mail.incoming.receiving import MAX_SIZE
from server.store.keys.derivation import derive


@click.group(invoke_without_command=True)
@click.pass_context
def mail(context: click.Context) -> None:
    """Receive incoming emails.

    They come by SMTP and LMTP, from a mailbox (IMAP) and from a maildir, as the settings say, and on Linux from
    `nabu mail pipe`.
    """
    if context.invoked_subcommand is None:
        with _importing():
            from server.cli.run import receive_mail

        receive_mail(context.obj, meeting_point(context.obj))


@mail.command()
@click.option("--sender", help="The envelope sender; empty, <> or MAILER-DAEMON for a bounce.")
@click.argument("recipients", nargs=-1)
@click.pass_obj
def pipe(config: Path | None, sender: str | None, recipients: tuple[str, ...]) -> None:
    """Receive one email from standard input.

    This is for mail servers that start a program for each email. Without RECIPIENTS, Nabu reads them from the
    mail server's environment variables and from the email's header. The exit code is 0 if the email is stored,
    67 if no recipient is an address of Nabu, 65 if the input is not an email or is too large, and 75 if the
    mail server should try again later.
    """
    try:
        by = told(recipients, sender, os.environ)
        content = sys.stdin.buffer.read(MAX_SIZE + 1)
        name = meeting_point(config)
        code = hand_over(name, by, content) if name else None
        if code is None:
            code = _take(config, by, content)
        elif code is Exit.TEMPFAIL:
            click.echo("the mail process did not store the email; see its log", err=True)
    except Exception as error:  # after any error, the mail server must keep the email and not return it
        click.echo(error, err=True)
        code = Exit.TEMPFAIL
    sys.exit(code)


def _take(config: Path | None, by: Told, content: bytes) -> Exit:
    """Store an email without a mail process, and return the exit code."""
    with _importing():
        from server.cli.run import open_configured

    with closing(open_configured(config)) as services:
        reception = services.reception()
        return take(BytesIO(content), by, accepts=reception.accepts, store=reception.store)


@contextmanager
def _importing() -> Iterator[None]:
    """Import most of Nabu, without garbage collection, as in `server.__main__`.

    Mail servers start `nabu mail pipe` for each email, which rarely needs more than this module.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def meeting_point(config: Path | None) -> str:
    """Return the name at which a pipe finds the mail process with the same key and database; "" for none.

    It is made from the text of these settings, because checking all of them takes several times as long.
    """
    try:
        given = {**(dotenv_values(config) if config else {}), **os.environ}
    except (OSError, ValueError):  # loading the settings reports it
        return ""
    key, url = given.get("NABU_SECRET_KEY"), given.get("NABU_DATABASE_URL") or ""
    folder = "" if url.startswith(("postgresql", "sqlite:////")) else os.getcwd()
    return derive(key, f"pipe to {url} {folder}").hex() if key else ""
