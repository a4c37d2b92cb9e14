"""The file of one player: why emails do not reach them, and where the emails that they sent have gone.

It contains times, states and reasons, and no content: neither texts, moves and orders, nor tokens. Emails since
the last turn of a game that hides whose orders are in are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from mail.addresses import normalised
from rules.sentences import shortened
from server.accounts import players
from server.admin import incoming_mail, outgoing_mail
from server.admin.audit import AdminAction
from server.admin.games import player_named
from server.admin.incoming_mail import IncomingView
from server.admin.outgoing_mail import OutgoingView
from server.errors import BadRequest
from server.game.log import log
from server.store.deferral import NEVER, wish_of
from server.store.keys.sealing import Sealer
from server.store.models import Game, Inbox, Outbox, PausedDomain, Player, Seat

MOST = 50
"""The most emails in each list, and the most games."""


@dataclass(frozen=True)
class AddressView:
    """An address of a player; the log contains `pseudonym` in its place."""

    email: str
    pseudonym: str
    is_main: bool


@dataclass(frozen=True)
class OwnGame:
    """A game that is not over; `waits` is whether it waits for the player, None if that is secret."""

    number: int
    title: str
    state: str
    waits: bool | None
    due: datetime | None
    """The deadline of the player's move, if any."""


@dataclass(frozen=True)
class PlayerFile:
    """Addresses, emails of the kept days and current games of a player; each list begins with the latest."""

    addresses: Sequence[AddressView]
    stops: Sequence[str]
    """The reasons for which the player gets no email, or not every one, in sentences."""
    outgoing: Sequence[OutgoingView]
    incoming: Sequence[IncomingView]
    games: Sequence[OwnGame]

    @property
    def may_resend(self) -> bool:
        """True if any of these emails to an address that the player still has was given up or returned."""
        now = {address.email for address in self.addresses}
        return any(mail.state in outgoing_mail.ENDED and mail.recipient in now for mail in self.outgoing)


def player_called(session: Session, who: str) -> Player:
    """Return the player with this name or address. Raises BadRequest if there is none."""
    if "@" not in who:
        return player_named(session, who)
    player = players.by_email(session, normalised(who))
    if player is None:
        raise BadRequest(f"No player has the address {shortened(who)}.")
    return player


def player_file(session: Session, sealer: Sealer, player: Player) -> PlayerFile:
    """Return the file of a player."""
    number = players.identity(player)
    emails = [email for email in players.addresses_of(session, player) if email]
    # Each of these conditions has an index.
    to = [col(Outbox.player_id) == number, *(col(Outbox.recipient) == email for email in emails)]
    by = [col(Inbox.asked_id) == number, *(col(Inbox.mail_from) == email for email in emails)]
    outgoing = outgoing_mail.latest(session, MOST, *to)
    return PlayerFile(
        [AddressView(email, sealer.pseudonym(email), email == player.email) for email in emails],
        _stops(session, player, outgoing),
        _without_secrets(session, outgoing),
        _incoming(session, *by),
        _games(session, number),
    )


def emails_of_stranger(session: Session, who: str) -> tuple[Sequence[OutgoingView], Sequence[IncomingView]]:
    """Return the emails to and from an address that no player has, such as one that asked to sign up.

    Each list begins with the latest. Both are empty if `who` is a player or no address.
    """
    address = normalised(who)
    if "@" not in address or players.by_email(session, address) is not None:
        return [], []
    outgoing = outgoing_mail.latest(session, MOST, col(Outbox.recipient) == address)
    return _without_secrets(session, outgoing), _incoming(session, col(Inbox.mail_from) == address)


def _without_secrets(session: Session, outgoing: Sequence[OutgoingView]) -> list[OutgoingView]:
    """Return those of some emails that show no secret."""
    return [each for each in outgoing if not _is_secret(session, each.game, each.written_at)]


def _incoming(session: Session, *which: ColumnElement[bool]) -> list[IncomingView]:
    found = incoming_mail.latest(session, MOST, *which)
    return [each for each in found if not _is_secret(session, each.game, each.received_at)]


def _is_secret(session: Session, number: int | None, when: datetime) -> bool:
    """Return whether an email at this time may show that a player has given orders, which its game hides."""
    game = None if number is None else session.get(Game, number)
    return game is not None and game.state == "running" and not game.shows_ready and when >= game.changed_at


def resend(admin_action: AdminAction, player: Player) -> int:
    """Resend all emails to a player that were given up or returned; return how many."""
    emails = [email for email in players.addresses_of(admin_action.session, player) if email]
    return outgoing_mail.send_again(admin_action, addresses=emails, player=players.identity(player))


def _stops(session: Session, player: Player, outgoing: Sequence[OutgoingView]) -> list[str]:
    found = []
    if player.complained_at is not None:
        found.append(f"The player reported an email as spam on {_day(player.complained_at)}.")
    if player.mail_stopped:
        found.append("The player has stopped all emails, except answers to their own.")
    if player.suspended_at is not None:
        errors = [mail.error for mail in outgoing if mail.state in outgoing_mail.ENDED and mail.error]
        why = f" The last error: {errors[0]}" if errors else ""
        found.append(
            f"No new emails have been queued since {_day(player.suspended_at)} because of bounces.{why}"
        )
    paused = session.get(PausedDomain, player.email.rpartition("@")[2])
    if paused is not None:
        found.append(f"Emails to {paused.domain} have been paused since {_day(paused.since)}: {paused.why}")
    if wish_of(player) == NEVER:
        found.append("The player wants no emails about games (mail never).")
    if player.digest_at is not None:
        found.append(f"Reports wait for a digest, which is next due at {player.digest_at:%Y-%m-%d %H:%M} UTC.")
    return found


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _games(session: Session, number: int) -> list[OwnGame]:
    query = select(Game, Seat).where(Seat.game_id == Game.id, Seat.player_id == number)
    query = query.where(col(Game.state).in_(("invited", "open", "running")))
    return [_game(game, seat) for game, seat in session.exec(query.order_by(col(Game.id).desc()).limit(MOST))]


def _game(game: Game, seat: Seat) -> OwnGame:
    title = log.rules_of(game).title
    # While it is secret who has sent orders, an administrator could be one of the other players.
    if not game.shows_ready:
        return OwnGame(log.id_of(game), title, game.state, None, None)
    return OwnGame(log.id_of(game), title, game.state, seat.owes, seat.deadline_at)
