"""How a series goes on: its next game begins by itself, unless somebody cannot play on or has ended it."""

from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from rules.reasons import Reason
from server.accounts import relations
from server.errors import BadRequest, NotRunning, NotYours
from server.game.lobby import proposal, seats
from server.game.lobby.proposal import Proposal
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
    """Begin the game that follows one that is over; if it cannot begin, tell everybody. The game is locked."""
    game.next_due_at = None
    if not series.goes_on(game):
        return
    if not _may_go_on(action, game):
        game.series_ended = True
        _tell(action, game, None)
        return
    people = [action.session.get_one(Player, number) for number in game.asked]
    proposed = Proposal(log.rules_of(game), game.options, GameTerms.from_json(game.terms))
    following = proposal.store(action, proposed, people)
    following.again_of, following.series_of = game.id, series.first_of(game)
    following.series_place = game.series_place + 1
    start_game(action, following)


def end(action: ActionContext, player: Player, number: int) -> Game:
    """End the series of a game with the latest of its games, which is returned. Raises Refused."""
    game = locked(action.session, Game, number)
    if game is None or player.id not in game.asked:
        raise NotYours(f"You have no seat in game {number}.")
    if games_in(game.terms) == 1:
        raise BadRequest(f"Game {number} is not part of a series.")
    if not log.has_begun(game):
        raise NotRunning(f"Game {number} has not begun yet. To propose one game alone, write: counter games=1")
    latest = lock_latest(action.session, series.latest(game))
    if not series.goes_on(latest):
        raise BadRequest("No further game follows in this series.")
    latest.series_ended, latest.next_due_at = True, None
    _tell(action, latest, player)
    return latest


def _may_go_on(action: ActionContext, game: Game) -> bool:
    """Whether everybody can begin another game, and somebody has played in this one."""
    seated = [player for _, player in log.seats(action.session, game)]
    return (
        (game.result or {}).get("reason") != Reason.ABORTED
        and all(player.computer or seats.can_play(action, player) for player in seated)
        and not relations.blocked_pairs(action.session, seated)
    )


def _tell(action: ActionContext, game: Game, by: Player | None) -> None:
    """Tell the players that no game follows, but for who ended the series."""
    for seat, player in log.seats(action.session, game):
        if by is None or player.id != by.id:
            letter = SeriesOver("" if by is None else by.name)
            action.put_to_player(player, letter, About(log.id_of(game), seat.number))


def lock_latest(session: Session, query: SelectOfScalar[Game]) -> Game:
    """Lock the game that `query` finds: another may have followed it until it is."""
    while True:
        number = session.exec(query).one().id
        game = locked(session, Game, number)
        if game is not None and session.exec(query).one().id == number:
            return game
