"""`nabu admin`: the inbox, the outbox, and paused domains."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import click

from mail.addresses import BadAddress, normalise, normalise_domain
from server.admin import audit, incoming_mail, outgoing_mail
from server.admin.incoming_mail import IncomingView
from server.admin.outgoing_mail import OutgoingView
from server.cli.admin.acting import acting, counted, letter_in_words, looking, utc
from server.cli.run import NUMBER
from server.errors import refusing

_LIMIT = click.option(
    "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="List at most this many."
)


@click.command("outbox")
@click.argument("number", type=NUMBER, required=False)
@click.option("--to", "address", default="", help="Only emails to this address.")
@click.option("--domain", default="", help="Only emails to addresses of this domain.")
@_LIMIT
@click.pass_obj
def outgoing(config: Path | None, number: int | None, address: str, domain: str, limit: int) -> None:
    """List the emails to be sent, the next one first.

    With a NUMBER, show that email. Columns: number, due time, recipient, kind of email, attempts, last error.
    The text of an email is never shown, as it could contain secret orders.
    """
    with looking(config) as session:
        if number is not None:
            _show(_fields_of_outgoing(outgoing_mail.get_outgoing(session, number)))
            return
        found, more = outgoing_mail.list_outgoing(session, limit, **_wanted(address, domain))
    _list(map(_line_of_outgoing, found), more)


@click.command("inbox")
@click.argument("number", type=NUMBER, required=False)
@click.option("--from", "address", default="", help="Only emails with this envelope sender.")
@click.option("--domain", default="", help="Only emails from addresses of this domain.")
@_LIMIT
@click.pass_obj
def incoming(config: Path | None, number: int | None, address: str, domain: str, limit: int) -> None:
    """List the unfinished incoming emails, the oldest first.

    With a NUMBER, show that email. Columns: number, time, way in, sender, size, attempts, state (new, asked or
    quarantined). The text of an email is never shown, as it could contain secret orders.
    """
    with looking(config) as session:
        if number is not None:
            _show(_fields_of_incoming(incoming_mail.get_incoming(session, number)))
            return
        found, more = incoming_mail.list_unfinished(session, limit, **_wanted(address, domain))
    _list(map(_line_of_incoming, found), more)


@click.command("outbox-drop")
@click.argument("number", type=NUMBER)
@click.argument("why")
@click.pass_obj
def drop_outgoing(config: Path | None, number: int, why: str) -> None:
    """Discard an email from the outbox, for the reason WHY.

    Its recipient is not notified.
    """
    with acting(config) as act:
        outgoing_mail.drop(act, number, audit.reason(why))
    click.echo(f"Email {number} will not be sent.")


@click.command()
@click.argument("domain", required=False)
@click.argument("why", default="")
@click.pass_obj
def hold(config: Path | None, domain: str | None, why: str) -> None:
    """Pause all emails to a domain, for the reason WHY.

    Without arguments, list the paused domains. The emails wait until `nabu admin release DOMAIN`. Emails to
    subdomains are not paused.
    """
    if domain is None:
        with looking(config) as session:
            for each in outgoing_mail.list_paused_domains(session):
                click.echo(f"{each.domain}  since {utc(each.since)}  {_waiting(each.mails)}  {each.why}")
        return
    with acting(config) as act:
        paused = outgoing_mail.pause_domain(act, domain, audit.reason(why))
    click.echo(f"Paused until `nabu admin release {paused.domain}`. {_waiting(paused.mails)}.")


@click.command()
@click.argument("domain")
@click.pass_obj
def release(config: Path | None, domain: str) -> None:
    """Resume emails to a paused domain.

    Emails that waited and are still current are sent first.
    """
    with acting(config) as act:
        count = outgoing_mail.release(act, domain)
    waited = counted(count, "email")
    click.echo(f"{domain} gets emails again, starting with {waited} that waited, if Nabu is running.")


def _wanted(address: str, domain: str) -> dict[str, str]:
    """Return the address and the domain in their stored form, "" for any. Raises BadRequest."""
    with refusing(BadAddress):
        return {"address": address and normalise(address), "domain": domain and normalise_domain(domain)}


def _list(lines: Iterable[str], more: int) -> None:
    for line in lines:
        click.echo(line)
    if more:
        click.echo(f"… and {more} more (see --limit)")


def _show(fields: dict[str, object]) -> None:
    known = {name: value for name, value in fields.items() if value not in (None, "")}
    width = max(map(len, known))
    for name, value in known.items():
        click.echo(f"{name:{width}} {utc(value) if isinstance(value, datetime) else value}")


def _line_of_outgoing(mail: OutgoingView) -> str:
    due = "paused" if mail.is_paused else utc(mail.due_at)
    parts = (
        str(mail.number),
        due,
        mail.recipient,
        letter_in_words(mail),
        counted(mail.attempts, "attempt"),
        mail.error,
    )
    return "  ".join(filter(None, parts))


def _fields_of_outgoing(mail: OutgoingView) -> dict[str, object]:
    return {
        "number": mail.number,
        "state": mail.state,
        "to": mail.recipient,
        "letter": letter_in_words(mail),
        "written": mail.written_at,
        "due": mail.due_at if mail.state == "queued" else None,
        "sent": mail.sent_at,
        "attempts": mail.attempts,
        "failing since": mail.failing_since,
        "last error": mail.error,
    }


def _line_of_incoming(mail: IncomingView) -> str:
    return (
        f"{mail.number}  {utc(mail.received_at)}  {mail.source}  {mail.sender}  {mail.kilobytes} kB  "
        f"{counted(mail.attempts, 'attempt')}  {mail.state}"
    )


def _fields_of_incoming(mail: IncomingView) -> dict[str, object]:
    return {
        "number": mail.number,
        "state": mail.state,
        "why": mail.why,
        "came in": mail.received_at,
        "by": mail.source,
        "from": mail.sender,
        "to": mail.recipient,
        "game": mail.game,
        "size": f"{mail.kilobytes} kB" if mail.kilobytes else "",
        "attempts": mail.attempts,
        "deferred": mail.put_off,
        "due": mail.due_at if mail.state == "new" else None,
    }


def _waiting(count: int) -> str:
    return f"{counted(count, 'email')} {'waits' if count == 1 else 'wait'}"
