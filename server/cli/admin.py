"""`nabu admin`: what only the operator does."""

from contextlib import closing
from pathlib import Path

import click
from sqlmodel import Session, col, select

from mail.addresses import normalised
from server.accounts import bounces, players
from server.cli.processes import NUMBER, open_configured
from server.errors import BadRequest
from server.game import checking
from server.jobs.report import in_words
from server.outbound.letters.account import Games
from server.store.db import reading, writing
from server.store.models import Failure, Game, Inbox, Outbox, Player
from server.store.outbox import Action, queue_again
from server.store.rotation import reseal_all


@click.group()
def admin() -> None:
    """What only the operator does."""


@admin.command()
@click.pass_obj
def held(config: Path | None) -> None:
    """List the mails that are held, the oldest first: number, when, from, why."""
    with closing(open_configured(config)) as services, reading(services.engine) as session:
        for mail in session.exec(select(Inbox).where(Inbox.state == "held").order_by(col(Inbox.id))):
            click.echo(
                f"{mail.id}  {mail.received_at:%Y-%m-%d %H:%M} UTC  {mail.mail_from or '<>'}  {mail.why}"
            )


@admin.command("troubles")
@click.pass_obj
def failures(config: Path | None) -> None:
    """List what cannot be done with a game or for a player, the oldest first: since when, what, why."""
    with closing(open_configured(config)) as services, reading(services.engine) as session:
        for failure in session.exec(select(Failure).order_by(col(Failure.since))):
            click.echo(f"{failure.since:%Y-%m-%d %H:%M} UTC  {'  '.join(in_words(failure))}")


@admin.command()
@click.argument("number", type=NUMBER)
@click.pass_obj
def show(config: Path | None, number: int) -> None:
    """Print a held mail that is for you, or for nobody here; never one for a game, which may hold orders."""
    with closing(open_configured(config)) as services, reading(services.engine) as session:
        mail = _held_mail(session, number)
        if mail.game_id is not None or mail.sealed is None:
            raise click.ClickException(f"Mail {number} is for a game, and nobody's to read but its players'.")
        text = services.sealer.open(mail.sealed).decode(errors="replace")
        # What a stranger wrote must not command the operator's terminal.
        click.echo("".join(sign if sign.isprintable() or sign in "\n\t" else "" for sign in text))


@admin.command()
@click.argument("number", type=NUMBER)
@click.pass_obj
def retry(config: Path | None, number: int) -> None:
    """Handle a held mail again, as if it came in now."""
    with closing(open_configured(config)) as services, writing(services.engine) as session:
        mail = _held_mail(session, number)
        mail.state, mail.due_at, mail.handled_at = "new", services.now(), None
        mail.attempts = mail.put_off = 0
    click.echo(f"Mail {number} will be handled within seconds by a running Nabu.")


@admin.command()
@click.argument("number", type=NUMBER, required=False)
@click.option("--all", "everything", is_flag=True, help="All mails that were given up or came back.")
@click.option("--to", "address", help="All of them that were for this address.")
@click.pass_obj
def resend(config: Path | None, number: int | None, everything: bool, address: str | None) -> None:
    """Send mails again that were given up or came back; without an argument, list them."""
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
            raise click.ClickException("There is no such mail; `nabu admin resend` lists those that there are.")
        for mail in mails:
            queue_again(mail, services.now())
    click.echo(f"{len(mails)} mails will be sent within seconds by a running Nabu.")


@admin.command()
@click.argument("who", metavar="NAME|ADDRESS", required=False)
@click.option("--all", "everybody", is_flag=True, help="All players whose mail was stopped.")
@click.pass_obj
def unsuspend(config: Path | None, who: str | None, everybody: bool) -> None:
    """Mail again to players whose mail was stopped as it came back; without an argument, list them."""
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
                "There is no such player whose mail was stopped; `nabu admin unsuspend` lists them."
            )
        for player in suspended:
            action = Action(session, services.sealer, services.now())
            bounces.heard_from(action, player, Games(players.identity(player)))
            click.echo(f"{player.name} is mailed again, and told of their games.")


@admin.command()
@click.argument("address")
@click.pass_obj
def stop(config: Path | None, address: str) -> None:
    """Mail nothing more to an address, as if `stop` had come from there, until `resume` or `register` does."""
    with closing(open_configured(config)) as services, writing(services.engine) as session:
        action = Action(session, services.sealer, services.now())
        try:
            players.stop_mail(action, address, services.settings.plain_address)
        except BadRequest as problem:
            raise click.ClickException(str(problem)) from None
    click.echo(f"{normalised(address)} is mailed nothing more but answers, until “resume” comes from there.")


@admin.command("rotate-key")
@click.pass_obj
def rotate_key(config: Path | None) -> None:
    """Seal everything in the database with NABU_SECRET_KEY that an older key has sealed.

    Before: put the new key into NABU_SECRET_KEY and the old one into NABU_OLD_SECRET_KEYS, and restart all of
    Nabu. This may run beside it, and be broken off and run again.
    """
    unreadable = 0
    with closing(open_configured(config)) as services:
        for done in reseal_all(services.engine, services.sealer):
            unreadable += done.unreadable
            click.echo(
                f"{done.column}: {done.renewed} sealed anew, {done.current} were already, "
                f"{done.unreadable} cannot be opened"
            )
    if unreadable:
        raise click.ClickException("Some was sealed with a key that NABU_OLD_SECRET_KEYS does not name.")
    click.echo("The database needs no older key any more. Mails sent before still need it to be answered.")


@admin.command()
@click.argument("numbers", metavar="[GAME]...", type=NUMBER, nargs=-1)
@click.option(
    "--repair", is_flag=True, help="Make anew from its log what is wrong with a game, where that can be."
)
@click.pass_obj
def check(config: Path | None, numbers: tuple[int, ...], repair: bool) -> None:
    """Check all games, or these: logs, what is derived from them, and whether all that is sealed can be opened.

    Each log is played through by the rules. Nabu may run meanwhile. A log that is damaged is never changed.
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
    click.echo(f"{checked} games checked, {repaired} repaired, {faulty} with faults.")
    if faulty:
        raise click.ClickException("Some games are not as they were written.")


def _held_mail(session: Session, number: int) -> Inbox:
    mail = session.get(Inbox, number)
    if mail is None or mail.state != "held":
        raise click.ClickException(f"There is no held mail {number}; `nabu admin held` lists them.")
    return mail
