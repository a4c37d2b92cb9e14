"""Games that last too long for their tournament: players are notified some days before they end."""

from datetime import datetime, timedelta

from sqlalchemy import literal
from sqlmodel import col, or_, select

from server.clock.spans import MINUTE, ZERO
from server.game.clock import deadlines
from server.game.log import log
from server.game.play import endings
from server.pairing import adjudication
from server.store import failures, inbox
from server.store.db import locked
from server.store.letters.letter import About
from server.store.letters.tournaments import AdjudicatedSoon
from server.store.models import Game, Pairing, UtcDateTime
from server.tournaments.games import MOST_AT_ONCE
from server.tournaments.rows import LoadedTournament

_JOB = "adjudication"


def adjudicate_due(loaded: LoadedTournament) -> None:
    """Warn the players of games that end soon, and adjudicate games that are due; a few at a time."""
    due = {each.game_id or 0: each for each in loaded.undecided if _is_due(loaded, each)}
    for number in sorted(due.keys() - _kept_waiting(loaded, list(due)))[:MOST_AT_ONCE]:
        with failures.isolated(loaded.action.session, loaded.action.now, _JOB, Game, number):
            _adjudicate(loaded, due[number], number)


def next_due(loaded: LoadedTournament) -> list[datetime]:
    """Return when each running game needs its next step here."""
    soon = loaded.action.now + MINUTE
    return [max(moment, soon) for each in loaded.undecided if (moment := _due_at(loaded, each)) is not None]


def _due_at(loaded: LoadedTournament, pairing: Pairing) -> datetime | None:
    """Return when the two players are notified or, if they have been, when the game ends."""
    if pairing.adjudicate_at is None:
        return None
    if pairing.warned_at is None:
        return loaded.after(_began_at(loaded, pairing.adjudicate_at), loaded.plan.after - loaded.plan.notice)
    return _ends_at(loaded, pairing.adjudicate_at, pairing.warned_at)


def _began_at(loaded: LoadedTournament, adjudicate_at: datetime) -> datetime:
    return adjudicate_at - loaded.plan.after


def _ends_at(loaded: LoadedTournament, adjudicate_at: datetime, warned_at: datetime) -> datetime:
    """Return when a game ends whose players are notified now, or were notified before."""
    last = loaded.after(_began_at(loaded, adjudicate_at), loaded.plan.after)
    return max(last, loaded.after(warned_at, loaded.plan.notice))


def _is_due(loaded: LoadedTournament, pairing: Pairing) -> bool:
    moment = _due_at(loaded, pairing)
    return moment is not None and moment <= loaded.action.now


def _kept_waiting(loaded: LoadedTournament, numbers: list[int]) -> set[int]:
    """Return games that wait for an email that may end them, and games for which this has just failed."""
    if not numbers:
        return set()
    now = loaded.action.now
    waits = or_(
        inbox.keeps_waiting(now, literal(now, UtcDateTime)), failures.is_put_off(_JOB, now, col(Game.id))
    )
    found = loaded.action.session.exec(select(Game.id).where(col(Game.id).in_(numbers), waits))
    return {number for number in found if number is not None}


def _adjudicate(loaded: LoadedTournament, pairing: Pairing, number: int) -> None:
    action = loaded.action
    game = locked(action.session, Game, number)
    if game is None or game.state != "running":
        return  # it is over, and will be counted
    if (left := _time_left(loaded, pairing, game)) >= MINUTE:
        pairing.adjudicate_at = (pairing.adjudicate_at or action.now) + left
        return
    if pairing.warned_at is None:
        pairing.warned_at = action.now
        ends = _ends_at(loaded, pairing.adjudicate_at or action.now, action.now)
        for seat, player in log.seats(action.session, game):
            letter = AdjudicatedSoon(loaded.number, ends)
            action.put_to_player(player, letter, About(number, seat.number))
        return
    endings.adjudicate_by_time(action, game)


def _time_left(loaded: LoadedTournament, pairing: Pairing, game: Game) -> timedelta:
    """Return how long the clocks of a game can still run before its players are notified, or it ends.

    The clocks stop during a vacation, which therefore does not count. Zero if the time was not measured.
    """
    session, plan = loaded.action.session, loaded.plan
    thought = deadlines.thinking_times(session, game, log.seats(session, game), loaded.action.now)
    played = adjudication.elapsed(thought, simultaneous=log.rules_of(game).simultaneous)
    if played is None:
        return ZERO
    whole = plan.after if pairing.warned_at is not None else plan.after - plan.notice
    return whole - timedelta(seconds=played)
