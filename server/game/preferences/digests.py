"""Reports of turns that were not sent immediately: for digests, for muted games, or because of an open page.

Several workers may run this at the same time: they lock the players, and the state of the reports is stored
with the seats.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session, col, or_, select

from server.accounts import players
from server.clock.digests import next_digest, read_digest
from server.game.log import log, randomness
from server.game.play import conditional_moves
from server.game.play.loaded_game import report_to
from server.store import db, failures
from server.store.deferral import NEVER, SendTime, defer, is_muted, is_urgent, release, wish_of
from server.store.letters.game import Aside, Digest, Report, Undone
from server.store.letters.letter import About, AddressedLetter, Answers, read, write
from server.store.models import Game, GameMessage, Player, Seat
from server.store.outbox import ActionContext, list_waiting, withdraw

_GAMES_A_MAIL = 5
_JOB = "digest"


def unmute(action: ActionContext, game: Game, seat: Seat, player: Player) -> None:
    """Unmute a game for a player, and report everything that happened meanwhile, now or in the next digest."""
    action.session.flush()
    action.session.refresh(seat, with_for_update=True)
    seat.muted_until = None
    _report_or_keep(action, game, seat, player)


def plan(player: Player, now: datetime) -> None:
    """Set the time of a player's next digest, after `now`; None if they have chosen none."""
    player.digest_at = next_digest(read_digest(player.digest, players.zone(player)), now)


def catch_up(action: ActionContext, player: Player) -> None:
    """Send a player's waiting reports now if settings have made one urgent, or have ended the digests."""
    waiting = [
        seat
        for seat in action.session.exec(
            select(Seat).where(Seat.player_id == player.id, col(Seat.deferred_since).is_not(None))
        )
        if not is_muted(seat, action.now)
    ]
    if waiting and (player.digest_at is None or any(is_urgent(player, seat) for seat in waiting)):
        _send_digest(action, player)


def mail_digest(action: ActionContext, player: Player) -> None:
    """Email a player their digest, unless it is empty, and plan the next one."""
    plan(player, action.now)
    _send_digest(action, player)


def report_owed(action: ActionContext, player: Player) -> int:
    """Email a player the report of each game that waits for their move, without a digest.

    These reports replace earlier emails that have not been sent yet, so that no player gets two about the same
    turn. A game about which only such an email waits is also reported, or left to the player's next digest.
    Returns the number of emails.
    """
    waited = _defer_waiting(action, player)
    rows = [
        (game, seat)
        for game, seat in _rows(action.session, player)
        if seat.owes or (seat.game_id in waited and player.digest_at is None)
    ]
    for game, seat in rows:
        report = release(action.session, action.sealer, seat, _current_state(action, game, seat, last=True))
        report = replace(report, undone=waited.get(seat.game_id))
        action.put(player.email, report, About(seat.game_id, seat.number), player_id=player.id)
    return len(rows)


def _defer_waiting(action: ActionContext, player: Player) -> dict[int, Undone | None]:
    """Defer the contents of all emails to a player that have not been sent yet, as far as a report can say it.

    Return the numbers of their games, each with a takeback that has not been reported yet.
    """
    waited: dict[int, Undone | None] = {}
    for mail in list_waiting(action.session, player.email):
        addressed = read(mail.letter, mail.game_id, action.sealer.open_json(mail.sealed))
        parts = _parts_of(addressed)
        left = [part for part in parts if not _defer_part(action, part, mail.created_at, waited)]
        if not left:
            withdraw(mail)
        elif len(left) < len(parts):
            field = "games" if isinstance(addressed.letter, Digest) else "parts"
            rest = replace(addressed, letter=replace(addressed.letter, **{field: tuple(left)}))
            mail.sealed = action.sealer.seal_json(write(rest))
    return waited


def _parts_of(addressed: AddressedLetter) -> Sequence[AddressedLetter]:
    """Return the parts of a combined letter, or the only part of another one."""
    match addressed.letter:
        case Digest(games=parts) | Answers(parts=parts):
            return parts
    return (addressed,)


