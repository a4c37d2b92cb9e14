"""`nabu mail`, the process that receives mail, and `nabu mail pipe`, which receives one email."""

import os
import sys
from contextlib import closing
from pathlib import Path

import click

from mail.incoming.piping import Exit, take, told
from server.cli.run import instrument, open_configured, wait_for_signal, watched
from server.cli.startup_checks import MAIL, check_ports
from server.processes.mail_process import Mailroom


@click.group(invoke_without_command=True)
@click.pass_context
def mail(context: click.Context) -> None:
    """Receive incoming emails.

    They come by SMTP and LMTP, from a mailbox (IMAP) and from a maildir, as the settings say.
    """
    if context.invoked_subcommand is not None:
        return
    services = open_configured(context.obj)
    check_ports(services, MAIL)
    instrument(services, "mail")
    room = Mailroom(services)
    room.start()
    with watched(services):
        wait_for_signal()
    room.stop()
    services.close()


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
        with closing(open_configured(config)) as services:
            reception = services.reception()
            by = told(recipients, sender, os.environ)
            code = take(sys.stdin.buffer, by, accepts=reception.accepts, store=reception.store)
    except Exception as error:  # after any error, the mail server must keep the email and not return it
        click.echo(error, err=True)
        code = Exit.TEMPFAIL
    sys.exit(code)
