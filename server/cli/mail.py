"""`nabu mail`: the process that takes mail, and the program that takes one."""

import os
import sys
from contextlib import closing
from pathlib import Path

import click

from mail.incoming.piping import Exit, take, told
from server.cli.run import instrument, open_configured, wait_for_signal, watched
from server.cli.startup_checks import MAIL, check_ports, warn_of_strange_names
from server.processes.mail_process import Mailroom


@click.group(invoke_without_command=True)
@click.pass_context
def mail(context: click.Context) -> None:
    """Take in mail: listen (SMTP, LMTP), fetch it from a mailbox (IMAP), watch a maildir."""
    if context.invoked_subcommand is not None:
        return
    services = open_configured(context.obj)
    check_ports(services, MAIL)
    instrument(services, "mail")
    room = Mailroom(services)
    warn_of_strange_names()
    room.start()
    with watched(services):
        wait_for_signal()
    room.stop()


@mail.command()
@click.option("--sender", help="The envelope sender; empty, <> or MAILER-DAEMON for mail that nobody answers.")
@click.argument("recipients", nargs=-1)
@click.pass_obj
def pipe(config: Path | None, sender: str | None, recipients: tuple[str, ...]) -> None:
    """Take one mail from standard input, for a mail server that starts a program for each.

    Without RECIPIENTS they are looked for in the environment, as mail servers set it, and in the mail's header.
    Ends with 0 once the mail is stored, 67 when no recipient is ours, 65 when it is no mail or too large, and
    75 when the mail server shall keep it and try again.
    """
    try:
        with closing(open_configured(config)) as services:
            reception = services.reception()
            by = told(recipients, sender, os.environ)
            code = take(sys.stdin.buffer, by, accepts=reception.accepts, store=reception.store)
    except Exception as error:  # whatever it is, the mail must wait and not go back
        click.echo(error, err=True)
        code = Exit.TEMPFAIL
    sys.exit(code)
