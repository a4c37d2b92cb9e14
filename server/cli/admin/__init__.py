"""`nabu admin`: the commands for the administrator."""

from contextlib import closing
from pathlib import Path

import click
from sqlalchemy import Engine
from sqlmodel import col, select

from mail.addresses import normalised
from server.accounts.players import stop_mail
from server.admin import audit, incoming_mail, outgoing_mail
from server.admin.health import in_words
from server.admin.sanitize import escaped
from server.backup import row_check
from server.cli.admin.acting import RESUMED, acting, counted, looking
from server.cli.admin.mail import drop_outgoing, hold, incoming, outgoing, release
from server.cli.admin.operation import announce, invite, maintenance, registration, skip_numbers, standings
from server.cli.admin.player_file import player
from server.cli.admin.staff import log, role, second_factor
from server.cli.run import NUMBER, open_configured
from server.game.integrity import log_check
from server.game.integrity import recount as recounting
from server.processes.alerts import alert_sender
from server.settings.loading import load
from server.store.database_health import index_faults
from server.store.db import reading
from server.store.keys.rotation import reseal_all
from server.store.models import Failure, Game, Player


@click.group()
def admin() -> None:
    """Commands for the administrator."""


for command in (announce, invite, log, maintenance, player, registration, role, second_factor):
    admin.add_command(command)
for command in (drop_outgoing, hold, incoming, outgoing, release, skip_numbers, standings):
    admin.add_command(command)


@admin.command()
@click.argument("text")
@click.pass_obj
def alert(config: Path | None, text: str) -> None:
    """Send an alert to the services and the command in the settings, for example to try them."""
    tell = alert_sender(load(config))
    if tell is None:
        raise click.ClickException("Set NABU_ALERT_URLS or NABU_ALERT_COMMAND first.")
    if not tell(text):
        raise click.ClickException("Nobody accepted the alert. The log shows the reason.")


@admin.command()
@click.pass_obj
def held(config: Path | None) -> None:
    """List the quarantined emails, the oldest first.

    Columns: number, time, sender, reason.
    """
    with looking(config) as session:
        for mail in incoming_mail.list_quarantined(session):
            line = f"{mail.number}  {mail.received_at:%Y-%m-%d %H:%M} UTC  {mail.sender}  {mail.why}"
            click.echo(escaped(line))


@admin.command("troubles")
@click.pass_obj
def failures(config: Path | None) -> None:
    """List the current failures, the oldest first.

    Failures concern games, players and outgoing mail. Columns: time, task, error.
    """
    with looking(config) as session:
        for failure in session.exec(select(Failure).order_by(col(Failure.since))):
            click.echo(f"{failure.since:%Y-%m-%d %H:%M} UTC  {escaped('  '.join(in_words(failure)))}")


@admin.command()
@click.argument("number", type=NUMBER)
@click.pass_obj
def show(config: Path | None, number: int) -> None:
    """Print a quarantined email.

    Emails for a game are never printed, as they could contain secret orders.
    """
    with acting(config) as act:
        click.echo(incoming_mail.read(act, number))


@admin.command()
@click.argument("number", type=NUMBER)
@click.pass_obj
def retry(config: Path | None, number: int) -> None:
    """Process a quarantined email again, as if it were new."""
    with acting(config) as act:
        incoming_mail.deliver_again(act, number)
    click.echo(f"Email {number} will be processed within seconds if Nabu is running.")


@admin.command()
@click.argument("number", type=NUMBER)
@click.argument("why")
@click.pass_obj
def drop(config: Path | None, number: int, why: str) -> None:
    """Discard a quarantined email, for the reason WHY."""
    with acting(config) as act:
        incoming_mail.drop(act, number, audit.reason(why))
    click.echo(f"Discarded email {number}.")


@admin.command()
@click.argument("number", type=NUMBER, required=False)
@click.option("--all", "everything", is_flag=True, help="All emails that were given up or returned.")
@click.option("--to", "address", help="All such emails to this address.")
@click.pass_obj
def resend(config: Path | None, number: int | None, everything: bool, address: str | None) -> None:
    """Resend emails that were given up or returned.

    Without arguments, list them.
    """
    with acting(config) as act:
        if number is None and address is None and not everything:
            for mail in outgoing_mail.ended(act.session):
                click.echo(f"{mail.number}  {mail.due_at:%Y-%m-%d %H:%M} UTC  {mail.recipient}  {mail.error}")
            return
        written = None if address is None else [normalised(address)]
        sent = outgoing_mail.send_again(act, number=number, addresses=written)
        if not sent:
            raise click.ClickException("There is no such email. List all with: nabu admin resend")
    click.echo(f"{counted(sent, 'email')} will be sent within seconds if Nabu is running.")


