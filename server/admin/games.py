"""Games in the administration: lists, and decisions about results."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from rules.sentences import quoted
from server.accounts import players
from server.admin.audit import AdminAction, reason
from server.errors import BadRequest
from server.game.log import log
from server.game.play import endings
from server.game.terms.wording import result_text
from server.store.db import locked
from server.store.models import Game, Player, Seat


@dataclass(frozen=True)
class GameRow:
    """A game in a list, without its position and the time of its last move."""

    number: int
    title: str
    state: str
    players: tuple[str, ...]
    result: str
    """The result in words; "" while the game runs."""

    @property
    def may_be_decided(self) -> bool:
        """True if the game has started."""
        return self.state in ("running", "over")


@dataclass(frozen=True)
class SeatChoice:
    """A seat that an administrator can choose as winner, with its player's name."""

    number: int
    name: str


def list_games(session: Session, limit: int, skip: int = 0, of: Player | None = None) -> Sequence[GameRow]:
    """Return all games, or those of one player, the latest first."""
    query = select(Game)
    if of is not None:
        query = query.where(Seat.game_id == Game.id, Seat.player_id == of.id)
    games = session.exec(query.order_by(col(Game.id).desc()).offset(skip).limit(limit)).all()
    seated: dict[int, list[str]] = {}
    names = select(Seat.game_id, Player.name).where(Seat.player_id == Player.id)
    numbers = [game.id for game in games]
    for number, name in session.exec(names.where(col(Seat.game_id).in_(numbers)).order_by(col(Seat.number))):
        seated.setdefault(number, []).append(name)
    return [_row(game, seated.get(log.id_of(game), [])) for game in games]


def get_game(session: Session, number: int) -> tuple[GameRow, list[SeatChoice]]:
    """Return a game and its seats. Raises BadRequest if it does not exist."""
    game = session.get(Game, number)
    if game is None:
        raise BadRequest(f"There is no game {number}.")
    seats = [SeatChoice(seat.number, player.name) for seat, player in log.seats(session, game)]
    return _row(game, [seat.name for seat in seats]), seats


def decide(admin_action: AdminAction, number: int, winners: Sequence[int], why: str) -> None:
    """End a game, or replace the result of a finished one, and notify its players with the reason.

    Without `winners` no one wins; several share a draw. Raises BadRequest if the game cannot be decided, or if
    the administrator plays in it.
    """
    why = reason(why)
    game = locked(admin_action.session, Game, number)
    if game is None:
        raise BadRequest(f"There is no game {number}.")
    if _sits(admin_action, game):
        raise BadRequest(f"You play in game {number} yourself. Another administrator must decide it.")
    was_over = game.state == "over"
    endings.adjudicate_result(admin_action.action, game, winners, why)
    admin_action.note("corrected the result" if was_over else "ended a game", game=number, why=why)


def player_named(session: Session, name: str) -> Player:
    """Return the player with this name. Raises BadRequest if there is none."""
    player = players.by_name(session, name)
    if player is None:
        raise BadRequest(f"There is no player called {quoted(name)}. Names have to be exact.")
    return player


def _sits(admin_action: AdminAction, game: Game) -> bool:
    return any(player.id == admin_action.by for _, player in log.seats(admin_action.session, game))


def _row(game: Game, names: Sequence[str]) -> GameRow:
    rules = log.rules_of(game)
    return GameRow(
        log.id_of(game), rules.title, game.state, tuple(names), result_text(rules, game.result, names)
    )
