"""Games as administrators find and decide them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

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
    """A game in a list: nothing of how it stands, and not when something last happened in it."""

    number: int
    title: str
    state: str
    players: tuple[str, ...]
    result: str
    """How it ended, in words; "" while it goes on."""

    @property
    def may_be_decided(self) -> bool:
        """Whether it has begun."""
        return self.state in ("running", "over")


@dataclass(frozen=True)
class SeatChoice:
    """A seat that can be made to win, and who has it."""

    number: int
    name: str


def list_games(session: Session, limit: int, skip: int = 0, of: Player | None = None) -> Sequence[GameRow]:
    """All games, or those of a player, the latest first."""
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
    """A game, and its seats. Raises BadRequest where there is none of this number."""
    game = session.get(Game, number)
    if game is None:
        raise BadRequest(f"There is no game {number}.")
    seats = [SeatChoice(seat.number, player.name) for seat, player in log.seats(session, game)]
    return _row(game, [seat.name for seat in seats]), seats


def decide(admin_action: AdminAction, number: int, winners: Sequence[int], why: str) -> None:
    """End a game, or replace the result of one that is over; its players are told, and why.

    With no `winners` nobody wins, with several they share a draw. Raises BadRequest for a game that cannot be
    decided, and for one in which the administrator plays.
    """
    why = reason(why)
    game = locked(admin_action.session, Game, number)
    if game is None:
        raise BadRequest(f"There is no game {number}.")
    if _sits(admin_action, game):
        raise BadRequest(f"You play in game {number} yourself: another administrator has to decide it.")
    was_over = game.state == "over"
    endings.adjudicate_result(admin_action.action, game, winners, why)
    admin_action.note("corrected the result" if was_over else "ended a game", game=number, why=why)


def player_named(session: Session, name: str) -> Player:
    """The player of a name. Raises BadRequest."""
    player = players.by_name(session, name)
    if player is None:
        raise BadRequest(f"There is no player called “{name[:40]}”. Names have to be exact.")
    return player


def _sits(admin_action: AdminAction, game: Game) -> bool:
    return any(player.id == admin_action.by for _, player in log.seats(admin_action.session, game))


def _row(game: Game, names: Sequence[str]) -> GameRow:
    rules = log.rules_of(game)
    return GameRow(
        log.id_of(game), rules.title, game.state, tuple(names), result_text(rules, game.result, names)
    )