@admin.command()
@click.option("--all", "everybody", is_flag=True, help="Resume the emails of all of them.")
@click.pass_obj
def unsuspend(config: Path | None, everybody: bool) -> None:
    """List the players whose emails stopped because of bounces.

    To resume the emails of one of them: nabu admin player NAME --resume
    """
    with acting(config) as act:
        for each in outgoing_mail.list_stopped(act.session):
            if everybody:
                outgoing_mail.resume(act, act.session.get_one(Player, each.number))
                click.echo(RESUMED.format(name=each.name))
            else:
                click.echo(f"{each.since:%Y-%m-%d %H:%M} UTC  {each.name}  {each.email}")


@admin.command()
@click.argument("address")
@click.pass_obj
def stop(config: Path | None, address: str) -> None:
    """Stop all emails to an address.

    This has the same effect as `stop` in an email from there, until it sends `resume` or `register`.
    """
    with acting(config) as act:
        stop_mail(act.action, address, load(config).plain_address)
    click.echo(f"{normalised(address)} gets only answers to its own emails until it sends “resume”.")


@admin.command("rotate-key")
@click.pass_obj
def rotate_key(config: Path | None) -> None:
    """Encrypt the database again with a new secret key.

    First put the new key into NABU_SECRET_KEY and the old one into NABU_OLD_SECRET_KEYS, and restart all
    processes of Nabu. Nabu can keep running. You can interrupt the command and run it again.
    """
    unreadable = 0
    with closing(open_configured(config)) as services:
        for done in reseal_all(services.engine, services.sealer):
            unreadable += done.unreadable
            click.echo(
                f"{done.column}: {done.renewed} encrypted again, {done.current} already up to date, "
                f"{done.unreadable} cannot be decrypted"
            )
    if unreadable:
        raise click.ClickException("Some values were encrypted with a key that is not in NABU_OLD_SECRET_KEYS.")
    click.echo("The database no longer needs an older key. Replies to emails sent before still do.")


@admin.command()
@click.argument("numbers", metavar="[GAME]...", type=NUMBER, nargs=-1)
@click.option("--repair", is_flag=True, help="Rebuild wrong data of a game from its log, where possible.")
@click.pass_obj
def check(config: Path | None, numbers: tuple[int, ...], repair: bool) -> None:
    """Check the logs of games and the data derived from them.

    Without GAME, all games are checked, and also all rows and indexes of the database: PostgreSQL needs the
    extension amcheck for its indexes. Nabu replays each log by the rules, and tries to decrypt all encrypted
    data. It can keep running. A damaged log is never changed.
    """
    checked = repaired = faulty = 0
    with closing(open_configured(config)) as services:
        for number in numbers:
            with reading(services.engine) as session:
                if session.exec(select(Game.id).where(Game.id == number)).first() is None:
                    raise click.ClickException(f"There is no game {number}.")
        for number in numbers or log_check.numbers_of_games(services.engine):
            checked += 1
            found = log_check.check(services.engine, services.sealer, number)
            if found:
                click.echo(f"game {number}: {found}")
            left = found
            if repair and (found.derived or log_check.is_stopped(services.engine, number)):
                left = log_check.repair(services.engine, services.sealer, number, services.now())
            repaired += bool(found) and not left
            faulty += bool(left)
        if not numbers and log_check.lacks_games(services.engine):
            click.echo(f"Warning: {log_check.NO_GAMES}.")
        closed = [] if numbers else log_check.closed_channels(services.engine, services.sealer)
        damaged = [] if numbers else _damage(services.engine)
    click.echo(f"Games checked: {checked}. Repaired: {repaired}. With faults: {faulty}.")
    for channel in closed:
        click.echo(f"channel {channel.id} ({channel.service}): cannot decrypt: no matching key")
    for each in damaged:
        click.echo(each)
    if faulty:
        raise click.ClickException("Some games do not match their logs.")
    if damaged:
        raise click.ClickException(
            "The database is damaged. See Damaged rows and indexes in docs/operating.md."
        )
    if closed:
        raise click.ClickException("Some notification channels cannot be decrypted.")


def _damage(engine: Engine) -> list[str]:
    """Return the damaged indexes and rows, each in a line."""
    return [f"database: {fault}" for fault in index_faults(engine)] + [
        str(row) for row in row_check.damaged_rows(engine)
    ]


@admin.command()
@click.pass_obj
def recount(config: Path | None) -> None:
    """Recompute ratings and statistics from all logs.

    Statistics are results and response times. Games are counted in the same order as before, so ratings change
    only if a result was changed. With many games this takes minutes; Nabu can keep running. If it is
    interrupted, run it again: until it finishes, some numbers may be old.
    """
    with closing(open_configured(config)) as services:
        recounting.reread(services.engine)
        counted = sum(recounting.recount(services.engine))
    click.echo(f"Games counted: {counted}.")
