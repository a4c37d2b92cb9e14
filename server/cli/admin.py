"""`nabu admin`: what only the operator does."""

from contextlib import closing
from pathlib import Path

import click
from sqlmodel import Session, col, select

from mail.addresses import normalised
from server.accounts import bounces, players
from server.cli.processes import NUMBER, open_configured
from server.cli.staff import log, role, second_factor
from server.errors import BadRequest
from server.game import checking
from server.operating.overview import in_words
from server.outbound.letters.account import Games
from server.store.db import reading, writing
from server.store.models import Failure, Game, Inbox, Outbox, Player
from server.store.outbox import Action, queue_again
from server.store.rotation import reseal_all


@click.group()
def admin() -> None:
    """Commands for the operator."""


for command in (log, role, second_factor):
    admin.add_command(command)


@admin.command()
@click.pass_obj
def held(config: Path | None) -> None:
    """List the held mails, oldest first: number, when, from, why."""
    with closing(open_configured(config)) as services, reading(services.engine) as session:
        for mail in session.exec(select(Inbox).where(Inbox.state == "held").order_by(col(Inbox.id))):
            click.echo(
                f"{mail.id}  {mail.received_at:%Y-%m-%d %H:%M} UTC  {mail.mail_from or '<>'}  {mail.why}"
            )


@admin.command("troubles")
@click.pass_obj
def failures(config: Path | None) -> None:
    """List what cannot be done with a game or for a player, oldest first: since when, what, why."""
    with closing(open_configured(config)) as services, reading(services.engine) as session:
        for failure in session.exec(select(Failure).order_by(col(Failure.since))):
            click.echo(f"{failure.since:%Y-%m-%d %H:%M} UTC  {'  '.join(in_words(failure))}")


@admin.command()
@click.argument("number", type=NUMBER)
@click.pass_obj
def show(config: Path | None, number: int) -> None:
    """Print a held mail that is for you or for nobody here; never one for a game, as it may hold orders."""
    with closing(open_configured(config)) as services, reading(services.engine) as session:
        mail = _held_mail(session, number)
        if mail.game_id is not None or mail.sealed is None:
            raise click.ClickException(f"Mail {number} is for a game: only its players may read it.")
        text = services.sealer.open(mail.sealed).decode(errors="replace")
        # What a stranger wrote must not command the operator's terminal.
        click.echo("".join(sign if sign.isprintable() or sign in "\n\t" else "" for sign in text))


@admin.command()
@click.argument("number", type=NUMBER)
@click.pass_obj
def retry(config: Path | None, number: int) -> None:
    """Handle a held mail again, as if it had just come in."""
    with closing(open_configured(config)) as services, writing(services.engine) as session:
        mail = _held_mail(session, number)
        mail.state, mail.due_at, mail.handled_at = "new", services.now(), None
        mail.attempts = mail.put_off = 0
    click.echo(f"Mail {number} will be handled within seconds if Nabu is running.")


@admin.command()
@click.argument("number", type=NUMBER, required=False)
@click.option("--all", "everything", is_flag=True, help="All mails that were given up or came back.")
@click.option("--to", "address", help="All such mails to this address.")
@click.pass_obj
def resend(config: Path | None, number: int | None, everything: bool, address: str | None) -> None:
    """Send again mails that were given up or came back; without arguments, list them."""
    with closing(open_configured(config)) as services, writing(services.engine) as session:
        query = select(Outbox).where(col(Outbox.state).in_(("failed", "returned"))).order_by(col(Outbox.id))
        if number is not None:
            query = query.where(Outbox.id == number)
        if address is not None:
            query = query.where(Outbox.recipient == normalised(address))
        mails = session.exec(query).all()
        if number is None and address is None and not everything:
            for mail in mails:
                click.echo(f"{mail.id}  {mail.due_at:%Y-%m-%d %H:%M} UTC  {mail.recipient}  {mail.error}")
            return
        if not mails:
            raise click.ClickException("There is no such mail; `nabu admin resend` lists all that there are.")
        for mail in mails:
            queue_again(mail, services.now())
    click.echo(
        f"{len(mails)} {'mail' if len(mails) == 1 else 'mails'} will be sent within seconds if Nabu is running."
    )


@admin.command()
@click.argument("who", metavar="NAME|ADDRESS", required=False)
@click.option("--all", "everybody", is_flag=True, help="All players whose mail was stopped.")
@click.pass_obj
def unsuspend(config: Path | None, who: str | None, everybody: bool) -> None:
    """Resume mail to players whose mail was stopped because it came back; without arguments, list them."""
    with closing(open_configured(config)) as services, writing(services.engine) as session:
        query = select(Player).where(col(Player.suspended_at).is_not(None)).order_by(col(Player.suspended_at))
        suspended = session.exec(query).all()
        if who is not None:
            suspended = [player for player in suspended if who.casefold() in (player.name_key, player.email)]
        elif not everybody:
            for player in suspended:
                click.echo(f"{player.suspended_at:%Y-%m-%d %H:%M} UTC  {player.name}  {player.email}")
            return
        if not suspended:
            raise click.ClickException(
                "There is no such player whose mail was stopped; `nabu admin unsuspend` lists all that there "
                "are."
            )
        for player in suspended:
            action = Action(session, services.sealer, services.now())
            bounces.heard_from(action, player, Games(players.identity(player)))
            click.echo(f"{player.name} gets mail again, and will be told how their games stand.")


@admin.command()
@click.argument("address")
@click.pass_obj
def stop(config: Path | None, address: str) -> None:
    """Stop all mail to an address, as if it had sent `stop`, until it sends `resume` or `register`."""
    with closing(open_configured(config)) as services, writing(services.engine) as session:
        action = Action(session, services.sealer, services.now())
        try:
            players.stop_mail(action, address, services.settings.plain_address)
        except BadRequest as problem:
            raise click.ClickException(str(problem)) from None
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
        for number in numbers or checking.numbers_of_games(services.engine):
            checked += 1
            found = checking.check(services.engine, services.sealer, number)
            if found:
                click.echo(f"game {number}: {found}")
            left = found
            if repair and (found.derived or checking.is_stopped(services.engine, number)):
                left = checking.repair(services.engine, services.sealer, number, services.now())
            repaired += bool(found) and not left
            faulty += bool(left)
        closed = [] if numbers else checking.closed_channels(services.engine, services.sealer)
    click.echo(f"Games checked: {checked}. Repaired: {repaired}. With faults: {faulty}.")
    for channel in closed:
        click.echo(f"channel {channel.id} ({channel.service}): no key opens it; nothing can be told there")
    if faulty:
        raise click.ClickException("Some games are not as they were recorded.")
    if closed:
        raise click.ClickException("Some channels cannot be opened.")


def _held_mail(session: Session, number: int) -> Inbox:
    mail = session.get(Inbox, number)
    if mail is None or mail.state != "held":
        raise click.ClickException(f"There is no held mail {number}; `nabu admin held` lists them.")
    return mail
