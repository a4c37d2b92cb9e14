"""`nabu admin`: what only the administrator does."""

from contextlib import closing
from pathlib import Path

import click
from sqlmodel import col, select

from mail.addresses import normalised
from server.accounts.players import stop_mail
from server.admin import audit, incoming_mail, outgoing_mail
from server.admin.health import in_words
from server.admin.sanitize import escaped
from server.cli.admin.acting import acting, looking
from server.cli.admin.mail import drop_outgoing, hold, incoming, outgoing, release
from server.cli.admin.players import announce, invite, maintenance, registration, skip_numbers, standings
from server.cli.admin.staff import log, role, second_factor
from server.cli.run import NUMBER, open_configured
from server.game.integrity import log_check
from server.game.integrity import recount as recounting
from server.settings.loading import load
from server.store.db import reading
from server.store.keys.rotation import reseal_all
from server.store.models import Failure, Game, Player


@click.group()
def admin() -> None:
    """Commands for the administrator."""


for command in (announce, invite, log, maintenance, registration, role, second_factor):
    admin.add_command(command)
for command in (drop_outgoing, hold, incoming, outgoing, release, skip_numbers, standings):
    admin.add_command(command)


@admin.command()
@click.pass_obj
def held(config: Path | None) -> None:
    """List the quarantined emails, oldest first: number, when, from, why."""
    with looking(config) as session:
        for mail in incoming_mail.list_quarantined(session):
            line = f"{mail.number}  {mail.received_at:%Y-%m-%d %H:%M} UTC  {mail.sender}  {mail.why}"
            click.echo(escaped(line))


@admin.command("troubles")
@click.pass_obj
def failures(config: Path | None) -> None:
    """List what cannot be done with a game or for a player, oldest first: since when, what, why."""
    with looking(config) as session:
        for failure in session.exec(select(Failure).order_by(col(Failure.since))):
            click.echo(f"{failure.since:%Y-%m-%d %H:%M} UTC  {escaped('  '.join(in_words(failure)))}")


@admin.command()
@click.argument("number", type=NUMBER)
@click.pass_obj
def show(config: Path | None, number: int) -> None:
    """Print a quarantined email that is for you or for nobody; never one for a game: it may hold orders."""
    with acting(config) as act:
        click.echo(incoming_mail.read(act, number))


@admin.command()
@click.argument("number", type=NUMBER)
@click.pass_obj
def retry(config: Path | None, number: int) -> None:
    """Handle a quarantined email again, as if it had just come in."""
    with acting(config) as act:
        incoming_mail.deliver_again(act, number)
    click.echo(f"Mail {number} will be handled within seconds if Nabu is running.")


@admin.command()
@click.argument("number", type=NUMBER)
@click.argument("why")
@click.pass_obj
def drop(config: Path | None, number: int, why: str) -> None:
    """Never handle a quarantined email, for the reason WHY."""
    with acting(config) as act:
        incoming_mail.drop(act, number, audit.reason(why))
    click.echo(f"Mail {number} is dropped.")


@admin.command()
@click.argument("number", type=NUMBER, required=False)
@click.option("--all", "everything", is_flag=True, help="All mails that were given up or came back.")
@click.option("--to", "address", help="All such mails to this address.")
@click.pass_obj
def resend(config: Path | None, number: int | None, everything: bool, address: str | None) -> None:
    """Send again mails that were given up or came back; without arguments, list them."""
    with acting(config) as act:
        if number is None and address is None and not everything:
            for mail in outgoing_mail.ended(act.session):
                click.echo(f"{mail.number}  {mail.due_at:%Y-%m-%d %H:%M} UTC  {mail.recipient}  {mail.error}")
            return
        written = None if address is None else normalised(address)
        sent = outgoing_mail.send_again(act, number=number, address=written)
        if not sent:
            raise click.ClickException("There is no such mail; `nabu admin resend` lists all that there are.")
    click.echo(f"{sent} {'mail' if sent == 1 else 'mails'} will be sent within seconds if Nabu is running.")


