"""Continuation of a series: its next game starts automatically, unless the series was ended or cannot go on."""

from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from rules.reasons import Reason
from server.accounts import relations
from server.errors import Impossible, NotRunning, NotYours
from server.game.lobby import proposed_game, seats
from server.game.lobby.proposed_game import ProposedGame
from server.game.log import log
from server.game.play.start import start_game
from server.game.terms import series
from server.game.terms.terms import GameTerms, games_in
from server.store.db import locked
from server.store.letters.game import SeriesOver
from server.store.letters.letter import About
from server.store.models import Game, Player
from server.store.outbox import ActionContext


def go_on(action: ActionContext, game: Game) -> None:
    """Start the next game of the series of a finished, locked game; if it cannot start, notify all players."""
    game.next_due_at = None
    if not series.goes_on(game):
        return
    if not _may_go_on(action, game):
        game.series_ended = True
        _notify(action, game, None)
        return
    people = [action.session.get_one(Player, number) for number in game.asked]
    proposed = ProposedGame(log.rules_of(game), game.options, GameTerms.from_json(game.terms))
    following = proposed_game.store(action, proposed, people)
    following.again_of, following.series_of = game.id, series.first_of(game)
    following.series_place = game.series_place + 1
    start_game(action, following)


def end(action: ActionContext, player: Player, number: int) -> Game:
    """End the series of a game with the latest of its games, and return that game. Raises Refused."""
    game = locked(action.session, Game, number)
    if game is None or player.id not in game.asked:
        raise NotYours(f"You have no seat in game {number}.")
    if games_in(game.terms) == 1:
        raise Impossible(f"Game {number} is not part of a series.")
    if not log.has_begun(game):
        raise NotRunning(f"Game {number} has not started yet. To propose a single game, write: counter games=1")
    latest = lock_latest(action.session, series.latest(game))
    if not series.goes_on(latest):
        raise Impossible("No further game follows in this series.")
    latest.series_ended, latest.next_due_at = True, None
    _notify(action, latest, player)
    return latest


def _may_go_on(action: ActionContext, game: Game) -> bool:
    """Return whether all players can start another game, and this one was not abandoned."""
    seated = [player for _, player in log.seats(action.session, game)]
    return (
        (game.result or {}).get("reason") != Reason.ABORTED
        and all(player.computer or seats.can_play(action, player) for player in seated)
        and not relations.blocked_pairs(action.session, seated)
    )


def _notify(action: ActionContext, game: Game, by: Player | None) -> None:
    """Notify the players, except the one who ended the series, that no game follows."""
    for seat, player in log.seats(action.session, game):
        if by is None or player.id != by.id:
            letter = SeriesOver("" if by is None else by.name)
            action.put_to_player(player, letter, About(log.id_of(game), seat.number))


def lock_latest(session: Session, query: SelectOfScalar[Game]) -> Game:
    """Return the latest game of a series, locked; `query` finds it.

    If another transaction adds a newer one while this one waits for the lock, that is returned, locked.
    """
    while True:
        number = session.exec(query).one().id
        game = locked(session, Game, number)
        if game is not None and session.exec(query).one().id == number:
            return game
