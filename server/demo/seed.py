"""The first data of the demo: two people, a computer player, and running games."""

from sqlmodel import Session, col, select

from server.accounts import computer_players, players
from server.game.lobby import challenges
from server.game.log import log
from server.game.log.log import Seated
from server.game.play import moves
from server.game.play.target import Target
from server.processes.services import Services
from server.store.db import writing
from server.store.models import Game, Player
from server.store.outbox import ActionContext

ANN = "ann@example.org"
BEN = "ben@example.org"

_ISLAND = [
    ("1 c1, 2 a7, 3 l2, 4 e5, 5 h6", "A a12, B g12, C l9, D f5, E d9"),
    ("1 ne, 2 n, 3 w, 4 e, 5 nw", "A s, B se, C w, D nw, E s"),
    ("1 e, 2 ne, 4 n", "B s, C sw, D e, E se"),
]
_CITY = ["d4", "e6", "d5", "f5", "c6"]


def seed(services: Services) -> None:
    """Create players and games in an empty database; leave one with players unchanged."""
    with writing(services.engine) as session:
        if session.exec(select(Player).where(~col(Player.computer)).limit(1)).first() is not None:
            return
        action = ActionContext(session, services.sealer, services.now())
        ann = players.register(action, ANN, "Ann")
        ben = players.register(action, BEN, "Ben")
        _play_island(action, ann, ben)
        _play_city(action, ann, ben)
        challenges.challenge(action, ann, [computer_players.computer(action)], "nebuchadnezzar", {"size": 6})


def _play_island(action: ActionContext, ann: Player, ben: Player) -> None:
    game = challenges.challenge(action, ann, [ben], "nelaxtam", {})
    challenges.accept(action, ben, log.id_of(game))
    for orders in _ISLAND:
        for seat, player in _seats(action.session, game):
            moves.submit(action, player, Target(log.id_of(game), seat.number, game.turn), orders[seat.number])


def _play_city(action: ActionContext, ann: Player, ben: Player) -> None:
    game = challenges.challenge(action, ben, [ann], "nebuchadnezzar", {"size": 8})
    challenges.accept(action, ann, log.id_of(game))
    for number, move in enumerate(_CITY):
        seat, player = _seats(action.session, game)[number % 2]
        moves.submit(action, player, Target(log.id_of(game), seat.number, game.turn), move)


def _seats(session: Session, game: Game) -> list[Seated]:
    session.flush()
    return log.seats(session, game)