def _defer_part(
    action: ActionContext, addressed: AddressedLetter, since: datetime, waited: dict[int, Undone | None]
) -> bool:
    """Defer a letter that was queued at a time, and note its game; return False if no report can contain it."""
    letter, about = addressed.letter, addressed.about
    if about is None or about.seat is None or not (isinstance(letter, Report) or letter.may_wait):
        return False
    session, game = action.session, db.locked(action.session, Game, about.game)
    seat = session.get(Seat, (about.game, about.seat))
    if game is None or seat is None:
        return False
    turn, aside, undone = game.turn, Aside(), waited.get(about.game)
    if isinstance(letter, Report):
        turn, aside = letter.first, letter.aside
        undone = letter.undone if letter.last == game.turn - 1 else None
        since = min([since, *_said_at(session, letter.messages or ())])
    defer(session, action.sealer, seat, aside, turn, since, SendTime.LATER)
    waited[about.game] = undone
    return True


def _said_at(session: Session, messages: Collection[int]) -> Sequence[datetime]:
    return session.exec(select(GameMessage.said_at).where(col(GameMessage.id).in_(messages))).all()


def unmute_due(action: ActionContext, game: Game) -> None:
    """Unmute a game for all players who muted it until a time that has passed."""
    for seat, player in log.seats(action.session, game, fresh=True):
        if seat.muted_until is not None and seat.muted_until <= action.now:
            unmute(action, game, seat, player)


def report_deferred(action: ActionContext, game: Game) -> None:
    """Report turns to players who were on the page of a game, but have not answered there in time."""
    for seat, player in log.seats(action.session, game, fresh=True):
        if seat.deferred_until is not None and seat.deferred_until <= action.now:
            seat.deferred_until = seat.page_at = None
            _report_or_keep(action, game, seat, player)


def _report_or_keep(action: ActionContext, game: Game, seat: Seat, player: Player) -> None:
    """Email deferred turns of a game, or leave them for the next digest."""
    if seat.deferred_since is not None:
        action.put_to_player(player, _current_state(action, game, seat), About(seat.game_id, seat.number))


def _send_digest(action: ActionContext, player: Player) -> None:
    """Email a digest: all deferred turns, and all moves that the player has to make, the most urgent first.

    Many games are split into several emails, because mail programs cut off long ones.
    """
    if player.mail_stopped or player.suspended_at is not None or wish_of(player) == NEVER:
        return
    rows = [
        (game, seat)
        for game, seat in _rows(action.session, player)
        if game.state == "over" or not is_muted(seat, action.now)
    ]
    never = datetime.max.replace(tzinfo=action.now.tzinfo)
    rows.sort(key=lambda row: (not row[1].owes, row[1].deadline_at or never, row[0].id))
    told: list[AddressedLetter] = []
    for game, seat in rows:
        with failures.isolated(action.session, action.now, _JOB, Game, log.id_of(game)):
            randomness.rebuild_if_damaged(action.sealer, game, log.seats(action.session, game))
            log.position_of(game)  # a game that cannot be read must not stop the email about the others
            report = release(action.session, action.sealer, seat, _current_state(action, game, seat))
            told.append(AddressedLetter(report, About(seat.game_id, seat.number)))
    for first in range(0, len(told), _GAMES_A_MAIL):
        games = tuple(told[first : first + _GAMES_A_MAIL])
        action.put_to_player(player, Digest(players.identity(player), games))


def _rows(session: Session, player: Player) -> list[tuple[Game, Seat]]:
    """Return, locked, the games with deferred turns of a player, or in which the player has to move."""
    query = (
        select(Game, Seat)
        .where(Seat.game_id == Game.id, Seat.player_id == player.id)
        .where(or_(col(Seat.deferred_since).is_not(None), col(Seat.owes).is_(True)))
        .order_by(col(Game.id))
        .with_for_update(**db.LOCK)
        .execution_options(populate_existing=True)
    )
    return list(session.exec(query))


def _current_state(action: ActionContext, game: Game, seat: Seat, *, last: bool = False) -> Report:
    """Return a report of the current state, without turns or with the last one."""
    kept = conditional_moves.write(conditional_moves.load_moves(action.sealer, seat))
    first = game.turn - last
    return report_to(seat.number, game, log.seats(action.session, game), first, Aside(kept=kept))
