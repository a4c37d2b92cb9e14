"""Games that are open to anybody: put up by one player, joined by others, begun when all seats are taken.

Unlike the players of a challenge, those who sit there have all accepted already: others come and go until the
last one comes. Letters about them are from the plain address and name the game, since places change when
somebody leaves.
"""

from collections.abc import Mapping
from itertools import pairwise

from sqlmodel import Session, col, select

from server.accounts import bars, players, relations
from server.clock.spans import DAY
from server.errors import BadRequest, GameOver, NotRunning, NotYours
from server.game import audience, limits, log, play, proposal, randomness
from server.game.log import Seated
from server.store import db
from server.store.letters.letter import Letter
from server.store.letters.lobby import TableChanged, TableClosed
from server.store.models import Game, Player, Seat
from server.store.outbox import Action

MOST_NEWS = 10
"""Letters that a player is mailed in a day about others who come and go at open games."""


def seek(action: Action, player: Player, kind_name: str, options: Mapping[str, object]) -> Game:
    """Open a game to anybody; `options` are those of the kind and of the house. Raises BadRequest."""
    proposed = proposal.read(kind_name, options, players.zone(player))
    if not is_reachable(player):
        raise BadRequest(
            "We have no way to mail you when the game begins. If you wrote “stop”, write resume first."
        )
    bars.check(action.session, player, action.now)
    limits.check_seek(action.session, player)
    game = proposal.store(action, proposed, [player], randomness.new_seed())
    game.state = "open"
    action.session.add(Seat(game_id=log.identity(game), number=0, player_id=player.id or 0, accepted=True))
    action.session.flush()
    return game


def join(action: Action, player: Player, number: int, words: str = "") -> Game:
    """Join an open game, with one's own words for luck; the last one to join starts it. Raises Refused.

    Who has joined already can give words so, or others.
    """
    game, seated = _open(action, player, number)
    own = next((seat for seat, other in seated if other.id == player.id), None)
    if own is not None:
        if not words:
            raise BadRequest(f"You have joined game {number} already. It begins when all seats are taken.")
        own.client_seed = randomness.tidy(words)
        return game
    _check_may_sit(action, game, player, seated)
    players.confirm(player, action.now)
    action.session.add(
        Seat(
            game_id=number,
            number=len(game.asked),
            player_id=players.identity(player),
            accepted=True,
            joined_at=action.now,
            client_seed=randomness.tidy(words),
        )
    )
    game.asked = [*game.asked, players.identity(player)]
    game.changed_at = action.now
    action.session.flush()
    if log.missing(game):
        _tell_others(action, game, player, TableChanged(number, player.name, joined=True))
    else:
        play.begin(action, game)
    return game


def leave(action: Action, player: Player, number: int) -> Game:
    """Leave an open game; when the one who opened it does, it is closed. Raises Refused."""
    game, seated = _open(action, player, number)
    place = next((seat.number for seat, other in seated if other.id == player.id), None)
    if place is None:
        raise NotYours(f"You have not joined game {number}.")
    if place == 0:
        _tell_others(action, game, player, TableClosed(number, player.name))
        game.state = "closed"
    else:
        _stand_up(action.session, game, place)
        _tell_others(action, game, player, TableChanged(number, player.name, joined=False))
    game.changed_at = action.now
    return game


def is_reachable(player: Player) -> bool:
    """Whether a player wants mail and gets it: others would wait in vain for one who does not."""
    return not player.mail_stopped and player.suspended_at is None


def opened(session: Session, written: str, player: Player) -> Game:
    """The open game of this number, for a player. Raises NotYours if there is none that they may see."""
    game = session.get(Game, int(written)) if len(written) < 16 else None
    if game is None or game.state != "open" or audience.is_hidden(session, game, players.identity(player)):
        raise NotYours(f"There is no open game {written:.15}. To see those that there are, write: open")
    return game


def joined(session: Session, player: Player) -> list[int]:
    """The numbers of the open games that a player has opened or joined, oldest first."""
    query = select(Game.id).where(Seat.game_id == Game.id, Seat.player_id == player.id, Game.state == "open")
    return [number for number in session.exec(query.order_by(col(Game.id))) if number is not None]


def _open(action: Action, player: Player, number: int) -> tuple[Game, list[Seated]]:
    """Lock an open game. Raises Refused for one that is not open any more, or never was.

    Others' private game is for a player as if there were none.
    """
    game = db.locked(action.session, Game, number)
    is_shown = game is not None and (
        game.state in ("open", "closed")
        or audience.shown(action.session, number, players.identity(player)) is not None
    )
    if game is None or not is_shown or game.state in ("invited", "declined"):
        raise NotYours(f"There is no open game {number}. To see those that there are, write: open")
    if game.state == "closed":
        raise GameOver(f"Game {number} is no longer open. To see the games that are, write: open")
    if game.state != "open":
        raise NotRunning(f"Game {number} has already begun. To see the games that are open, write: open")
    return game, log.seats(action.session, game, fresh=True)


def _check_may_sit(action: Action, game: Game, player: Player, seated: list[Seated]) -> None:
    """Raise Refused when somebody cannot join a game; whoever cannot play any more leaves it."""
    for seat, other in reversed(seated):
        if not is_reachable(other) or bars.bar_of(action.session, other, action.now):
            if seat.number == 0:
                raise GameOver(f"Game {game.id} is no longer open. To see the games that are, write: open")
            _stand_up(action.session, game, seat.number)
    if not is_reachable(player):
        raise BadRequest(
            "We have no way to mail you, so you cannot join a game. If you wrote “stop”, write resume first."
        )
    bars.check(action.session, player, action.now)
    company = [player, *(other for _, other in log.seats(action.session, game))]
    if relations.are_apart(action.session, company):
        raise BadRequest(f"You cannot join game {game.id}. To see the games that are open, write: open")
    limits.check_join(action, player)


def _stand_up(session: Session, game: Game, place: int) -> None:
    """Free a place of an open game; whoever came later moves up."""
    seats = [seat for seat, _ in log.seats(session, game)]
    for seat, following in pairwise(seats[place:]):
        for column in randomness.THEIRS:
            setattr(seat, column, getattr(following, column))
    session.delete(seats[-1])
    game.asked = [*game.asked[:place], *game.asked[place + 1 :]]
    session.flush()


def _tell_others(action: Action, game: Game, actor: Player, letter: Letter) -> None:
    """Mail those who sit at an open game, but for whoever acts, unless they have heard enough today."""
    for _, player in log.seats(action.session, game):
        if player.id != actor.id and action.recent(player.email or "", type(letter), DAY) < MOST_NEWS:
            action.put_to_player(player, letter)
