"""`nabu admin player`: the file of one player, and what an administrator can do about it."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from server.admin import audit, bans, outgoing_mail, player_file
from server.admin.incoming_mail import IncomingView
from server.admin.outgoing_mail import OutgoingView
from server.admin.player_file import OwnGame
from server.admin.sanitize import escaped
from server.cli.admin.acting import RESUMED, YES, acting, confirm, counted, letter_in_words, looking, utc
from server.errors import BadRequest
from server.store.models import Player


@click.command()
@click.argument("who", metavar="NAME|ADDRESS")
@click.option("--resend", is_flag=True, help="Resend all emails that were given up or returned.")
@click.option("--resume", is_flag=True, help="Resume emails that stopped because of bounces.")
@click.option("--close", "closing", metavar="WHY", help="Close the account, for this reason.")
@click.option("--delete", "deleting", metavar="WHY", help="Delete the account, for this reason.")
@YES
@click.pass_obj
def player(
    config: Path | None,
    who: str,
    resend: bool,
    resume: bool,
    closing: str | None,
    deleting: str | None,
    yes: bool,
) -> None:
    """Show the file of a player, or act on it.

    It contains the addresses with their pseudonyms in the log, the reasons why emails do not reach the player,
    the current games, and the incoming and outgoing emails that are still stored, the latest first. Incoming
    emails are found by their envelope sender. The text of an email is never shown, as it could contain secret
    orders. For an address that no player has, such as one that asked to sign up, print only the emails.
    """
    why = closing if deleting is None else deleting
    if sum((resend, resume, closing is not None, deleting is not None)) > 1:
        raise click.UsageError("Use only one of --resend, --resume, --close and --delete.")
    if why is not None:
        _end(config, who, why, delete=deleting is not None, yes=yes)
        return
    with acting(config) as act:
        outgoing, incoming = player_file.emails_of_stranger(act.session, who)
        if (outgoing or incoming) and not (resend or resume):
            for line in (f"No player has the address {who}.", *_emails("the address", outgoing, incoming)):
                click.echo(escaped(line))
            return
        found = player_file.player_called(act.session, who)
        if resend:
            count = player_file.resend(act, found)
            if not count:
                raise BadRequest(f"No email to a current address of {found.name} was given up or returned.")
            click.echo(f"{counted(count, 'email')} will be sent if Nabu is running.")
            return
        if resume:
            outgoing_mail.resume(act, found)
            click.echo(RESUMED.format(name=found.name))
            return
        for line in _file(act, found):
            click.echo(escaped(line))


def _end(config: Path | None, who: str, why: str, *, delete: bool, yes: bool) -> None:
    """Close or delete an account after a question."""
    with looking(config) as session:
        name = player_file.player_called(session, who).name
        why = audit.reason(why)
    if delete:
        effect = (
            f"{name} leaves all games. The account and its addresses will be deleted. This cannot be undone."
        )
    else:
        effect = f"{name} resigns all games, is logged out and notified. The account will be closed."
    confirm(effect, yes=yes)
    with acting(config) as act:
        found = player_file.player_called(act.session, who)
        (bans.delete if delete else bans.close)(act, found, why)
    click.echo(f"The account of {name} is {'deleted' if delete else 'closed'}.")


def _file(act: audit.AdminAction, found: Player) -> Iterator[str]:
    known = player_file.player_file(act.session, act.action.sealer, found)
    yield f"{found.name}, player {found.id}, since {found.created_at:%Y-%m-%d}"
    for address in known.addresses:
        yield f"address: {address.email}{' (main)' if address.is_main else ''}, in the log: {address.pseudonym}"
    yield from known.stops or ["Emails are on."]
    yield from _listed("Current games", map(_line_of_game, known.games))
    yield from _emails("the player", known.outgoing, known.incoming)


def _emails(who: str, outgoing: Iterable[OutgoingView], incoming: Iterable[IncomingView]) -> Iterator[str]:
    yield from _listed(f"Emails to {who}", map(_line_of_outgoing, outgoing))
    yield from _listed(f"Emails from {who}", map(_line_of_incoming, incoming))


def _listed(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield ""
    yield f"{title}:"
    yield from (f"  {line}" for line in list(lines) or ["none"])


def _line_of_game(game: OwnGame) -> str:
    waits = "waits for the player" if game.waits else ""
    due = "" if game.due is None else f"due {utc(game.due)}"
    return _joined(str(game.number), game.title, game.state, waits, due)


def _line_of_outgoing(mail: OutgoingView) -> str:
    when = mail.sent_at or mail.written_at
    return _joined(str(mail.number), utc(when), mail.state, mail.recipient, letter_in_words(mail), mail.error)


def _line_of_incoming(mail: IncomingView) -> str:
    about = "" if mail.game is None else f"for game {mail.game}"
    return _joined(str(mail.number), utc(mail.received_at), mail.state, mail.sender, about, mail.why)


def _joined(*parts: str) -> str:
    return "  ".join(filter(None, parts))