@admin.command()
@click.argument("who", metavar="NAME|ADDRESS", required=False)
@click.option("--all", "everybody", is_flag=True, help="All players whose mail was stopped.")
@click.pass_obj
def unsuspend(config: Path | None, who: str | None, everybody: bool) -> None:
    """Resume mail to players whose mail was stopped because it came back; without arguments, list them."""
    with acting(config) as act:
        found = outgoing_mail.suspended(act.session)
        if who is not None:
            found = [each for each in found if who.casefold() in (each.name.casefold(), each.email)]
        elif not everybody:
            for each in found:
                click.echo(f"{each.since:%Y-%m-%d %H:%M} UTC  {each.name}  {each.email}")
            return
        if not found:
            raise click.ClickException(
                "There is no such player whose mail was stopped; `nabu admin unsuspend` lists all that there "
                "are."
            )
        for each in found:
            outgoing_mail.resume(act, act.session.get_one(Player, each.number))
            click.echo(f"{each.name} gets mail again, and will be told how their games stand.")


@admin.command()
@click.argument("address")
@click.pass_obj
def stop(config: Path | None, address: str) -> None:
    """Stop all mail to an address, as if it had sent `stop`, until it sends `resume` or `register`."""
    with acting(config) as act:
        stop_mail(act.action, address, load(config).plain_address)
    click.echo(f"{normalised(address)} gets nothing more but answers until it sends “resume”.")


@admin.command("rotate-key")
@click.pass_obj
def rotate_key(config: Path | None) -> None:
    """Reseal with NABU_SECRET_KEY everything in the database that was sealed with an older key.

    First put the new key into NABU_SECRET_KEY and the old one into NABU_OLD_SECRET_KEYS, and restart all of
    Nabu. This can run while Nabu does; you can interrupt it and run it again.
    """
    unreadable = 0
    with closing(open_configured(config)) as services:
        for done in reseal_all(services.engine, services.sealer):
            unreadable += done.unreadable
            click.echo(
                f"{done.column}: {done.renewed} resealed, {done.current} already up to date, "
                f"{done.unreadable} cannot be opened"
            )
    if unreadable:
        raise click.ClickException("Some of it was sealed with a key that is not in NABU_OLD_SECRET_KEYS.")
    click.echo("The database no longer needs an older key. Replies to mails sent before now still do.")


@admin.command()
@click.argument("numbers", metavar="[GAME]...", type=NUMBER, nargs=-1)
@click.option(
    "--repair", is_flag=True, help="Rebuild from its log whatever is wrong with a game, where that is possible."
)
@click.pass_obj
def check(config: Path | None, numbers: tuple[int, ...], repair: bool) -> None:
    """Check all games, or these: logs, what is derived from them, and whether everything sealed can be opened.

    Each log is replayed by the rules. Nabu can keep running. A damaged log is never changed.
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
        closed = [] if numbers else log_check.closed_channels(services.engine, services.sealer)
    click.echo(f"Games checked: {checked}. Repaired: {repaired}. With faults: {faulty}.")
    for channel in closed:
        click.echo(f"channel {channel.id} ({channel.service}): no key opens it; nothing can be told there")
    if faulty:
        raise click.ClickException("Some games are not as they were recorded.")
    if closed:
        raise click.ClickException("Some channels cannot be opened.")


@admin.command()
@click.pass_obj
def recount(config: Path | None) -> None:
    """Count all games that are over again, from their logs: results by game type, ratings, how people answer.

    They are counted in the order in which they were counted before, so that the same comes out unless a result
    was changed since. With many games this takes minutes, but nobody has to wait for it. If it was broken off,
    run it again: until it is done, some figures may still be the old ones.
    """
    with closing(open_configured(config)) as services:
        recounting.reread(services.engine)
        counted = sum(recounting.recount(services.engine))
    click.echo(f"Games counted: {counted}.")
